"""The sessions of a lane: to which one a message belongs, when the next one begins, how one goes back to another.

Promise: a closed session is never opened again; going back opens a new one that carries the old transcript on. What
nobody said to us (due jobs, notes) neither extends nor cuts a session.
"""

from collections.abc import Callable
from typing import Protocol

import structlog

from gateway.domain.ids import ConversationKey, Instant, SessionId, UserId
from gateway.domain.messages import Choice, InboundMessage, OutboundMessage
from gateway.domain.people import Person, Role, allows
from gateway.domain.ports import Clock
from gateway.domain.sessions import Session, Titled
from gateway.domain.work import Admitted
from gateway.services.outbox import Outbox
from gateway.services.people.scopes import Scope, scope_of
from gateway.services.phrasing import PLATFORMS
from gateway.services.talks import noting, reset
from gateway.store import meta, people, reviews, sessions
from gateway.store.sqlite import Work
from gateway.texts import inert, say, span

log = structlog.get_logger(__name__)
OURS = ("fire", "note")  # kinds that nobody sent to us
LETTERS = ("email",)  # platforms where a line of ours would be a letter of its own
RECEIPT_SECONDS = 600.0  # what is said of a moment is not said later
TITLE_LENGTH = 60
TURNS = 10  # exchanges after which a talk is looked back on even though it goes on


class Settings(Protocol):
    """What opening a session needs from the configuration."""

    @property
    def model(self) -> str:
        """Who answers."""

    @property
    def timezone(self) -> str:
        """The zone of people without one of their own, and of groups."""

    @property
    def reset(self) -> reset.Policies:
        """When sessions end by themselves."""

    @property
    def system(self) -> Callable[[Scope], str]:
        """Writes the frozen text of a new session."""


class Lifetimes:
    """Opens and closes sessions, inside the transactions of whoever asks."""

    def __init__(self, *, settings: Settings, outbox: Outbox, clock: Clock) -> None:
        self.reviews = False  # whether anybody looks back on sessions
        self._settings = settings
        self._outbox = outbox
        self._clock = clock

    def adopt(self, settings: Settings) -> None:
        """Open and close by other settings from now on."""
        self._settings = settings

    def of(self, work: Work, admitted: Admitted) -> tuple[Session, bool]:
        """Find the session of a message, or start one; says whether an older talk was closed for it."""
        session, cleared = self._found(work, admitted)
        if admitted.message.kind not in OURS:
            conversation, role = admitted.message.conversation, admitted.route.role
            self.note(work, session, conversation, role, key=admitted.message.key)
        return session, cleared

    def note(self, work: Work, session: Session, conversation: ConversationKey, role: Role, *, key: str) -> None:
        """See to it that a session is looked back on when it falls quiet, and that its end is announced."""
        now, end = self._clock(), self.end(work, session, conversation)
        minutes = self.policy(conversation).warn_minutes
        if self.reviews:
            many = reviews.turns_since(work, session.id) >= TURNS
            at = now if many else now + reset.QUIET_SECONDS
            noting.put(work, noting.REVIEW, session, conversation, role, key=key, at=at, now=now)
        if minutes and end is not None:
            at = max(end.at - minutes * 60, now)
            noting.put(work, noting.WARN, session, conversation, role, key=key, at=at, now=now)

    def _found(self, work: Work, admitted: Admitted) -> tuple[Session, bool]:
        lane, message = admitted.route.talk, admitted.message
        person = people.get(work, admitted.route.person) if admitted.route.person else None
        current = sessions.current(work, lane)
        why = self._due(current, message, person) if current is not None else None
        if current is not None and why is None:
            self._continues(work, current, message, person)
            return current, False
        if current is not None and why is not None:
            sessions.close(work, current.id, by=why, now=self._clock())
            self._notice(work, admitted, current, why, person)
        title, before = title_of(message.text), current or sessions.latest(work, lane)
        scope = scope_of(work, message.conversation, admitted.route.person, admitted.route.role)
        at, person_id = message.received_at, admitted.route.person
        return self.start(work, lane, person_id, scope, title=title, at=at, parent=before), current is not None

    def start(
        self,
        work: Work,
        lane: str,
        person: UserId | None,
        scope: Scope,
        *,
        title: str,
        at: Instant,
        parent: Session | None = None,
        titled: Titled = "words",
        carries: bool = False,
    ) -> Session:
        """Open a session in a lane that has none, with its prompt frozen; `at` is when somebody was active for it."""
        session = Session(
            id=SessionId(f"s{meta.count_up(work, 'sessions')}"),
            lane=lane,
            person=person,
            title=title,
            model=self._settings.model,
            system=parent.system if parent is not None and carries else self._settings.system(scope),
            opened_at=self._clock(),
            last_active=at,
            parent=parent.id if parent else None,
            carries=carries,
            titled=titled,
            subject=scope.subject,
        )
        sessions.start(work, session)
        return session

    def resume(
        self, work: Work, lane: str, person: UserId | None, old: Session, *, scope: Scope, at: Instant
    ) -> Session:
        """Go on with an older session: in a new one that carries it on, or in the one that a reset put in its place."""
        current, now = sessions.current(work, lane), self._clock()
        if current is not None and current.parent == old.id and old.closed_by in ("idle", "daily"):
            sessions.carry(work, current.id)
            return current
        if current is not None:
            sessions.close(work, current.id, by="resume", now=now)
        titled = old.titled
        new = self.start(work, lane, person, scope, title=old.title, titled=titled, at=at, parent=old, carries=True)
        sessions.choose(work, new.id, old.chosen)
        return new

    def end(self, work: Work, session: Session, conversation: ConversationKey) -> reset.End | None:
        """Find when a session ends if nothing more is said, by the rule of a conversation; None: never by itself."""
        person = people.get(work, session.person) if session.person else None
        return reset.end(self.policy(conversation), reset.life(session), self.zone(conversation, person))

    @property
    def timezone(self) -> str:
        """The zone of people without one of their own."""
        return self._settings.timezone

    def policy(self, conversation: ConversationKey) -> reset.Policy:
        """Find the rule of a conversation."""
        return self._settings.reset.of(conversation)

    def zone(self, conversation: ConversationKey, person: Person | None) -> str:
        """Find the zone whose days count: the person's in a direct talk, everybody's in a group."""
        if conversation.kind == "direct" and person is not None and person.timezone:
            return person.timezone
        return self._settings.timezone

    def _due(self, current: Session, message: InboundMessage, person: Person | None) -> reset.Why | None:
        if message.kind in OURS:
            return None
        policy, zone = self.policy(message.conversation), self.zone(message.conversation, person)
        if reset.held(policy, reset.life(current), zone, message.received_at):
            log.info("reset_held", session=current.id, reason="the talk is being led")
        return reset.due(policy, reset.life(current), zone, message.received_at)

    def _continues(self, work: Work, current: Session, message: InboundMessage, person: Person | None) -> None:
        """Say in one quiet line that a talk goes on which was led on another platform before."""
        here = message.conversation
        if here.kind != "direct" or here.platform in LETTERS or message.kind in OURS:
            return
        before = sessions.last_place(work, current.id)
        if before is None or before.platform == here.platform:
            return
        language = person.language if person is not None else None
        text = say(
            "continues",
            language,
            platform=PLATFORMS.get(before.platform, before.platform),
            ago=span(message.received_at - current.last_active, language),
        )
        line = OutboundMessage(key=f"notice/continues/{message.key}", conversation=here, text=text, silent=True)
        self._outbox.post(work, line, what="notice", expires_at=self._clock() + RECEIPT_SECONDS)

    def _notice(self, work: Work, admitted: Admitted, closed: Session, why: reset.Why, person: Person | None) -> None:
        """Say why a talk starts afresh, and how to go back."""
        conversation = admitted.message.conversation
        policy, language = self.policy(conversation), person.language if person is not None else None
        if not policy.notice:
            return
        text = say(f"fresh.{why}", language, hours=policy.idle_hours, at=policy.at)
        choices: tuple[Choice, ...] = ()
        if allows(admitted.route.role, "user"):
            title = inert(closed.title) or say("untitled", language)
            text = f"{text} {say('fresh.back', language, title=title)}"
            choices = (Choice(label=say("choice.resume", language), data=f"/resume {closed.id}"),)
        notice = OutboundMessage(
            key=f"notice/reset/{closed.id}", conversation=conversation, text=text, choices=choices, silent=True
        )
        self._outbox.post(work, notice, what="notice")


def title_of(text: str) -> str:
    """Make a title of somebody's words: one short line of what can be seen."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())[:TITLE_LENGTH].rstrip()
