"""Store, outbox and its worker with scripted platforms, on a clock that stands still until it is moved."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

from gateway.domain.ids import ConversationKey, Identity, UserId
from gateway.domain.messages import Cursor, InboundMessage, OutboundMessage
from gateway.domain.people import Person
from gateway.services.outbox import Outbox, What
from gateway.services.pace import Pace
from gateway.services.registry import Line, Lines
from gateway.services.upkeep.incidents import Incidents
from gateway.services.upkeep.meters import Meters
from gateway.services.worker import LaneWorker, Limits
from gateway.store import pauses, people
from gateway.store.sqlite import Row, SqliteDatabase, Work
from gateway.supervisor import Supervisor
from tests.integration.flow.booth import BOUND, Booth

NOW = 1_800_000_000.0
BOOT = "boot"
QUICK = Pace(
    call=0.1, first_look=0.01, typing_after=0.05, typing_again=0.05, preview=0.1, close=0.05, look=0.01, end=0.05
)


def talk(chat: str = "ann", *, account: str = "1", thread: str | None = None, group: bool = False) -> ConversationKey:
    """Name a conversation on the booth."""
    kind = "group" if group else "direct"
    return ConversationKey(platform="booth", account=account, chat=chat, thread=thread, kind=kind)  # type: ignore[arg-type]


class Desk:
    """The way out, alone."""

    def __init__(self, folder: Path, booths: Sequence[Booth], pace: Pace) -> None:
        self.now = NOW
        self.pace = pace
        self.numbers = count(1)
        self.booths = list(booths)
        self.lines = Lines([Line(name=f"booth.{n}", adapter=booth) for n, booth in enumerate(booths, 1)], self.clock)
        self.db = SqliteDatabase(folder / "state.db")
        self.outbox = Outbox(db=self.db, lines=self.lines, clock=self.clock, boot=BOOT, pace=pace)
        self.worker = self._worker()
        self.working: asyncio.Task[None] | None = None
        self.keeping: asyncio.Task[None] | None = None
        self.supervisor: Supervisor

    @property
    def booth(self) -> Booth:
        """The first platform."""
        return self.booths[0]

    def clock(self) -> float:
        """Tell the time."""
        return self.now

    def jump(self, seconds: float) -> None:
        """Move the clock and wake the worker."""
        self.now += seconds
        self.db.ring("outbox")
        self.db.ring("lines")

    async def pass_time(self, done: Callable[[], bool], *, step: float = 1.0) -> None:
        """Let time pass, a step every few milliseconds, until something is so."""
        never = asyncio.get_running_loop().create_future()
        async with asyncio.timeout(BOUND):
            while not done():
                self.jump(step)
                await asyncio.wait({never}, timeout=0.003)

    # the intake of platforms that are only heard -------------------------------------------------------

    async def accept(self, messages: Sequence[InboundMessage], cursor: Cursor | None = None) -> None:
        """Nothing comes in here."""
        raise AssertionError((messages, cursor))

    async def cursor(self, account: str, name: str) -> str | None:
        """Nothing was read yet."""
        raise AssertionError((account, name))

    def alive(self, account: str) -> None:
        """Note a completed inbound round trip."""
        self.lines.alive(account)
        self.db.ring("outbox")

    def supervise(self, *, menu: Sequence[tuple[str, str]] = ()) -> asyncio.Task[None]:
        """Start to keep the platforms up; whoever is silent for two minutes counts as deaf."""
        self.supervisor = Supervisor(
            db=self.db,
            lines=self.lines,
            intake=self,
            incidents=Incidents(outbox=self.outbox, clock=self.clock, tell_after=self.pace.tell_after),
            clock=self.clock,
            liveness=lambda _: 120.0,
            meters=Meters(),
            menu=list(menu),
            pace=self.pace,
        )
        self.keeping = asyncio.create_task(self.supervisor.run())
        return self.keeping

    async def pause(self, line: str, *, on: bool = True) -> None:
        """Tell an account to stand still, or to go on."""

        def tell(work: Work) -> None:
            (pauses.add(work, line, self.now) if on else pauses.remove(work, line))
            work.ring(pauses.BELL)

        await self.db.write(tell)

    def start(self) -> None:
        """Start the worker, for the first time or again."""
        self.worker = self._worker()
        self.working = asyncio.create_task(self.worker.run())

    async def stop(self, seconds: float = 0) -> None:
        """End the keeper of the platforms and drain the worker."""
        if self.keeping is not None:
            self.keeping.cancel()
            await asyncio.wait({self.keeping}, timeout=BOUND)
            self.keeping = None
        if self.working is not None:
            await self.worker.drain(seconds)
            await asyncio.wait_for(self.working, BOUND)
            self.working = None

    async def post(self, text: str, to: ConversationKey | None = None, *, what: What = "answer", **more: object) -> str:
        """Post one message; answers get a turn."""
        key = f"t{next(self.numbers)}"
        message = OutboundMessage(key=key, conversation=to or talk(), text=text)
        turn = key if what == "answer" else None
        await self.db.write(lambda work: self.outbox.post(work, message, what=what, turn=turn, **more))  # type: ignore[arg-type]
        return key

    async def owner(self, *talks: ConversationKey, name: str = "Olga") -> None:
        """Seat an owner who has written in these conversations, the last one latest."""

        def seat(work: Work) -> None:
            person = Person(id=UserId(name), name=name, role="owner", source="config")
            people.save(work, person, NOW)
            people.link(work, Identity(platform="booth", native=name), person.id, "config", NOW)
            for n, conversation in enumerate(talks):
                people.remember_talk(work, person.id, conversation, NOW + n)

        await self.db.write(seat)

    async def rows(self, sql: str = "SELECT * FROM items ORDER BY id", *args: object) -> list[Row]:
        """Look at the store."""
        return await self.db.read(sql, args)  # type: ignore[arg-type]

    async def count(self, sql: str, *args: object) -> int:
        """Count something."""
        return int((await self.rows(sql, *args))[0][0])

    async def states(self) -> list[str]:
        """The states of all outbound rows, in order."""
        return [row["state"] for row in await self.rows()]

    async def settled(self, *states: str) -> None:
        """Wait until all rows together have just these states."""
        await self.until(lambda rows: [row["state"] for row in rows] == list(states))

    async def until(self, done: Callable[[list[Row]], bool]) -> list[Row]:
        """Wait until the rows are as wanted; looked at after each commit."""
        rows: list[Row] = []
        try:
            async with asyncio.timeout(BOUND):
                while not done(rows := await self.rows()):
                    await asyncio.wait({self.working or asyncio.ensure_future(asyncio.sleep(0))}, timeout=0.005)
        except TimeoutError:
            found = [(row["key"], row["state"], row["why"]) for row in rows]
            raise AssertionError(f"not so within {BOUND} s; rows {found}, calls {self.booth.calls}") from None
        return rows

    def _worker(self) -> LaneWorker:
        return LaneWorker(
            queue="outbox",
            db=self.db,
            handler=self.outbox,
            limits=Limits(64, BOUND),
            boot=BOOT,
            clock=self.clock,
            accounts=self.lines.up,
            stuck=lambda _: None,
        )


@asynccontextmanager
async def running(folder: Path, *booths: Booth, pace: Pace = QUICK, start: bool = True) -> AsyncIterator[Desk]:
    """Run a way out for the length of a block."""
    desk = Desk(folder, booths or [Booth()], pace)
    await desk.db.open()
    if start:
        desk.start()
    try:
        yield desk
    finally:
        await desk.stop()
        await desk.db.close()
