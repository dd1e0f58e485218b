"""Starts the playground: emulated platforms, the stand-in model, the real daemon as a child process, and the page."""

import argparse
import asyncio
import contextlib
import io
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from pathlib import Path

from playground.model import Pace, StandIn
from playground.page.apps.base import App
from playground.page.board import Board
from playground.page.child import Child
from playground.page.control import Control
from playground.page.home import Home, NotOurs
from playground.page.jobs import JobsPanel
from playground.page.scene import configuration, furnish, opened
from playground.page.server import Page
from playground.page.trouble import Trouble
from playground.page.watch import Watch

HOME = ".playground"
PORT = 8470
PACE = Pace(first=0.4, between=0.06, chunks=400)
LONGEST_SOCKET = 107  # bytes of a Unix socket's path
FAILED = 1
# What the daemon may know of our environment: nothing that could hold a token or lead out of the machine.
HANDED_ON = frozenset({"PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ", "TMPDIR", "VIRTUAL_ENV"})
HANDED_ON_PREFIX = "LC_"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the playground until it is told to end; gives the exit code."""
    options = read_options(arguments)
    os.umask(0o077)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that can't show a letter is no reason to end
    home = Home(options.home)
    try:
        home.take(fresh=options.fresh)
        asyncio.run(play(home, port=options.port, quiet=options.quiet))
    except (NotOurs, OSError) as error:
        print(f"playground: {error}", file=sys.stderr)
        return FAILED
    finally:
        home.release()
    return 0


def read_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="dragoman playground", description=__doc__)
    parser.add_argument("--home", type=Path, default=Path(HOME), help=f"the playground's own home (default {HOME})")
    parser.add_argument(
        "--port", type=int, default=PORT, help=f"the page's port (default {PORT}, or the next free one)"
    )
    parser.add_argument("--fresh", action="store_true", help="forget the conversations and rows of last time")
    parser.add_argument("--quiet", action="store_true", help="do not show the daemon's log here; the page shows it")
    return parser.parse_args(arguments)


async def play(home: Home, *, port: int, quiet: bool, command: Sequence[str] | None = None) -> None:
    """Start everything, say where the page is, and end everything in order."""
    apps = remembered(home)
    model = StandIn(pace=PACE)
    trouble = Trouble(apps, model)
    async with contextlib.AsyncExitStack() as stack:
        await stack.enter_async_context(model)
        for app in apps:
            await app.start()
            stack.push_async_callback(app.stop)
        furnish(apps)
        home.write_config(configuration(apps, model.url, http_port=free_port(), timezone=timezone()))
        runtime = stack.enter_context(runtime_directory(home))
        board = Board()
        watch = Watch(Control(socket_places(home, runtime)), board, trouble)
        child = Child(
            command or daemon(home), environment(runtime), board, ready=watch.ready, echo=None if quiet else echo
        )
        jobs = JobsPanel(watch.control, board)
        page = Page(apps, trouble, child, board, jobs)
        await page.start(port)
        stack.push_async_callback(page.stop)
        ended = listen_for_the_end(child)
        announce(page.address, home)
        await stack.enter_async_context(running(watch, jobs, child))
        await ended.wait()
        print("ending: the daemon drains", flush=True)


@contextlib.asynccontextmanager
async def running(watch: Watch, jobs: JobsPanel, child: Child) -> AsyncIterator[None]:
    """Run the daemon and look at it; afterwards the daemon is drained and gone."""
    async with asyncio.TaskGroup() as group:
        looking = [group.create_task(watch.run()), group.create_task(jobs.run())]
        group.create_task(child.run())
        try:
            yield
        finally:
            await child.close()
            for look in looking:
                look.cancel()


def remembered(home: Home) -> list[App]:
    """Bring the emulated apps back as they were last time; raises `NotOurs`."""
    try:
        return opened(home.path)
    except ValueError as error:
        raise NotOurs(f"the state of an app in {home.path} cannot be read; --fresh starts anew ({error})") from error


def listen_for_the_end(child: Child) -> asyncio.Event:
    """Hear Ctrl-C, SIGTERM and a closed terminal; a second one ends the daemon without draining."""
    told = asyncio.Event()

    def hear() -> None:
        if told.is_set():
            child.kill()
        told.set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            loop.add_signal_handler(number, hear)
    return told


def daemon(home: Home) -> list[str]:
    """Give the command of the real daemon on the playground's home."""
    # -P: a directory named gateway where the playground was started must not pass for the program.
    run = [sys.executable, "-P", "-m", "gateway.cli", "run"]
    return [*run, "--home", str(home.path), "--config", str(home.config)]


def environment(runtime: Path | None) -> Mapping[str, str]:
    """Give the daemon's environment: real tokens, keys and proxies are not handed on."""
    kept = {name: value for name, value in os.environ.items() if name in HANDED_ON or name.startswith(HANDED_ON_PREFIX)}
    kept["PYTHONUNBUFFERED"] = "1"
    kept["DRAGOMAN_PLAYGROUND"] = "1"
    kept["PYTHONPATH"] = str(Path(__file__).parent.parent)
    if runtime is not None:
        kept["XDG_RUNTIME_DIR"] = str(runtime)
    return kept


@contextlib.contextmanager
def runtime_directory(home: Home) -> Iterator[Path | None]:
    """Give a place for the control socket where the home's path is too long for one."""
    if len(os.fsencode(home.path / "control.sock")) <= LONGEST_SOCKET:
        yield None
        return
    place = Path(tempfile.mkdtemp(prefix="dragoman-"))
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def socket_places(home: Home, runtime: Path | None) -> Callable[[], list[Path]]:
    """Give where to look for the control socket."""
    return lambda: [home.path / "control.sock", *(sorted(runtime.rglob("*.sock")) if runtime else ())]


def free_port() -> int:
    """Find a port for the daemon's own web server."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


def timezone() -> str:
    """Give the name of this machine's time zone, as far as it tells."""
    named = os.environ.get("TZ", "").lstrip(":")
    if named and not named.startswith("/"):
        return named
    _, found, zone = str(Path("/etc/localtime").resolve()).partition("/zoneinfo/")
    return zone if found else "UTC"


def announce(address: str, home: Home) -> None:
    """Say where the page is."""
    print(f"\n  The playground is ready:  {address}\n", flush=True)
    print(f"  Everything happens on this machine, in {home.path}. Ctrl-C ends it.\n", flush=True)


def echo(line: str) -> None:
    """Show a line of the daemon's log."""
    with contextlib.suppress(BrokenPipeError):  # nobody reads any more; the page still does
        print(f"  daemon │ {line}", flush=True)
