"""Questions with choices."""
