-- What a session carries on from, who named it, and until when a person wants it kept.
ALTER TABLE sessions ADD COLUMN carries INTEGER NOT NULL DEFAULT 0;     -- its parent's transcript stands before its own
ALTER TABLE sessions ADD COLUMN titled TEXT NOT NULL DEFAULT 'words';   -- words, tried, model, person
ALTER TABLE sessions ADD COLUMN kept_until REAL NOT NULL DEFAULT 0;     -- no time of day before this ends it
CREATE INDEX sessions_lane ON sessions (lane, last_active);
CREATE INDEX sessions_parent ON sessions (parent) WHERE carries = 1;
