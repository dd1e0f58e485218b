"""A store, the parts of the house that decide who sees what, and a model of who every word was said by."""

from collections import Counter
from pathlib import Path

from agent.memory.notes import Notes
from gateway.domain.ids import ConversationKey, Identity, UserId
from gateway.domain.messages import InboundMessage
from gateway.domain.people import Account
from gateway.domain.work import Admitted, Claim
from gateway.services.admission import Policy
from gateway.services.arrivals import Arrivals
from gateway.services.commands import joining
from gateway.services.intake import Words
from gateway.services.people.belongings import Belongings
from gateway.services.registry import Lines
from gateway.store import busy, codec, lanes, people, sessions, transcript
from gateway.store import joining as rows
from gateway.store.blobs import Blobs
from gateway.store.sqlite import SqliteDatabase, Work
from tests.harness.door import door
from tests.harness.house import Clock

ACCOUNTS = 4


def account(n: int) -> Identity:
    """Name one of the accounts."""
    return Identity(platform="telegram", native=str(n))


def talk(n: int) -> ConversationKey:
    """Name the direct talk of an account."""
    return ConversationKey(platform="telegram", account="1", chat=str(n), kind="direct")


class World:
    """A store, the parts of the house that decide who sees what, and who every word was said by."""

    def __init__(self, db: SqliteDatabase, files: Path) -> None:
        self.db = db
        self.files = files
        self.clock = Clock()
        self.boot = 0
        self.said = 0
        self.off: set[str] = set()  # accounts that were taken off: what was said with them stays
        self.parts()

    def parts(self) -> None:
        """Make what lives in memory, as a start does."""
        boot = f"b{self.boot}"
        made = door(self.db, self.clock, Policy("ignore", "guest", {}), Words(frozenset(), frozenset()), boot=boot)
        self.intake, self.opener, outbox = made
        self.arrivals = Arrivals(
            db=self.db,
            lines=Lines([], self.clock),
            outbox=outbox,
            belongings=Belongings(folder=self.files, blobs=Blobs(self.files)),
            notes=Notes(self.files),
            clock=self.clock,
            boot=boot,
        )

    async def say(self, n: int) -> None:
        """Let an account write its own name."""
        self.said += 1
        message = InboundMessage(
            key=f"m/{self.said}",
            kind="text",
            conversation=talk(n),
            received_at=self.clock(),
            sender=account(n),
            text=f"word of <{n}>",
        )
        await self.intake.accept([message])

    async def join(self, pair: int) -> None:
        """Let the person of one account agree that another account is theirs."""
        one, other = divmod(pair, ACCOUNTS)

        def put(work: Work) -> None:
            kept = people.by_identity(work, account(one))
            if kept is not None and one != other:
                self.said += 1
                new = Account(identity=account(other), name="x", conversation=talk(other))
                joining.begin(work, kept=kept.id, account=new, apart=False, key=str(self.said), now=self.clock())

        await self.db.write(put)

    async def undo(self, number: int) -> None:
        """Let a join be taken back."""

        def put(work: Work) -> None:
            count = work.one("SELECT COUNT(*) AS n FROM joins")
            which = 1 + number % max(count["n"] if count else 1, 1)
            join = rows.get(work, which)
            kept = people.get(work, join.kept) if join is not None else None
            if kept is not None:
                self.said += 1
                joining.order(work, kept.id, "undo", str(which), key=str(self.said), now=self.clock())

        await self.db.write(put)

    async def unlink(self, n: int) -> None:
        """Let an account be taken off its person."""

        def put(work: Work) -> None:
            owner = people.by_identity(work, account(n))
            if owner is not None:
                self.said += 1
                self.off.add(str(n))
                joining.order(work, owner.id, "unlink", str(account(n)), key=str(self.said), now=self.clock())

        await self.db.write(put)

    async def work(self, most: int) -> None:
        """Do what is due, a few claims."""
        for _ in range(most + 1):
            claims = await self.claim()
            for claim in claims:
                await self.do(claim, end=True)

    async def begin(self, _: int) -> None:
        """Begin what is due and leave it half done."""
        for claim in await self.claim():
            await self.do(claim, end=False)

    async def crash(self, _: int) -> None:
        """Die and start again."""
        self.boot += 1
        self.parts()
        await self.db.write(lanes.recover)

    async def claim(self) -> list[Claim]:
        """Take what is due, as a worker does."""
        heads = lanes.Heads(boot=f"b{self.boot}", now=self.clock(), slots=8, busy=Counter())
        return (await self.db.write(lambda work: lanes.claim(work, "inbox", heads))).claims

    async def do(self, claim: Claim, *, end: bool) -> None:
        """Handle one claim; a talk is opened, looked at, and ended or left."""
        if codec.load(Admitted, claim.items[0].body).route.kind == "pair":
            await self.arrivals.handle(claim)
        else:
            await self.db.write(lambda work: self.look(work, claim, end=end))

    def look(self, work: Work, claim: Claim, *, end: bool) -> None:
        """Open a turn and hold what it shows against who may see it."""
        opened = self.opener.open(work, claim, lambda _: False)
        if opened is None:
            return
        asker = codec.load(Admitted, claim.items[0].body).message.sender
        assert asker is not None
        owner = people.by_identity(work, asker)
        assert owner is not None, "a turn for an account of nobody"
        assert opened.turn.person is not None
        mine = people.get(work, opened.turn.person)
        assert mine is not None
        assert mine.id == owner.id
        session = sessions.get(work, opened.session.id)
        assert session is not None
        holder = people.get(work, UserId(str(session.person)))
        assert holder is not None
        assert holder.id == owner.id, "a session of somebody else"
        assert session.closed_at is None or opened.turn.opened_at <= session.closed_at
        for step in opened.steps:
            if step.role == "user" and step.item is not None:
                writer = step.content.rpartition("<")[2].rstrip(">")
                now = people.by_identity(work, account(int(writer)))
                assert writer in self.off or (now is not None and now.id == owner.id), "words of somebody else"
        if end:
            n = transcript.next_n(work, opened.turn.id)
            assert n > 0
            taken = [row.id for row in busy.of_turn(work, opened.turn.id)]
            lanes.finish(work, taken, state="done", why="answered", now=self.clock())
            sessions.end_turn(work, opened.turn.id, "done", self.clock())
            lanes.free(work, claim)
