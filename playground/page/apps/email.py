"""The emulated mailbox on the page: a small web mail for each person, with a talk as long as all their threads.

The first line of a new mail is its subject; a reply goes into the thread of the mail that it answers.
"""

import asyncio
import base64
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path

from playground.changes import Changes, Place
from playground.mail import File, MailEmulator
from playground.mail.letters import Letter
from playground.page.apps.base import Active, Json, word
from playground.page.apps.marks import Marked

HOST = "playground.test"
LONGEST_SUBJECT = 78
GREY = "450 4.2.0 greylisted, come again"


class EmailApp:
    """Direct talks only; nothing that was sent can be changed."""

    name = "email"
    title = "Mail"
    reshaping: frozenset[str] = frozenset()

    def __init__(self, state: Path | None = None) -> None:
        self.emulator = MailEmulator(state=state)
        self.people: dict[str, str] = {}  # names by address
        self.forging = False
        self._faults: dict[int, tuple[list[str], str]] = {}
        self._numbers = count(1)
        self._sending: set[asyncio.Task[Letter]] = set()

    @property
    def changes(self) -> Changes:
        """Where it tells what happens."""
        return self.emulator.changes

    async def start(self) -> None:
        """Listen on loopback."""
        await self.emulator.start()

    async def stop(self) -> None:
        """Close everything."""
        await asyncio.gather(*self._sending, return_exceptions=True)
        await self.emulator.stop()

    def furnish(self, people: Sequence[str]) -> None:
        """Give each person an address."""
        self.people = {f"{name.lower()}@{HOST}": name for name in people}

    def configuration(self) -> Json:
        """Write down the account."""
        server = {"host": "127.0.0.1", "security": "none", "password": self.emulator.password}
        return {
            "address": self.emulator.address,
            "imap": {**server, "port": self.emulator.imap.port},
            "smtp": {**server, "port": self.emulator.post.port},
            "authserv_id": self.emulator.mx,
        }

    def identity(self, person: str) -> str:
        """Name a person."""
        return f"email:{person.lower()}@{HOST}"

    def group(self) -> str:
        """There is none by mail."""
        return ""

    def talks(self) -> list[Json]:
        """Show every mailbox."""
        return [self._talk(one) for one in self.people]

    def talk(self, place: Place) -> Json | None:
        """Show one mailbox."""
        return self._talk(str(place)) if place in self.people else None

    def _talk(self, address: str) -> Json:
        return {
            "id": address,
            "title": self.people[address],
            "direct": True,
            "people": [{"id": address, "name": self.people[address]}],
            "placeholder": f"Write as {address}: first line subject, then the mail",
            "status": "",
            "commands": [],
        }

    def messages(self, place: str, most: int) -> list[Json]:
        """Show the newest mails of a person."""
        return [self._message(one) for one in self._known(place)[-most:]]

    def message(self, place: Place, number: Place) -> Json | None:
        """Show one mail."""
        found = next((one for one in self._known(str(place)) if one.n == int(number)), None)
        return self._message(found) if found is not None else None

    def _known(self, person: str) -> list[Letter]:
        """List the mails of a person, one that was sent twice once, as mail programs show it."""
        return list({one.id: one for one in reversed(self.emulator.talk(person))}.values())[::-1]

    def _message(self, letter: Letter) -> Json:
        marked = Marked()
        marked.add(letter.subject or "(no subject)", "bold")
        marked.add(f"\n\n{letter.text}" if letter.text else "")
        answered = next((one for one in self._known(letter.person) if one.id == letter.in_reply_to), None)
        sides = (self.emulator.address, letter.person)
        sender, to = sides if letter.ours else sides[::-1]
        return {
            "talk": letter.person,
            "id": str(letter.n),
            "sender": sender,
            "name": "Dragoman" if letter.ours else self.people.get(letter.person, letter.person),
            "from_bot": letter.ours,
            "date": letter.at,
            "edits": 0,
            "deleted": False,
            "reply_to": str(answered.n) if answered else "",
            "quote": answered.subject if answered else "",
            "text": marked.text,
            "entities": marked.entities,
            "note": f"{sender} → {to}",
            "files": [
                {"id": f"{letter.n}-{n}", "name": file.name, "size": len(file.content), "picture": picture(file)}
                for n, file in enumerate(letter.files)
            ],
            "buttons": [],
            "reactions": [],
        }

    def answered(self, _event: Json) -> str:
        """A mail has no buttons."""
        return ""

    def acts(self) -> Mapping[str, Callable[[Json], object]]:
        """What a person can do: write, with or without a file."""
        return {"say": self._say, "send_file": self._upload} | dict.fromkeys(
            ("edit", "delete", "react", "press"), unmailed
        )

    def _say(self, body: Json, files: Sequence[File] = ()) -> object:
        person = word(body, "user")
        if person not in self.people or word(body, "talk") != person:
            raise ValueError("there is nobody with this address")
        answers = next((one for one in self._known(person) if str(one.n) == word(body, "reply_to")), None)
        subject, text = written(word(body, "text")) if answers is None else ("", word(body, "text"))
        vouched, self.forging = not self.forging, False
        sending = asyncio.create_task(
            self.emulator.deliver(
                person,
                text,
                name=self.people[person],
                subject=subject or "(no subject)",
                answers=answers,
                files=files,
                vouched=vouched,
            )
        )
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)
        return True

    def _upload(self, body: Json) -> object:
        content = base64.b64decode(word(body, "content"), validate=True)
        mime = word(body, "mime") or "application/octet-stream"
        return self._say(body, [File(name=word(body, "name") or "file", mime=mime, content=content)])

    def content(self, file: str) -> bytes | None:
        """Give the bytes of a file."""
        letter, _, place = file.partition("-")
        found = next((one for one in self.emulator.letters if str(one.n) == letter), None)
        files = found.files if found is not None else ()
        return files[int(place)].content if place.isdecimal() and int(place) < len(files) else None

    def troubles(self) -> Mapping[str, Callable[[], Active]]:
        """What can be made to go wrong."""
        faults = self.emulator.post.faults
        return {
            "grey": lambda: self._once(faults.mail, GREY),
            "cut": lambda: self._once(faults.data, "lose"),
            "drop": self._drop,
            "forged": self._forge,
        }

    def _once(self, kind: list[str], what: str) -> Active:
        kind.append(what)
        number = next(self._numbers)
        self._faults[number] = (kind, what)
        return Active(fault=number)

    def _drop(self) -> Active:
        self.emulator.imap.cut()
        return Active(until=1.0)

    def _forge(self) -> Active:
        self.forging = True
        number = next(self._numbers)
        self._faults[number] = ([], "")
        return Active(fault=number)

    def ongoing(self, fault: int) -> bool:
        """Whether a trouble is still on."""
        kind, what = self._faults.get(fault, ([], ""))
        return what in kind if what else self.forging

    def end(self, fault: int) -> None:
        """End a trouble."""
        kind, what = self._faults.pop(fault, ([], ""))
        if not what:
            self.forging = False
        elif what in kind:
            kind.remove(what)


def written(text: str) -> tuple[str, str]:
    """Part what was typed: a first line with more below it is the subject, else the subject is its beginning."""
    first, _, rest = text.strip().partition("\n")
    if rest.strip() and len(first) <= LONGEST_SUBJECT:
        return first.strip(), rest.strip()
    return first if len(first) <= LONGEST_SUBJECT else f"{first[: LONGEST_SUBJECT - 1]}…", text.strip()


def picture(file: File) -> bool:
    """Whether the page shows a file as a picture."""
    return file.mime in ("image/png", "image/jpeg", "image/gif")


def unmailed(_body: Json) -> object:
    """Say what mail cannot do."""
    raise ValueError("a mail that was sent stays as it is")
