"""The life of connections: tried again for ever and ever more slowly, never doubled, and never in silence."""

import asyncio
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from gateway.domain.errors import GiveUp, Misconfigured, Retry
from gateway.domain.ports import Intake
from tests.integration.flow.booth import BOUND, Booth, deaf, fails, falls_silent
from tests.integration.flow.desk import Desk, running, talk

Logs = list[MutableMapping[str, Any]]
ALL_WELL = 61.0
LONG_PAUSE = 480.0  # give or take a fifth; longer than it takes until the owner is told


async def _again(desk: Desk, logs: Logs, booth: Booth, tries: int) -> list[float]:
    """Let so many tries fail, each as soon as it is due; gives the pauses between them."""
    pauses: list[float] = []
    for _ in range(tries):
        await _until(lambda: len(_pauses(logs, booth)) == booth.runs > 0)
        runs, pauses = booth.runs, _pauses(logs, booth)
        desk.jump(pauses[-1] + 0.1)
        await booth.until(lambda runs=runs: booth.runs > runs)  # type: ignore[misc]
    return pauses


def _pauses(logs: Logs, booth: Booth) -> list[float]:
    name = f"booth.{booth.account}"
    return [entry["again"] for entry in logs if entry["event"] == "platform_degraded" and entry["line"] == name]


@pytest.mark.requirement("B199", "B205", "C7.10")
async def test_a_connection_is_tried_again_for_ever_ever_more_slowly_and_within_a_minute(tmp_path: Path) -> None:
    booth = Booth()
    booth.lives.extend([fails(Retry("no network"))] * 20)
    async with running(tmp_path, booth) as desk:
        with capture_logs() as logs:
            desk.supervise()
            pauses = await _again(desk, logs, booth, 20)
        await booth.until(lambda: desk.lines.all[0].state == "up")
    for n, pause in enumerate(pauses):
        assert 0.8 * min(2**n, 45) - 0.1 <= pause <= 1.2 * min(2**n, 45) + 0.1
    assert len({pause / min(2**n, 45) for n, pause in enumerate(pauses)}) > 10  # they are not all at once
    assert booth.most == 1


@pytest.mark.requirement("B218", "B219")
async def test_a_refused_token_is_one_clear_line_a_try_now_and_then_and_nobody_elses_trouble(tmp_path: Path) -> None:
    wrong, well = Booth("1"), Booth("2")
    wrong.lives.extend([fails(Misconfigured("Telegram doesn't know this bot token"))] * 3)
    async with running(tmp_path, wrong, well) as desk:
        with capture_logs() as logs:
            desk.supervise()
            await _until(lambda: len(_pauses(logs, wrong)) == 1)
            await desk.post("from the other", talk("bob", account="2"))
            await desk.settled("done")
            assert desk.lines.up() == {"booth/2"}
            pauses = await _again(desk, logs, wrong, 3)
        await wrong.until(lambda: desk.lines.up() == {"booth/1", "booth/2"})
    assert all(240 <= pause <= 360 for pause in pauses)
    loud = [entry for entry in logs if entry["log_level"] in ("warning", "error") and entry["line"] == "booth.1"]
    each = [entry["reason"] for entry in loud if entry["event"] != "platform_in_trouble"]  # after five minutes
    assert each == ["Telegram doesn't know this bot token"]


@pytest.mark.requirement("B218")
async def test_a_bug_in_one_adapter_stops_no_other(tmp_path: Path) -> None:
    broken, well = Booth("1"), Booth("2")
    broken.lives.extend([fails(KeyError("a bug")), fails(GiveUp("what does it mean here?"))])
    async with running(tmp_path, broken, well) as desk:
        with capture_logs() as logs:
            desk.supervise()
            await _again(desk, logs, broken, 2)
        await broken.until(lambda: desk.lines.all[0].state == "up")
    assert well.runs == 1


@pytest.mark.requirement("C2.8", "B219")
async def test_an_account_that_is_listed_twice_is_read_once_and_said_to_be(tmp_path: Path) -> None:
    first, second = Booth("1"), Booth("1")
    async with running(tmp_path, first, second) as desk:
        with capture_logs():
            desk.supervise()
            await _until(lambda: [line.state for line in desk.lines.all] == ["up", "degraded"])
        assert "the same account as" in desk.lines.all[1].trouble
        await desk.post("said")
        await desk.settled("done")
    assert (first.runs, second.runs) == (1, 0)


@pytest.mark.requirement("B202", "B203")
async def test_an_account_that_was_not_heard_for_too_long_is_connected_anew(tmp_path: Path) -> None:
    booth = Booth()
    booth.lives.append(deaf)
    async with running(tmp_path, booth) as desk:
        desk.supervise()
        await booth.until(lambda: booth.runs == 1)
        desk.jump(121)
        await _until(lambda: desk.lines.all[0].state == "degraded")
        assert booth.alive == 0
        assert "nothing was heard for 121 s" in desk.lines.all[0].trouble
        desk.jump(2)
        await booth.until(lambda: booth.runs == 2 and desk.lines.all[0].state == "up")
        assert desk.lines.all[0].trouble == ""
    assert booth.most == 1


@pytest.mark.requirement("B202")
async def test_a_clock_that_is_set_back_hides_no_silence(tmp_path: Path) -> None:
    booth = Booth()
    booth.lives.append(falls_silent)
    async with running(tmp_path, booth) as desk:
        desk.supervise()
        await desk.booth.until(lambda: desk.lines.all[0].state == "up")
        desk.jump(-86400)
        assert desk.lines.all[0].heard_at is not None
        await _until(lambda: (desk.lines.all[0].heard_at or 0) <= desk.now)
        desk.jump(121)
        await desk.booth.until(lambda: desk.booth.alive == 0)


@pytest.mark.requirement("B010")
async def test_a_connection_that_does_not_end_is_never_doubled(tmp_path: Path) -> None:
    let_go = asyncio.Event()

    async def clings(_booth: Booth, _intake: Intake) -> None:
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                continue

    booth = Booth()
    booth.lives.append(clings)
    async with running(tmp_path, booth) as desk:
        with capture_logs() as logs:
            desk.supervise()
            await booth.until(lambda: booth.runs == 1)
            desk.jump(121)
            for n in range(1, 4):
                await _until(lambda n=n: len(_pauses(logs, booth)) == n)  # type: ignore[misc]
                desk.jump(60)
        assert booth.runs == 1
        let_go.set()
        await desk.pass_time(lambda: booth.runs == 2)
    assert booth.most == 1
    assert "its last connection does not end" in [entry.get("reason") for entry in logs]


@pytest.mark.requirement("B197")
async def test_lasting_trouble_and_its_end_are_told_to_the_owner_by_another_route(tmp_path: Path) -> None:
    ill, well = Booth("1"), Booth("2")
    ill.lives.append(fails(Retry("another program is polling", after=LONG_PAUSE)))
    async with running(tmp_path, ill, well) as desk:
        await desk.owner(talk("olga", account="2"), talk("olga", account="1"))
        with capture_logs() as logs:
            desk.supervise()
            await _until(lambda: bool(_pauses(logs, ill)))
            desk.jump(299)
            await _looked(desk)
            assert not well.shown
            desk.jump(2)
            await well.until(lambda: len(well.shown) == 1)
        desk.jump(LONG_PAUSE)
        await _until(lambda: desk.lines.all[0].state == "up")
        desk.jump(ALL_WELL)
        await ill.until(lambda: len(ill.shown) == 1)
        await _looked(desk)
        assert not await desk.rows("SELECT 1 FROM incidents WHERE closed_at IS NULL")
    assert list(well.shown.values()) == [
        "booth.1 has been in trouble for 5 min: another program is polling. I keep trying."
    ]
    assert list(ill.shown.values()) == ["booth.1 is back after 13 min of trouble: another program is polling."]


@pytest.mark.requirement("B197")
async def test_trouble_that_outlives_the_process_is_told_once_and_its_end_as_well(tmp_path: Path) -> None:
    for lives in range(3):
        ill, well = Booth("1"), Booth("2")
        ill.lives.append(fails(Misconfigured("the token was revoked")))
        async with running(tmp_path, ill, well) as desk:
            desk.now += lives * 10_000
            await desk.owner(talk("olga", account="2"))
            desk.supervise()
            if lives < 2:
                await _until(lambda: desk.lines.all[0].state == "degraded")
                desk.jump(100)
                desk.lines.all[0].illness.since -= 300  # type: ignore[union-attr]
                desk.jump(0)
                await _looked(desk)
                await desk.settled("done")
            else:
                await desk.pass_time(lambda: desk.lines.all[0].state == "up", step=10)
                desk.jump(ALL_WELL)
                await desk.settled("done", "done")
                assert "is back after" in next(iter(well.shown.values()))


async def test_an_owner_whom_nothing_reaches_is_told_in_the_log_and_nowhere_twice(tmp_path: Path) -> None:
    booth = Booth()
    booth.lives.append(fails(Retry("no network", after=LONG_PAUSE)))
    async with running(tmp_path, booth) as desk:
        await desk.owner(talk("olga"))
        with capture_logs() as logs:
            desk.supervise()
            await _until(lambda: bool(_pauses(logs, booth)))
            desk.jump(301)
            await _until(lambda: "platform_in_trouble" in [entry["event"] for entry in logs])
            assert await desk.states() == []
            desk.jump(LONG_PAUSE)
            await _until(lambda: desk.lines.all[0].state == "up")
        desk.jump(ALL_WELL)
        await booth.until(lambda: len(booth.shown) == 1)
    assert list(booth.shown.values()) == ["booth.1 is back after 13 min of trouble: no network."]


@pytest.mark.requirement("B197")
async def test_an_account_that_is_up_for_a_moment_only_stays_ill(tmp_path: Path) -> None:
    ill, well = Booth("1"), Booth("2")
    ill.lives.extend([fails(Retry("a rival", after=60), heard=True)] * 9)
    async with running(tmp_path, ill, well) as desk:
        await desk.owner(talk("olga", account="2"))
        with capture_logs() as logs:
            desk.supervise()
            await _again(desk, logs, ill, 8)
            await _until(lambda: len(_pauses(logs, ill)) == 9)
            pauses = _pauses(logs, ill)
        await well.until(lambda: len(well.shown) == 1)
        illness = desk.lines.all[0].illness
        assert illness is not None
        assert illness.tries == 9
        desk.jump(2 * ALL_WELL)
        await _until(lambda: desk.lines.all[0].state == "up")
        desk.jump(ALL_WELL)
        await well.until(lambda: len(well.shown) == 2)
        assert desk.lines.all[0].illness is None
    assert pauses[-1] > 45


async def test_trouble_of_seconds_is_told_to_nobody(tmp_path: Path) -> None:
    ill, well = Booth("1"), Booth("2")
    ill.lives.append(fails(Retry("a hiccup")))
    async with running(tmp_path, ill, well) as desk:
        await desk.owner(talk("olga", account="2"))
        with capture_logs() as logs:
            desk.supervise()
            await _again(desk, logs, ill, 1)
        desk.jump(ALL_WELL)
        await _until(lambda: desk.lines.all[0].illness is None)
        assert await desk.states() == []


@pytest.mark.requirement("C4.12")
async def test_an_account_that_is_told_to_stand_still_neither_reads_nor_sends_until_it_is_told_to_go_on(
    tmp_path: Path,
) -> None:
    first, second = Booth("1"), Booth("2")
    async with running(tmp_path, first, second) as desk:
        await desk.owner(talk("olga", account="2"))
        desk.supervise()
        await _until(lambda: [line.state for line in desk.lines.all] == ["up", "up"])
        await desk.pause("booth.1")
        await _until(lambda: desk.lines.all[0].state == "paused")
        assert first.alive == 0
        desk.jump(3)
        await _until(lambda: desk.lines.up() == {"booth/2"})
        await desk.post("waits", talk("ann", account="1"))
        await desk.post("goes", talk("bob", account="2"))
        await second.until(lambda: len(second.shown) == 1)
        desk.jump(60)
        await _looked(desk)
        assert (first.runs, first.shown, second.alive) == (1, {}, 1)
        await desk.pause("booth.1", on=False)
        await first.until(lambda: list(first.shown.values()) == ["waits"])
        assert desk.lines.all[0].state == "up"
        await desk.settled("done", "done")  # nobody was told of trouble


@pytest.mark.requirement("C4.12")
async def test_an_account_that_stood_still_does_so_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path, Booth("1")) as desk:
        await desk.pause("booth.1")
    booth = Booth("1")
    async with running(tmp_path, booth) as desk:
        desk.supervise()
        await _until(lambda: desk.lines.all[0].state == "paused")
        assert booth.runs == 0
        await desk.pause("booth.1", on=False)
        await _until(lambda: desk.lines.all[0].state == "up")


@pytest.mark.requirement("C4.12")
async def test_an_account_in_trouble_can_stand_still_and_its_trouble_is_forgotten(tmp_path: Path) -> None:
    ill, well = Booth("1"), Booth("2")
    ill.lives.append(fails(Retry("no network", after=LONG_PAUSE)))
    async with running(tmp_path, ill, well) as desk:
        await desk.owner(talk("olga", account="2"))
        desk.supervise()
        await _until(lambda: desk.lines.all[0].state == "degraded")
        desk.jump(301)
        await well.until(lambda: len(well.shown) == 1)
        await desk.pause("booth.1")
        await _until(lambda: desk.lines.all[0].state == "paused")
        await _looked(desk)
        await desk.pause("booth.1", on=False)
        await _until(lambda: desk.lines.all[0].state == "up")
        desk.jump(ALL_WELL)
        await _looked(desk)
        assert len(await desk.states()) == 1


async def test_the_menu_is_shown_once_and_again_only_if_it_failed(tmp_path: Path) -> None:
    class Menu(Booth):
        shows: int = 0

        async def menu(self, _commands: object) -> None:
            """Show the menu, at the second try."""
            self.shows += 1
            if self.shows == 1:
                raise Retry("later")

    booth = Menu()

    async def one_life(it: Booth, intake: Intake) -> None:
        wanted = booth.shows + (booth.shows < 2)
        intake.alive(it.mailbox)
        while booth.shows < wanted:
            await asyncio.sleep(0)
        raise Retry("over")

    booth.lives.extend([one_life] * 3)
    async with running(tmp_path, booth) as desk:
        with capture_logs() as logs:
            desk.supervise(menu=[("help", "what I can do")])
            await _again(desk, logs, booth, 3)
    assert booth.shows == 2


@pytest.mark.requirement("B010")
async def test_a_stop_ends_every_run_and_leaves_no_task(tmp_path: Path) -> None:
    before = asyncio.all_tasks()
    async with running(tmp_path, Booth("1"), Booth("2")) as desk:
        keeping = desk.supervise()
        await desk.booths[1].until(lambda: desk.lines.up() == {"booth/1", "booth/2"} and desk.booths[1].alive == 1)
        keeping.cancel()
        await asyncio.wait({keeping}, timeout=BOUND)
        assert [booth.alive for booth in desk.booths] == [0, 0]
    assert asyncio.all_tasks() == before


async def _looked(desk: Desk) -> None:
    """Let the keeper look at everything twice."""
    for _ in range(2):
        looked = desk.supervisor.looked
        await _until(lambda looked=looked: desk.supervisor.looked > looked)  # type: ignore[misc]


async def _until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(BOUND):
        while not done():
            await asyncio.sleep(0)
