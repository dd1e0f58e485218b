"""Listening while it works: what a person says while a turn runs, and what waits for a decision."""
