"""The life of a session: when it begins and ends, what is looked back on, found again."""
