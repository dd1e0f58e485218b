"""Trouble that outlives a message: told to each person once, to the log in full, over when work succeeds again."""

from agent.types import ModelDown
from gateway.domain.ids import Instant
from gateway.domain.messages import OutboundMessage
from gateway.domain.ports import Clock
from gateway.domain.sessions import Turn
from gateway.services.outbox import Outbox
from gateway.store import audit, lanes
from gateway.store.sqlite import Work
from gateway.texts import say

TOLD = "told of incident"


class Incidents:
    """Opens and closes incidents of models."""

    def __init__(self, *, outbox: Outbox, clock: Clock) -> None:
        self._outbox = outbox
        self._clock = clock

    def open(self, work: Work, down: ModelDown, turn: Turn, language: str | None) -> Instant:
        """Note that a model is out of reach and tell the person; says when that began.

        A conversation hears of an incident once, and of a turn that meets one incident after the other once.
        """
        now = self._clock()
        incident, _ = audit.open_incident(work, f"model {down.model}", f"{down.kind}: {down.detail}", now)
        if audit.latest(work, TOLD, turn.id) is None:
            audit.add(work, TOLD, turn.id, f"incident {incident}", now)
            when = say("model.when", language, seconds=f"{down.retry_after:.0f}") if down.retry_after else ""
            text = say(f"model.{down.kind}", language, model=down.model, when=when)
            key = f"notice/incident/{incident}/{turn.conversation}"
            self._outbox.post(work, OutboundMessage(key=key, conversation=turn.conversation, text=text), what="notice")
        return next((float(one["opened_at"]) for one in audit.incidents(work) if one["id"] == incident), now)

    def over(self, work: Work, model: str) -> None:
        """Note that a model answers again, and wake everything that waits for it."""
        if audit.close_incident(work, f"model {model}", self._clock()):
            lanes.hurry(work, "inbox", self.waiting_for(model))

    def waiting_for(self, model: str) -> str:
        """Say what the rows that wait for a model wait for."""
        return f"waiting for the model {model}"
