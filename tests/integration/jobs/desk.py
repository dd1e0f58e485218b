"""What tests of jobs share: Ann, who has a zone, and how she makes a job."""

import json
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from gateway.store import jobs
from gateway.store.sqlite import Work
from playground.telegram.client import Phone
from playground.telegram.world import Message
from tests.harness.house import House

ANN = "Ann"
PEOPLE = {
    "access": {
        "people": [{"name": ANN, "role": "owner", "timezone": "Europe/Rome", "identities": ["telegram:501"]}],
    }
}


def ann_of(house: House) -> Phone:
    """Give Ann her phone."""
    return house.phone(ANN, user_id=501)


async def told(ann: Phone, words: str) -> Message:
    """Wait until the bot has said something."""
    return await ann.wait_for(lambda message: words in message.body.text)


async def made(house: House, ann: Phone, words: str) -> str:
    """Make a job and give its id."""
    before = {row["id"] for row in await house.rows("SELECT id FROM jobs")}
    ann.send(f"/schedule {words}")
    await house.settled("SELECT 1 WHERE (SELECT COUNT(*) FROM jobs) > ?", len(before))
    (row,) = [row for row in await house.rows("SELECT id FROM jobs") if row["id"] not in before]
    await told(ann, f"Scheduled as {row['id']}")
    return str(row["id"])


async def states(house: House) -> list[str]:
    """List what became of the runs."""
    return [row["state"] for row in await house.rows("SELECT state FROM runs ORDER BY due")]


def buttons(message: Message) -> list[str]:
    """List the words on the buttons of a message."""
    markup = message.body.markup or {}
    rows = json.loads(markup) if isinstance(markup, str) else markup
    return [str(one["text"]) for row in rows.get("inline_keyboard", []) for one in row]


async def change(house: House, **options: object) -> None:
    """Change options of the one job there is, as no command can."""

    def rewrite(work: Work) -> None:
        (job,) = jobs.everybodys(work)
        jobs.save(work, replace(job, options=replace(job.options, **options)))  # type: ignore[arg-type]

    assert house.app is not None
    await house.app.db.write(rewrite)


def hours(house: House, after: float, length: float) -> str:
    """Write quiet hours that begin so many seconds from now."""
    begin, end = (
        datetime.fromtimestamp(house.clock() + seconds, ZoneInfo("Europe/Rome")) for seconds in (after, after + length)
    )
    return f"{begin:%H:%M}-{end:%H:%M}"
