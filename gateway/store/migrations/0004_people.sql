-- What people prefer, whose account a talk is, codes that join accounts, groups that owners allowed, what was joined.
ALTER TABLE people ADD COLUMN home TEXT;        -- the conversation that receives unaddressed output
ALTER TABLE people ADD COLUMN quiet TEXT;       -- 22:00-07:00
ALTER TABLE people ADD COLUMN plain INTEGER NOT NULL DEFAULT 0;
ALTER TABLE people ADD COLUMN forget_at REAL;   -- when everything about them goes
ALTER TABLE talks ADD COLUMN identity TEXT NOT NULL DEFAULT '';  -- of the account it belongs to
ALTER TABLE codes ADD COLUMN person TEXT;       -- link: whose account it joins to
ALTER TABLE codes ADD COLUMN body TEXT NOT NULL DEFAULT '';      -- which account it was shown to
CREATE TABLE apart (conversation TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID;  -- talks with a session of their own
CREATE TABLE groups (                           -- allowed in a chat; those of the configuration are not here
  address TEXT PRIMARY KEY, title TEXT NOT NULL, role TEXT NOT NULL, allowed_by TEXT, at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE joins (                            -- accounts that were joined to a person, for Undo
  id INTEGER PRIMARY KEY, kept TEXT NOT NULL, gone TEXT, identities TEXT NOT NULL, apart TEXT NOT NULL,
  role_before TEXT NOT NULL, role_after TEXT NOT NULL, at REAL NOT NULL, undone_at REAL
);
