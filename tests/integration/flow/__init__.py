"""The way out and the life of connections."""
