"""Runs command rows: each ends in one commit with what it changed and what it says."""

from collections.abc import Sequence
from dataclasses import replace

import structlog

from gateway.domain.errors import GiveUp
from gateway.domain.messages import OutboundMessage
from gateway.domain.people import Person, Role, allows, lower
from gateway.domain.ports import Clock
from gateway.domain.work import Admitted, Claim, Item
from gateway.services.commands.context import Asked, Context, Saying
from gateway.services.commands.parse import Spoken, nearest, parse
from gateway.services.commands.table import COMMANDS, Command, find
from gateway.services.outbox import Outbox
from gateway.services.people.exporting import Exporter
from gateway.services.stopping import Stopper
from gateway.store import codec, lanes, people
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.texts import say

log = structlog.get_logger(__name__)
WORDS = frozenset(word for one in COMMANDS for word in (one.name, *one.aliases))
BESIDE = frozenset(one.name for one in COMMANDS if one.beside)


class Commands:
    """Answers commands."""

    def __init__(
        self,
        *,
        db: SqliteDatabase,
        context: Context,
        stopper: Stopper,
        exporter: Exporter,
        outbox: Outbox,
        clock: Clock,
        boot: str,
    ) -> None:
        self._db = db
        self._context = context
        self._stopper = stopper
        self._exporter = exporter
        self._outbox = outbox
        self._clock = clock
        self._boot = boot

    def adopt(self, *, name: str, timezone: str) -> None:
        """Answer under another name and by another clock from now on."""
        self._context = replace(self._context, name=name, timezone=timezone)

    async def handle(self, claim: Claim) -> bool:
        """Run the one command of a claim."""
        item = claim.items[0]
        admitted = codec.load(Admitted, item.body)
        spoken = parse(admitted.message.order, WORDS)
        word = find(spoken.word) if spoken else None
        asked = await self._db.write(lambda work: self._asked(work, admitted, spoken))
        if word is not None and word.name == "stop" and _may(asked, word):
            asked = replace(asked, ended=await self._stopper.stop(item.id, admitted, asked.person))
        if word is not None and word.name == "export" and _may(asked, word) and asked.person is not None:
            asked = replace(asked, file=await self._exporter.make(asked.person, asked.message.conversation))
        await self._db.write(lambda work: self._reply(work, claim, asked, spoken, word))
        return True

    def park(self, work: Work, items: Sequence[Item], error: GiveUp) -> None:
        """Give a command up, with an apology."""
        for item in items:
            log.error("command_parked", item=item.id, reason=str(error))
            lanes.finish(work, [item.id], state="dead", why=str(error), now=self._clock())
            message = codec.load(Admitted, item.body).message
            text = say(error.tell, self._asked(work, codec.load(Admitted, item.body), None).language)
            apology = OutboundMessage(key=f"parked/{item.id}", conversation=message.conversation, text=text)
            self._outbox.post(work, apology, what="notice")

    def _asked(self, work: Work, admitted: Admitted, spoken: Spoken | None) -> Asked:
        message, route = admitted.message, admitted.route
        person = people.get(work, route.person) if route.person else None
        if person is None and message.sender is not None:
            person = people.by_identity(work, message.sender)
        return Asked(
            message=message,
            route=route,
            rest=spoken.rest if spoken else "",
            person=person,
            role=_role(admitted, person) if people.still(work, message, person) else "blocked",
        )

    def _reply(self, work: Work, claim: Claim, asked: Asked, spoken: Spoken | None, command: Command | None) -> None:
        lanes.hold(work, claim, self._boot)
        if asked.role == "blocked":
            self._close(work, claim, "no longer admitted")
            return
        said: str | Saying | None
        if asked.message.kind == "sealed":
            said = say("sealed", asked.language)
        elif command is None:
            word = spoken.word if spoken else "?"
            near = nearest(word, WORDS)
            sentence = "unknown_command" if near else "unknown_command.bare"
            said = say(sentence, asked.language, word=word, nearest=near)
        elif not _may(asked, command):
            said = say("not_allowed", asked.language, word=command.name, role=command.role, mine=asked.role)
        else:
            said = command.reply(work, asked, self._context)
            if said is None:
                lanes.free(work, claim)  # and take it again, as what it is now
                return
        self._finish(work, claim, said if isinstance(said, Saying) else Saying(said), asked)

    def _finish(self, work: Work, claim: Claim, said: Saying, asked: Asked) -> None:
        message = OutboundMessage(
            key=f"reply/{asked.message.key}",
            conversation=asked.message.conversation,
            text=said.text,
            choices=said.choices,
            attachments=said.attachments,
            reply_to=asked.message.answers_to,
        )
        self._outbox.post(work, message, what="reply")
        self._close(work, claim, "answered")

    def _close(self, work: Work, claim: Claim, why: str) -> None:
        lanes.finish(work, [claim.items[0].id], state="done", why=why, now=self._clock())
        lanes.free(work, claim)


def _may(asked: Asked, command: Command) -> bool:
    """Whether a command may be used here: by role, or in a group by whoever it concerns."""
    return allows(asked.role, command.role) or (command.own and asked.message.conversation.kind == "group")


def _role(admitted: Admitted, person: Person | None) -> Role:
    """Rights are the lesser of then and now; in a group its role counts, but admins and owners keep theirs there."""
    if person is None:
        return admitted.route.role
    if admitted.message.conversation.kind == "direct":
        return lower(person.role, admitted.route.role)
    return person.role if allows(person.role, "admin") or person.role == "blocked" else admitted.route.role
