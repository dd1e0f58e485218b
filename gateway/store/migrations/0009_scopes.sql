-- What may be allowed for longer is not always a whole tool: it has a name of its own, '' for what asks each time.
ALTER TABLE approvals ADD COLUMN scope TEXT NOT NULL DEFAULT '';
UPDATE approvals SET scope = tool;
ALTER TABLE grants RENAME COLUMN tool TO scope;
