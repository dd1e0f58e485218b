"""Tools that need the house: messages to people, files to the talk, and the shell with its fence.

Promise: a message goes to a talk of the person's own, or to somebody else by role and with the name of who asked; a
file comes from the outbox of the workspace only; both are rows that exist exactly if the tool's result says so.
"""

import asyncio
import mimetypes
import re
import secrets
import unicodedata
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Annotated, NamedTuple

from agent.tools.base import Asks, Result, Tool, ToolContext, tool
from agent.tools.files import workspace
from agent.tools.workspace import OUTBOX
from agent.types import ToolError
from gateway.config import Config
from gateway.domain.errors import GiveUp
from gateway.domain.ids import ConversationKey, TurnId, UserId
from gateway.domain.messages import Attachment, OutboundMessage
from gateway.domain.people import Person, allows
from gateway.domain.sessions import Turn
from gateway.services.outbox import Outbox
from gateway.services.registry import Lines
from gateway.services.tools.fence import Fence
from gateway.store import jobs, people, sessions
from gateway.store.blobs import Blobs
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.texts import inert, say

LONGEST = 4000  # characters of a message to somebody
CHUNK = 256 * 1024
_SIGN = "[A-HJ-NP-Za-hj-np-z2-9]"
# codes that let somebody in: ABCD-EFGH, in one, in halves, or sign by sign
_CODE = re.compile(
    rf"(?<![A-Za-z0-9])(?:{_SIGN}{{4}}[-\u2010-\u2015_. ]?{_SIGN}{{4}}|{_SIGN}(?:[-_. ]{_SIGN}){{7}})(?![A-Za-z0-9])"
)
_PAIRING = re.compile(r"[/!]\s*(?:pair|start|approve|deny|choose|invite)\b", re.IGNORECASE)


class Hands(NamedTuple):
    """What reaches out of a turn."""

    db: SqliteDatabase
    outbox: Outbox
    lines: Lines
    blobs: Blobs
    fence: Fence

    def tools(self, config: Config) -> Mapping[str, Sequence[Tool]]:
        """Make what is switched on, by toolset."""
        wanted = config.agent.tools
        return {
            "shell": tuple(self.fence.tools(config).values()),
            "send_message": (message_tool(self),) if "send_message" in wanted else (),
            "files": (file_tool(self),) if "files" in wanted else (),
        }


def message_tool(hands: Hands) -> Tool:
    """Make the tool that writes to people."""

    async def send_message(
        context: ToolContext,
        text: Annotated[str, "what to say, in CommonMark"],
        to: Annotated[str | None, "a platform on which this person talks to you, or home; left out: home"] = None,
        person: Annotated[str | None, "somebody else, by name or id; only if this person asked for that"] = None,
    ) -> Result:
        """Send a message besides the answer: to this person elsewhere, or on their behalf to somebody else."""
        if not text.strip() or len(text) > LONGEST:
            message = f"say something, in at most {LONGEST} characters"
            raise ToolError(message)
        if holds_code(text):
            raise ToolError("codes and commands that let people in are never passed on; people send them themselves")
        return await hands.db.write(lambda work: _message(work, hands, context, (text, to, person)), durable=False)

    return tool(send_message, role="user", repeatable=True, timeout=30, asks=_others)


def _others(arguments: Mapping[str, object], _: ToolContext) -> Asks | None:
    """Say what a message needs: nothing to oneself, care to others."""
    return Asks(always=False, guarded=True) if arguments.get("person") else None


def holds_code(text: str) -> bool:
    """Whether a text holds what may be a code for pairing, or a command that lets somebody in or says yes."""
    flat = "".join(sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) != "Cf")
    found = [re.sub(r"[^A-Za-z0-9]", "", match[0]) for match in _CODE.finditer(flat)]
    return bool(_PAIRING.search(flat)) or any(one.isupper() or not one.isalpha() for one in found)


def _message(work: Work, hands: Hands, context: ToolContext, asked: tuple[str, str | None, str | None]) -> Result:
    text, to, name = asked
    turn, asker = _asking(work, context)
    key = f"{turn.id}/say/{secrets.token_hex(6)}"
    if name is None:
        where = _own(work, asker, to)
        message = OutboundMessage(key=key, conversation=where, text=text)
        return Result(
            content=f"sent to {asker.name} on {where.platform}",
            effects=(lambda work: hands.outbox.post(work, message, what="notice"),),
        )
    if not allows(context.role, "admin"):  # type: ignore[arg-type]  # an unknown role allows nothing
        raise ToolError("only admins and owners can have messages sent to other people")
    other = _somebody(work, name)
    quoted = "\n".join(f"> {line}" for line in text.splitlines())
    words = f"{say('message.asked', other.language, name=inert(asker.name))}\n\n{quoted}"
    if not people.talks(work, other.id):
        message_ = f"{other.name} has no talk with me that I could write to"
        raise ToolError(message_)
    return Result(
        content=f"sent to {other.name}, as asked for by {asker.name}",
        effects=(lambda work: hands.outbox.tell(work, other.id, words, key=key),),
    )


def _asking(work: Work, context: ToolContext) -> tuple[Turn, Person]:
    turn = sessions.turn(work, TurnId(context.turn))
    asker = people.get(work, UserId(context.person)) if context.person else None
    if turn is None or asker is None or turn.conversation.kind != "direct":
        raise ToolError("messages are sent for a person I know, in a direct talk with them")
    if jobs.of_turn(work, turn.id) is not None:
        raise ToolError("this is the run of a job: what you answer goes where its output goes, and nowhere else")
    return turn, asker


def _own(work: Work, asker: Person, to: str | None) -> ConversationKey:
    talks = people.talks(work, asker.id)
    wanted = (to or "home").strip().casefold()
    if wanted == "home" and asker.home in talks and asker.home is not None:
        return asker.home
    found = talks[0] if wanted == "home" and talks else None
    found = found or next((talk for talk in talks if wanted in (talk.platform, str(talk).casefold())), None)
    if found is None:
        known = ", ".join(dict.fromkeys(talk.platform for talk in talks)) or "none"
        message = f"this person has no talk with me called {wanted[:40]!r}; there are: {known}"
        raise ToolError(message)
    return found


def _somebody(work: Work, name: str) -> Person:
    wanted = name.strip().casefold()
    found = [one for one in people.everybody(work) if wanted in (one.id.casefold(), one.name.casefold())]
    found = [one for one in found if one.role != "blocked" and one.merged_into is None]
    if len(found) != 1:
        message = f"{len(found)} people are called that; an id is certain" if found else "I know nobody of that name"
        raise ToolError(message)
    return found[0]


def file_tool(hands: Hands) -> Tool:
    """Make the tool that sends files."""

    async def send_file(
        context: ToolContext,
        path: Annotated[str, f"a file below {OUTBOX}/ in your workspace, such as {OUTBOX}/report.pdf"],
        caption: Annotated[str | None, "a few words with it"] = None,
    ) -> Result:
        """Send a file of the workspace into this talk; it has to lie below outbox/."""
        if not path.startswith(f"{OUTBOX}/"):
            message = f"only files below {OUTBOX}/ are sent; put it there first"
            raise ToolError(message)
        if caption and (len(caption) > 1000 or holds_code(caption)):
            raise ToolError("the caption is too long, or holds a code or a command")
        turn = await hands.db.write(lambda work: _talking(work, context), durable=False)
        attachment = await _attachment(hands, context, turn, path)
        key = f"{turn.id}/file/{secrets.token_hex(6)}"
        message_ = OutboundMessage(
            key=key, conversation=turn.conversation, text=caption or "", attachments=(attachment,)
        )
        return Result(
            content=f"sent: {path}, {attachment.size} bytes",
            effects=(lambda work: hands.outbox.post(work, message_, what="notice"),),
        )

    return tool(send_file, role="user", repeatable=True, timeout=60)


def _talking(work: Work, context: ToolContext) -> Turn:
    turn = sessions.turn(work, TurnId(context.turn))
    if turn is None or jobs.of_turn(work, turn.id) is not None:
        raise ToolError("files are sent in a talk, not from the run of a job")
    return turn


async def _attachment(hands: Hands, context: ToolContext, turn: Turn, path: str) -> Attachment:
    """Store the bytes of a file as they are now: what is sent later is what was read."""
    adapter = hands.lines.kin(turn.conversation.platform)
    most = min(adapter.limits.max_upload if adapter is not None else 0, hands.blobs.max_bytes)
    if not most:
        raise ToolError("no files can be sent here")
    content = await asyncio.to_thread(workspace(context).read, path, most + 1)
    if len(content) > most:
        message = f"the file is larger than {most // 1024 // 1024} MiB, which is the most that can be sent here"
        raise ToolError(message)
    if not content:
        raise ToolError("the file is empty")
    try:
        blob, size = await hands.blobs.save(_chunks(content))
    except GiveUp as error:
        raise ToolError(str(error)) from None
    name = path.rpartition("/")[2]
    mime = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Attachment(kind="document", name=name, mime=mime, size=size, blob=blob)


async def _chunks(content: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(content), CHUNK):
        yield content[start : start + CHUNK]
