"""Rules of the house that a linter cannot say, checked over every tracked file."""
