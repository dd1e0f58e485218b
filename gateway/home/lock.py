"""One process per home: a lock that the kernel holds, so that it dies with its process and never goes stale."""

import contextlib
import fcntl
import getpass
import json
import os
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from gateway.domain.errors import DragomanError

_MOST_BYTES = 4_096


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who holds a home: process id, user, start of the process's work (ISO 8601, UTC) and its command."""

    pid: int
    user: str
    started: str
    command: str

    def __str__(self) -> str:
        return f"process {self.pid} of {self.user} since {self.started}: {self.command}"


class HomeBusy(DragomanError):
    """Another process works in this home; `holder` tells which, unless it has only just begun."""

    def __init__(self, home: Path, holder: Holder | None) -> None:
        self.home = home
        self.holder = holder
        super().__init__(f"{home} is in use by {holder or 'another process'}")


class HomeLock:
    """The lock on a home, held until it is released or the process ends, however it ends."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    def release(self) -> None:
        """Let the home go; the file stays, for a deleted one could be locked twice."""
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def lock_home(path: Path, command: str) -> HomeLock:
    """Lock a home by its lock file, and write there who holds it; raises HomeBusy, or OSError."""
    # the descriptor isn't inherited: a child that outlives us must not hold the home
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = _read(descriptor)
        os.close(descriptor)
        raise HomeBusy(path.parent, holder) from None
    except OSError:
        os.close(descriptor)
        raise
    # a full disk takes the name from the lock, never the lock itself
    with contextlib.suppress(OSError):
        _write(descriptor, _ourselves(command))
    return HomeLock(descriptor)


def _ourselves(command: str) -> Holder:
    started = datetime.now(UTC).isoformat(timespec="seconds")
    return Holder(pid=os.getpid(), user=_user(), started=started, command=command)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())


def _write(descriptor: int, holder: Holder) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, json.dumps(asdict(holder)).encode(), 0)


def _read(descriptor: int) -> Holder | None:
    """Return the holder as written, or None while it hasn't written yet."""
    try:
        found = json.loads(os.pread(descriptor, _MOST_BYTES, 0))
        return Holder(
            pid=int(found["pid"]),
            user=str(found["user"]),
            started=str(found["started"]),
            command=str(found["command"]),
        )
    except (ValueError, KeyError, TypeError):
        return None
