"""What is over age or over budget goes, the oldest first; what waits stays, and it is said what was done."""

import asyncio
import gc
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateway.domain.ids import UserId
from gateway.domain.people import Person
from gateway.services.operations import perform
from gateway.services.upkeep import janitor
from gateway.store import audit, people
from gateway.store.sqlite import Work
from tests.harness.house import running
from tests.integration.keep.conftest import DAY, NOW, Old

TINY = 1 / 2**30  # GiB: one byte


async def test_texts_go_by_age_and_their_keys_stay_for_ninety_days(old: Old) -> None:
    await old.rows(100)
    await old.rows(40)
    await old.rows(10)
    report = await old.janitor(messages_days=30).round()
    assert (report.texts_removed, report.keys_removed) == (1, 1)
    bodies = await old.db.read("SELECT body <> '' AS full FROM items ORDER BY id")
    assert [row["full"] for row in bodies] == [0, 1]


async def test_texts_are_kept_longer_than_keys_when_that_is_configured(old: Old) -> None:
    await old.rows(200)
    report = await old.janitor(messages_days=365).round()
    assert (report.texts_removed, report.keys_removed) == (0, 0)


async def test_nothing_is_deleted_by_age_unless_that_is_configured(old: Old) -> None:
    await old.rows(2000)
    await old.session("s", 2000, closed=True)
    await old.janitor().round()
    assert await old.count("items WHERE body <> ''") == 1
    assert await old.count("steps") == 2


@pytest.mark.parametrize("state", ["dead", "unknown", "done"])
async def test_a_row_that_waits_stays_however_old_it_is(old: Old, state: str) -> None:
    await old.rows(1000, state="ready")
    await old.rows(50, state=state)  # type: ignore[arg-type]
    await old.janitor(messages_days=1, max_gib=TINY).round()
    assert await old.count("items WHERE state = 'ready' AND body <> ''") == 1
    assert await old.count("items WHERE state <> 'ready' AND body <> ''") == 0


async def test_why_says_that_a_text_went(old: Old) -> None:
    await old.rows(40)
    await old.janitor(messages_days=30).round()
    (life,) = await perform(old.db, None, "why", {"last": True}, clock=old.clock)  # type: ignore[misc]
    assert life["removed"] == "its text was removed by retention"
    (row,) = await perform(old.db, None, "inbox.list", {"state": "all"}, clock=old.clock)  # type: ignore[misc]
    assert row["text"] == ""


@pytest.mark.requirement("B234")
async def test_old_sessions_go_with_their_transcripts_and_those_in_use_stay(old: Old) -> None:
    for n in range(60):
        await old.session(f"old{n}", 40, closed=n % 2 == 0)
    await old.session("new", 3, closed=True)
    report = await old.janitor(messages_days=30).round()
    assert report.sessions_removed == 60
    assert await old.count("sessions") == 1
    assert await old.count("turns") == 1
    assert await old.count("steps") == 2


async def test_an_open_turn_keeps_its_steps(old: Old) -> None:
    await old.session("s", 40, closed=False)
    await old.db.write(lambda work: work.execute("UPDATE turns SET state = 'open', ended_at = NULL") and None)
    await old.janitor(messages_days=30).round()
    assert await old.count("steps") == 2
    assert await old.count("sessions") == 1


async def test_small_records_go_when_they_have_served_their_time(old: Old) -> None:
    def put(work: Work) -> None:
        for n in range(500):
            work.execute(
                "INSERT INTO drops (at, platform, account, sender, conversation, kind, rule, key)"
                " VALUES (?, 'telegram', '1', 's', 'c', 'text', 'r', ?)",
                (NOW - (8 if n else 6) * DAY, f"k{n}"),
            )

    await old.db.write(put)
    await old.janitor().round()
    assert await old.count("drops") == 1


async def test_attachments_go_by_age_unless_a_waiting_row_needs_them(old: Old) -> None:
    needed, spent, young, orphan = (old.blob(name.encode(), 9 if name == "c" else 99) for name in "abcd")
    await old.row_with(needed, 99, state="ready")
    await old.row_with(spent, 99, state="done")
    report = await old.janitor(blobs_days=90).round()
    assert report.blobs_removed == 2
    assert [old.has(one) for one in (needed, spent, young, orphan)] == [True, False, True, False]


async def test_an_attachment_that_arrives_again_is_new_again(old: Old) -> None:
    blob = old.blob(b"again", 99)
    listed = old.blobs.all()

    async def chunks() -> AsyncIterator[bytes]:
        yield b"again"

    await old.blobs.save(chunks())
    assert not old.blobs.remove(listed[0])
    assert old.has(blob)


async def test_the_budget_takes_the_oldest_attachments_first_and_only_as_many_as_needed(old: Old) -> None:
    blobs = [old.blob(bytes([n]) * 2**20, 50 - n) for n in range(5)]
    await old.rows(60)
    used = (await old.janitor().round()).used
    report = await old.janitor(max_gib=(used + 2.5 * 2**20) / 2**30).round()
    assert [old.has(one) for one in blobs] == [False, False, False, True, True]
    assert report.texts_removed == 0
    assert report.over == 0


async def test_then_the_budget_takes_the_oldest_texts_and_the_file_shrinks(old: Old) -> None:
    for days in (60, 30, 10, 0):
        await old.rows(days, count=300, text="x" * 4000)
    before = await old.janitor().round()
    report = await old.janitor(max_gib=before.used * 0.6 / 2**30).round()
    left = await old.db.read("SELECT created_at, body <> '' AS full FROM items ORDER BY id")
    assert [bool(row["full"]) for row in left[::300]] == [False, False, True, True]
    assert report.over == 0
    assert report.database < before.database * 0.7
    assert report.database - report.used < 2**20


@pytest.mark.requirement("B235")
async def test_what_no_broom_can_mend_is_told_to_the_owner_once_and_stands_in_status(old: Old) -> None:
    await old.rows(0, count=100, state="ready", text="x" * 2000)
    talk = (
        "INSERT INTO talks (person, conversation, body, last_at) VALUES ('o', 'telegram/1/7',"
        ' \'{"platform":"telegram","account":"1","chat":"7","kind":"direct"}\', 1)'
    )
    await old.db.write(lambda work: people.save(work, Person(id=UserId("o"), name="Olga", role="owner"), NOW))
    await old.db.write(lambda work: work.execute(talk) and None)
    broom = old.janitor(max_gib=TINY)
    for _ in range(3):
        await broom.round()
    status = await perform(old.db, None, "status", {}, clock=old.clock)
    assert "retention.max_gib" in str(status["problems"])  # type: ignore[index]
    assert await old.count("items WHERE queue = 'outbox' AND key LIKE 'notice/room/%'") == 1
    await old.db.write(lambda work: work.execute("DELETE FROM items") and None)
    await old.janitor(max_gib=1).round()
    status = await perform(old.db, None, "status", {}, clock=old.clock)
    assert "retention.max_gib" not in str(status["problems"])  # type: ignore[index]


@pytest.mark.requirement("B235")
async def test_a_disk_that_runs_full_is_told_before_it_is(old: Old, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(janitor, "LOW", 2**62)
    await old.janitor().round()
    assert [row["subject"] for row in await old.db.write(audit.incidents)] == ["disk space"]


async def test_messages_are_not_held_up_by_a_round(old: Old) -> None:
    for days in (60, 59, 58, 57):
        await old.rows(days, count=5000, text="x" * 500)
    longest, asked, start = 0.0, 0, time.perf_counter()
    broom = asyncio.create_task(old.janitor(messages_days=30, max_gib=TINY).round())
    while not broom.done():
        began = time.perf_counter()
        await old.db.write(lambda work: audit.add(work, "beat", "", "", NOW))
        longest, asked = max(longest, time.perf_counter() - began), asked + 1
    report = await broom
    assert report.texts_removed == 20_000
    assert asked > 100
    assert longest < (time.perf_counter() - start) / 4  # of the whole round: a bound that a busy machine does not move


async def test_a_round_is_made_at_the_start_and_then_every_hour_by_wall_clock(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        assert house.app is not None
        broom = house.app.keeping.janitor
        house.app.db.ring("janitor")
        await house.until(lambda: broom.report.at > 0)
        first = broom.report.at
        house.app.db.ring("janitor")
        reply = await house.ask("status")
        assert reply["result"]["keeping"]["measured"]
        assert reply["result"]["keeping"]["database"] > 0
        house.jump(3601)
        house.app.db.ring("janitor")
        await house.until(lambda: broom.report.at > first)


@pytest.mark.requirement("B233")
async def test_thousands_of_sessions_take_no_memory(old: Old) -> None:
    """What is on the disk is not in memory: after a round over twice as many sessions, no more of them are held."""

    def held() -> int:
        gc.collect()
        return len(gc.get_objects())

    for n in range(300):
        await old.session(f"a{n}", 1, closed=True)
    await old.janitor(messages_days=30).round()
    before = held()
    for n in range(1500):
        await old.session(f"b{n}", 1, closed=True)
    await old.janitor(messages_days=30).round()
    assert held() - before < 300
