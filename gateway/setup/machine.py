"""Looks at the machine: who may read the files, room on the disk, the service, the versions; nothing is opened.

The database in particular is looked at by name only: closing any handle on it would drop SQLite's locks.
"""

import getpass
import os
import re
import shlex
import shutil
import stat
import subprocess
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version, system

from gateway.home import Home
from gateway.home.unit import Service
from gateway.setup.findings import Finding, note, ok, wrong

MIB = 2**20
LEAST_ROOM = 200 * MIB  # below it writing will soon fail
GOOD_ROOM = 1024 * MIB
FILES = ("gateway.json", ".env", "state.db", "state.db-wal", "state.db-shm", "lock", "http-token", "control.sock")
FOLDERS = ("blobs", "agents")
LIBRARIES = {"telegram": ("python-telegram-bot",), "discord": ("discord.py",), "slack": ("slack-bolt",)}
ALWAYS = ("dragoman", "openai", "aiohttp", "aiosqlite", "pydantic", "structlog")
SYSTEMCTL_SECONDS = 5.0
LINGER = Path("/var/lib/systemd/linger")
_VERSION = re.compile(r"systemd (\d+)(?: \((\d+)(?:\.(\d+))?)?")


def permissions(home: Home, config: Path | None) -> list[Finding]:
    """Look who else may read or write what the home holds."""
    found = []
    paths = [home.root, *(home.root / name for name in (*FILES, *FOLDERS)), *([config] if config else [])]
    for path in dict.fromkeys(paths):
        finding = _permission(path, home.root)
        if finding is not None:
            found.append(finding)
    return found or [ok("permissions", f"{home.root} and its files are for their owner only")]


def _permission(path: Path, root: Path) -> Finding | None:
    try:
        status = path.lstat()
    except OSError:
        return None
    mode = stat.S_IMODE(status.st_mode)
    quoted = shlex.quote(str(path))
    if status.st_uid not in (os.geteuid(), 0):
        return wrong("permissions", f"{path} belongs to another user", f"sudo chown {_user()} {quoted}")
    # in /etc a group may read the configuration, and everybody may where it holds no secret of its own
    outside = path != root and root not in path.parents
    allowed = 0o755 if outside else 0o640 if path.name in (".env", "gateway.json") else 0o700
    if stat.S_ISLNK(status.st_mode) or not mode & ~allowed:
        return None
    right = "700" if stat.S_ISDIR(status.st_mode) else "600"
    return wrong("permissions", f"{path} is open to others (mode {mode:o})", f"chmod {right} {quoted}")


def disk(home: Home) -> Finding:
    """Look how much room is left where the home is."""
    space = os.statvfs(home.root)
    room = space.f_bavail * space.f_frsize
    text = f"{room // MIB:,} MiB free for {home.root}"
    if not os.access(home.root, os.W_OK):
        return wrong(
            "disk", f"{home.root} cannot be written", f"ls -ld {shlex.quote(str(home.root))}; mount | grep ro,"
        )
    if space.f_files and space.f_favail < 1000:
        return wrong("disk", f"{space.f_favail} files can still be made on the disk of {home.root}", "df -i")
    if room < LEAST_ROOM:
        return wrong("disk", text, f"du -xh --max-depth=2 {shlex.quote(str(home.root))} | sort -h | tail")
    return note("disk", text, "df -h") if room < GOOD_ROOM else ok("disk", text)


def service(installed: Service | None, home: Home | None) -> Iterator[Finding]:
    """Look whether the service is installed, starts by itself, and outlives a login."""
    if system() != "Linux" or shutil.which("systemctl") is None:
        yield note(
            "service", "this machine has no systemd; whatever starts the daemon must start it again when it ends"
        )
        return
    if installed is None:
        yield note(
            "service", "no service is installed, so nothing starts the daemon again", "sudo dragoman service install"
        )
        return
    user = "user" in installed.unit.parts
    scope = ["--user"] if user else []
    yield ok("service", f"{installed.unit} is installed")
    if home is not None and installed.home is not None and installed.home.absolute() != home.root:
        yield note("service", f"it works in {installed.home}, and this is about {home.root}", "dragoman status")
    enabled = _systemctl(*scope, "is-enabled", installed.unit.name)
    manager = f"{'' if user else 'sudo '}systemctl{' --user' if user else ''}"
    if enabled not in ("enabled", "enabled-runtime", "linked", "static", "alias"):
        mend = f"{manager} enable {installed.unit.name}"
        yield wrong("service", f"it is {enabled or 'not known to systemd'}: it does not start with the machine", mend)
    active = _systemctl(*scope, "is-active", installed.unit.name)
    if active != "active":
        yield wrong(
            "service", f"it is {active or 'not running'}", f"{manager} start {installed.unit.name}; dragoman logs"
        )
    if user:
        yield from _outlives(_systemctl("--version"), _user(), LINGER)


def _outlives(versions: str, user: str, lingering: Path) -> Iterator[Finding]:
    if not (lingering / user).exists():
        text = "it is a user's service without lingering: it ends when you log out and does not start with the machine"
        yield wrong("service", text, f"sudo loginctl enable-linger {shlex.quote(user)}")
    if kills_lingering(versions):
        # systemd/systemd#43361: mended by 256.3 and not in 255
        text = f"{versions.partition(' (')[0]} may end a user's services at the last logout, lingering or not"
        yield wrong("service", text, "sudo dragoman service install")


def kills_lingering(versions: str) -> bool:
    """Whether `systemctl --version` names a build that may kill user managers in spite of lingering."""
    found = _VERSION.search(versions)
    if found is None:
        return False
    major, minor = int(found[1]), int(found[3] or 0)
    return major == 255 or (major == 256 and minor < 3)


def _systemctl(*words: str) -> str:
    try:
        ended = subprocess.run(  # noqa: S603  # words of ours
            ["systemctl", *words],  # noqa: S607  # the one that PATH means
            capture_output=True,
            text=True,
            check=False,
            timeout=SYSTEMCTL_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ended.stdout.strip().split("\n")[0]


def versions(platforms: Iterable[str]) -> list[Finding]:
    """Name what runs, and the library of a platform that is on and not installed."""
    found, platforms = [], list(dict.fromkeys(platforms))
    for platform in platforms:
        for name in LIBRARIES.get(platform, ()):
            if _version(name) is None:
                text = f"{platform} is on, and its library {name} is not installed"
                found.append(wrong("versions", text, f"pip install 'dragoman[{platform}]'"))
    names = [*ALWAYS, *(name for platform in platforms for name in LIBRARIES.get(platform, ()))]
    listed = [f"{name} {_version(name)}" for name in names if _version(name)]
    return [*found, ok("versions", f"Python {python_version()}, {', '.join(listed)}")]


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.geteuid())
