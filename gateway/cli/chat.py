"""`dragoman chat`: talk to the agent from this terminal, as its owner."""

import asyncio
import contextlib
import getpass
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Annotated

import typer

from gateway.cli import client
from gateway.cli.backstage import Backstage
from gateway.cli.failing import Stop
from gateway.cli.output import Json, line
from gateway.cli.screen import PipeScreen
from gateway.cli.talk import Speaking, Talk
from gateway.cli.where import Where
from gateway.home import Home, HomeBusy

WAIT_SECONDS = 600.0
STARTING_SECONDS = 10.0  # for a daemon that holds the home but does not listen yet


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("chat")(chat)


def chat(
    ctx: typer.Context,
    other: Annotated[str | None, typer.Option("--as", metavar="NAME", help="Speak as somebody else we know.")] = None,
    wait: Annotated[float, typer.Option(help="In a pipe: seconds to wait for each answer.")] = WAIT_SECONDS,
) -> None:
    """Talk to the agent from this terminal, as its owner."""
    where: Where = ctx.obj
    home = where.open()
    person = sys.stdin.isatty() and sys.stdout.isatty()
    args: Json = {"name": other or getpass.getuser(), "other": other is not None}
    with Backstage() as stage, _daemon(where, home, stage):
        _introduce(home, args, person=person)
        screen = _screen(person=person)
        talk = Talk(home.control_sock, args, screen)
        running = stage.spawn(talk.run())
        try:
            if person:
                _by_hand(stage, talk, screen, running)
            else:
                _by_pipe(stage, talk, screen, running, wait)
        finally:
            running.cancel()


def _screen(*, person: bool) -> Speaking:
    if not person:
        return PipeScreen()
    from gateway.cli.terminal import TerminalScreen  # noqa: PLC0415  # rich and readline, which a pipe does without

    return TerminalScreen()


@contextlib.contextmanager
def _daemon(where: Where, home: Home, stage: Backstage) -> Iterator[None]:
    """Find the running daemon, or be one with no platform but this terminal."""
    patience = time.monotonic() + STARTING_SECONDS
    stack = contextlib.AsyncExitStack()
    while True:
        try:
            client.over_socket(home.control_sock, "chat.waiting", {"name": "-"})
            break
        except client.Absent:
            from gateway.cli.alone import house  # noqa: PLC0415  # the whole daemon; a running one makes it needless
            from gateway.cli.settings import settings  # noqa: PLC0415

            try:
                stage.call(stack.enter_async_context(house(settings(where).config, home)))
                break
            except HomeBusy:
                if time.monotonic() > patience:
                    raise
                time.sleep(0.1)
    try:
        yield
    finally:
        stage.call(stack.aclose())


def _introduce(home: Home, args: Json, *, person: bool) -> None:
    """Find out as whom we speak; where nobody owns the home, ask once whether it is us."""
    who = client.over_socket(home.control_sock, "chat.who", args)
    known: Json = who if isinstance(who, dict) else {}
    if known.get("role") == "blocked":
        message = f"{line(known['person'], 60)} is blocked"
        raise Stop(message)
    if known.get("person") is not None:
        return
    if not person:
        message = "this home has no owner yet; `dragoman chat` on a terminal asks, or `dragoman pair new --role owner`"
        raise Stop(message)
    answer = input(f"Nobody owns this home yet. Shall {args['name']} be the owner? [Y/n] ")
    if answer.strip().lower() not in {"", "y", "yes"}:
        message = "then nobody can talk here; `dragoman pair new --role owner` makes a code for the owner"
        raise Stop(message)
    client.over_socket(home.control_sock, "owner.claim", {"name": args["name"]})


def _by_hand(stage: Backstage, talk: Talk, screen: Speaking, running: Future[None]) -> None:
    print("Ctrl-D leaves, /help lists the commands.")
    while (text := screen.read()) is not None:
        _still(running)
        if not text.strip():
            continue
        stage.call(talk.say(text))
        try:
            stage.call(_either(talk, running))
        except KeyboardInterrupt:
            screen.note("it goes on; /stop ends it")
    screen.rest()


def _by_pipe(stage: Backstage, talk: Talk, screen: Speaking, running: Future[None], wait: float) -> None:
    while (text := screen.read()) is not None:
        if not text.strip():
            continue
        stage.call(talk.say(text))
        try:
            stage.call(_either(talk, running, wait))
        except TimeoutError as error:
            message = f"no answer within {wait:.0f} s; the message is kept, and `dragoman why` says where it is"
            raise Stop(message) from error


async def _either(talk: Talk, running: Future[None], wait: float | None = None) -> None:
    """Wait for every answer, unless the connection ends for good; raises what it ended with."""
    ended = asyncio.wrap_future(running)
    answered = asyncio.ensure_future(talk.answered())
    try:
        async with asyncio.timeout(wait):
            await asyncio.wait({answered, ended}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        answered.cancel()
    if ended.done():
        await ended


def _still(running: Future[None]) -> None:
    """Raise what ended the connection, if it has ended."""
    if running.done():
        running.result()
