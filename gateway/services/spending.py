"""What models are used for whom, and when it is enough: a polite stop, said before and when it comes.

Promise: what was used is written in the commit that it belongs to; a limit is checked before a model is asked, so an
answer that was begun is finished, and each limit is announced once at 80 % and once when it is reached.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from agent.types import Usage
from gateway.domain.ids import ConversationKey, Instant, UserId
from gateway.domain.messages import OutboundMessage
from gateway.domain.people import Role
from gateway.domain.sessions import Turn
from gateway.services import router
from gateway.services.outbox import Outbox
from gateway.store import people, sessions, usage
from gateway.store.sqlite import Work
from gateway.store.usage import Request, Used
from gateway.texts import say

MILLION = 1_000_000
NEARLY = 0.8


class Limits(NamedTuple):
    """What one person of a role may use; None is no limit."""

    messages_per_day: int | None = None
    tokens_per_day: int | None = None
    usd_per_month: float | None = None


class Price(NamedTuple):
    """USD per million tokens."""

    input: float
    cached: float
    output: float


class Share(NamedTuple):
    """How much of a limit is used; `kind` names it, `period` the day or month that it is about."""

    kind: str
    used: float
    limit: float
    period: str


class Payer(NamedTuple):
    """Whose budget a turn is on: a person, or the group for speakers that nobody knows; by which clock."""

    who: str
    role: Role
    zone: str
    language: str | None


class Spending:
    """Counts, and says when it is enough."""

    def __init__(self, *, prices: Mapping[str, Price], limits: Mapping[Role, Limits]) -> None:
        self._prices = prices
        self._limits = limits

    def payer(self, work: Work, turn: Turn, zone: str) -> Payer:
        """Find whose budget a turn is on."""
        person = people.get(work, turn.person) if turn.person else None
        if person is None:
            return Payer(str(turn.conversation), "guest", zone, None)
        return Payer(person.id, person.role, zone, person.language)

    def note(self, work: Work, turn: Turn, used: Usage, now: Instant) -> None:
        """Write down what a request used, for its turn, its person and its job."""
        sessions.add_usage(work, turn.id, used.model, (used.input, used.cached, used.output))
        job = turn.lane.removeprefix(router.JOB) if turn.lane.startswith(router.JOB) else ""
        person = people.get(work, turn.person) if turn.person else None
        who = person.id if person is not None else str(turn.conversation)
        cost = self._cost(used)
        tokens = (used.input, used.cached, used.output)
        usage.add(work, Request(now, who, turn.session, turn.id, job, used.model, *tokens, cost))

    def shares(self, work: Work, payer: Payer, now: Instant) -> list[Share]:
        """List the limits of somebody, with how much of each is used."""
        limits = self._limits.get(payer.role, Limits())
        if limits == Limits():
            return []
        day, month = starts(now, payer.zone)
        today, lately = usage.since(work, payer.who, day), usage.since(work, payer.who, month)
        date = datetime.fromtimestamp(now, ZoneInfo(payer.zone))
        found = (
            ("messages", float(today.turns), limits.messages_per_day, f"{date:%Y-%m-%d}"),
            ("tokens", float(today.tokens), limits.tokens_per_day, f"{date:%Y-%m-%d}"),
            ("usd", lately.cost, limits.usd_per_month, f"{date:%Y-%m}"),
        )
        return [Share(kind, used, float(limit), period) for kind, used, limit, period in found if limit is not None]

    def refusal(self, work: Work, turn: Turn, zone: str, now: Instant) -> str | None:
        """Say why somebody gets no answer any more today or this month; None while they do."""
        payer = self.payer(work, turn, zone)
        over = next((one for one in self.shares(work, payer, now) if one.used >= one.limit), None)
        return None if over is None else say(f"budget.over.{over.kind}", payer.language, limit=_number(over))

    def spent(self, work: Work, person: UserId | None, conversation: ConversationKey, now: Instant) -> bool:
        """Whether somebody's budget is used up, before there is a turn of theirs."""
        one = people.get(work, person) if person else None
        payer = (
            Payer(str(conversation), "guest", "UTC", None)
            if one is None
            else Payer(one.id, one.role, one.timezone or "UTC", one.language)
        )
        return any(share.used >= share.limit for share in self.shares(work, payer, now))

    def concerns(self, role: Role) -> bool:
        """Whether a role has any limit."""
        return self._limits.get(role, Limits()) != Limits()

    def warn(self, work: Work, turn: Turn, zone: str, outbox: Outbox, now: Instant) -> None:
        """Say once that most of a limit is used, and once that all of it is."""
        payer = self.payer(work, turn, zone)
        for share in self.shares(work, payer, now):
            if share.limit <= 0 or share.used < NEARLY * share.limit:
                continue
            step = "reached" if share.used >= share.limit else "nearly"
            text = say(f"budget.{step}.{share.kind}", payer.language, used=_used(share), limit=_number(share))
            key = f"notice/budget/{payer.who}/{share.kind}/{share.period}/{step}"
            line = OutboundMessage(key=key, conversation=turn.conversation, text=text, silent=True)
            outbox.post(work, line, what="notice")

    def _cost(self, used: Usage) -> float | None:
        price = self._prices.get(used.model)
        if price is None:
            return None
        fresh = max(used.input - used.cached, 0)
        return (fresh * price.input + used.cached * price.cached + used.output * price.output) / MILLION


def starts(now: Instant, zone: str) -> tuple[Instant, Instant]:
    """Find when the day and the month of an instant began in a zone."""
    day = datetime.fromtimestamp(now, ZoneInfo(zone)).replace(hour=0, minute=0, second=0, microsecond=0)
    return day.timestamp(), day.replace(day=1).timestamp()


def of_person(work: Work, person: UserId, now: Instant, zone: str) -> tuple[Used, Used]:
    """Sum what a person used today and this month."""
    day, month = starts(now, zone)
    return usage.since(work, person, day), usage.since(work, person, month)


def _number(share: Share) -> str:
    return f"{share.limit:,.2f}" if share.kind == "usd" else f"{share.limit:,.0f}"


def _used(share: Share) -> str:
    return f"{share.used:,.2f}" if share.kind == "usd" else f"{share.used:,.0f}"
