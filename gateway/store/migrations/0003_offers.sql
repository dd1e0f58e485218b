-- What somebody is asked to choose, by a button or in words: decided once, before it expires.
CREATE TABLE offers (
  id          TEXT PRIMARY KEY,           -- P-7K3Q: what people type
  kind        TEXT NOT NULL,              -- what a decision does: a line in a table of the services
  subject     TEXT NOT NULL,              -- what it is about, for whoever made it
  about       TEXT NOT NULL,              -- the same in words, for lists
  body        TEXT NOT NULL DEFAULT '',   -- what its decision needs
  words       TEXT NOT NULL,              -- what may be chosen, parted by spaces: yes, no, others
  person      TEXT,                       -- who may decide,
  least       TEXT,                       -- and from which role on everybody else may
  created_at  REAL NOT NULL,
  expires_at  REAL NOT NULL,
  decision    TEXT,
  decided_by  TEXT,
  decided_at  REAL
) WITHOUT ROWID;
CREATE INDEX offers_subject ON offers (kind, subject);
CREATE INDEX offers_open ON offers (expires_at) WHERE decision IS NULL;
