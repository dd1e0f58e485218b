-- Everything the daemon knows. Instants are seconds since 1970, UTC. Bodies are JSON of domain dataclasses.

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- the two queues -----------------------------------------------------------------------------------------
CREATE TABLE items (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  queue       TEXT NOT NULL,              -- inbox, outbox
  key         TEXT NOT NULL,              -- what makes a repeat recognisable
  lane        TEXT NOT NULL,              -- what must stay in order
  account     TEXT NOT NULL,              -- platform/id of our bot
  person      TEXT NOT NULL DEFAULT '',   -- slots are fair between these
  together    TEXT NOT NULL DEFAULT '',   -- conversation and sender: rows that may share a turn
  ref         TEXT NOT NULL DEFAULT '',   -- the message on its platform, for edits of it
  turn        TEXT,                       -- the answer that took (inbox) or made (outbox) this row
  failures    INTEGER NOT NULL DEFAULT 0, -- its own: raised or timed out
  deaths      INTEGER NOT NULL DEFAULT 0, -- the process died with it in hand
  waits       INTEGER NOT NULL DEFAULT 0, -- put off through no fault of its own, in a row
  not_before  REAL NOT NULL DEFAULT 0,
  expires_at  REAL,
  state       TEXT NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'done', 'dead', 'unknown')),
  rule        TEXT NOT NULL DEFAULT '',   -- how it was admitted
  why         TEXT NOT NULL DEFAULT '',   -- the last thing that happened to it
  created_at  REAL NOT NULL,
  finished_at REAL,
  body        TEXT NOT NULL,
  UNIQUE (queue, key)
);
CREATE INDEX items_ready ON items (queue, lane, id) WHERE state = 'ready';
CREATE INDEX items_due ON items (queue, not_before) WHERE state = 'ready' AND not_before > 0;
CREATE INDEX items_expiring ON items (queue, expires_at) WHERE state = 'ready' AND expires_at IS NOT NULL;
CREATE INDEX items_kept ON items (queue, state, id) WHERE state IN ('dead', 'unknown');
CREATE INDEX items_ref ON items (ref) WHERE ref <> '';
CREATE INDEX items_turn ON items (turn) WHERE turn IS NOT NULL;

CREATE TABLE lanes (                      -- the only lock of the system
  queue        TEXT NOT NULL,
  lane         TEXT NOT NULL,
  owner        TEXT,                      -- boot id of the process that works it; null when idle
  epoch        INTEGER NOT NULL DEFAULT 0,
  leased_until REAL,                      -- for engines with several processes; in one process a lease has no clock
  cancel       TEXT,                      -- the turn to stop
  PRIMARY KEY (queue, lane)
) WITHOUT ROWID;
CREATE INDEX lanes_held ON lanes (owner) WHERE owner IS NOT NULL;

CREATE TABLE cursors (account TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, at REAL NOT NULL,
  PRIMARY KEY (account, name)) WITHOUT ROWID;

-- people ---------------------------------------------------------------------------------------------------
CREATE TABLE people (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, timezone TEXT, language TEXT,
  source TEXT NOT NULL,                   -- config, code, open, terminal
  merged_into TEXT, created_at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE identities (
  platform TEXT NOT NULL, scope TEXT NOT NULL, native TEXT NOT NULL, person TEXT NOT NULL REFERENCES people (id),
  source TEXT NOT NULL, created_at REAL NOT NULL, PRIMARY KEY (platform, scope, native)
) WITHOUT ROWID;
CREATE INDEX identities_person ON identities (person);
CREATE TABLE talks (                      -- direct talks by person: where a notice reaches them
  person TEXT NOT NULL, conversation TEXT NOT NULL, body TEXT NOT NULL, last_at REAL NOT NULL,
  PRIMARY KEY (person, conversation)
) WITHOUT ROWID;
CREATE TABLE codes (
  id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, kind TEXT NOT NULL, role TEXT NOT NULL, name TEXT,
  created_at REAL NOT NULL, expires_at REAL NOT NULL, used_at REAL, used_by TEXT
);
CREATE TABLE attempts (identity TEXT NOT NULL, platform TEXT NOT NULL, known INTEGER NOT NULL, at REAL NOT NULL);
CREATE INDEX attempts_identity ON attempts (identity, at);
CREATE INDEX attempts_platform ON attempts (platform, at);
CREATE TABLE audit (id INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
  detail TEXT NOT NULL);
CREATE TABLE drops (                      -- what admission refused: never its text
  id INTEGER PRIMARY KEY, at REAL NOT NULL, platform TEXT NOT NULL, account TEXT NOT NULL, sender TEXT NOT NULL,
  conversation TEXT NOT NULL, kind TEXT NOT NULL, rule TEXT NOT NULL, key TEXT NOT NULL UNIQUE
);
CREATE INDEX drops_at ON drops (at);
CREATE TABLE overheard (id INTEGER PRIMARY KEY, conversation TEXT NOT NULL, at REAL NOT NULL, sender TEXT NOT NULL,
  text TEXT NOT NULL, key TEXT NOT NULL UNIQUE);
CREATE INDEX overheard_conversation ON overheard (conversation, id);
CREATE TABLE moves (old TEXT PRIMARY KEY, new TEXT NOT NULL, body TEXT NOT NULL, at REAL NOT NULL) WITHOUT ROWID;

-- sessions ---------------------------------------------------------------------------------------------------
CREATE TABLE sessions (
  id TEXT PRIMARY KEY, lane TEXT NOT NULL, person TEXT, title TEXT NOT NULL, model TEXT NOT NULL, system TEXT NOT NULL,
  opened_at REAL NOT NULL, last_active REAL NOT NULL, closed_at REAL, closed_by TEXT, parent TEXT
) WITHOUT ROWID;
CREATE UNIQUE INDEX sessions_open ON sessions (lane) WHERE closed_at IS NULL;
CREATE INDEX sessions_active ON sessions (last_active);
CREATE TABLE turns (
  id TEXT PRIMARY KEY, session TEXT NOT NULL REFERENCES sessions (id), lane TEXT NOT NULL, person TEXT,
  conversation TEXT NOT NULL, state TEXT NOT NULL, opened_at REAL NOT NULL, ended_at REAL, draft TEXT,
  model TEXT NOT NULL DEFAULT '', input_tokens INTEGER NOT NULL DEFAULT 0, cached_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX turns_session ON turns (session, opened_at);
CREATE INDEX turns_open ON turns (lane) WHERE state = 'open';
CREATE INDEX turns_ended ON turns (lane, ended_at);
CREATE TABLE steps (                      -- the journal is the transcript
  seq INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, turn TEXT NOT NULL, n INTEGER NOT NULL,
  role TEXT NOT NULL, item INTEGER, call_id TEXT, content TEXT NOT NULL, calls TEXT NOT NULL DEFAULT '',
  at REAL NOT NULL, UNIQUE (turn, n)
);
CREATE INDEX steps_session ON steps (session, seq);
CREATE UNIQUE INDEX steps_result ON steps (turn, call_id) WHERE call_id IS NOT NULL;

-- what was sent, so that replies, edits and reactions find what they are about ---------------------------------
CREATE TABLE sent (ref TEXT PRIMARY KEY, delivery TEXT NOT NULL, turn TEXT, text TEXT NOT NULL, at REAL NOT NULL)
  WITHOUT ROWID;
CREATE INDEX sent_turn ON sent (turn) WHERE turn IS NOT NULL;

CREATE TABLE incidents (id INTEGER PRIMARY KEY, subject TEXT NOT NULL, detail TEXT NOT NULL, opened_at REAL NOT NULL,
  closed_at REAL);
CREATE UNIQUE INDEX incidents_open ON incidents (subject) WHERE closed_at IS NULL;
