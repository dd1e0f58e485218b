"""Which program a service starts: ours if its user can execute it, else one of its own in /opt/dragoman."""

import contextlib
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

from gateway.cli.failing import Stop
from gateway.cli.service_units import OPT

HIDDEN = ("/root", "/home", "/run/user")  # what ProtectHome=yes takes away
LINK = Path("/usr/local/bin/dragoman")
INSTALL_SECONDS = 900.0
OLDEST = (3, 11)


def here() -> Path:
    """Return the command that runs now, as a program with an absolute path."""
    script = Path(sys.executable).with_name("dragoman")
    return script if script.exists() else Path(sys.argv[0]).absolute()


def unfit(program: Path, uid: int, gid: int) -> str | None:
    """Say why a user cannot run a program under ProtectHome=yes; None when it can."""
    if not os.access(program, os.X_OK):
        return f"{program} is no program"
    python = Path(sys.executable)
    for place in {python, python.resolve(), Path(sys.prefix), Path(sys.base_prefix).resolve(), program}:
        if any(place.is_relative_to(hidden) for hidden in HIDDEN):
            return f"{place} lies in a home directory, which the service does not see"
    return runs(program, uid, gid)


def runs(program: Path, uid: int | None = None, gid: int | None = None) -> str | None:
    """Say why a program cannot be run, by another user if one is named; None when it can."""
    groups: list[int] | None = None if uid is None else []
    try:
        done = subprocess.run(  # noqa: S603  # the very program that runs now
            [program, "--version"], check=False, capture_output=True, user=uid, group=gid, extra_groups=groups,
            cwd="/", env={"PATH": "/usr/bin:/bin"},
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError) as error:
        return f"{program} cannot be run: {error}"
    return None if done.returncode == 0 else f"{program} fails when it is run: {done.stderr.decode()[-200:]}"


def make(place: Path = Path(OPT)) -> Path:
    """Make a virtual environment that every user can run, with what is installed here; raises Stop."""
    python = _system_python()
    print(f"Making {place} with {python}; this takes a minute.", flush=True)
    _run([python, "-m", "venv", str(place)])
    _run([str(place / "bin" / "python"), "-m", "pip", "install", "--quiet", "--compile", *_ourselves()])
    _run(["chmod", "-R", "go+rX", str(place)])
    return place / "bin" / "dragoman"


def link(program: Path) -> bool:
    """Put the command on everybody's PATH, unless something else has its name there."""
    if LINK.is_symlink() or not LINK.exists():
        with contextlib.suppress(FileNotFoundError):
            LINK.unlink()
        LINK.symlink_to(program)
        return True
    return False


def _system_python() -> str:
    for name in ("/usr/bin/python3", "/usr/local/bin/python3"):
        if Path(name).exists() and _version(name) >= OLDEST:
            return name
    message = (
        "there is no Python 3.11 or newer at /usr/bin/python3, where the service could run it; install it "
        "(Debian, Ubuntu: `apt install python3 python3-venv`), or dragoman outside of any home directory"
    )
    raise Stop(message)


def _version(python: str) -> tuple[int, int]:
    code = "import sys; print(*sys.version_info[:2])"
    done = subprocess.run([python, "-c", code], check=False, capture_output=True, text=True)  # noqa: S603  # as above
    numbers = done.stdout.split()
    return (int(numbers[0]), int(numbers[1])) if len(numbers) == 2 else (0, 0)


def _ourselves() -> list[str]:
    """Name for pip what is installed here: the same directory or file, or the same version."""
    try:
        ours = importlib.metadata.distribution("dragoman")
    except importlib.metadata.PackageNotFoundError:
        return [f"{Path(__file__).parents[2]}[all]"]
    direct = json.loads(ours.read_text("direct_url.json") or "{}")
    url = str(direct.get("url", ""))
    if url.startswith("file:"):
        return [f"{unquote(urlsplit(url).path)}[all]"]
    return [f"dragoman[all] @ {url}" if url else f"dragoman[all]=={ours.version}"]


def _run(words: list[str]) -> None:
    if shutil.which(words[0]) is None:
        message = f"there is no {words[0]}"
        raise Stop(message)
    done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=INSTALL_SECONDS)  # noqa: S603
    if done.returncode:
        message = f"`{' '.join(words)}` failed: {(done.stderr or done.stdout).strip()[-600:]}"
        raise Stop(message)
