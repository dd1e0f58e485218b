"""What would happen to a message: the same decisions as for a real one, read and not written.

Promise: nothing is stored, sent or asked; what the decisions need is prepared in a unit of work that is undone.
"""

from collections.abc import Callable, Sequence

from gateway.domain.errors import GiveUp
from gateway.domain.ids import ConversationKey, Identity, Instant, parse_identity
from gateway.domain.messages import InboundMessage
from gateway.domain.people import Person, Role, allows
from gateway.domain.sessions import Session
from gateway.services import admission, router
from gateway.services.admission import Facts, Verdict
from gateway.services.commands.parse import Spoken, nearest, parse
from gateway.services.commands.table import COMMANDS, find
from gateway.services.operations.base import Asked, Json, flag, words
from gateway.services.operations.rules import Rules
from gateway.services.talks import reset
from gateway.store import busy, cursors, people, sessions
from gateway.store.sqlite import SqliteDatabase, Work

WORDS = frozenset(word for one in COMMANDS for word in (one.name, *one.aliases))


class _Undone(Exception):
    """Carries an answer out of a unit of work that must not be kept."""

    def __init__(self, answer: Json) -> None:
        super().__init__("undone on purpose")
        self.answer = answer


async def explain(asked: Asked) -> Json:
    """Tell what would happen to a `text` from a `sender`, in a `chat` or directly, with or without a `mention`."""
    if asked.live is None:
        message = "without a daemon this needs the configuration; `dragoman explain` reads it"
        raise GiveUp(message)
    accounts = [line.mailbox for line in asked.live.lines if line.mailbox is not None]
    return await dry_run(asked, asked.live.rules, accounts)


async def dry_run(
    asked: Asked, rules: Rules, accounts: Sequence[str], prepare: Callable[[Work], None] | None = None
) -> Json:
    """Decide by given rules in a unit of work that is undone, after `prepare` has run in it."""
    message = _message(asked, rules, accounts or await _accounts(asked.db))

    def work(work: Work) -> None:
        if prepare is not None:
            prepare(work)
        raise _Undone(_explained(work, message, rules, asked.now))

    try:
        await asked.db.write(work)
    except _Undone as undone:
        return undone.answer
    raise AssertionError("the unit of work was not undone")


async def _accounts(db: SqliteDatabase) -> list[str]:
    """Name the accounts that were ever read."""
    return [row["account"] for row in await db.read("SELECT DISTINCT account FROM cursors")]


def _message(asked: Asked, rules: Rules, accounts: Sequence[str]) -> InboundMessage:
    try:
        sender = parse_identity(words(asked.args, "sender"))
    except ValueError as error:
        raise GiveUp(str(error)) from error
    if sender.platform not in (*rules.platforms, "terminal"):
        message = f"{sender.platform!r} is not switched on; there are {', '.join(rules.platforms)}"
        raise GiveUp(message)
    chat = words(asked.args, "chat", "")
    mailbox = next((one for one in accounts if one.startswith(f"{sender.platform}/")), f"{sender.platform}/?")
    place, _, thread = chat.partition("/") if sender.platform == "telegram" else (chat, "", "")
    conversation = ConversationKey(
        platform=sender.platform,
        account=mailbox.partition("/")[2],
        chat=place or sender.native,
        kind="group" if place and place != sender.native else "direct",
        thread=thread or None,
    )
    return InboundMessage(
        key="explain",
        kind="text",
        conversation=conversation,
        received_at=asked.now,
        sender=sender,
        text=words(asked.args, "text"),
        addressed=conversation.kind == "direct" or flag(asked.args, "mention"),
    )


def _explained(work: Work, message: InboundMessage, rules: Rules, now: Instant) -> Json:
    found = people.by_identity(work, message.sender) if message.sender else None
    group = message.conversation.kind == "group"
    listed = cursors.addresses(work, message.conversation) if group else set()
    facts = Facts(
        message=message,
        person=admission.effective(found, rules.policy),
        group=next((rules.policy.groups[one] for one in sorted(listed) if one in rules.policy.groups), None),
        spoken=parse(message.text, WORDS),
        owner_exists=bool(people.having_role(work, "owner")),
    )
    verdict = admission.decide(facts, rules.policy)
    answer: Json = {
        "sender": str(message.sender),
        "conversation": str(message.conversation),
        "place": message.conversation.place,
        "addressed": message.addressed,
        "verdict": verdict.kind,
        "rule": verdict.rule,
        "role": verdict.role,
        "person": _person(found, message.sender),
    }
    if verdict.kind in ("talk", "command"):
        answer |= _talk(work, facts, verdict, rules, now)
    return answer


def _person(found: Person | None, sender: Identity | None) -> Json | None:
    if found is None:
        return None
    return {"id": found.id, "name": found.name, "role": found.role, "source": found.source, "account": str(sender)}


def _talk(work: Work, facts: Facts, verdict: Verdict, rules: Rules, now: Instant) -> Json:
    """Tell where a message that is let in would go, and with what it would be answered."""
    conversation, person = facts.message.conversation, facts.person
    apart = conversation.thread is not None or conversation.kind == "group"
    lane = router.talk_lane(conversation, person.id if person else None) if person or apart else None
    current = sessions.current(work, lane) if lane else None
    policy, zone = rules.reset.of(conversation), _zone(facts, rules)
    stays = current is not None and reset.due(policy, reset.life(current), zone, now) is None
    told: Json = {
        "lane": lane,
        "session": _session(current) if stays else None,
        "closes": _session(current) if current is not None and not stays else None,
        "reset": {"type": policy.type, "due_at": _due(policy, current if stays else None, zone, now)},
        "timezone": person.timezone if person and person.timezone else rules.timezone,
        "running": lane is not None and sessions.open_turn(work, lane) is not None,
        "command": _command(facts.spoken, verdict.role) if verdict.kind == "command" and facts.spoken else None,
    }
    if verdict.kind == "talk":
        chosen = busy.mode(work, lane) if lane else None
        told["busy"] = "followup" if conversation.kind == "group" else chosen or rules.busy
        told["model"] = rules.model
        told["tools"] = [name for name, least in rules.tools if _may(verdict.role, least)]
    return told


def _may(role: Role, least: str) -> bool:
    return any(allows(role, one) for one in ("guest", "user", "admin", "owner") if one == least)


def _session(session: Session | None) -> Json | None:
    if session is None:
        return None
    return {
        "id": session.id,
        "title": session.title,
        "opened_at": session.opened_at,
        "last_active": session.last_active,
    }


def _zone(facts: Facts, rules: Rules) -> str:
    """Name the zone whose days count."""
    direct = facts.message.conversation.kind == "direct"
    return facts.person.timezone if direct and facts.person and facts.person.timezone else rules.timezone


def _due(policy: reset.Policy, session: Session | None, zone: str, now: Instant) -> Instant | None:
    """Tell when the session would end if nothing more were said; None: never by itself."""
    last = reset.end(policy, reset.life(session) if session is not None else reset.Life(now, now), zone)
    return last.at if last is not None else None


def _command(spoken: Spoken, role: Role) -> Json:
    command = find(spoken.word)
    if command is None:
        return {"name": spoken.word, "known": False, "nearest": nearest(spoken.word, WORDS)}
    return {
        "name": command.name,
        "known": True,
        "role": command.role,
        "allowed": allows(role, command.role),
        "beside": command.beside,
    }
