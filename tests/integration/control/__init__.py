"""The control socket over a real Unix socket."""
