"""The emulator of Slack, alone."""
