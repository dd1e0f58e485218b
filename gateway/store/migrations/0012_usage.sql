-- What each answered request to a model used; cost is null where no price is known.
CREATE TABLE usage (
  id INTEGER PRIMARY KEY, at REAL NOT NULL, who TEXT NOT NULL, session TEXT NOT NULL, turn TEXT NOT NULL,
  job TEXT NOT NULL DEFAULT '', model TEXT NOT NULL, input INTEGER NOT NULL, cached INTEGER NOT NULL,
  output INTEGER NOT NULL, cost REAL
);
CREATE INDEX usage_who ON usage (who, at);
CREATE INDEX usage_at ON usage (at);
CREATE INDEX usage_session ON usage (session);
