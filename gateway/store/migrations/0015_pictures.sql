-- Which pictures a line shows, in order: for each its file and its type.
ALTER TABLE steps ADD COLUMN pictures TEXT NOT NULL DEFAULT '';
CREATE INDEX steps_pictures ON steps (session) WHERE pictures <> '';
