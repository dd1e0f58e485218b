"""Promises that no single part keeps alone."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from playground.model import answers
from tests.harness.daemon import living
from tests.harness.house import running

WITHOUT_PLATFORMS = """
import json, sys
from pathlib import Path
from gateway import app
from gateway.config import load
from gateway.home import Home
root = Path(sys.argv[1])
app.build(load(root / "gateway.json", root, {}), Home(root=root, control_sock=root / "control.sock"))
names = ("telegram", "httpx", "discord", "slack_bolt", "aioimaplib")
print(json.dumps([name for name in names if name in sys.modules]))
"""


@pytest.mark.requirement("C7.12", "E7")
async def test_a_turn_whose_lease_was_lost_ends_in_nothing_at_all(tmp_path: Path) -> None:
    """Somebody else takes the lane while the model thinks: no step, no answer, the message is still to be answered."""
    async with running(tmp_path) as house:
        house.model.when("think", answers.hanging("the ", "answer", after=1))
        ann = house.phone("Ann")
        ann.send("think")
        await house.model.asked(1)
        assert house.app is not None
        await house.app.db.write(lambda work: work.execute("UPDATE lanes SET epoch = epoch + 1 WHERE queue = 'inbox'"))
        house.model.release()
        await house.until(lambda: not house.app.inbox.running)
        assert not await house.rows("SELECT 1 FROM steps WHERE role = 'assistant'")
        assert not await house.rows("SELECT 1 FROM items WHERE queue = 'outbox'")
        assert await house.rows(
            "SELECT 1 FROM items WHERE queue = 'inbox' AND state = 'ready' AND lane NOT LIKE 'note:%'"
        )


@pytest.mark.requirement("C7.12")
async def test_what_ends_with_a_turn_ends_in_one_commit(tmp_path: Path) -> None:
    """Whoever looks sees an answered message together with its last step and its answer on the way."""
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send("hello there")
        rows = await house.settled(
            "SELECT (SELECT COUNT(*) FROM steps WHERE role = 'assistant') AS steps,"
            " (SELECT COUNT(*) FROM items WHERE queue = 'outbox') AS parts"
            " FROM items WHERE queue = 'inbox' AND state = 'done'"
        )
        assert tuple(rows[0]) == (1, 1)


@pytest.mark.requirement("C9.3")
async def test_what_people_and_the_model_say_is_not_logged(tmp_path: Path) -> None:
    async with living(tmp_path) as daemon:
        ann = daemon.phone("Ann")
        ann.send("echo my canary sings")
        await ann.wait_for(lambda message: "canary sings" in message.body.text)
        await daemon.stop()
        assert "canary" not in json.dumps([daemon.life.said, daemon.life.words])


@pytest.mark.requirement("C2.6")
def test_the_library_of_an_absent_or_disabled_platform_is_not_loaded(tmp_path: Path) -> None:
    settings = {
        "agent": {"models": [{"model": "stand-in", "base_url": "http://127.0.0.1:9/v1"}]},
        "platforms": {"telegram": {"token": "${NOT_SET}", "enabled": False}},
    }
    (tmp_path / "gateway.json").write_text(json.dumps(settings))
    ended = subprocess.run(
        [sys.executable, "-c", WITHOUT_PLATFORMS, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert json.loads(ended.stdout) == []


@pytest.mark.requirement("C2.7")
async def test_calls_and_files_go_to_the_configured_address(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send_file("document", name="list.txt", content=b"milk")
        await house.settled("SELECT 1 FROM steps WHERE content LIKE '%list.txt%'")
        await house.quiet()
        assert len([path for path in (tmp_path / "blobs").rglob("*") if path.is_file()]) == 1


@pytest.mark.requirement("B029", "C7.6")
async def test_a_new_message_cuts_off_nothing_of_a_long_answer(tmp_path: Path) -> None:
    """All parts of the first answer stand before the second one."""
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send("long 12000")
        await house.settled("SELECT 1 FROM items WHERE queue = 'outbox' AND key LIKE '%/1'")
        ann.send("and another thing")
        await ann.wait_for(lambda message: "another thing" in message.body.text)
        await house.quiet()
        shown = [message.body.text for message in ann.from_bot()]
        assert len(shown) >= 4
        assert "another thing" in shown[-1]
        assert sum(len(text) for text in shown[:-1]) > 10_000
