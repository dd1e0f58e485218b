"""Slack, over its emulator."""
