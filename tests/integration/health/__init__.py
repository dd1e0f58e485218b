"""Health, metrics, the page, and what a service manager hears."""
