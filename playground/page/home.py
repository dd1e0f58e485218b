"""The playground's own home: made private, never shared, and kept or thrown away together with the emulators' state."""

import fcntl
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from playground.page.apps.base import NAMES

MARKER = "playground.json"
MARK = {"kind": "dragoman playground", "format": 1}
LOCK = "playground.lock"
CONFIG = "gateway.json"
DAEMON_STATE = "state.db"
KEPT_WHEN_FRESH = frozenset({MARKER, LOCK})


class NotOurs(Exception):
    """The directory is somebody else's, or in use; the text says what to do."""


class Home:
    """A directory that belongs to one playground."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.lock = -1

    @property
    def config(self) -> Path:
        """Give the place of the playground's own configuration."""
        return self.path / CONFIG

    def take(self, *, fresh: bool = False) -> None:
        """Make or adopt the directory and hold it alone; raises `NotOurs`."""
        self._claim()
        self.lock = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self.lock)
            raise NotOurs(f"another playground runs in {self.path}; end it, or choose another --home") from None
        # Message ids start anew with an app; a daemon that knew the old ones would take new messages for repeats.
        kept = {(self.path / name).exists() for name in (DAEMON_STATE, *(f"{app}.json" for app in NAMES))}
        if fresh or len(kept) > 1:
            self._empty()

    def release(self) -> None:
        """Let the next playground have the directory."""
        if self.lock >= 0:
            os.close(self.lock)
            self.lock = -1

    def write_config(self, config: Mapping[str, object]) -> None:
        """Write the daemon's configuration, readable by its owner only."""
        self._write(CONFIG, config)

    def _claim(self) -> None:
        if self.path.is_symlink() or (self.path.exists() and not self.path.is_dir()):
            raise NotOurs(f"{self.path} is not a directory of the playground; choose another --home")
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.path.stat().st_uid != os.geteuid():
            raise NotOurs(f"{self.path} belongs to another user; choose another --home")
        if not self._marked():
            if any(self.path.iterdir()):
                raise NotOurs(f"{self.path} holds files that are not the playground's; choose another --home")
            self._write(MARKER, MARK)
        self.path.chmod(0o700)

    def _marked(self) -> bool:
        try:
            found: object = json.loads((self.path / MARKER).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False
        return found == MARK

    def _empty(self) -> None:
        for entry in self.path.iterdir():
            if entry.name in KEPT_WHEN_FRESH:
                continue
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                entry.unlink()

    def _write(self, name: str, value: Mapping[str, object]) -> None:
        new = self.path / f".{name}.new"
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(json.dumps(value, indent=2) + "\n")
        new.replace(self.path / name)
