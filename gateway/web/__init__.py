"""Doors for local programs: the control socket."""
