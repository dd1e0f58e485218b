"""How long Slack's adapter waits for what."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Times in seconds; tests hand in shorter ones."""

    call: float = 20.0  # any call; uploads have more
    connect: float = 15.0  # from the ticket to the socket's hello
    ping: float = 10.0  # between two signs of life that we ask for
    silence: float = 30.0  # without a frame, before a socket counts as dead
    overlap: float = 15.0  # that an old socket is read on beside the new one
    steady: float = 5.0  # a socket that lived shorter is not simply replaced
    name: float = 1.0  # that looking up a name, or what was said before in a thread, may hold a message up
    doubt: float = 1.0  # between two looks for a post whose answer was lost
    again: float = 2.0  # before a failed catch-up of one conversation is tried again
    between: float = 1.5  # between two conversations that are caught up while nobody waits for them
