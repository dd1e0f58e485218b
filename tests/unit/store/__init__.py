"""Units of work on a store in memory."""
