"""The operations over a real store."""
