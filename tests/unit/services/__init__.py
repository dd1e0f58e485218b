"""The services, each by itself."""
