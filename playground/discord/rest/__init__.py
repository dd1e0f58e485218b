"""The calls of the REST API, version 10: one file per group, one table."""
