"""The terminal adapter over a real control socket."""
