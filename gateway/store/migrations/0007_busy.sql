-- What people want while a turn runs, and what a turn waits for. -----------------------------------------------

CREATE TABLE busy (lane TEXT PRIMARY KEY, mode TEXT NOT NULL, at REAL NOT NULL) WITHOUT ROWID; -- wins over the configuration

ALTER TABLE turns ADD COLUMN opening INTEGER NOT NULL DEFAULT 0; -- a placeholder may have been posted that we know nothing of
ALTER TABLE turns ADD COLUMN hidden_at REAL;                     -- forgotten by its person, gone for good a week later
CREATE INDEX turns_hidden ON turns (hidden_at) WHERE hidden_at IS NOT NULL;

CREATE TABLE approvals (                  -- one dangerous call each; decided once
  id         TEXT PRIMARY KEY,            -- T-XXXX, as people type it
  turn       TEXT NOT NULL,
  session    TEXT NOT NULL,
  lane       TEXT NOT NULL,
  call       TEXT NOT NULL,               -- the model's id of it
  tool       TEXT NOT NULL,
  least      TEXT NOT NULL,               -- role that may use the tool
  holder     TEXT NOT NULL,               -- whose call it is: a person, or an account in a group
  role       TEXT NOT NULL,               -- of the holder, when it was asked
  hash       BLOB NOT NULL,               -- of tool and arguments
  asked_at   REAL NOT NULL,
  expires_at REAL NOT NULL,
  decision   TEXT,                        -- once, session, always, no
  by         TEXT NOT NULL DEFAULT '',
  decided_at REAL,
  used_at    REAL,                        -- when the call began
  UNIQUE (turn, call)
);
CREATE INDEX approvals_waiting ON approvals (lane) WHERE decision IS NULL;

CREATE TABLE grants (                     -- calls that need not be asked again
  holder TEXT NOT NULL, tool TEXT NOT NULL, session TEXT NOT NULL, -- '' is always
  by TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (holder, tool, session)
) WITHOUT ROWID;
