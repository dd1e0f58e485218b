"""The pure parts of the Slack adapter."""
