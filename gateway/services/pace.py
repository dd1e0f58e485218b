"""How long the way out and the keepers of connections wait for what."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Times in seconds; tests hand in shorter ones."""

    call: float = 60.0  # one call to a platform, whatever its library does; a file gets more
    first_look: float = 0.7  # of text before the first preview: short answers need none
    typing_after: float = 1.0  # of silence
    typing_again: float = 4.5  # Telegram shows typing for five
    preview: float = 20.0  # one call of a draft
    close: float = 5.0  # how long a draft's call in flight is waited for when its answer is ready
    look: float = 5.0  # between two looks at how old the last sign of life is
    end: float = 10.0  # for an adapter to end when told to
    try_again: float = 1.0  # after the first failure of a connection, then longer each time
    try_most: float = 45.0  # for what passes by itself, so that a network is back within a minute
    try_wrong: float = 300.0  # for what a human has to change
    tell_after: float = 300.0  # of trouble before the owner hears of it
    last_words: float = 2.0  # for what is on its way when an account is told to stand still
    steady: float = 60.0  # without trouble before an account counts as well again


STANDARD = Pace()
