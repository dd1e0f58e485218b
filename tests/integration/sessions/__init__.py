"""Sessions from where people stand: listing, naming, going back, what ends them and what is said of it."""
