"""A mailbox of one's own on loopback, and the people who write to it; __main__ runs it alone."""

import asyncio
import base64
import json
import secrets
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from playground.changes import Changes
from playground.mail import letters
from playground.mail.imap import ImapServer
from playground.mail.letters import File, Letter
from playground.mail.post import Handed, Post

ADDRESS = "agent@playground.test"
BOUND = 10.0


class MailEmulator:
    """The mailbox of the agent: read by IMAP, answered by SMTP; `state` keeps its mails over restarts."""

    def __init__(
        self,
        *,
        imap_port: int = 0,
        smtp_port: int = 0,
        address: str = ADDRESS,
        state: Path | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.address = address
        self.password = secrets.token_urlsafe(18)
        self.letters: list[Letter] = []
        self.imap = ImapServer(port=imap_port, name=address, password=self.password)
        self.post = Post(port=smtp_port, users={address: self.password}, taken=self._taken)
        self.mx = letters.MX  # the name by which the mailbox's own server signs
        self.changes = Changes()
        self.version = 0  # grows with every change
        self._state = state
        self._clock = clock
        self._changed = asyncio.Condition()
        self.raw: list[bytes] = []

    async def start(self) -> None:
        """Listen on loopback, with the mails of last time."""
        await self.imap.start()
        await self.post.start()
        if self._state is not None and self._state.exists() and not self.letters:
            for kept in json.loads(self._state.read_text(encoding="utf-8")):
                raw = base64.b64decode(kept["raw"])
                await self._note(raw, person=kept["person"], ours=kept["ours"], at=kept["at"])

    async def stop(self) -> None:
        """Close all connections."""
        await self.post.stop()
        await self.imap.stop()

    async def deliver(
        self,
        person: str,
        text: str,
        *,
        name: str = "",
        subject: str = "A question",
        answers: Letter | None = None,
        files: Sequence[File] = (),
        vouched: bool = True,
        message_id: str = "",
        root: str = "",
    ) -> Letter:
        """Let a person write; `vouched` False makes it a mail that only claims to be theirs.

        `root` puts it into a thread of which nothing else is known here.
        """
        if answers is not None:
            subject = answers.subject if answers.subject.startswith("Re: ") else f"Re: {answers.subject}"
        at = self._clock()
        raw = letters.write(
            sender=(name or person.partition("@")[0].capitalize(), person),
            to=self.address,
            subject=subject,
            text=text,
            at=at,
            answers=answers,
            files=files,
            vouched=vouched,
            message_id=message_id,
            root=root,
        )
        return await self._note(raw, person=person, ours=False, at=at)

    async def deliver_raw(self, raw: bytes, person: str) -> Letter:
        """Put a mail into the mailbox as it is."""
        return await self._note(raw, person=person, ours=False, at=self._clock())

    def talk(self, person: str) -> list[Letter]:
        """List what a person and the agent wrote to each other, oldest first."""
        return [letter for letter in self.letters if letter.person == person]

    def answers(self, person: str) -> list[Letter]:
        """List what the agent wrote to a person, each mail once, as their mail program shows it."""
        found: dict[str, Letter] = {}
        for letter in self.talk(person):
            if letter.ours:
                found.setdefault(letter.id, letter)
        return list(found.values())

    def since(self, n: int) -> list[Letter]:
        """List the mails after the one with a number, for whoever shows them as they come."""
        return [letter for letter in self.letters if letter.n > n]

    async def wait_for(self, so: Callable[[], bool], *, bound: float = BOUND) -> None:
        """Wait until something is so."""
        async with asyncio.timeout(bound), self._changed:
            await self._changed.wait_for(so)

    async def answer(self, person: str, *, after: int = 0, bound: float = BOUND) -> Letter:
        """Wait for the agent's first answer to a person after the mail with a number."""
        await self.wait_for(lambda: any(one.n > after for one in self.answers(person)), bound=bound)
        return next(one for one in self.answers(person) if one.n > after)

    async def _taken(self, handed: Handed) -> None:
        """File what the agent sent, as Gmail does, and hand it to its reader."""
        for recipient in handed.recipients:
            await self._note(handed.data, person=recipient, ours=True, at=self._clock())

    async def _note(self, raw: bytes, *, person: str, ours: bool, at: float) -> Letter:
        await self.imap.put(raw, folder="Sent" if ours else "INBOX", when=at)
        letter = letters.read(raw, n=len(self.letters) + 1, person=person, ours=ours, at=at)
        self.letters.append(letter)
        self.raw.append(raw)
        self.version += 1
        self.changes.publish("mail", person, letter.n)
        self._write()
        async with self._changed:
            self._changed.notify_all()
        return letter

    def _write(self) -> None:
        """Write the state beside its place and rename it."""
        if self._state is None:
            return
        kept = [
            {"raw": base64.b64encode(raw).decode(), "person": letter.person, "ours": letter.ours, "at": letter.at}
            for raw, letter in zip(self.raw, self.letters, strict=True)
        ]
        draft = self._state.with_suffix(".new")
        draft.write_text(json.dumps(kept), encoding="utf-8")
        draft.replace(self._state)
