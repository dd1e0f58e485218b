"""What is due later: wishes, jobs, fires, runs, and where their output goes."""
