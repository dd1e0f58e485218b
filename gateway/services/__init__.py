"""The services of the house: intake, worker, turns, drafts, outbox, commands."""
