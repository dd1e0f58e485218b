-- Jobs that people made. A due instant moves only in the transaction that writes its run.
CREATE TABLE jobs (
  id TEXT PRIMARY KEY, person TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL, next_due REAL,
  made_at REAL NOT NULL, body TEXT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX jobs_name ON jobs (person, name) WHERE state <> 'removed';
CREATE INDEX jobs_due ON jobs (next_due) WHERE state = 'active' AND next_due IS NOT NULL;
CREATE TABLE runs (
  job TEXT NOT NULL REFERENCES jobs (id), due REAL NOT NULL, state TEXT NOT NULL, item INTEGER, why TEXT NOT NULL,
  at REAL NOT NULL, PRIMARY KEY (job, due)
) WITHOUT ROWID;
CREATE INDEX runs_item ON runs (item) WHERE item IS NOT NULL;
