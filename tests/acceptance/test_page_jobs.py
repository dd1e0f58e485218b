"""The panel of jobs on the playground's page with the real daemon: next runs, run now, why, a clock that moves."""

from collections.abc import Mapping
from pathlib import Path

from tests.acceptance.playground_run import Playground, playing

SAID = "/schedule every 2 h: echo the bell"


async def talk_of(playground: Playground, name: str) -> str:
    """Find somebody's direct talk on Telegram."""
    async with playground.stream() as stream:
        async for news in stream:
            talks = news.get("talks")
            if news.get("app") == "telegram" and isinstance(talks, list):
                return next(str(talk["id"]) for talk in talks if talk["title"] == name)
    raise AssertionError("the stream has ended")


async def panel(playground: Playground, wanted: int, *, ahead: float = 0.0) -> list[Mapping[str, object]]:
    """Wait until the page is told of so many jobs, by a clock that is so far ahead."""
    async with playground.stream() as stream:
        async for news in stream:
            value = news.get("value")
            if news["kind"] == "jobs" and isinstance(value, dict):
                jobs = value["jobs"]
                if len(jobs) == wanted and value["ahead"] == ahead:
                    return list(jobs)
    raise AssertionError("the stream has ended")


async def heard(playground: Playground, words: str) -> None:
    """Wait until somebody's talk shows words of the bot alone."""
    async with playground.stream() as stream:
        async for news in stream:
            if f'"{words}"' in repr(news).replace("'", '"'):
                return


async def test_the_panel_shows_the_next_runs_runs_one_now_and_moves_the_clock_of_jobs(tmp_path: Path) -> None:
    async with playing(tmp_path / "home") as playground:
        await playground.daemon()
        ann = await talk_of(playground, "Ann")
        said = await playground.post("apps/telegram/say", user=ann, talk=ann, text=SAID)
        assert said["ok"], said
        (job,) = await panel(playground, 1)
        first = job["upcoming"]
        assert isinstance(first, list)
        assert len(first) == 3
        assert (await playground.post("jobs/run", id=job["id"]))["ok"]
        await heard(playground, "the bell")
        assert (await playground.post("jobs/forward", seconds=7200))["ok"]
        (job,) = await panel(playground, 1, ahead=7200.0)
        later = job["upcoming"]
        assert isinstance(later, list)
        assert later[0] == first[1]
        why = await playground.post("jobs/why", id=job["id"])
        result = why["result"]
        assert isinstance(result, dict)
        assert len(result["runs"]) == 2
        assert not (await playground.post("jobs/forward", seconds=-5))["ok"]
        assert (await playground.post("jobs/remove", id=job["id"]))["ok"]
        assert await panel(playground, 0, ahead=7200.0) == []
