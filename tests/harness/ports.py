"""Ports of this machine."""

import socket


def free_port() -> int:
    """Find a port that nobody has."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
