"""A platform in this process, whose every call can be scripted: it fails, hangs or answers as a test wants."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from gateway.domain.errors import DragomanError, GiveUp
from gateway.domain.ids import ConversationKey, Instant, MessageRef
from gateway.domain.messages import Delivery, Limits, OutboundMessage, Part
from gateway.domain.ports import Intake

BOUND = 5.0
Life = Callable[["Booth", Intake], Awaitable[None]]
LIMITS = Limits(
    max_units=200,
    unit="chars",
    max_upload=1_000_000,
    max_download=1_000_000,
    edits_per_minute=6000,
    group_edits_per_minute=3000,
    repeat="edit",
)
Trouble = BaseException | Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the house: what, about which message, with which text, and when it began."""

    what: str
    ref: str
    text: str
    at: float


async def connected(booth: "Booth", intake: Intake) -> None:
    """Be heard all the time."""
    never = asyncio.get_running_loop().create_future()
    while True:
        intake.alive(booth.mailbox)
        await asyncio.wait({never}, timeout=0.005)


async def falls_silent(booth: "Booth", intake: Intake) -> None:
    """Be heard once."""
    intake.alive(booth.mailbox)
    await asyncio.Event().wait()


async def deaf(_booth: "Booth", _intake: Intake) -> None:
    """Hear nothing, and say nothing."""
    await asyncio.Event().wait()


def fails(error: Exception, *, heard: bool = False) -> "Life":
    """Make a run that ends at once, or as soon as it was heard."""

    async def run(booth: Booth, intake: Intake) -> None:
        if heard:
            intake.alive(booth.mailbox)
        raise error

    return run


async def hang() -> None:
    """Never answer."""
    await asyncio.Event().wait()


class Booth:
    """An adapter without a wire: one post for each 200 characters; `trouble[what]` meets the next calls, in order."""

    platform = "booth"

    def __init__(self, account: str = "1", limits: Limits = LIMITS) -> None:
        self.account: str | None = account
        self.limits = limits
        self.calls: list[Call] = []
        self.shown: dict[str, str] = {}  # what people see, by message, in order of appearance
        self.trouble: defaultdict[str, deque[Trouble]] = defaultdict(deque)
        self.after: defaultdict[str, deque[Trouble]] = defaultdict(deque)  # done all the same, then this
        self.sketches = 0  # how often a preview was made
        self.anonymous = False  # accepts without telling an id
        self.threads: list[str | None] | None = None  # which threads were asked for, of a place that has none any more
        self.changed = asyncio.Condition()
        self.lives: deque[Life] = deque()  # how the next runs go; afterwards it is simply connected
        self.runs = 0
        self.alive = 0  # runs at this moment
        self.most = 0  # runs at the same time

    def split(self, message: OutboundMessage) -> tuple[Part, ...]:
        """Cut every 200 characters; what is only white space shows nothing."""
        text, most = message.text, self.limits.max_units
        parts = [Part(text=text[at : at + most]) for at in range(0, len(text), most)] if text.strip() else []
        return (*parts, *(Part(attachments=(file,)) for file in message.attachments))

    def dated(self, part: Part, at: Instant) -> Part:
        """Put the instant before the text."""
        return replace(part, text=f"[{at:.0f}] {part.text}")

    def sketch(self, text: str) -> Part:
        """Show the beginning."""
        self.sketches += 1
        return Part(text=text[: self.limits.max_units])

    @property
    def mailbox(self) -> str:
        """The account as queues name it."""
        return f"{self.platform}/{self.account}"

    async def run(self, intake: Intake) -> None:
        """Be connected, in the way that is scripted for this run."""
        self.runs += 1
        self.alive += 1
        self.most = max(self.most, self.alive)
        try:
            await self._tell()
            await (self.lives.popleft() if self.lives else connected)(self, intake)
        finally:
            self.alive -= 1
            await self._tell()

    async def send(self, delivery: Delivery) -> MessageRef | None:
        """Post a part."""
        ref = self._ref(delivery.conversation)
        await self._do("send", ref, delivery.part.text, lambda: self._show(ref, delivery.part))
        return None if self.anonymous else ref

    async def open(self, delivery: Delivery) -> MessageRef:
        """Post a placeholder."""
        ref = self._ref(delivery.conversation)
        if self.threads is not None:
            self.threads.append(delivery.conversation.thread)
            ref = replace(ref, conversation=replace(delivery.conversation, thread=None))
        await self._do("open", ref, "…", lambda: self._show(ref, Part(text="…")))
        return ref

    async def edit(self, ref: MessageRef, part: Part) -> None:
        """Change a post."""

        def change() -> None:
            if ref.native not in self.shown:
                raise GiveUp("message to edit not found")
            self._show(ref, part)

        await self._do("edit", ref, part.text, change)

    async def delete(self, ref: MessageRef) -> None:
        """Remove a post."""
        await self._do("delete", ref, "", lambda: self.shown.pop(ref.native, None))

    async def typing(self, conversation: ConversationKey) -> None:
        """Show the typing sign."""
        await self._do("typing", MessageRef(conversation=conversation, native=""), "", lambda: None)

    def listed(self, what: str) -> list[Call]:
        """The calls of one kind."""
        return [call for call in self.calls if call.what == what]

    async def until(self, done: Callable[[], bool]) -> None:
        """Wait until something is so; looked at after each call's beginning and end."""
        try:
            async with asyncio.timeout(BOUND), self.changed:
                await self.changed.wait_for(done)
        except TimeoutError:
            raise AssertionError(f"not so within {BOUND} s; calls {self.calls}, shown {self.shown}") from None

    def _ref(self, conversation: ConversationKey) -> MessageRef:
        made = sum(call.what in ("open", "send") for call in self.calls)
        return MessageRef(conversation=conversation, native=f"{conversation.chat}.{made + 1}")

    def _show(self, ref: MessageRef, part: Part) -> None:
        self.shown[ref.native] = part.text or f"<{part.attachments[0].name}>"

    async def _do(self, what: str, ref: MessageRef, text: str, act: Callable[[], object]) -> None:
        self.calls.append(Call(what, ref.native, text, asyncio.get_running_loop().time()))
        await self._tell()
        await _meet(self.trouble[what])
        act()
        await self._tell()
        await _meet(self.after[what])

    async def _tell(self) -> None:
        async with self.changed:
            self.changed.notify_all()


async def _meet(waiting: deque[Trouble]) -> None:
    if not waiting:
        return
    trouble = waiting.popleft()
    if isinstance(trouble, BaseException):
        raise trouble
    await trouble()


def always(error: DragomanError) -> deque[Trouble]:
    """The same trouble for as long as a test lives."""
    return deque([error] * 10_000)
