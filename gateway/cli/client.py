"""Asks the running daemon over its control socket; with no daemon, takes the lock and asks the store itself."""

import asyncio
import json
import os
import socket
import sys
import time
from pathlib import Path

from gateway.cli.failing import TEMPORARY, Stop
from gateway.cli.where import Where
from gateway.home import Home, HomeBusy, lock_home

PATIENCE_SECONDS = 3.0  # for a daemon that holds the lock but does not listen yet
ANSWER_SECONDS = 40.0  # longer than the daemon gives any operation
LONGEST_ANSWER = 64 * 2**20  # bytes


class Absent(Exception):
    """No daemon listens."""


def ask(where: Where, op: str, **args: object) -> object:
    """Run an operation where it belongs; raises GiveUp or Stop with a sentence."""
    home = where.open()
    patience = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return over_socket(home.control_sock, op, args)
        except Absent:
            try:
                return alone(home, op, args)
            except HomeBusy:
                if time.monotonic() > patience:
                    raise
                time.sleep(0.1)


def over_socket(path: Path, op: str, args: dict[str, object]) -> object:
    """Ask a running daemon; raises Absent when none listens, Stop with its own words when it refuses."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connected:
        connected.settimeout(ANSWER_SECONDS)
        try:
            connected.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError) as error:
            raise Absent from error
        try:
            connected.sendall(json.dumps({"op": op, "args": args}).encode() + b"\n")
            with connected.makefile("rb") as stream:
                answer = stream.readline(LONGEST_ANSWER)
        except OSError as error:
            message = f"the daemon does not answer on {path}: {error or type(error).__name__}"
            raise Stop(message, code=TEMPORARY) from error
    if not answer.endswith(b"\n"):
        message = f"the daemon went away while it was asked ({path}); its log says why"
        raise Stop(message, code=TEMPORARY)
    return result(json.loads(answer))


def result(reply: dict[str, object]) -> object:
    """Take the result out of a reply; raises Stop with the daemon's words."""
    if reply.get("ok") is not True:
        raise Stop(str(reply.get("error")))
    return reply.get("result")


def alone(home: Home, op: str, args: dict[str, object]) -> object:
    """Ask the store of a home that no daemon works in; raises HomeBusy when one does."""
    with lock_home(home.lock, command()):
        return asyncio.run(_perform(home, op, args))


async def _perform(home: Home, op: str, args: dict[str, object]) -> object:
    # the store is needed only here: with a daemon these imports would double the time of a command
    from gateway.logs import configure  # noqa: PLC0415
    from gateway.masking import Masker  # noqa: PLC0415
    from gateway.services.operations import perform  # noqa: PLC0415
    from gateway.store.sqlite import SqliteDatabase  # noqa: PLC0415

    configure("warning", "auto", sys.stderr, Masker(), os.environ)
    db = SqliteDatabase(home.state_db)
    await db.open()
    try:
        return await perform(db, None, op, args)
    finally:
        await db.close()


def command() -> str:
    """Name this process for whoever finds the home locked."""
    return " ".join(["dragoman", *sys.argv[1:]])[:200]
