-- What stands in the place of the middle of a long talk; the newest row of a session counts, the lines themselves stay.
CREATE TABLE summaries (
  id INTEGER PRIMARY KEY, session TEXT NOT NULL, kept INTEGER NOT NULL,   -- lines before the gap
  turn TEXT NOT NULL, n INTEGER NOT NULL,                                 -- the last line in the gap
  text TEXT NOT NULL, at REAL NOT NULL
);
CREATE INDEX summaries_session ON summaries (session, id);
CREATE TABLE shortenings (session TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID;  -- asked for, not done yet
CREATE TRIGGER turns_gone AFTER DELETE ON turns BEGIN DELETE FROM summaries WHERE session = old.session; END;
