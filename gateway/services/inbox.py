"""What an inbox row asks for: an answer, a command, or a code to be tried."""

from collections.abc import Sequence

from gateway.domain.errors import GiveUp
from gateway.domain.work import Admitted, Claim, Item
from gateway.services.arrivals import Arrivals
from gateway.services.commands.handler import Commands
from gateway.services.talks.notes import Notes
from gateway.services.turns import Turns
from gateway.store import codec
from gateway.store.sqlite import Work


class Inbox:
    """Hands each claim to who does it."""

    def __init__(self, *, turns: Turns, commands: Commands, arrivals: Arrivals, notes: Notes) -> None:
        self._turns = turns
        self._arrivals = arrivals
        self._commands = commands
        self.notes = notes

    async def handle(self, claim: Claim) -> bool:
        """Do what the first row of the claim asks for."""
        match _kind(claim.items[0]):
            case "command":
                return await self._commands.handle(claim)
            case "pair":
                return await self._arrivals.handle(claim)
            case "note":
                return await self.notes.handle(claim)
            case _:
                return await self._turns.handle(claim)

    def park(self, work: Work, items: Sequence[Item], error: GiveUp) -> None:
        """Give rows up the way their kind wants it."""
        match _kind(items[0]):
            case "talk":
                self._turns.park(work, items, error)
            case "note":
                self.notes.park(work, items, error)
            case _:
                self._commands.park(work, items, error)


def _kind(item: Item) -> str:
    return codec.load(Admitted, item.body).route.kind
