"""How long Telegram's adapter waits for what."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Times in seconds; tests hand in shorter ones."""

    poll: int = 25  # one getUpdates without news
    grace: float = 10.0  # on top of that, before the connection counts as dead
    call: float = 30.0  # any other call, uploads have more
    patience: float = 30.0  # with a rival: a predecessor's last poll may live on this long
    pause: float = 3.0  # between two tries against a rival
    check: float = 30.0  # between two questions whether Telegram still calls us
