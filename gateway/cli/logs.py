"""`dragoman logs`: the journal of the service, else the file that a daemon run by hand writes to."""

import os
import re
import shutil
import stat
import sys
import time
from pathlib import Path
from typing import Annotated, BinaryIO, NoReturn

import typer

from gateway.cli import client
from gateway.cli.failing import Stop
from gateway.cli.output import clean
from gateway.cli.where import Where
from gateway.home import NoHome
from gateway.home.unit import installed_service, unit_files

UNIT = re.compile(r"/((?:dragoman|[^/]*dragoman)[^/]*\.service)(?:/|$)")
LINES = 100
LOOK_SECONDS = 0.3  # between two looks at a file that grows
BLOCK = 64 * 1024


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("logs")(logs)


def logs(
    ctx: typer.Context,
    *,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on as lines come, until Ctrl-C.")] = False,
    lines: Annotated[int, typer.Option("--lines", "-n", min=0, help="The last so many.")] = LINES,
) -> None:
    """Show what the daemon has logged."""
    where: Where = ctx.obj
    pid = _daemon(where)
    unit, user = _unit(where, pid)
    if unit:
        _journal(unit, user=user, follow=follow, lines=lines)
    elif pid is None:
        message = (
            "no service is installed and no daemon runs here, so nothing is being logged; a daemon run by hand logs "
            "to its terminal, or to a file: `dragoman run 2>> dragoman.log`"
        )
        raise Stop(message)
    else:
        _file(_written(pid), follow=follow, lines=lines)


def _daemon(where: Where) -> int | None:
    """Find the process of the running daemon."""
    try:
        state = client.over_socket(where.open().control_sock, "status", {})
    except (client.Absent, NoHome):
        return None
    daemon = state.get("daemon") if isinstance(state, dict) else None
    pid = daemon.get("pid") if isinstance(daemon, dict) else None
    return pid if isinstance(pid, int) else None


def _unit(where: Where, pid: int | None) -> tuple[str, bool]:
    """Name the unit that keeps the running daemon, or the installed one, and whether it is a user's."""
    if pid is not None:
        try:
            groups = Path(f"/proc/{pid}/cgroup").read_text(encoding="utf-8")
        except OSError:
            return "", False
        found = UNIT.search(groups)
        return (found[1], "/user@" in groups) if found else ("", False)
    service = installed_service(unit_files(os.environ, Path.home()), os.environ, Path.home())
    if service is None or (where.home is not None and service.home != where.home.absolute()):
        return "", False
    return service.unit.name, "user" in service.unit.parts


def _journal(unit: str, *, user: bool, follow: bool, lines: int) -> NoReturn:
    """Become journalctl."""
    program = shutil.which("journalctl")
    if program is None:
        message = f"the journal of {unit} is read by journalctl, and that is not installed here"
        raise Stop(message)
    if not user and os.geteuid() != 0:
        print("dragoman: if lines are missing: sudo shows all, or the group systemd-journal", file=sys.stderr)
    words = ["journalctl", *(["--user"] if user else []), "--unit", unit, "--lines", str(lines)]
    sys.stdout.flush()
    os.execv(program, [*words, "--follow" if follow else "--no-pager"])  # noqa: S606  # the one that PATH means


def _written(pid: int) -> Path:
    """Find the file that a daemon writes its log to; raises Stop, which says where it goes instead."""
    try:
        target = Path(f"/proc/{pid}/fd/2").readlink()
        kind = Path(f"/proc/{pid}/fd/2").stat().st_mode
    except OSError:
        message = f"where the daemon (process {pid}) logs to cannot be seen from here; look at whatever started it"
        raise Stop(message) from None
    if stat.S_ISREG(kind) and target.exists():
        return target
    if stat.S_ISCHR(kind) and str(target).startswith(("/dev/pts/", "/dev/tty")):
        message = f"the daemon (process {pid}) logs to the terminal {target}, and nothing keeps it"
    elif stat.S_ISCHR(kind):
        message = f"the daemon (process {pid}) logs to {target}: nothing keeps it"
    else:
        message = f"the daemon (process {pid}) logs to another program; look at whatever started it"
    raise Stop(message)


def _file(path: Path, *, follow: bool, lines: int) -> None:
    with path.open("rb") as stream:
        at = stream.seek(0, os.SEEK_END)
        for line in _last(stream, at, lines):
            print(clean(line))
        stream.seek(at)
        while follow:
            try:
                print(clean(stream.read().decode("utf-8", "replace")), end="", flush=True)
                if path.stat().st_size < stream.tell():  # begun anew
                    stream.seek(0)
                time.sleep(LOOK_SECONDS)
            except KeyboardInterrupt:
                return


def _last(stream: BinaryIO, end: int, lines: int) -> list[str]:
    """Read the last lines, from the end."""
    at, found = end, b""
    while at > 0 and found.count(b"\n") <= lines:
        step = min(BLOCK, at)
        at -= step
        stream.seek(at)
        found = stream.read(step) + found
    return found.decode("utf-8", "replace").splitlines()[-lines:] if lines else []
