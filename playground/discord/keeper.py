"""The state file, in which users, channels and messages outlive a restart; never half written."""

import asyncio
from pathlib import Path

from pydantic import TypeAdapter

from playground.discord.core import Core
from playground.discord.world import World

PAUSE_SECONDS = 0.2
JUMP = 1 << 30  # how far ids jump after a restart, so that none is given twice after an unclean end
_WORLD = TypeAdapter(World)


def load(path: Path) -> World | None:
    """Read a state file; nothing when there is none."""
    if not path.exists():
        return None
    world = _WORLD.validate_json(path.read_bytes())
    world.last_id += JUMP
    return world


class Keeper:
    """Writes the state file soon after something has changed."""

    def __init__(self, core: Core, path: Path) -> None:
        self.core = core
        self.path = path
        self.task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to watch."""
        self.task = asyncio.get_running_loop().create_task(self._watch())

    def stop(self) -> None:
        """Write for the last time."""
        if self.task is not None:
            self.task.cancel()
        self.write()

    def write(self) -> None:
        """Write everything, first beside the file and then over it."""
        beside = self.path.with_suffix(".new")
        beside.write_bytes(_WORLD.dump_json(self.core.world))
        beside.chmod(0o600)
        beside.replace(self.path)

    async def _watch(self) -> None:
        while True:
            await self.core.changes.wait()
            await asyncio.sleep(PAUSE_SECONDS)
            self.write()
