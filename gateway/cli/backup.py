"""`dragoman backup`: everything that is needed to go on elsewhere, in one file."""

import contextlib
import secrets
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer

from gateway.cli import client
from gateway.cli.failing import FAILED, Stop
from gateway.cli.options import AsJson
from gateway.cli.output import line, print_json, say
from gateway.cli.where import Where
from gateway.home import Home, HomeBusy, lock_home

LOOK_SECONDS = 0.1
SHOWN = 20  # names of files that were left out


class Progress:
    """How far long work is, on a terminal only."""

    def __init__(self) -> None:
        self.what = ""
        self._shown_at = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Show it, a few times a second."""
        now = time.monotonic()
        if sys.stderr.isatty() and now - self._shown_at > LOOK_SECONDS and total:
            self._shown_at = now
            print(f"\r\x1b[K{self.what}: {100 * done // total} %", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take it off the screen."""
        if self._shown_at:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("backup")(backup)


def backup(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it, as .tar.gz.")],
    *,
    with_secrets: Annotated[
        bool, typer.Option("--with-secrets", help="Put .env and the configuration's secrets in too.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write a backup while the daemon runs or not: database, attachments, the agent's files, configuration."""
    from gateway.cli import settings  # noqa: PLC0415  # the models of the configuration; not for --help
    from gateway.services.upkeep import copying  # noqa: PLC0415  # the store

    where: Where = ctx.obj
    home, target, progress = where.open(), file.expanduser().absolute(), Progress()
    _check(target, force=force)
    config = settings.find(where).path
    with giving_up(progress, "the backup was given up; nothing was written"):
        progress.what = "copying the database"
        with _copied(home, progress) as copy:
            progress.what = "packing"
            texts, removed = copying.texts(config, home.env_file, secret=with_secrets)
            packed = copying.pack(home, copy, target, texts, replace=force, watch=progress)
    if as_json:
        print_json(
            {
                "path": str(target),
                "bytes": packed.size,
                "files": packed.files,
                "skipped": list(packed.skipped),
                "secrets_removed": list(removed),
                "secrets": with_secrets,
            }
        )
        return
    say(f"{target}: {packed.files} files, {packed.size / 2**20:.1f} MiB")
    if removed:
        say(f"Without the secrets of the configuration: {', '.join(removed)}.")
    if not with_secrets:
        say("Keys and tokens are not in it; --with-secrets puts them in.")
    if packed.skipped:
        names = ", ".join(line(name, 60) for name in packed.skipped[:SHOWN])
        say(f"Left out, because they are links or no files of ours: {names}")


@contextlib.contextmanager
def giving_up(progress: Progress, words: str) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end long work in good order, with a sentence."""

    def end(_: int, __: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    except KeyboardInterrupt:
        raise Stop(words, code=FAILED) from None
    finally:
        signal.signal(signal.SIGTERM, before)
        progress.clear()


def _check(target: Path, *, force: bool) -> None:
    if not target.parent.is_dir():
        message = f"there is no directory {target.parent}"
        raise Stop(message)
    if target.is_dir() or (target.exists() and not force):
        message = f"{target} exists already; choose another name, or replace it with --force"
        raise Stop(message)


@contextlib.contextmanager
def _copied(home: Home, progress: Progress) -> Iterator[Path]:
    """Have the running daemon copy its database; with no daemon, take the lock and copy it here."""
    patience = time.monotonic() + client.PATIENCE_SECONDS
    while True:
        try:
            begun = client.over_socket(home.control_sock, "backup.begin", {})
        except client.Absent:
            try:
                with _alone(home, progress) as path:
                    yield path
            except HomeBusy:
                if time.monotonic() > patience:
                    raise
                time.sleep(LOOK_SECONDS)
                continue
            return
        break
    number = str(begun["id"]) if isinstance(begun, dict) else ""
    try:
        yield _fetched(home, number, progress)
    finally:
        with contextlib.suppress(client.Absent, Stop):
            client.over_socket(home.control_sock, "backup.end", {"id": number})


def _fetched(home: Home, number: str, progress: Progress) -> Path:
    while True:
        state = client.over_socket(home.control_sock, "backup.look", {"id": number})
        if isinstance(state, dict) and state["path"]:
            return Path(str(state["path"]))
        if isinstance(state, dict):
            progress(int(state["done"]), int(state["total"]))
        time.sleep(LOOK_SECONDS)


@contextlib.contextmanager
def _alone(home: Home, progress: Progress) -> Iterator[Path]:
    from gateway.services.upkeep import copying  # noqa: PLC0415  # the store; with a daemon it is not needed

    copy = copying.copy_path(home, secrets.token_hex(8))
    try:
        with lock_home(home.lock, client.command()):
            copying.clear_left_over(home)
            copying.copy_database(home, copy, progress)
        yield copy
    finally:
        copy.unlink(missing_ok=True)
