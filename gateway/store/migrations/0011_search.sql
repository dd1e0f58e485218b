-- An index of every word that was said, with whose it is; it follows the transcript whatever changes that.
-- `searchable` is a function of ours; scope is 'x' and the subject in hexadecimal.
CREATE VIRTUAL TABLE said USING fts5(scope, words, content='', tokenize="unicode61 remove_diacritics 2");
CREATE TRIGGER steps_said AFTER INSERT ON steps BEGIN
  INSERT INTO said (rowid, scope, words)
    SELECT new.seq, 'x' || lower(hex(subject)), searchable(new.content) FROM sessions
    WHERE id = new.session AND subject <> '';
END;
CREATE TRIGGER steps_unsaid BEFORE DELETE ON steps BEGIN
  INSERT INTO said (said, rowid, scope, words)
    SELECT 'delete', old.seq, 'x' || lower(hex(subject)), searchable(old.content) FROM sessions
    WHERE id = old.session AND subject <> '';
END;
INSERT INTO said (rowid, scope, words)
  SELECT s.seq, 'x' || lower(hex(o.subject)), searchable(s.content) FROM steps s JOIN sessions o ON o.id = s.session
  WHERE o.subject <> '';
