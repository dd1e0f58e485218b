"""Real processes, killed for real, and a real browser."""
