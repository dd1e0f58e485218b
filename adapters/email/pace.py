"""How long what may take on the way to mail servers, in seconds; tests hand in shorter ones."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Every wait has a deadline; mail servers are slow and easily offended."""

    connect: float = 15.0  # until a server has greeted us
    call: float = 15.0  # one command
    fetch: float = 60.0  # one mail, beside its bytes
    idle: float = 100.0  # until IDLE is renewed: younger than any NAT forgets, and a sign of life
    poll: float = 30.0  # between looks at a server that cannot push
    data: float = 30.0  # for a server to take a whole mail, beside its bytes
    look: float = 8.0  # for looking for a mail of ours in Sent
    again: float = 60.0  # before a mail that was put off is tried again, later longer
    again_most: float = 900.0
    give_up: float = 86_400.0  # how long a mail is tried
    refused: float = 900.0  # between tries of a password that was refused: more would lock the account
    token: float = 20.0  # for a new access token


STANDARD = Pace()
