"""Why somebody has to be asked before a call: what it does, what the talk holds, and what the configuration says.

Promise: words of others never act alone: whatever the mode, what remembers, schedules, writes to others or uses the
network is asked about as soon as the talk holds such words, and a word given before does not count then.
"""

from typing import Literal, NamedTuple, TypeAlias

from agent.tools.base import Asks
from agent.web.addresses import key
from gateway.domain.ids import SessionId
from gateway.domain.people import Role
from gateway.store import transcript
from gateway.store.sqlite import Work
from gateway.texts import inert, say

Mode: TypeAlias = Literal["manual", "smart", "off"]


class Reason(NamedTuple):
    """Why a call is asked about; `scope` is what a word for longer would be said to, None where none is taken."""

    why: Literal["always", "outside", "address"]
    outside: str = ""
    scope: str | None = None

    def words(self, language: str | None) -> str:
        """Say it to whoever is asked, "" where the call speaks for itself."""
        if self.why == "always":
            return ""
        return say(f"approval.why.{self.why}", language, outside=inert(self.outside))


def reason(work: Work, session: SessionId, role: Role, asks: Asks, mode: Mode) -> Reason | None:
    """Say why somebody has to be asked, None where nobody has."""
    outside = ", ".join(transcript.outside(work, session))
    if asks.address is not None and not _known(work, session, asks.address):
        return Reason("address", outside)
    if outside and asks.guarded:
        return Reason("outside", outside)
    if asks.always and (mode != "off" or role != "owner"):
        return Reason("always", "", asks.scope)
    return None


def _known(work: Work, session: SessionId, address: str) -> bool:
    found = key(address)
    return found is not None and transcript.known(work, session, found)
