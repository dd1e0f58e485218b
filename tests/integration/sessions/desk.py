"""A house with Ann in it, who writes from Telegram and from a terminal and is one person on both."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from playground.telegram.client import Phone
from tests.harness.house import House, running

ANN = 4000000001
TERMINAL = "terminal:ann"


@asynccontextmanager
async def at_anns(
    root: Path, settings: Mapping[str, object] | None = None, **person: object
) -> AsyncIterator[tuple[House, Phone]]:
    """Run a house that knows Ann by both of her accounts."""
    entry = {"name": "Ann", "role": "user", "identities": [f"telegram:{ANN}", TERMINAL], **person}
    async with running(root, {"access": {"people": [entry]}, **(settings or {})}) as house:
        yield house, house.phone("Ann", user_id=ANN)


async def titles(house: House) -> list[tuple[str, str | None]]:
    """List the titles of all sessions, oldest first, with what closed them."""
    rows = await house.rows("SELECT title, closed_by FROM sessions ORDER BY CAST(substr(id, 2) AS INTEGER)")
    return [(row["title"], row["closed_by"]) for row in rows]
