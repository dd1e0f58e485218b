-- Who wants to hear answers as well.
ALTER TABLE people ADD COLUMN voice INTEGER NOT NULL DEFAULT 0;
