"""The daily backup: at its time, after a start that missed it, never at the cost of the last good one."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from gateway.domain.errors import GiveUp
from gateway.services.operations import perform
from gateway.services.upkeep import copying
from gateway.services.upkeep.nightly import Nightly, Plan, kept
from gateway.store import schema, unpack
from tests.integration.keep.conftest import Old

ROME = ZoneInfo("Europe/Rome")
LOOK = 0.002


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=ROME).timestamp()


class Night:
    """A nightly backup whose clock can be set."""

    def __init__(self, old: Old, *, keep: int = 3, plan_at: str = "03:30") -> None:
        self.old = old
        plan = Plan(at=plan_at, keep=keep, zone=ROME, config=old.home.config_file)
        self.nightly = Nightly(home=old.home, db=old.db, clock=old.clock, plan=plan)

    @asynccontextmanager
    async def running(self, text: str) -> AsyncIterator[None]:
        """The daemon is up from a moment on."""
        self.old.now = at(text)
        task = asyncio.create_task(self.nightly.run())
        try:
            await self.look()
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})

    async def look(self) -> None:
        """Have it look at the clock, and wait until it has done what it saw."""
        looked = self.nightly.looks
        self.old.db.ring("backup")
        async with asyncio.timeout(10):
            while self.nightly.looks < looked + 2:  # one may have begun before the clock was set
                self.old.db.ring("backup")
                await asyncio.sleep(LOOK)

    async def jump(self, text: str) -> None:
        self.old.now = at(text)
        await self.look()

    def made(self) -> list[str]:
        return [path.name for path in reversed(kept(self.old.home))]


async def test_a_backup_is_made_at_its_time_in_the_daemons_zone(old: Old) -> None:
    night = Night(old)
    async with night.running("2026-06-01T12:00"):
        assert night.made() == []
        await night.jump("2026-06-02T03:29")
        assert night.made() == []
        await night.jump("2026-06-02T03:31")
        assert night.made() == ["dragoman-20260602T013100Z.tar.gz"]
        await night.jump("2026-06-02T23:00")
        assert len(night.made()) == 1
        await night.jump("2026-06-03T04:00")
        assert len(night.made()) == 2
    (old.home.root / "x").mkdir()
    assert unpack.unpack(kept(old.home)[0], old.home.root / "x").schema == schema.migrations()[-1][0]
    assert kept(old.home)[0].stat().st_mode & 0o777 == 0o600


async def test_a_backup_that_was_missed_is_made_after_the_start(old: Old) -> None:
    night = Night(old)
    async with night.running("2026-06-01T12:00"):
        assert night.made() == []
    async with Night(old).running("2026-06-04T09:00"):
        assert night.made() == ["dragoman-20260604T070000Z.tar.gz"]


async def test_only_the_newest_are_kept_and_other_files_are_left_alone(old: Old) -> None:
    night = Night(old, keep=2)
    async with night.running("2026-06-01T12:00"):
        old.home.backups.mkdir()
        for name in ("before-schema-2.db", "mine.tar.gz"):
            (old.home.backups / name).write_text("x")
        for day in (2, 3, 4, 5):
            await night.jump(f"2026-06-0{day}T04:00")
    assert [name[9:17] for name in night.made()] == ["20260604", "20260605"]
    assert (old.home.backups / "before-schema-2.db").exists()
    assert (old.home.backups / "mine.tar.gz").exists()


async def test_a_failure_is_said_keeps_the_last_good_one_and_is_tried_again(
    old: Old, monkeypatch: pytest.MonkeyPatch
) -> None:
    night = Night(old, keep=1)
    async with night.running("2026-06-01T12:00"):
        await night.jump("2026-06-02T04:00")
        good = night.made()
        monkeypatch.setattr(copying, "RESERVE", 2**62)  # a disk without room
        await night.jump("2026-06-03T04:00")
        assert night.made() == good
        assert "free" in str(night.nightly.failed)
        status = await perform(old.db, None, "status", {}, clock=old.clock)
        assert "backup: " in str(status["problems"])  # type: ignore[index]
        monkeypatch.undo()
        await night.jump("2026-06-03T04:30")
        assert night.made() == good
        await night.jump("2026-06-03T05:01")
        assert night.made() != good
        assert len(night.made()) == 1
        assert night.nightly.failed is None
        status = await perform(old.db, None, "status", {}, clock=old.clock)
        assert "backup: " not in str(status["problems"])  # type: ignore[index]
    assert not list(old.home.backups.glob(".*"))


@pytest.mark.parametrize(
    ("now", "due"),
    [
        ("2026-06-01T03:30", "2026-06-01T03:30"),
        ("2026-06-01T03:29", "2026-05-31T03:30"),
        ("2026-03-29T12:00", "2026-03-29T03:30"),  # the day that has no 02:30
        ("2026-10-25T12:00", "2026-10-25T03:30"),  # the day with two
    ],
)
async def test_the_time_is_right_on_the_days_when_clocks_change(old: Old, now: str, due: str) -> None:
    nightly = Night(old).nightly
    assert nightly.due(at(now)) == at(due)
    assert datetime.fromtimestamp(nightly.next(at(now)), UTC).astimezone(ROME).strftime("%H:%M") == "03:30"
    assert nightly.next(at(now)) > at(now)


async def test_a_copy_that_nobody_fetches_is_removed_and_only_one_is_made_at_a_time(
    old: Old, monkeypatch: pytest.MonkeyPatch
) -> None:
    copier = copying.Copier(old.home)
    number = copier.begin()
    with pytest.raises(GiveUp, match="another backup"):
        copier.begin()
    await until(lambda: copier.look(number)["path"])
    assert list(old.home.backups.glob(".copy-*"))
    monkeypatch.setattr(copying, "SILENT_SECONDS", -1.0)
    copier.drop_forgotten()
    assert not list(old.home.backups.glob(".copy-*"))
    with pytest.raises(GiveUp, match="not there"):
        copier.look(number)
    copier.begin()
    await copier.close()
    assert not list(old.home.backups.glob(".copy-*"))


async def until(so: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not so():
            await asyncio.sleep(LOOK)


@pytest.mark.requirement("B230")
async def test_no_kind_of_backup_costs_the_database_its_locks(old: Old) -> None:
    inode = old.home.state_db.stat().st_ino

    def held() -> int:
        lines = Path("/proc/locks").read_text().splitlines()
        return sum(f":{inode} " in line and f" {os.getpid()} " in line for line in lines)

    before = held()
    assert before
    old.home.agent.mkdir(parents=True)
    os.link(old.home.state_db, old.home.agent / "second-name")
    night = Night(old)
    async with night.running("2026-06-01T12:00"):
        await night.jump("2026-06-02T04:00")
    assert night.made()
    copier = copying.Copier(old.home)
    number = copier.begin()
    await until(lambda: copier.look(number)["path"])
    await copier.close()
    await old.janitor(messages_days=1, max_gib=1e-9).round()
    await old.db.write(lambda work: work.execute("INSERT INTO meta VALUES ('x', 'y')") and None)
    assert held() == before


async def test_left_over_pieces_go_and_backups_stay(old: Old) -> None:
    old.home.backups.mkdir()
    for name in (".copy-1.db", ".dragoman-1.tar.gz.x.part", "dragoman-1.tar.gz", "mine"):
        Path(old.home.backups / name).write_text("x")
    copying.clear_left_over(old.home)
    assert sorted(path.name for path in old.home.backups.iterdir()) == ["dragoman-1.tar.gz", "mine"]
