"""Power loss is not `kill -9`: what was only written is gone then, so the order of the fsyncs itself is looked at."""

from pathlib import Path

import pytest

from playground.model import Answer
from tests.harness.daemon import BOUND, Daemon, standing
from tests.harness.syscalls import Act, need_strace, read, tracing

QUESTION, ANSWER = "the words of the question", "lorem " * 900  # the answer needs two messages
PLACEHOLDER = '"text":"…"'.encode()


class Trace:
    """What the daemon did, in order; each step looks for the next act behind the last one."""

    def __init__(self, acts: list[Act]) -> None:
        self.acts = acts
        self.at = 0

    def then(self, kind: str, *, place: str = "", data: bytes = b"") -> int:
        """Find the next act of this kind; gives where it stands."""
        for n in range(self.at, len(self.acts)):
            act = self.acts[n]
            if act.kind == kind and place in act.place and data in act.data:
                self.at = n + 1
                return n
        raise AssertionError(f"no {kind} of {data!r} at {place or 'any place'} behind act {self.at}")

    def committed(self, data: bytes) -> int:
        """Find where something was written to the journal of the store and brought to the disk."""
        self.then("write", place="state.db-wal", data=data)
        return self.then("sync", place="state.db-wal")

    def first(self, kind: str, data: bytes) -> int:
        """Find the first act of all with something in it."""
        self.at = 0
        return self.then(kind, data=data)


async def traced(daemon: Daemon, trace: Path) -> Trace:
    """Let one question be answered under strace."""
    ann = daemon.phone()
    daemon.model.when(QUESTION, Answer(chunks=(ANSWER,)))
    life = await daemon.launch(under=tracing(trace))
    await life.says("ready")
    ann.send(QUESTION)
    await ann.until(lambda: sum("lorem" in message.body.text for message in ann.from_bot()) == 2, patience=BOUND)
    assert await daemon.stop() == 0
    return Trace(await read(trace))


@pytest.mark.requirement("E4", "B018", "C7.1")
async def test_what_is_told_to_others_is_on_the_disk_before(tmp_path: Path) -> None:
    """Each promise in turn: received, here stands the placeholder, this is the answer, this part is out."""
    need_strace()
    async with standing(tmp_path) as daemon:
        trace = await traced(daemon, tmp_path / "trace")
        confirmation = f'"offset":{daemon.emulator.core.updates.next_id}'.encode()
        placeholder = next(call.result for call in daemon.emulator.calls.listed("sendMessage"))

    trace.then("receive", data=QUESTION.encode())
    stored = trace.committed(QUESTION.encode())
    assert stored < trace.first("send", confirmation)

    trace.first("send", PLACEHOLDER)
    trace.then("receive", data=b'"ok":true')
    assert isinstance(placeholder, dict)
    known = trace.committed(f'"native":"{placeholder["message_id"]}"'.encode())
    assert known < trace.first("send", b"/editMessageText")

    trace.first("receive", b"lorem lorem")
    ended = trace.committed(b"lorem lorem")
    assert ended < trace.first("send", b"/editMessageText")

    trace.first("send", b"/editMessageText")
    trace.then("receive", data=b'"ok":true')
    delivered = trace.committed(b"delivered")
    trace.first("send", PLACEHOLDER)
    assert delivered < trace.then("send", data=PLACEHOLDER)
