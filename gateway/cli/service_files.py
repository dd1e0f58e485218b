"""Moves a home to where the system's service has it, and gives it to the service's user."""

import grp
import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from gateway.cli.client import command
from gateway.cli.failing import Stop
from gateway.cli.service_units import USER
from gateway.home import lock_home

STATE = Path("/var/lib/dragoman")
CONFIG = Path("/etc/dragoman")


class Owner(NamedTuple):
    """The user that a service runs as."""

    uid: int
    gid: int


def owner() -> Owner:
    """Find the service's user, made if it is missing; raises Stop."""
    try:
        found = pwd.getpwnam(USER)
    except KeyError:
        _useradd()
        found = pwd.getpwnam(USER)
    return Owner(found.pw_uid, grp.getgrgid(found.pw_gid).gr_gid)


def move(home: Path, config: Path, owner: Owner) -> None:
    """Move configuration and state to the service's places; raises HomeBusy while a daemon uses them, Stop."""
    CONFIG.mkdir(mode=0o750, parents=True, exist_ok=True)
    STATE.mkdir(mode=0o700, parents=True, exist_ok=True)
    if home.is_dir() and home != STATE:
        with lock_home(home / "lock", command()):
            _take_config(config)
            for entry in sorted(home.iterdir()):
                if entry.name not in ("lock", "control.sock", "gateway.json"):
                    _move(entry, STATE / entry.name)
    else:
        _take_config(config)
    own(owner)


def own(owner: Owner) -> None:
    """Give the state to the service's user alone, and let its group read the configuration."""
    for path in (STATE, *_below(STATE)):
        os.chown(path, owner.uid, owner.gid, follow_symlinks=False)
    STATE.chmod(0o700)
    for path in (CONFIG, *_below(CONFIG)):
        os.chown(path, 0, owner.gid, follow_symlinks=False)
        if not path.is_symlink():
            path.chmod(0o750 if path.is_dir() else 0o640)


def _below(folder: Path) -> Iterator[Path]:
    for where, folders, files in os.walk(folder):  # follows no links
        yield from (Path(where) / name for name in (*folders, *files))


def _take_config(config: Path) -> None:
    if config != CONFIG / "gateway.json":
        _move(config, CONFIG / "gateway.json")


def _move(source: Path, target: Path) -> None:
    if target.exists():
        message = f"{target} is there already, so {source} was not moved over it; move one of them away"
        raise Stop(message)
    shutil.move(source, target)


def _useradd() -> None:
    words = ["useradd", "--system", "--user-group", "--no-create-home", "--home-dir", str(STATE),
             "--shell", "/usr/sbin/nologin", USER]  # fmt: skip
    try:
        done = subprocess.run(words, check=False, capture_output=True, text=True)  # noqa: S603  # constants only
    except FileNotFoundError:
        message = f"there is no useradd here; make a system user {USER} and try again"
        raise Stop(message) from None
    if done.returncode:
        message = f"the user {USER} could not be made: {done.stderr.strip()}"
        raise Stop(message)
