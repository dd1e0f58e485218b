"""The one door in: reads who and where, lets admission decide, stores the row, all in one commit.

Promise: when `accept` returns, every message of the batch is stored or refused for good, and only then may the
platform hear "received"; a message that cannot be handled is kept as it is and stops nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import structlog

from gateway.domain.ids import Identity, Instant, MessageRef, TurnId, UserId
from gateway.domain.messages import Cursor, InboundMessage
from gateway.domain.people import Person, Role
from gateway.domain.ports import Clock
from gateway.domain.work import Admitted, Route
from gateway.services import admission, router
from gateway.services.admission import Facts, Policy, Verdict
from gateway.services.commands import requests
from gateway.services.commands.parse import Spoken, nearest, parse
from gateway.services.controls import control
from gateway.services.letters import Letters
from gateway.services.meanwhile import Meanwhile
from gateway.services.moving import move
from gateway.services.people import pairing
from gateway.services.tidying import blank, clean, storable, tidy
from gateway.store import audit, away, codec, cursors, groups, joining, lanes, overheard, people, sent, sessions
from gateway.store.sqlite import Row, SqliteDatabase, Work

log = structlog.get_logger(__name__)
SETTLE_SECONDS = 0.7  # album parts and texts that a client may have split wait this long for the next one
SETTLE_AT_MOST = 3.0
OURS = ("fire", "note")  # kinds that nobody sent to us
OFFER_SECONDS = 86400.0  # how long after an answer an edit is still worth a word


class Words(NamedTuple):
    """The commands that intake has to tell apart."""

    known: frozenset[str]
    beside: frozenset[str]  # these run while a turn is busy


class Intake:
    """Accepts messages for every adapter."""

    def __init__(
        self,
        *,
        db: SqliteDatabase,
        clock: Clock,
        policy: Policy,
        words: Words,
        heard: Callable[[str], bool],
        away: Callable[[str, Instant], Instant | None],
        meanwhile: Meanwhile,
        interrupt: Callable[[TurnId, float], None],
        letters: Letters,
    ) -> None:
        self._db = db
        self._clock = clock
        self._policy = policy
        self._words = words
        self._heard = heard
        self._away = away
        self._meanwhile = meanwhile
        self._interrupt = interrupt
        self._letters = letters

    def adopt(self, policy: Policy) -> None:
        """Admit by other rules from now on."""
        self._policy = policy

    async def accept(self, messages: Sequence[InboundMessage], cursor: Cursor | None = None) -> None:
        """Commit messages and cursor together; raises StorageTrouble when nothing was stored."""
        now = self._clock()

        def store(work: Work) -> list[tuple[TurnId | None, float]]:
            interrupted = [(self._store(work, message, now), self._settles(message)) for message in messages]
            if cursor is not None:
                cursors.move(work, cursor, now)
            return interrupted

        for turn, after in await self._db.write(store):
            if turn is not None:
                self._interrupt(turn, after)

    async def cursor(self, account: str, name: str) -> str | None:
        """Read a stored cursor, None before the first read."""
        return await self._db.write(lambda work: cursors.get(work, account, name))

    async def said(self, ref: MessageRef) -> str | None:
        """Find what we said in a message of ours."""
        row = await self._db.write(lambda work: sent.get(work, ref))
        return None if row is None else row["text"]

    def alive(self, account: str) -> None:
        """Note a completed inbound round trip; what waits for an account that came up goes out at once."""
        if self._heard(account):
            self._db.ring("outbox")
            self._db.ring(away.BELL)

    def _store(self, work: Work, message: InboundMessage, now: Instant) -> TurnId | None:
        """Store a message once; hands out the turn that it interrupts."""
        if lanes.known(work, "inbox", message.key):
            return None
        try:
            # An instant from the future would hold a session open until then.
            clean = replace(tidy(message), received_at=min(message.received_at, now))
            return work.attempt(lambda part: self._admit(part, clean, now))
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            log.exception("message_kept_aside", platform=message.conversation.platform, key=message.key)
            raw = message.raw or repr(message).encode("utf-8", "replace")
            self._keep(work, replace(blank(message), raw=raw), f"{type(error).__name__}: {error}", now)
            return None

    def _admit(self, work: Work, message: InboundMessage, now: Instant) -> TurnId | None:
        if message.kind == "unreadable":
            self._keep(work, message, "unreadable", now)
            return None
        if message.kind == "moved":
            for target in message.targets:
                move(work, message.conversation, target, now)
            return None
        message = self._meant(work, message)
        spoken = self._spoken(message)
        if message.conversation.kind == "group":
            pairing.burn(work, message.text, now)
            message = replace(message, addressed=message.addressed or self._goes_on(work, message))
        person = people.by_identity(work, message.sender) if message.sender else None
        facts = Facts(
            message=message,
            person=admission.effective(person, self._policy),
            group=self._group(work, message),
            spoken=spoken,
            owner_exists=bool(people.having_role(work, "owner")),
        )
        verdict = admission.decide(facts, self._policy)
        return self._route(work, facts, verdict, now)

    def _meant(self, work: Work, message: InboundMessage) -> InboundMessage:
        """Read reactions that are controls as commands, and deletions that name nobody as their author's."""
        about = message.replaces
        if message.kind == "reaction" and about is not None:
            return control(message, sent.get(work, about))
        if message.kind == "delete" and message.sender is None and about is not None:
            row = lanes.by_ref(work, str(about))
            author = codec.load(Admitted, row["body"]).message.sender if row is not None and row["body"] else None
            return replace(message, sender=author)
        return message

    def _spoken(self, message: InboundMessage) -> Spoken | None:
        return parse(message.order, self._words.known) if message.kind in ("text", "button", "command") else None

    def _goes_on(self, work: Work, message: InboundMessage) -> bool:
        """Whether a message belongs to one that was meant for us: only the first of a post carries our name."""
        lane = router.talk_lane(cursors.origin(work, message.conversation), None)
        rows = [row for row in lanes.waiting(work, "inbox", lane) if row["together"] == router.together(message)]
        last = codec.load(Admitted, rows[-1]["body"]).message if rows else None
        if last is None or message.kind != "text":
            return False
        return last.album == message.album if message.album else last.continues and rows[-1]["turn"] is None

    def _group(self, work: Work, message: InboundMessage) -> admission.GroupRule | None:
        if message.conversation.kind != "group":
            return None
        addresses = cursors.addresses(work, message.conversation)
        addresses += [message.server] if message.server else []
        listed = next((self._policy.groups[one] for one in addresses if one in self._policy.groups), None)
        if listed is not None:
            return listed
        role = groups.role(work, addresses)
        return None if role is None else admission.GroupRule(free=False, role=role, overhear=0)

    def _route(self, work: Work, facts: Facts, verdict: Verdict, now: Instant) -> TurnId | None:
        message, interrupted = facts.message, None
        if verdict.kind in ("talk", "command") and (rule := self._letters.too_many(work, message, now)) is not None:
            verdict = Verdict("drop", verdict.role, rule)
        if message.forged:
            self._letters.forged(work, message, facts.person, now)
        if verdict.kind == "drop" or _silent(work, message, verdict.rule, now):
            audit.add_drop(work, message, verdict.rule, now)
        elif verdict.kind == "overhear":
            self._overhear(work, facts, now)
        elif verdict.kind == "pair":
            # What a stranger says is not kept, and a code in no form that anybody could use.
            sealed = pairing.seal(work, facts.spoken.rest) if facts.spoken is not None else ""
            kept = replace(message, text=sealed, choice=None, quote=None, attachments=())
            self._put(work, kept, Route(kind="pair", rule=verdict.rule, lane=router.pair_lane(message)), now)
        else:
            interrupted = self._talk(work, facts, verdict, now)
        work.note("messages_received", message.conversation.platform, verdict.kind)
        return interrupted

    def _talk(self, work: Work, facts: Facts, verdict: Verdict, now: Instant) -> TurnId | None:
        message = facts.message
        person = facts.person
        if person is None and message.conversation.kind == "direct" and message.sender is not None:
            person = self._newcomer(work, message.sender, message.sender_name, verdict.role, now)
        if person is not None and message.conversation.kind == "direct":
            people.remember_talk(work, person.id, message.conversation, now, message.sender)
        origin = cursors.origin(work, message.conversation)
        apart = message.conversation.kind == "direct" and joining.is_apart(work, origin)
        talk = router.talk_lane(origin, person.id if person else None, apart=apart)
        beside = facts.spoken is not None and verdict.kind == "command" and self._runs_beside(facts.spoken)
        route = Route(
            kind=verdict.kind,
            rule=verdict.rule,
            lane=router.beside(talk) if beside else talk,
            talk=talk,
            person=person.id if person else None,
            role=verdict.role,
        )
        if message.kind == "edit":
            return self._edit(work, message, route, now)
        if message.kind == "delete":
            self._delete(work, message, now)
            return None
        if message.late:
            self._miss(work, message, route, now)
            return None
        for key, name, text in message.aside:
            line = (key, clean(name), clean(text))
            overheard.add(work, message.conversation, line, keep=len(message.aside), now=now)
        return self._put(work, replace(message, aside=()), route, now)

    def _miss(self, work: Work, message: InboundMessage, route: Route, now: Instant) -> None:
        """Record what is too old to be answered, and have its sender told."""
        audit.add_drop(work, message, "too old to be answered", now)
        if route.person is not None:
            since = self._away(message.conversation.mailbox, message.received_at) or message.received_at
            away.note(work, f"late/{message.key}", person=route.person, kind="late", since=since, now=now)

    def _runs_beside(self, spoken: Spoken) -> bool:
        """Unknown words run beside too: their answer is the nearest known one, never a turn."""
        word = spoken.word if spoken.word in self._words.known else nearest(spoken.word, self._words.known)
        return spoken.word in self._words.beside or spoken.word not in self._words.known or word is None

    def _newcomer(self, work: Work, identity: Identity, name: str, role: Role, now: Instant) -> Person:
        known = people.by_identity(work, identity)
        person = Person(id=known.id if known else pairing.new_id(), name=name or "?", role=role, source="open")
        people.save(work, person, now)
        people.link(work, identity, person.id, "open", now)
        return person

    def _put(self, work: Work, message: InboundMessage, route: Route, now: Instant) -> TurnId | None:
        shared = route.kind == "talk"
        turn = self._meanwhile.turn(work, message, route) if shared else None
        if turn is not None and self._meanwhile.refuses(work, message, route, now):
            audit.add_drop(work, message, "queue full", now)
            return None
        together = router.together(message) if shared else ""
        since = self._away(message.conversation.mailbox, message.received_at)
        more = bool(self._settles(message))
        admitted = Admitted(message=message, route=route)
        item = lanes.put(
            work,
            "inbox",
            key=message.key,
            lane=route.lane,
            account=message.conversation.mailbox,
            body=codec.dump(admitted),
            now=now,
            person=UserId(route.person or str(message.sender)),
            together=together,
            ref=str(message.ref) if message.ref and shared else "",
            not_before=now + SETTLE_SECONDS if shared and more else 0.0,
            rule=route.rule,
        )
        if item is not None and since is not None and route.person is not None and message.kind not in OURS:
            away.note(work, f"message/{item}", person=route.person, kind="came", since=since, now=now)
        if item is not None and shared:
            until = now + SETTLE_SECONDS
            lanes.settle(work, route.lane, together, now=now, until=until, at_most=SETTLE_AT_MOST, more=more)
            if turn is not None:
                return self._meanwhile.arrived(work, item, admitted, turn, now)
        elif item is not None and route.lane == route.talk:
            self._meanwhile.behind(work, message, route)
        return None

    def _settles(self, message: InboundMessage) -> float:
        """Say how many seconds a message waits for what may belong to it, as what came while we were away does, too."""
        since = self._away(message.conversation.mailbox, message.received_at)
        return SETTLE_SECONDS if message.album or message.continues or since is not None else 0.0

    def _edit(self, work: Work, message: InboundMessage, route: Route, now: Instant) -> TurnId | None:
        """Replace what waits, correct what runs, and offer to answer again what is answered."""
        row = self._own(work, message)
        before = codec.load(Admitted, row["body"]) if row is not None and row["body"] else None
        if row is None or before is None:
            audit.add_drop(work, message, "edit of nothing known", now)
        elif before.message.text == message.text:
            audit.add_drop(work, message, "edit that changes nothing", now)
        elif row["state"] == "ready" and row["turn"] is None:
            fresh = replace(before.message, text=message.text)
            lanes.rewrite(work, row["id"], codec.dump(replace(before, message=fresh)))
            audit.add_drop(work, message, "edit taken over", now)
        elif row["state"] == "ready":
            return self._put(work, message, route, now)
        else:
            self._offer(work, message, route, row, now)
        return None

    def _offer(self, work: Work, message: InboundMessage, route: Route, row: Row, now: Instant) -> None:
        """Keep what a message says now, beside what was answered, and offer to answer that."""
        if route.kind != "talk" or row["turn"] is None or now - (row["finished_at"] or 0.0) > OFFER_SECONDS:
            audit.add_drop(work, message, "edit long after the answer", now)
            return
        item = lanes.put(
            work,
            "inbox",
            key=message.key,
            lane=route.lane,
            account=message.conversation.mailbox,
            body=codec.dump(Admitted(message=message, route=route)),
            now=now,
            ref=str(message.ref),
            turn=row["turn"],
            state="done",
            rule=route.rule,
        )
        if item is not None:
            lanes.explain(work, item, "edit after the answer")
            self._meanwhile.offer(work, message, route, row["turn"], now)

    def _own(self, work: Work, message: InboundMessage) -> Row | None:
        """Find the row of the message that an event is about, if its sender wrote that."""
        row = lanes.by_ref(work, str(message.replaces)) if message.replaces else None
        if row is None or not row["body"]:
            return row
        return row if codec.load(Admitted, row["body"]).message.sender == message.sender else None

    def _delete(self, work: Work, message: InboundMessage, now: Instant) -> None:
        row = self._own(work, message)
        gone = row is not None and row["turn"] is None and lanes.withdraw(work, [row["id"]], why="deleted", now=now)
        audit.add_drop(work, message, "deletion taken over" if gone else "deletion after the start", now)

    def _overhear(self, work: Work, facts: Facts, now: Instant) -> None:
        message, keep = facts.message, facts.group.overhear if facts.group else 0
        where, text = message.conversation, message.text
        if message.kind == "reaction":
            posted = sent.get(work, message.replaces) if message.replaces else None
            if posted is None or not message.choice:
                audit.add_drop(work, message, "reaction to nothing of ours", now)
                return
            turn = sessions.turn(work, posted["turn"]) if posted["turn"] else None
            where = turn.conversation if turn is not None else where  # reactions do not say in which thread they are
            text, keep = f"reacted {message.choice} to your message “{posted['text'][:120]}”", max(keep, 10)
        overheard.add(work, where, (message.key, message.sender_name, text), keep=keep, now=now)

    def _keep(self, work: Work, message: InboundMessage, why: str, now: Instant) -> None:
        """Store what nobody can read, dead at once, so that the cursor never skips it silently."""
        message = replace(message, raw=storable(message.raw))
        route = Route(kind="drop", rule="unreadable", lane="unreadable")
        item = lanes.put(
            work,
            "inbox",
            key=message.key,
            lane=route.lane,
            account=message.conversation.mailbox,
            body=codec.dump(Admitted(message=message, route=route)),
            now=now,
            state="dead",
            rule="unreadable",
        )
        if item is not None:
            lanes.explain(work, item, why)
            work.note("messages_received", message.conversation.platform, "unreadable")


def _silent(work: Work, message: InboundMessage, rule: str, now: Instant) -> bool:
    """Whether a stranger has heard all that there is to say."""
    if rule == "request":
        return requests.silent(work, message.sender, now)
    return rule == "no owner yet" and pairing.no_owner_told(work, message.sender, now)
