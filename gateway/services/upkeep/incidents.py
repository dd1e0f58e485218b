"""Trouble that outlives a message, of a model or of a platform: told to who is concerned once, and over once.

Promise: the owner hears of trouble that has lasted for five minutes, by a way that works, once per incident
whatever dies meanwhile, and once when it is over; people who wait for a model hear of it at once, each once.
"""

import structlog

from agent.types import ModelDown
from gateway.domain.ids import Instant
from gateway.domain.messages import OutboundMessage
from gateway.domain.ports import Clock
from gateway.domain.sessions import Turn
from gateway.services.outbox import Outbox
from gateway.services.registry import Illness, Line
from gateway.store import audit, lanes
from gateway.store.sqlite import Row, Work
from gateway.texts import inert, say, sentence

log = structlog.get_logger(__name__)
TOLD = "told of incident"
MODEL, PLATFORM = "model ", "platform "  # how the subjects of incidents begin
TURNS = 3  # in a row without an answer
DETAIL = 200  # characters of a reason in a notice


class Incidents:
    """Opens and closes incidents, and tells of them."""

    def __init__(self, *, outbox: Outbox, clock: Clock, tell_after: float) -> None:
        self._outbox = outbox
        self._clock = clock
        self._tell_after = tell_after
        self._untold = True  # whether a model's incident may be open that the owner does not know of

    # models -----------------------------------------------------------------------------------------------

    def open(self, work: Work, down: ModelDown, turn: Turn, language: str | None) -> Instant:
        """Note that a model left a turn without an answer and tell the person; says when that began.

        A conversation hears of an incident once, and of a turn that meets one incident after the other once.
        """
        now, subject = self._clock(), f"{MODEL}{down.model}"
        audit.fail_again(work, subject, now)
        incident, _ = audit.open_incident(work, subject, f"{down.kind}: {down.detail}", now)
        self._untold = True
        if audit.latest(work, TOLD, turn.id) is None:
            audit.add(work, TOLD, turn.id, f"incident {incident}", now)
            when = say("model.when", language, seconds=f"{down.retry_after:.0f}") if down.retry_after else ""
            text = say(f"model.{down.kind}", language, model=down.model, when=when)
            key = f"notice/incident/{incident}/{turn.conversation}"
            self._outbox.post(work, OutboundMessage(key=key, conversation=turn.conversation, text=text), what="notice")
        return next((float(one["opened_at"]) for one in audit.incidents(work) if one["id"] == incident), now)

    def refused(self, work: Work, model: str, why: str) -> None:
        """Note that a model refused a turn; one refusal is about its words, several in a row are about the model."""
        now, subject = self._clock(), f"{MODEL}{model}"
        audit.fail_again(work, subject, now)
        turns, since = audit.streak(work, subject)
        if turns >= TURNS and now - since >= self._tell_after:
            audit.open_incident(work, subject, f"refused: {why}", since)
            self._untold = True

    def over(self, work: Work, model: str) -> None:
        """Note that a model answers again, wake everything that waits for it, and tell the owner if they know."""
        subject = f"{MODEL}{model}"
        audit.end_streak(work, subject)
        closed = audit.close_incident(work, subject, self._clock())
        if closed is None:
            return
        lanes.hurry(work, "inbox", self.waiting_for(model))
        if closed["told_at"] is not None:
            text = sentence("model.over", model=model, minutes=_minutes(closed, self._clock()))
            self._outbox.tell_owner(work, text, key=f"incident/{closed['id']}/over")

    def replaced(self, work: Work, old: str, new: str) -> None:
        """Wake what waits for a model that was set up anew; the incident of one that is not asked any more is over."""
        if old != new:
            audit.end_streak(work, f"{MODEL}{old}")
            audit.close_incident(work, f"{MODEL}{old}", self._clock())
        lanes.hurry(work, "inbox", self.waiting_for(old))

    def waiting_for(self, model: str) -> str:
        """Say what the rows that wait for a model wait for."""
        return f"waiting for the model {model}"

    @property
    def watching(self) -> bool:
        """Whether `look` is worth a commit."""
        return self._untold

    def look(self, work: Work) -> None:
        """Tell the owner of models that have left several turns in a row without an answer for long enough."""
        now, left = self._clock(), False
        for incident in audit.incidents(work):
            subject = str(incident["subject"])
            if not subject.startswith(MODEL) or incident["told_at"] is not None:
                continue
            turns, since = audit.streak(work, subject)
            if turns < TURNS or now - min(since, incident["opened_at"]) < self._tell_after:
                left = True
                continue
            audit.tell_of(work, incident["id"], now)
            model, why = subject.removeprefix(MODEL), inert(str(incident["detail"])[:DETAIL])
            text = sentence("model.lasting", model=model, turns=turns, minutes=_minutes(incident, now), why=why)
            log.error("model_in_trouble", model=model, turns=turns, reason=incident["detail"])
            self._outbox.tell_owner(work, text, key=f"incident/{incident['id']}")
        self._untold = left

    # platforms --------------------------------------------------------------------------------------------

    def lasts(self, work: Work, line: Line, illness: Illness) -> None:
        """Open the incident of an account, and tell the owner now if another way is up; else its end tells."""
        now, subject = self._clock(), f"{PLATFORM}{line.name}"
        incident, new = audit.open_incident(work, subject, illness.why, illness.since)
        if not new:
            return
        audit.tell_of(work, incident, now)
        minutes = max(int((now - illness.since) // 60), 1)
        text = sentence("degraded", line=line.name, minutes=minutes, why=inert(illness.why[:DETAIL]))
        told = self._outbox.tell_owner(work, text, key=f"incident/{incident}", without=line.mailbox or line.name)
        log.error("platform_in_trouble", line=line.name, minutes=minutes, reason=illness.why, owner_told=bool(told))

    def ended(self, work: Work, line: Line) -> None:
        """Close the incident of an account that is well again, and tell the owner on it."""
        closed = audit.close_incident(work, f"{PLATFORM}{line.name}", self._clock())
        if closed is not None:
            why = inert(str(closed["detail"])[:DETAIL])
            text = sentence("recovered", line=line.name, minutes=_minutes(closed, line.since), why=why)
            self._outbox.tell_owner(work, text, key=f"incident/{closed['id']}/over", on=line.mailbox)

    def known(self, work: Work) -> set[str]:
        """Name the accounts whose incident is open."""
        subjects = [str(one["subject"]) for one in audit.incidents(work)]
        return {subject.removeprefix(PLATFORM) for subject in subjects if subject.startswith(PLATFORM)}

    def forget(self, work: Work, name: str) -> None:
        """Close the incident of an account that nobody expects to be up any more."""
        audit.close_incident(work, f"{PLATFORM}{name}", self._clock())


def _minutes(incident: Row, until: Instant) -> int:
    return max(int((until - incident["opened_at"]) // 60), 1)
