"""What a decision is handed, and what it gives back."""

from collections.abc import Callable
from typing import NamedTuple

from gateway.domain.offers import Offer
from gateway.domain.people import Person
from gateway.services.commands.context import Asked, Context
from gateway.store.sqlite import Work


class Decision(NamedTuple):
    """What somebody chose."""

    offer: Offer
    word: str
    by: Person
    asked: Asked


class Outcome(NamedTuple):
    """What follows: what to say, and whether the offer is decided with it or stays open."""

    text: str
    final: bool = True


Decider = Callable[[Work, Decision, Context], Outcome]  # runs in the commit that writes the decision
