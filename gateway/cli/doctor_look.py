"""Looks at one thing after the other; what is needed for none of the rest does not hide it."""

import asyncio
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

from gateway.cli import client
from gateway.cli.failing import Stop
from gateway.cli.settings import find, settings
from gateway.cli.where import Where
from gateway.config import Config, ConfigErrors, secret_values
from gateway.config.pending import accounts
from gateway.domain.errors import DragomanError
from gateway.home import Home, HomeBusy, NoHome, lock_home
from gateway.home.unit import installed_service, unit_files
from gateway.logs import configure
from gateway.masking import Masker
from gateway.setup import credentials, machine
from gateway.setup.findings import Finding, note, ok, wrong


def look(where: Where, masker: Masker, *, offline: bool) -> Iterator[Finding]:
    """Look at one thing after the other; what is needed for none of the rest is looked at all the same."""
    configure("error", "auto", sys.stderr, masker, os.environ)
    config: Config | None = None
    try:
        config = settings(where).config
        masker.add(secret_values(config))
        yield ok("configuration", f"{find(where).path} is right")
    except ConfigErrors as errors:
        for problem in errors.errors:
            yield wrong("configuration", str(problem), "dragoman check")
    except Stop as none:
        yield wrong("configuration", str(none), "dragoman setup")
    home: Home | None = None
    try:
        home = where.open()
    except NoHome as none:
        yield wrong("home", str(none), _becoming(where.choice().path))
    if home is not None:
        yield from machine.permissions(home, find(where).path)
        yield machine.disk(home)
        yield from _daemon(home)
        yield from _store(where, home)
    yield from machine.service(installed_service(unit_files(os.environ, Path.home()), os.environ, Path.home()), home)
    if config is not None:
        yield from machine.versions(name for name, _ in accounts(config))
    if config is not None and not offline:
        yield from _reach(config)


def _becoming(root: Path) -> str:
    """Say how the home is looked at: by the user who has it, or after it was made."""
    try:
        owner = root.stat().st_uid
    except OSError:
        return "dragoman setup"
    return "dragoman setup" if owner == os.geteuid() else f"sudo -u {shlex.quote(root.owner())} dragoman doctor"


def _daemon(home: Home) -> Iterator[Finding]:
    """Look who works in the home and how the platforms are doing there."""
    try:
        state = client.over_socket(home.control_sock, "status", {})
    except client.Absent:
        yield _holder(home)
        return
    except DragomanError as error:
        yield wrong("daemon", str(error), "dragoman logs")
        return
    told = state if isinstance(state, dict) else {}
    yield ok("daemon", f"it runs as process {told['daemon']['pid']}")
    for problem in told["problems"]:
        judge = note if str(problem).endswith(" is starting") else wrong
        yield judge("daemon", str(problem), "dragoman status; dragoman logs")
    for line in told["platforms"]:
        if line["state"] == "paused":
            mend = f"dragoman chat, and there /platforms resume {line['name']}"
            yield note("daemon", f"{line['name']} is paused: nothing comes in or goes out there", mend)
    if not told["owner"]:
        yield note("daemon", "it has no owner yet", "dragoman pair new --role owner")


def _holder(home: Home) -> Finding:
    try:
        lock_home(home.lock, client.command()).release()
    except HomeBusy as busy:
        return wrong("daemon", f"{busy}, and it does not answer", "dragoman logs; end that process if it hangs")
    except OSError as error:
        return wrong("daemon", f"{home.lock} cannot be locked: {error.strerror}", f"ls -l {home.lock}")
    return note("daemon", "it does not run", "dragoman run, or start its service")


def _store(where: Where, home: Home) -> Iterator[Finding]:
    """Have the store looked over by whoever has it open; one that is not there yet is not made."""
    if not home.state_db.exists():
        yield note("database", f"there is no {home.state_db} yet; the first run makes it")
        return
    try:
        found = client.ask(where, "store.check")
    except HomeBusy:
        return  # whoever holds the home was named above
    except DragomanError as error:
        yield wrong("database", str(error), f"move {home.state_db} away, or restore a backup")
        return
    told = found if isinstance(found, dict) else {}
    if told["trouble"]:
        yield wrong("database", f"it cannot be written: {told['trouble']}", "df -h; dragoman logs")
    if told["damage"]:
        yield wrong("database", f"it is damaged: {'; '.join(told['damage'][:3])}", "stop the daemon, restore a backup")
    else:
        yield ok("database", f"{home.state_db} is sound (SQLite {told['sqlite']})")


def _reach(config: Config) -> Iterator[Finding]:
    """Ask models and platforms, and compare the clock with theirs."""
    skews: list[float] = []

    async def gather() -> list[Finding]:
        found = []
        async for finding, skew in credentials.models(config):
            found.append(finding)
            skews.extend([] if skew is None else [skew])
        async for findings, skew in credentials.platforms(config):
            found += findings
            skews.extend([] if skew is None else [skew])
        return found

    yield from asyncio.run(gather())
    yield credentials.clock(skews)
