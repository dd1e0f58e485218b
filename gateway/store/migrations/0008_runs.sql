-- How runs of jobs ended apart from their delivery, and output that quiet hours hold back.
ALTER TABLE runs ADD COLUMN ended TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN silent TEXT NOT NULL DEFAULT '';
CREATE TABLE held (
  n            INTEGER PRIMARY KEY,
  key          TEXT NOT NULL UNIQUE,      -- of the message
  conversation TEXT NOT NULL,
  title        TEXT NOT NULL,             -- what a digest calls it
  turn         TEXT NOT NULL,
  language     TEXT,
  until        REAL NOT NULL,
  body         TEXT NOT NULL
);
CREATE INDEX held_until ON held (until);
