"""Pictures on their way to a model: read from their files beside the loop, the same bytes in each request."""

import asyncio
import base64
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from agent.types import Picture, Step

BLIND = "[You cannot look at pictures: if it matters what is in one, say so; never guess.]"


async def load(steps: Sequence[Step]) -> dict[Path, str]:
    """Return every picture of a transcript as an address that holds all of it; one whose file is gone is left out."""
    wanted = {picture.path: picture for step in steps for picture in step.pictures}
    return await asyncio.to_thread(_load, list(wanted.values())) if wanted else {}


def _load(wanted: Sequence[Picture]) -> dict[Path, str]:
    made = {}
    for picture in wanted:
        with suppress(FileNotFoundError):
            made[picture.path] = f"data:{picture.mime};base64,{base64.b64encode(picture.path.read_bytes()).decode()}"
    return made


def unseen(steps: Sequence[Step]) -> list[Step]:
    """Take the pictures out of a transcript for a model that has no eyes, and tell it so."""
    return [replace(step, content=f"{step.content}\n{BLIND}", pictures=()) if step.pictures else step for step in steps]
