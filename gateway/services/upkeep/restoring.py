"""Puts a backup into a home and lays it down asleep.

Promise: what was in the home is moved aside, never overwritten; whenever this is interrupted, the home either is as
before, or refuses to run until the restore is done again.
"""

import os
import shutil
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from gateway.domain.errors import GiveUp
from gateway.home import Home
from gateway.store import asleep, backup, unpack
from gateway.store.backup import Watch, no_watch
from gateway.store.unpack import TEXTS, Opened

STAGE = ".restore-"
DATABASE = ("state.db", "state.db-wal", "state.db-shm")
FOLDERS = ("blobs", "agents")


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What was restored, where the old state lies now, which texts were there already and stayed."""

    opened: Opened
    aside: Path | None
    stayed: tuple[str, ...]


def restore(source: Path, home: Home, *, force: bool, watch: Watch = no_watch) -> Restored:
    """Restore a backup into a home whose lock is held; raises GiveUp with nothing changed, OSError."""
    there = _state(home)
    if there and not force:
        message = (
            f"{home.root} holds state already ({', '.join(there)}); restore into another home (--home), or use "
            "--force, which moves the old state aside"
        )
        raise GiveUp(message)
    for left in home.root.glob(f"{STAGE}*"):
        shutil.rmtree(left)
    stage = Path(tempfile.mkdtemp(prefix=STAGE, dir=home.root))
    try:
        opened = unpack.unpack(source, stage, watch)
        asleep.lay_down(stage / DATABASE[0], opened.made_at, whole=False)
        aside = _aside(home) if there else None
        stayed = _place(home, stage, aside)
        asleep.lay_down(home.state_db, opened.made_at, whole=True)
        backup.sync(home.root)
    finally:
        shutil.rmtree(stage, ignore_errors=True)
    return Restored(opened=opened, aside=aside, stayed=stayed)


def _state(home: Home) -> list[str]:
    """List what of a home's state is there."""
    there = [name for name in DATABASE[:1] if os.path.lexists(home.root / name)]
    folders = [home.root / name for name in FOLDERS]
    return there + [path.name for path in folders if path.is_dir() and any(path.rglob("*"))]


def _aside(home: Home) -> Path:
    aside = home.root / f"before-restore-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    aside.mkdir(mode=0o700)
    return aside


def _place(home: Home, stage: Path, aside: Path | None) -> tuple[str, ...]:
    """Move everything to its place, the database first: from then on the home refuses to run until all is there."""
    for name in reversed(DATABASE):
        _move_aside(home.root / name, aside)
    (stage / DATABASE[0]).rename(home.state_db)
    backup.sync(home.root)
    for name in FOLDERS:
        _move_aside(home.root / name, aside)
        if (stage / name).exists():
            (stage / name).rename(home.root / name)
    stayed = []
    for name in TEXTS:
        if not (stage / name).exists():
            continue
        target = home.root / name
        if not os.path.lexists(target):
            (stage / name).rename(target)
        elif target.read_bytes() != (stage / name).read_bytes():
            (stage / name).rename(target.with_name(f"{name}.from-backup"))
            stayed.append(name)
    return tuple(stayed)


def _move_aside(path: Path, aside: Path | None) -> None:
    if not os.path.lexists(path):
        return
    if aside is not None:
        path.rename(aside / path.name)
    elif path.is_dir() and not path.is_symlink():
        path.rmdir()  # empty, or it would count as state
    else:
        path.unlink()
