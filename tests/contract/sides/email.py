"""E-mail's other side."""

import asyncio
import json
from collections.abc import Callable

from adapters.email.account import Server
from adapters.email.adapter import EmailAdapter
from adapters.email.pace import Pace
from adapters.email.parse import Mailbox
from gateway.domain.ids import ConversationKey
from gateway.domain.ports import Clock
from playground.mail import File, MailEmulator
from playground.mail.letters import MX, Letter
from tests.contract.sides.base import Blobs

ANN = "ann@playground.test"
ROOT = "<talk@playground.test>"  # the mail with which the thread of all of Ann's mails began
SWEEP = 0.2  # pymap says nothing of a mail that came just before it was asked to
QUICK = Pace(connect=5.0, call=5.0, idle=5.0, poll=0.1, data=5.0, look=2.0, again=7.0)


class EmailSide:
    """The emulated mailbox, and Ann's mail program."""

    platform = "email"
    # We answer mail however old it is.
    cannot: frozenset[str] = frozenset(
        {"edit", "delete", "react", "typing", "buttons", "age", "groups", "told", "remote"}
    )

    def __init__(self) -> None:
        self.emulator = MailEmulator()
        self._writing: list[asyncio.Task[object]] = []

    async def start(self) -> None:
        """Listen on loopback."""
        await self.emulator.start()

    async def stop(self) -> None:
        """Close everything."""
        await asyncio.gather(*self._writing)
        await self.emulator.stop()

    def adapter(self, blobs: Blobs) -> EmailAdapter:
        """Make an adapter for our mailbox."""
        address, password = self.emulator.address, self.emulator.password
        at = {"host": "127.0.0.1", "security": "none", "username": address, "password": password}
        return EmailAdapter(
            box=Mailbox(address=address, authserv_ids=(MX,)),
            imap=Server(port=self.emulator.imap.port, **at),  # type: ignore[arg-type]
            smtp=Server(port=self.emulator.post.port, **at),  # type: ignore[arg-type]
            sweep=SWEEP,
            blobs=blobs,
            pace=QUICK,
        )

    def account(self) -> dict[str, object]:
        """Write the account down as the configuration does."""
        server = {"host": "127.0.0.1", "security": "none", "password": self.emulator.password}
        return {
            "address": self.emulator.address,
            "imap": {**server, "port": self.emulator.imap.port},
            "smtp": {**server, "port": self.emulator.post.port},
            "authserv_id": MX,
            "sweep_seconds": SWEEP,
        }

    def talk(self) -> ConversationKey:
        """Name Ann's direct talk as the adapter does."""
        return ConversationKey(platform="email", account=self.emulator.address, chat=ANN, kind="direct")

    def group(self) -> str:
        """There are no groups by mail."""
        return ""

    def call(self, text: str) -> None:
        """Nobody can."""

    def called(self) -> list[str]:
        """There is nothing."""
        return []

    def forget(self) -> None:
        """A mailbox keeps what came."""

    def clock(self, clock: Clock) -> None:
        """Mails carry the server's own time."""

    def say(self, text: str) -> str:
        """Let Ann write."""
        return self.upload("", b"", text)

    def upload(self, name: str, content: bytes, caption: str = "") -> str:
        """Let Ann send a file."""
        files = [File(name=name, mime="application/octet-stream", content=content)] if name else []
        subject, mid = "A question", f"<{len(self._writing)}@playground.test>"
        self._put(caption, subject, mid, files)
        return json.dumps([mid, [ROOT, mid], subject], separators=(",", ":"))

    def change(self, native: str, text: str) -> None:
        """A mail that was sent stays as it is."""

    def withdraw(self, native: str) -> None:
        """A mail that was sent stays."""

    def press(self, label: str) -> None:
        """A mail has no buttons."""

    def reply(self, to: str, text: str) -> None:
        """Let Ann answer one of our mails."""
        letter = next(one for one in reversed(self.emulator.answers(ANN)) if one.text == to)
        self._put(text, "", f"<{len(self._writing)}@playground.test>", [], answers=letter)

    def sign(self, to: str, emoji: str) -> None:
        """A mail takes no signs."""

    def signs(self, native: str) -> list[str]:
        """A mail has no signs."""
        return []

    def shown(self) -> list[str]:
        """List the texts of ours that lie in Ann's mailbox."""
        return [letter.text for letter in self.emulator.answers(ANN) if letter.text]

    def files(self) -> list[tuple[str, bytes]]:
        """List the files of ours that lie in Ann's mailbox."""
        return [(file.name, file.content) for letter in self.emulator.answers(ANN) for file in letter.files]

    async def until(self, so: Callable[[], bool]) -> None:
        """Wait until something is so."""
        await self.emulator.wait_for(so)

    def lose_answer(self) -> None:
        """Let the next mail be taken and the answer be lost."""
        self.emulator.post.faults.data.append("lose")

    def refuse(self, count: int = 1) -> None:
        """Let the next mails be put off."""
        self.emulator.post.faults.data.extend(["451 try later"] * count)

    def limit(self, seconds: int) -> None:
        """Let the next mail be put off."""
        self.emulator.post.faults.mail.append("450 too many")

    def limit_edits(self, count: int) -> None:
        """A mail that was sent is never edited."""

    def lose_files(self) -> None:
        """A mail brings its files along."""

    def cut(self) -> None:
        """Cut every connection that reads the mailbox."""
        self.emulator.imap.cut()

    def _put(self, text: str, subject: str, mid: str, files: list[File], answers: Letter | None = None) -> None:
        before = self._writing[-1:]

        async def put() -> None:
            await asyncio.gather(*before)
            root = ROOT if answers is None else ""
            await self.emulator.deliver(
                ANN, text, subject=subject, answers=answers, files=files, message_id=mid, root=root
            )

        self._writing.append(asyncio.create_task(put()))
