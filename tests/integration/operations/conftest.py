"""A store with a few lives in it."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from agent.memory.notes import Notes
from gateway.domain.ids import ConversationKey, Identity, MessageRef, SessionId, TurnId, UserId
from gateway.domain.messages import Delivery, InboundMessage, Part
from gateway.domain.people import Person
from gateway.domain.sessions import Session, Step, Turn
from gateway.domain.work import Admitted, ItemState, Queue, Route
from gateway.services.admission import Policy
from gateway.services.operations import LineState, perform
from gateway.services.operations.rules import Rules
from gateway.services.talks.reset import Policies
from gateway.services.talks.reset import Policy as Reset
from gateway.store import codec, lanes, people, sent, sessions, transcript
from gateway.store.sqlite import SqliteDatabase, Work

NOW = 1_800_000_000.0
ANN = Identity(platform="telegram", native="7")
TALK = ConversationKey(platform="telegram", account="1", chat="7", kind="direct")


@dataclass(frozen=True, kw_only=True)
class Line:
    name: str = "telegram"
    mailbox: str | None = "telegram/1"
    state: str = "up"
    since: float = NOW - 60
    heard_at: float | None = NOW - 3
    trouble: str = ""
    warning: str = ""


class Keeping:
    copier: Any = None

    def state(self) -> dict[str, object]:
        return {"measured": False}


RULES = Rules(
    policy=Policy("pair", "guest", {}),
    reset=Policies(Reset("manual", 24.0, notice=False), {}, {}),
    busy="steer",
    timezone="UTC",
    model="m",
    tools=(),
    platforms=(),
)


@dataclass(frozen=True, kw_only=True)
class Daemon:
    boot: str = "b1"
    started_at: float = NOW - 60
    lines: tuple[LineState, ...] = (Line(),)
    troubles: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    keeping: Keeping = field(default_factory=Keeping)
    not_yet: tuple[str, ...] = ("cron: no jobs are scheduled",)
    rules: Rules = RULES
    notes: Notes = field(default_factory=lambda: Notes(Path("/nowhere")))

    def door(self) -> str | None:
        return "http://127.0.0.1:8460/login/code"

    def links(self, code: str) -> tuple[str, ...]:
        return (f"https://t.me/bot?start={code}",)


class Store:
    """Writes rows as the services do, and asks operations."""

    def __init__(self, db: SqliteDatabase) -> None:
        self.db = db
        self.live: Daemon | None = Daemon()

    async def ask(self, name: str, /, **args: object) -> Any:
        return await perform(self.db, self.live, name, args, clock=lambda: NOW)

    async def do(self, work: Callable[[Work], object]) -> None:
        await self.db.write(work)

    async def inbox(self, key: str, text: str, *, turn: str | None = None, state: ItemState = "ready") -> int:
        message = InboundMessage(
            key=key, kind="text", conversation=TALK, received_at=NOW - 20, sender=ANN, sender_name="Ann", text=text
        )
        route = Route(kind="talk", rule="known person", lane="user:u1", talk="user:u1", person=UserId("u1"))
        body = codec.dump(Admitted(message=message, route=route))
        return await self._put("inbox", key, "user:u1", body, turn=turn, state=state)

    async def outbox(self, key: str, text: str, *, turn: str | None = None, state: ItemState = "ready") -> int:
        delivery = Delivery(key=key, conversation=TALK, part=Part(text=text, markup="b0-4"), repeat="risk")
        return await self._put("outbox", key, str(TALK), codec.dump(delivery), turn=turn, state=state)

    async def _put(self, queue: Queue, key: str, lane: str, body: str, *, turn: str | None, state: ItemState) -> int:
        def put(work: Work) -> int:
            number = lanes.put(work, queue, key=key, lane=lane, account="telegram/1", body=body, now=NOW - 19)
            assert number is not None
            work.execute("UPDATE items SET turn = ?, failures = 3, rule = 'known person' WHERE id = ?", (turn, number))
            if state != "ready":
                lanes.finish(work, [number], state=state, why="it failed", now=NOW - 9)
            return number

        return await self.db.write(put)

    async def session(self, turn: str, *, state: str = "done") -> None:
        def put(work: Work) -> None:
            people.save(work, Person(id=UserId("u1"), name="Ann", role="user"), NOW - 100)
            people.link(work, ANN, UserId("u1"), "config", NOW - 100)
            sessions.start(
                work,
                Session(
                    id=SessionId("s-1"),
                    lane="user:u1",
                    person=UserId("u1"),
                    title="Trains",
                    model="m",
                    system="x",
                    opened_at=NOW - 30,
                    last_active=NOW - 20,
                    subject="people/u1",
                ),
            )
            sessions.start_turn(
                work,
                Turn(
                    id=TurnId(turn),
                    session=SessionId("s-1"),
                    lane="user:u1",
                    person=UserId("u1"),
                    conversation=TALK,
                    state="open",
                    opened_at=NOW - 18,
                ),
            )
            sessions.add_usage(work, TurnId(turn), "gpt", (10, 4, 5))
            steps = [
                Step(turn=TurnId(turn), n=0, role="user", content="when?", item=1),
                Step(turn=TurnId(turn), n=1, role="assistant", content="at nine"),
            ]
            transcript.add(work, SessionId("s-1"), steps, NOW - 15)
            if state != "open":
                sessions.end_turn(work, TurnId(turn), state, NOW - 14)  # type: ignore[arg-type]  # a state of turns

        await self.db.write(put)

    async def post(self, key: str, turn: str) -> None:
        ref = MessageRef(conversation=TALK, native="99")
        await self.db.write(lambda work: sent.add(work, ref, delivery=key, turn=turn, text="at nine", now=NOW - 13))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    db = SqliteDatabase(tmp_path / "state.db")
    await db.open()
    yield Store(db)
    await db.close()
