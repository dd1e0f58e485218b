"""A running house takes a new configuration over: what, how, and what becomes of a wrong one."""

import asyncio
import json
import signal
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from gateway.config import Config, load
from gateway.reloading import TABLE, changed, in_force, waiting
from gateway.store.sqlite import SqliteDatabase
from playground.model import StandIn, rate_limited
from tests.harness.daemon import Daemon, living, standing
from tests.harness.house import BOUND, running
from tests.harness.looks import says
from tests.integration.health.conftest import Ear

pytestmark = pytest.mark.requirement("C9.4")


async def reload(daemon: Daemon, event: str = "reloaded", **settings: object) -> dict[str, object]:
    """Write the configuration anew, send the signal, and hand out what the log says then."""
    said = len(daemon.life.said)
    daemon.configure(**settings)
    daemon.life.tell(signal.SIGHUP)
    return await daemon.life.says(event, after=said)


async def test_a_running_answer_ends_on_the_old_model_and_the_next_comes_from_the_new_one(tmp_path: Path) -> None:
    other = StandIn()
    await other.start()
    try:
        async with living(tmp_path) as daemon:
            ann, bob = daemon.phone("Ann"), daemon.phone("Bob")
            ann.send("think 1")
            await daemon.model.asked(1)
            models = [{"model": "other", "base_url": other.url, "api_key": "other-key-for-tests"}]
            said = await reload(daemon, agent={"models": models})
            assert said["taken"] == ["agent.models"]
            bob.send("echo from the new one")
            await bob.answer("from the new one")
            assert [request.body["model"] for request in other.requests] == ["other"]
            await ann.wait_for(says("I waited 1 s"))
            assert len(daemon.model.requests) == 1
            assert await daemon.stop() == 0
            used = daemon.rows("SELECT model FROM turns ORDER BY model")
            assert [row["model"] for row in used] == ["other", "stand-in"]
    finally:
        await other.stop()


async def test_what_waited_for_the_old_model_is_answered_by_the_new_one_at_once(tmp_path: Path) -> None:
    right = StandIn()
    await right.start()
    try:
        async with standing(tmp_path) as daemon:
            daemon.model.queue(rate_limited(300))
            await daemon.start()
            ann = daemon.phone()
            ann.send("echo at last")
            await daemon.life.says("model_down")
            await reload(daemon, agent={"models": [{"model": "n", "base_url": right.url, "api_key": "key"}]})
            await ann.answer("at last")
            assert await daemon.stop() == 0
            assert not daemon.rows("SELECT 1 FROM incidents WHERE closed_at IS NULL")
    finally:
        await right.stop()


async def test_an_answer_that_fails_while_the_model_is_changed_waits_for_nobody(tmp_path: Path) -> None:
    """The turn fails on the old model, and before that is committed the new one is taken over."""
    right, held, hold = StandIn(), threading.Event(), threading.Event()
    await right.start()
    try:
        async with running(tmp_path, {"delivery": {"streaming": False}}) as house:  # no draft has to be committed first
            assert house.app is not None
            db, upkeep = house.app.db, house.app.upkeep
            house.model.queue(replace(rate_limited(300), hang_after=-1))
            ann = house.phone("Ann")
            ann.send("echo at last")
            await house.model.asked(1)
            blocked = asyncio.create_task(db.write(lambda _: (held.set(), hold.wait(BOUND))))
            await house.until(held.is_set)
            house.model.release()
            await house.until(lambda: queued(db, "_waits"))
            new = {"models": [{"model": "n", "base_url": right.url, "api_key": "key"}]}
            house.settings = {**house.settings, "agent": new}
            (tmp_path / "gateway.json").write_text(json.dumps(house.configuration()))
            upkeep.reread = lambda: load(tmp_path / "gateway.json", tmp_path, {})
            upkeep.reload()
            await house.until(lambda: queued(db, "_reload"))
            hold.set()
            await blocked
            await ann.answer("at last")
    finally:
        await right.stop()


def queued(db: SqliteDatabase, name: str) -> bool:
    """Whether a unit of work of a function waits for the writer."""
    return any(name in unit.work.__qualname__ for unit in list(db._units))  # the interleaving itself


async def test_what_needs_a_restart_is_named_until_it_is_taken_back(tmp_path: Path) -> None:
    async with living(tmp_path) as daemon:
        said = await reload(daemon, cron={"enabled": False}, busy="followup", delivery={"link_previews": True})
        assert said["needs_restart"] == ["delivery.link_previews", "cron.enabled"]
        assert said["taken"] == ["busy"]
        _, shown = await daemon.command("status", "--json")
        assert json.loads(shown)["needs_restart"] == ["delivery.link_previews", "cron.enabled"]
        _, shown = await daemon.command("status")
        assert "waits for a restart: delivery.link_previews, cron.enabled" in shown
        said = await reload(daemon, cron={"enabled": True}, delivery={"link_previews": False})
        assert (said["needs_restart"], said["taken"]) == ([], [])


@pytest.mark.requirement("B221")
async def test_a_wrong_configuration_is_refused_whole_and_that_is_said_until_a_right_one_comes(
    tmp_path: Path, ear: Ear
) -> None:
    async with standing(tmp_path) as daemon:
        daemon.environment = {"NOTIFY_SOCKET": ear.address}
        await daemon.start()
        tools = {"tools": ["nobody.has:this"]}
        said = await reload(daemon, "reload_refused", agent=tools, access={"unknown": "ignore"})
        assert "nobody.has:this" in str(said["reason"])
        await ear.hears(lambda line: line.startswith("STATUS=") and line.endswith(", new configuration refused"))
        code, shown = await daemon.command("status", "--check")
        assert code == 1
        assert "the configuration in force is the old one" in shown
        ann = daemon.phone()
        ann.send("echo as before")
        await ann.answer("as before")
        heard = len(ear.heard)
        await reload(daemon, agent={"tools": []}, access={"unknown": "open"})
        await ear.hears(lambda line: line.startswith("STATUS=") and line.endswith(" waiting"), after=heard)
        code, _ = await daemon.command("status", "--check")
        assert code == 0


def configured(root: Path, **sections: object) -> Config:
    base = {"agent": {"models": [{"model": "m", "base_url": "http://127.0.0.1:9", "api_key": "key"}]}}
    path = root / "gateway.json"
    path.write_text(json.dumps(base | sections))
    return load(path, root, {})


def test_every_key_of_the_table_is_a_key_of_the_configuration(tmp_path: Path) -> None:
    config = configured(tmp_path)
    for key in (key for row in TABLE for key in row.keys):
        section, _, inner = key.partition(".")
        assert hasattr(config, section)
        assert not inner or hasattr(getattr(config, section), inner)


def test_the_configuration_in_force_keeps_the_old_values_of_what_waits(tmp_path: Path) -> None:
    old = configured(tmp_path, http={"port": 1}, busy="steer", delivery={"streaming": True})
    new = configured(tmp_path, http={"port": 2}, busy="collect", delivery={"streaming": False, "link_previews": True})
    keys = changed(old, new)
    assert keys == ["busy", "delivery.streaming", "delivery.link_previews", "http.port"]
    assert waiting(keys) == ["delivery.link_previews", "http.port"]
    merged = in_force(old, new)
    assert (merged.busy, merged.delivery.streaming) == ("collect", False)
    assert (merged.delivery.link_previews, merged.http.port) == (False, 1)
    assert changed(merged, new) == waiting(keys)


@pytest.mark.requirement("C9.2")
async def test_a_secret_that_comes_with_a_reload_is_hidden_like_those_of_the_start(tmp_path: Path) -> None:
    async with living(tmp_path, {"logging": {"level": "debug"}}) as daemon:
        ann, key = daemon.phone(), "a-key-of-later"
        ann.send("echo words-of-before")
        await ann.answer("words-of-before")
        await reload(daemon, agent={"models": [{"model": "m", "base_url": daemon.model.url, "api_key": key}]})
        ann.send(f"echo the key is {key}")
        await ann.answer("the key is ***")
        assert await daemon.stop() == 0
        log = json.dumps(daemon.life.said)
        assert "words-of-before" in log
        assert key not in log
