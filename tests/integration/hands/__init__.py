"""What the agent can do for people, and what it cannot be made to do."""
