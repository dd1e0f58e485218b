"""A store of some age, and the janitor that looks after it."""

import hashlib
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateway.domain.ids import ConversationKey, Identity, SessionId, TurnId, UserId
from gateway.domain.messages import Attachment, InboundMessage
from gateway.domain.people import Person
from gateway.domain.sessions import Session, Step, Turn
from gateway.domain.work import Admitted, ItemState, Queue, Route
from gateway.home import Home
from gateway.services.outbox import Outbox
from gateway.services.pace import STANDARD
from gateway.services.registry import Lines
from gateway.services.upkeep.janitor import Janitor, Limits
from gateway.store import codec, lanes, people, sessions, transcript
from gateway.store.blobs import Blobs
from gateway.store.sqlite import SqliteDatabase, Work

NOW = 1_800_000_000.0
DAY = 86400.0
TALK = ConversationKey(platform="telegram", account="1", chat="7", kind="direct")


class Old:
    """A home whose clock stands at NOW, filled with what happened days ago."""

    def __init__(self, root: Path) -> None:
        self.home = Home(root=root, control_sock=root / "control.sock")
        self.db = SqliteDatabase(self.home.state_db)
        self.blobs = Blobs(self.home.blobs)
        self.now = NOW

    def clock(self) -> float:
        return self.now

    def janitor(
        self, *, messages_days: float | None = None, blobs_days: float | None = None, max_gib: float | None = None
    ) -> Janitor:
        lines = Lines([], self.clock)
        outbox = Outbox(db=self.db, lines=lines, clock=self.clock, boot="b", pace=STANDARD)
        limits = Limits(messages_days=messages_days, blobs_days=blobs_days, max_gib=max_gib)
        return Janitor(home=self.home, db=self.db, blobs=self.blobs, outbox=outbox, clock=self.clock, limits=limits)

    async def rows(
        self, days: float, *, count: int = 1, state: ItemState = "done", text: str = "hello", queue: Queue = "inbox"
    ) -> None:
        """Put rows that came and ended so many days ago."""
        await self.db.write(
            lambda work: self._put(work, days=days, count=count, state=state, text=text, queue=queue, files=())
        )

    async def row_with(self, blob: str, days: float, *, state: ItemState) -> None:
        """Put a row that refers to a blob."""
        files = (Attachment(kind="image", name="a.png", blob=blob),)  # type: ignore[arg-type]
        await self.db.write(
            lambda work: self._put(work, days=days, count=1, state=state, text="look", queue="inbox", files=files)
        )

    def _put(
        self,
        work: Work,
        *,
        days: float,
        count: int,
        state: ItemState,
        text: str,
        queue: Queue,
        files: tuple[Attachment, ...],
    ) -> None:
        at = NOW - days * DAY
        for n in range(count):
            key = f"{queue}/{days}/{state}/{n}/{text[:8]}"
            message = InboundMessage(
                key=key,
                kind="text",
                conversation=TALK,
                received_at=at,
                sender=Identity(platform="telegram", native="7"),
                sender_name="Ann",
                text=text,
                attachments=files,
            )
            route = Route(kind="talk", rule="known person", lane="user:u1", talk="user:u1", person=UserId("u1"))
            body = codec.dump(Admitted(message=message, route=route))
            number = lanes.put(work, queue, key=key, lane="user:u1", account="telegram/1", body=body, now=at)
            assert number is not None
            if state != "ready":
                lanes.finish(work, [number], state=state, why="it is over", now=at)

    async def session(self, name: str, days: float, *, closed: bool) -> None:
        """Put a session with one turn that was last active so many days ago."""
        at = NOW - days * DAY

        def put(work: Work) -> None:
            people.save(work, Person(id=UserId("u1"), name="Ann", role="user"), at)
            sessions.start(
                work,
                Session(
                    id=SessionId(name),
                    lane=f"lane:{name}",
                    person=UserId("u1"),
                    title="Trains",
                    model="m",
                    system="you are kind",
                    opened_at=at,
                    last_active=at,
                ),
            )
            sessions.start_turn(
                work,
                Turn(
                    id=TurnId(f"t-{name}"),
                    session=SessionId(name),
                    lane=f"lane:{name}",
                    person=UserId("u1"),
                    conversation=TALK,
                    state="open",
                    opened_at=at,
                ),
            )
            steps = [Step(turn=TurnId(f"t-{name}"), n=n, role="user", content="x" * 200) for n in range(2)]
            transcript.add(work, SessionId(name), steps, at)
            sessions.end_turn(work, TurnId(f"t-{name}"), "done", at)
            if closed:
                sessions.close(work, SessionId(name), by="idle", now=at)

        await self.db.write(put)

    def blob(self, content: bytes, days: float) -> str:
        """Put a blob that arrived so many days ago."""
        name = hashlib.sha256(content).hexdigest()
        path = self.blobs.path(name)  # type: ignore[arg-type]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        os.utime(path, (NOW - days * DAY, NOW - days * DAY))
        return name

    def has(self, blob: str) -> bool:
        return self.blobs.path(blob).exists()  # type: ignore[arg-type]

    async def count(self, sql: str) -> int:
        return int((await self.db.read(f"SELECT COUNT(*) AS n FROM {sql}"))[0]["n"])


@pytest.fixture
async def old(tmp_path: Path) -> AsyncIterator[Old]:
    home = Old(tmp_path)
    await home.db.open()
    yield home
    await home.db.close()
