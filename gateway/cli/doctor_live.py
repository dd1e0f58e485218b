"""`dragoman doctor --live`: posts to the owner on each platform, through the same adapters as the daemon.

Promise: nobody but the owner gets anything, nothing is posted before somebody agreed, and the report names no one.
"""

import asyncio
import platform
import re
import secrets
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

from gateway import assembly
from gateway.cli import client, version
from gateway.cli.output import clean, line, print_table, say
from gateway.cli.settings import settings
from gateway.cli.where import Where
from gateway.domain.errors import DragomanError
from gateway.domain.ids import ConversationKey, MessageRef
from gateway.domain.messages import Attachment, Choice, Delivery, OutboundMessage, Part
from gateway.domain.ports import Adapter, Deleting, Editing
from gateway.masking import Masker
from gateway.store.blobs import Blobs
from gateway.web.hooks import HookListener

STEP_SECONDS = 60.0
EMOJI = "😀" * 4096
GREETING = "This is a test that you asked for (`dragoman doctor --live`); nothing needs an answer."
FILE = b"A file from dragoman doctor.\n"
LONG_NUMBER = re.compile(r"\d{5,}")


class Step(NamedTuple):
    """One thing that was tried: `trouble` is empty where it worked, None where the platform cannot do it."""

    platform: str
    what: str
    seconds: float
    trouble: str | None


def run(where: Where, masker: Masker, *, yes: bool) -> int:
    """Ask, post, report; returns how many things went wrong."""
    found = client.ask(where, "owner.talks")
    talks = [_talk(one) for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    talks = [talk for talk in talks if talk.platform != "terminal"]
    say("\nLive test")
    if not talks:
        say("The owner has no talk with me on any platform yet: write to me there first, then try again.")
        return 1
    names = ", ".join(talk.platform for talk in talks)
    say(f"It posts to you, the owner, on {names}: a text that is edited, buttons, a file, 4,096 emoji (removed again).")
    if not yes and not _agreed():
        say("Nothing was posted.")
        return 0
    steps = asyncio.run(_post(where, talks))
    _report(steps, masker)
    return sum(bool(step.trouble) for step in steps)


def _talk(found: dict[str, object]) -> ConversationKey:
    thread = found["thread"]
    return ConversationKey(
        platform=str(found["platform"]),
        account=str(found["account"]),
        chat=str(found["chat"]),
        kind="direct",
        thread=None if thread is None else str(thread),
    )


def _agreed() -> bool:
    if not sys.stdin.isatty():
        say("Here is nobody to ask; --yes agrees.")
        return False
    try:
        return input("Post it? [y/N] ").strip().casefold() in ("y", "yes")
    except EOFError:
        return False


async def _post(where: Where, talks: list[ConversationKey]) -> list[Step]:
    steps: list[Step] = []
    with tempfile.TemporaryDirectory() as folder:
        blobs = Blobs(Path(folder))
        lines = assembly.lines(settings(where).config, blobs, time.time, HookListener(None), platforms=True)
        for talk in talks:
            adapter = next((line.adapter for line in lines if line.adapter.platform == talk.platform), None)
            if adapter is None:
                steps.append(Step(talk.platform, "send", 0.0, "the platform is switched off"))
            else:
                steps += [step async for step in _Trial(adapter, talk, blobs).steps()]
    return steps


class _Trial:
    """What is posted in one talk."""

    def __init__(self, adapter: Adapter, talk: ConversationKey, blobs: Blobs) -> None:
        self._adapter = adapter
        self._talk = talk
        self._blobs = blobs
        self._posted: list[MessageRef] = []
        self._key = f"doctor/{secrets.token_hex(8)}"  # a platform that knows repeats would swallow a second look

    async def steps(self) -> AsyncIterator[Step]:
        """Try one thing after the other; a failed one stops none of the rest."""
        tried: list[tuple[str, Callable[[], Awaitable[object]] | None]] = [
            ("send", lambda: self._say(GREETING)),
            ("edit", self._edit if isinstance(self._adapter, Editing) else None),
            ("buttons", self._buttons),
            ("file", self._file),
            ("4,096 emoji", self._emoji),
            ("delete", self._delete if isinstance(self._adapter, Deleting) else None),
        ]
        for what, doing in tried:
            began, trouble = time.monotonic(), None
            if doing is not None:
                trouble = await _trouble(doing)
            yield Step(self._talk.platform, what, time.monotonic() - began, trouble)

    async def _say(self, text: str, *choices: Choice) -> list[MessageRef]:
        message = OutboundMessage(key=self._key, conversation=self._talk, text=text, choices=choices, silent=True)
        return [ref for part in self._adapter.split(message) if (ref := await self._send(part)) is not None]

    async def _send(self, part: Part) -> MessageRef | None:
        return await self._adapter.send(self._delivery(part))

    def _delivery(self, part: Part) -> Delivery:
        return Delivery(key=self._key, conversation=self._talk, part=part, repeat="risk", what="notice", silent=True)

    async def _edit(self) -> None:
        if isinstance(self._adapter, Editing):
            ref = await self._adapter.open(self._delivery(Part()))
            await self._adapter.edit(ref, self._adapter.sketch("This was “…” and was edited into this."))

    async def _buttons(self) -> None:
        await self._say(
            "These buttons do nothing.", Choice(label="One", data="doctor:1"), Choice(label="Two", data="doctor:2")
        )

    async def _file(self) -> None:
        async def content() -> AsyncIterator[bytes]:
            yield FILE

        blob, size = await self._blobs.save(content())
        file = Attachment(kind="document", name="doctor.txt", mime="text/plain", size=size, blob=blob)
        await self._send(Part(attachments=(file,)))

    async def _emoji(self) -> None:
        self._posted = await self._say(EMOJI)

    async def _delete(self) -> None:
        for ref in self._posted:
            if isinstance(self._adapter, Deleting):
                await self._adapter.delete(ref)


async def _trouble(doing: Callable[[], Awaitable[object]]) -> str:
    try:
        async with asyncio.timeout(STEP_SECONDS):
            await doing()
    except TimeoutError:
        return f"no answer within {STEP_SECONDS:.0f} s"
    except DragomanError as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _report(steps: list[Step], masker: Masker) -> None:
    """Print what may be pasted anywhere: no token, no name, no number of a chat."""
    say("\n```")
    say(f"{version()}, Python {platform.python_version()}, {platform.system()} {platform.machine()}")
    rows = []
    for step in steps:
        outcome = "cannot do that" if step.trouble is None else step.trouble or "ok"
        rows.append((step.platform, step.what, f"{step.seconds:.1f} s", _nameless(masker.mask(outcome))))
    print_table(["platform", "what", "took", "outcome"], rows)
    say("```")


def _nameless(text: str) -> str:
    return LONG_NUMBER.sub("…", line(clean(text), 300))
