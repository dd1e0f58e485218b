-- Which of the configured models a person wants for a talk; null: the first that works.
ALTER TABLE sessions ADD COLUMN chosen TEXT;
