-- How far each session has been looked back on: the number of its last line then.
CREATE TABLE reviews (session TEXT PRIMARY KEY, seq INTEGER NOT NULL, at REAL NOT NULL) WITHOUT ROWID;
CREATE TRIGGER sessions_gone AFTER DELETE ON sessions BEGIN DELETE FROM reviews WHERE session = old.id; END;
