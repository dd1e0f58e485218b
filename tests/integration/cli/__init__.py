"""The command line as people and scripts meet it: real processes on a home of their own."""
