"""The state file of an emulator, in which its world outlives a restart; never half written."""

import asyncio
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter

from playground.changes import Changes

PAUSE_SECONDS = 0.2
W = TypeVar("W")


def load(kind: type[W], path: Path) -> W | None:
    """Read a state file; nothing when there is none."""
    return TypeAdapter(kind).validate_json(path.read_bytes()) if path.exists() else None


class Keeper:
    """Writes the state file soon after something has changed."""

    def __init__(self, world: object, changes: Changes, path: Path) -> None:
        self.world = world
        self.changes = changes
        self.path = path
        self.form = TypeAdapter(type(world))
        self.task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to watch."""
        self.write()
        self.task = asyncio.get_running_loop().create_task(self._watch())

    def stop(self) -> None:
        """Write for the last time."""
        if self.task is not None:
            self.task.cancel()
        self.write()

    def write(self) -> None:
        """Write everything, first beside the file and then over it."""
        beside = self.path.with_suffix(".new")
        beside.write_bytes(self.form.dump_json(self.world))
        beside.chmod(0o600)
        beside.replace(self.path)

    async def _watch(self) -> None:
        while True:
            await self.changes.wait()
            await asyncio.sleep(PAUSE_SECONDS)
            self.write()
