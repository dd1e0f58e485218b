-- What happened to sessions and no hook was told of yet; a day later nobody needs to be.
CREATE TABLE happened (id INTEGER PRIMARY KEY, event TEXT NOT NULL, session TEXT NOT NULL);
CREATE TRIGGER session_started AFTER INSERT ON sessions BEGIN
  INSERT INTO happened (event, session) VALUES ('on_session_start', new.id);
END;
CREATE TRIGGER session_ended AFTER UPDATE OF closed_at ON sessions WHEN old.closed_at IS NULL AND new.closed_at IS NOT NULL BEGIN
  INSERT INTO happened (event, session) VALUES ('on_session_end', new.id);
END;
