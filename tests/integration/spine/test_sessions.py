"""Sessions in the whole house: whose talk it is, when it starts afresh, what goes on after a restart."""

from pathlib import Path

from tests.harness.house import running
from tests.harness.looks import quiet


async def test_without_streaming_the_answer_comes_all_the_same(tmp_path: Path) -> None:
    async with running(tmp_path, {"delivery": {"streaming": False}}) as house:
        ann = house.phone("Ann")
        ann.send("echo one")
        await ann.answer("one")
        ann.send("echo two")
        await ann.answer("two")
        await quiet(house)
