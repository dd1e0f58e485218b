"""How long Discord's adapter waits for what."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Times in seconds; tests hand in shorter ones."""

    call: float = 15.0  # one call, uploads have more
    connect: float = 30.0  # until the gateway has said hello
    silence: float = 60.0  # on the gateway before its connection counts as dead
    close: float = 1.0  # for a closing word
    again: float = 1.0  # before the second try in a row, then doubled
    invalid: float = 3.0  # about so long before a new session after an invalid one
    steady: float = 5.0  # a connection that lasts so long was a good one
    tries: int = 5  # connections in a row that came to nothing, before everything is built anew
    sessions: int = 50  # new ones in a row; Discord takes the token from who asks for 1,000 in a day
    session: float = 100.0  # until there may be one more
    doubt: float = (
        20.0  # how long a post whose answer was lost is tried again under its nonce; Discord knows it for more
    )


STANDARD = Pace()
