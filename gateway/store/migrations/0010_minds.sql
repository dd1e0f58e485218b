-- Whose memory and past a session sees.
ALTER TABLE sessions ADD COLUMN subject TEXT NOT NULL DEFAULT '';       -- people/u1, groups/telegram,7,-100
UPDATE sessions SET subject = 'people/' || person WHERE person IS NOT NULL AND lane LIKE 'user:%';
