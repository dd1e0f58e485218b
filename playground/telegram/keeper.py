"""The state file, in which chats, ids and unconfirmed updates outlive a restart; never half written."""

import asyncio
import base64
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter
from pydantic.dataclasses import dataclass

from playground.telegram.core import Core
from playground.telegram.updates import Update
from playground.telegram.world import World

PAUSE_SECONDS = 0.2
# How far ids jump after an unclean end, so that none is given twice.
JUMP = 1_000


@dataclass(config=ConfigDict(arbitrary_types_allowed=True), kw_only=True)
class Snapshot:
    """Everything that outlives a restart."""

    world: World
    waiting: list[Update]
    next_update: int
    allowed: list[str] | None
    contents: dict[str, str]
    clean: bool


SNAPSHOT = TypeAdapter(Snapshot)


def load(path: Path) -> Snapshot | None:
    """Read a state file; nothing when there is none."""
    if not path.exists():
        return None
    return SNAPSHOT.validate_json(path.read_bytes())


def restore(core: Core, snapshot: Snapshot) -> None:
    """Put the state beside the world back; after an unclean end ids go on further up."""
    core.updates.waiting.extend(snapshot.waiting)
    core.updates.next_id = snapshot.next_update
    core.updates.allowed = frozenset(snapshot.allowed) if snapshot.allowed else None
    core.contents = {file: base64.b64decode(content) for file, content in snapshot.contents.items()}
    if not snapshot.clean:
        core.updates.next_id += JUMP
        core.world.next_box_id += JUMP
        for chat in core.world.chats.values():
            chat.next_id += JUMP


class Keeper:
    """Writes the state file soon after something has changed."""

    def __init__(self, core: Core, path: Path) -> None:
        self.core = core
        self.path = path
        self.written: tuple[int, ...] = ()
        self.timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Write now and keep looking for changes."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.look()

    def look(self) -> None:
        """Write if something has changed, and look again soon."""
        updates = self.core.updates
        first = updates.waiting[0].id if updates.waiting else 0
        now = (self.core.changes.last, updates.next_id, first, len(updates.waiting), len(self.core.world.presses))
        if now != self.written:
            self.write(clean=False)
            self.written = now
        self.timer = asyncio.get_running_loop().call_later(PAUSE_SECONDS, self.look)

    def stop(self) -> None:
        """Write a last time."""
        if self.timer is not None:
            self.timer.cancel()
        self.write(clean=True)

    def write(self, *, clean: bool) -> None:
        """Write the file beside its place and rename it."""
        core = self.core
        snapshot = Snapshot(
            world=core.world,
            waiting=list(core.updates.waiting),
            next_update=core.updates.next_id,
            allowed=sorted(core.updates.allowed) if core.updates.allowed else None,
            contents={file: base64.b64encode(content).decode() for file, content in core.contents.items()},
            clean=clean,
        )
        draft = self.path.with_suffix(".new")
        draft.write_bytes(SNAPSHOT.dump_json(snapshot))
        draft.replace(self.path)
