"""Keeping the state and its health: backups, retention, incidents, what was missed while away."""
