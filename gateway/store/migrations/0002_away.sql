-- Trouble that the owner was told of, accounts that stand still, and what people are to hear after we were away.

ALTER TABLE incidents ADD COLUMN told_at REAL;  -- when the owner was told
CREATE TABLE streaks (                          -- failures in a row, gone with the first success
  subject TEXT PRIMARY KEY, n INTEGER NOT NULL, since REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE pauses (line TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE away (                             -- one row per fact; a fact is told once
  key       TEXT PRIMARY KEY,                   -- message/ITEM
  person    TEXT NOT NULL,
  kind      TEXT NOT NULL,
  since     REAL NOT NULL,                      -- when we were last there
  noted_at  REAL NOT NULL,
  told_at   REAL
);
CREATE INDEX away_untold ON away (person) WHERE told_at IS NULL;
CREATE INDEX away_told ON away (told_at) WHERE told_at IS NOT NULL;
