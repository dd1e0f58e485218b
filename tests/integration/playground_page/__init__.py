"""The playground's page: what it shows, what it does, and whom it refuses."""
