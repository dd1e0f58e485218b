"""What makes "ready" flip: a platform that is not heard, a model that is out, a store that cannot be written."""

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest

from playground.model import refused_key
from tests.integration.health.conftest import BOUND, Browser, served

pytestmark = pytest.mark.requirement("C8.3")


def wrong(text: str) -> list[str]:
    found = json.loads(text)
    assert found["ok"] is not bool(found["wrong"])
    return found["wrong"]  # type: ignore[no-any-return]


async def test_a_house_that_reads_is_alive_and_ready(browser: Browser) -> None:
    assert wrong((await browser.until("/healthz", 200)).text) == []
    assert wrong((await browser.until("/readyz", 200)).text) == []


async def test_a_platform_that_is_not_heard_for_its_liveness_is_not_ready_but_alive(browser: Browser) -> None:
    await browser.until("/readyz", 200)
    silence = browser.house.emulator.faults.stop_polls()
    browser.house.clock.shift += 121
    unready = await browser.until("/readyz", 503)
    assert [line.startswith("telegram was last heard 12") for line in wrong(unready.text)] == [True]
    assert (await browser.get("/healthz")).status == 200
    browser.house.emulator.faults.clear(silence.id)
    await browser.until("/readyz", 200)


async def test_a_platform_that_was_never_heard_is_not_ready(tmp_path: Path) -> None:
    async with served(tmp_path, {"platforms": {"telegram": {"base_url": "http://127.0.0.1:9"}}}) as browser:
        assert wrong((await browser.get("/readyz")).text) == ["telegram was not heard yet"]
        assert (await browser.get("/healthz")).status == 200


async def test_an_open_model_incident_is_not_ready_until_the_model_answers_again(browser: Browser) -> None:
    await browser.until("/readyz", 200)
    browser.house.model.queue(refused_key())
    browser.house.phone().send("echo hello")
    assert wrong((await browser.until("/readyz", 503)).text) == ["a model incident is open"]
    browser.house.jump(3600)
    await browser.until("/readyz", 200)


async def test_a_store_that_cannot_be_written_is_not_ready_but_alive(browser: Browser) -> None:
    await browser.until("/readyz", 200)
    other = sqlite3.connect(browser.house.root / "state.db", isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        async with asyncio.timeout(BOUND):
            unready = await browser.until("/readyz", 503)
        assert wrong(unready.text) == ["storage is not writable"]
        assert (await browser.get("/healthz")).status == 200
    finally:
        other.close()
    await browser.until("/readyz", 200)
