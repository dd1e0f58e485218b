"""Discord: one bot account over the event gateway and the REST API."""
