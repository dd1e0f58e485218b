-- What a turn must ask before it does. ---------------------------------------------------------------------------

ALTER TABLE steps ADD COLUMN outside TEXT NOT NULL DEFAULT '';   -- whose words a line holds, where they are not the person's or ours
ALTER TABLE steps ADD COLUMN addresses TEXT NOT NULL DEFAULT ''; -- what of the web may be fetched since, one a line
CREATE INDEX steps_outside ON steps (session) WHERE outside <> '' OR addresses <> '';
