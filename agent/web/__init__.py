"""The web as tools see it: guarded, as text, and in other people's words."""
