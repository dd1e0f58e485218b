"""The Web API's methods, by topic."""
