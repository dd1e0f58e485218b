"""The playground's page: the conversation on the left, the daemon's rows on the right, and buttons for trouble."""
