"""A live try, and what to do when it fails: enter it again, try the same again, keep it all the same, go back."""

from collections.abc import Callable
from typing import TypeVar

from gateway.domain.errors import DragomanError
from gateway.setup.draft import Talk

T = TypeVar("T")
CHOICES = (("change", "enter it again"), ("again", "try the same again"), ("keep", "keep it all the same"))


class Again(Exception):
    """It failed, and whoever is asked wants to enter it again."""


def attempt(talk: Talk, doing: str, what: Callable[[], T]) -> T | None:
    """Try until it works, or None when it is kept all the same; raises Again, Back, or why it failed."""
    while True:
        talk.say(f"{doing} …")
        try:
            return what()
        except DragomanError as failed:
            if not talk.asks:
                raise
            talk.say(f"That did not work: {failed}.")
        match talk.choose("What now?", CHOICES, default="change"):
            case "change":
                raise Again
            case "keep":
                return None
