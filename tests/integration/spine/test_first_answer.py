"""A message goes in, one answer comes out, in one process with the real libraries."""

from pathlib import Path

import pytest

from tests.harness.house import running


@pytest.mark.requirement("B002", "C7.4")
async def test_a_message_is_answered_once_in_one_message(tmp_path: Path) -> None:
    """The placeholder becomes the answer."""
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send("hello there")
        answer = await ann.wait_for(lambda message: "hello there" in message.body.text)
        await house.settled("SELECT 1 FROM items WHERE queue = 'outbox' AND state = 'done'")
        assert [message.id for message in ann.from_bot()] == [answer.id]
