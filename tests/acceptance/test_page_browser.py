"""The page in a real browser: a person asks, kills the daemon in the middle, and sees one whole answer."""

import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.acceptance.chromium import Tab, browsing, find
from tests.acceptance.playground_run import Playground, playing

PROGRAM = find()
COUNTED = ", ".join(map(str, range(1, 41)))
FROM_BOT = "[...document.querySelectorAll('#messages .theirs')].map((one) => one.querySelector('.text')?.textContent)"
CODE = "/[A-Z0-9]{4}-[A-Z0-9]{4}/.exec(document.querySelector('#messages .theirs .text')?.textContent ?? '')?.[0]"
IN_THE_MIDDLE = "/\\b12, /.test(document.querySelector('#messages .theirs .text')?.textContent ?? '')"

pytestmark = [
    pytest.mark.skipif(
        PROGRAM is None and os.environ.get("CI") != "true",
        reason="needs a browser: on Debian or Ubuntu, apt-get install chromium",
    ),
    pytest.mark.timeout(180),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A person before the page."""

    tab: Tab
    playground: Playground

    async def go(self, app: str) -> None:
        """Look at another app."""
        await self.tab.click(f"#apps [data-app={app}]")
        await self.tab.until(f"document.body.dataset.app === '{app}'")

    async def write(self, text: str) -> None:
        """Type a message and press Enter."""
        await self.tab.click("#words")
        await self.tab.write(text)
        await self.tab.press("Enter", code=13, text="\r")


@pytest.fixture
async def seat(tmp_path: Path) -> AsyncIterator[Seat]:
    """Open the page of a new playground, with the real daemon up."""
    assert PROGRAM is not None, "there is no browser on this machine"
    async with playing(tmp_path / "home") as playground, browsing(PROGRAM, tmp_path / "profile") as tab:
        await tab.open(playground.address)
        await tab.until("document.body.dataset.ready && document.querySelector('#daemon').dataset.state === 'up'")
        yield Seat(tab=tab, playground=playground)
        assert not tab.errors
        assert {address.rpartition(":")[0] for address in tab.asked} <= {"http://127.0.0.1", "blob:http://127.0.0.1"}


@pytest.mark.requirement("C1.8", "H3")
async def test_an_answer_cut_by_kill_9_goes_on_in_the_same_message_and_ends_once(seat: Seat) -> None:
    await seat.write("count to 40")
    await seat.tab.until(IN_THE_MIDDLE)
    await seat.tab.click("#kill")
    await seat.tab.until("document.querySelector('#daemon').dataset.state === 'down'")
    unfinished = await seat.tab.tell(FROM_BOT)
    assert unfinished != [COUNTED]
    await seat.tab.until(f"{FROM_BOT}.includes('{COUNTED}')", patience=40)
    await seat.tab.until("document.querySelector('#outbox .state')?.textContent === 'done'")
    await seat.tab.until("document.querySelector('#inbox .state')?.textContent === 'done'")
    # Nothing may follow the whole answer: what comes next in the lane is answered, and there is one message each.
    await seat.write("echo that was all")
    await seat.tab.until(f"{FROM_BOT}.includes('that was all')")
    assert await seat.tab.tell(FROM_BOT) == [COUNTED, "that was all"]


async def test_what_people_and_the_model_write_is_shown_as_text_and_runs_nothing(seat: Seat) -> None:
    nasty = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"
    await seat.write(f"echo {nasty}")
    await seat.tab.until(f"{FROM_BOT}.some((text) => text?.startsWith('<img'))")
    assert await seat.tab.tell("document.querySelectorAll('#messages img, #messages script, .rows img').length") == 0
    assert await seat.tab.tell("document.title") == "dragoman playground"


async def test_formatting_of_an_answer_is_seen(seat: Seat) -> None:
    await seat.write("echo **bold *both*** and `code`")
    await seat.tab.until("document.querySelector('#messages .theirs strong em')?.textContent === 'both'")
    assert await seat.tab.tell("document.querySelector('#messages .theirs code').textContent") == "code"


async def test_the_keyboard_is_enough(seat: Seat) -> None:
    alt = 1
    await seat.tab.press("2", code=50, modifiers=alt)
    await seat.tab.until("document.querySelector('#talks [aria-selected=true]').textContent.includes('Bob')")
    await seat.tab.until("document.activeElement.id === 'words'")
    await seat.tab.write("echo by keys")
    await seat.tab.press("Enter", code=13, text="\r")
    await seat.tab.until(f"{FROM_BOT}.includes('by keys')")
    await seat.tab.press("ArrowUp", code=38)
    await seat.tab.until("document.querySelector('#words').value === 'echo by keys'")
    await seat.tab.press("Escape", code=27)
    await seat.tab.press("k", code=75, modifiers=alt)
    await seat.tab.until("document.querySelector('#daemon').dataset.state === 'down'")


async def test_without_the_token_the_page_says_what_it_needs(seat: Seat) -> None:
    await seat.tab.open(f"{seat.playground.base}/")
    await seat.tab.until("document.querySelector('#notice').textContent.includes('whole address')")
    assert await seat.tab.tell("document.querySelector('#kill').disabled")


@pytest.mark.requirement("C5.1")
@pytest.mark.parametrize("app", ["discord", "slack"])
async def test_who_is_known_in_one_app_joins_another_with_a_code_and_goes_on_there(seat: Seat, app: str) -> None:
    await seat.write("/pair")
    code = await seat.tab.until(CODE)
    await seat.go(app)
    await seat.write(f"/pair {code}")
    await seat.go("telegram")
    await seat.tab.until("document.querySelectorAll('#messages .theirs .keyboard').length")
    await seat.tab.click("#messages .theirs .keyboard button")
    await seat.tab.until(f"{FROM_BOT}.some((text) => /is you now/.test(text))")
    await seat.go(app)
    await seat.write("echo **here** too")
    await seat.tab.until(f"{FROM_BOT}.includes('here too')")
    assert await seat.tab.tell("document.querySelector('#messages .theirs strong').textContent") == "here"


async def test_jobs_are_seen_run_explained_and_their_clock_goes_forward(seat: Seat) -> None:
    await seat.write("/schedule every 2 h: echo the bell")
    await seat.tab.until("document.querySelector('#jobs [data-job] b')?.textContent === 'echo the bell'")
    await seat.tab.click("details.jobs summary")
    await seat.tab.click("#jobs [data-act=run]")
    await seat.tab.until(f"{FROM_BOT}.includes('the bell')")
    await seat.tab.click("#jobs-clock button:nth-of-type(3)")
    await seat.tab.until("document.querySelector('#jobs-ahead').textContent === 'clock 24:00:00 ahead'")
    await seat.tab.until(f"{FROM_BOT}.filter((text) => text === 'the bell').length === 2")
