"""From the words that were typed to a command and its exit code; errors are plain lines, never tracebacks."""

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Annotated

import typer

from gateway.cli import home, version
from gateway.cli.failing import Stop, code_of
from gateway.cli.table import COMMANDS, NOT_YET
from gateway.cli.where import Where
from gateway.domain.errors import DragomanError

PLACED = ("--home", "--config")  # options that may stand anywhere


def start(words: Sequence[str]) -> int:
    """Run a command and return its exit code; also ends by SystemExit."""
    sys.excepthook = explain_fault
    command = typer.main.get_command(build(words))  # calling the app itself would bring back tracebacks
    try:
        command.main(args=hoisted(words), prog_name="dragoman")
    except DragomanError as error:
        print(f"dragoman: {error}", file=sys.stderr)
        return code_of(error)
    return 0


def build(words: Sequence[str]) -> typer.Typer:
    """Put together the commands that the words may mean; all of them when they name none, as for --help."""
    app = typer.Typer(
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        help="A messaging gateway for one personal AI agent. --home and --config may stand anywhere.",
    )
    app.callback(invoke_without_command=True)(root)
    for name in [name for name in COMMANDS if name in words] or COMMANDS:
        module, _, function = COMMANDS[name].partition(":")
        getattr(importlib.import_module(module), function or "add")(app)
    for name in NOT_YET:
        later(app, name)
    return app


def root(
    ctx: typer.Context,
    home_: Annotated[Path | None, typer.Option("--home", help="The directory that holds all state.")] = None,
    config: Annotated[Path | None, typer.Option("--config", help="The configuration, instead of gateway.json.")] = None,
    show_version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """A messaging gateway for one personal AI agent; alone it says where you stand and what comes next."""
    ctx.obj = Where(home=home_, config=config)
    if show_version:
        print(version())
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        home.where_you_stand(ctx.obj)


def later(app: typer.Typer, name: str) -> None:
    """Add a word that this version understands but cannot follow yet."""

    def not_yet() -> None:
        message = f"`dragoman {name}` is not in this version yet; `dragoman --help` lists what is"
        raise Stop(message, code=2)

    settings = {"allow_extra_args": True, "ignore_unknown_options": True}
    app.command(name, hidden=True, context_settings=settings, help="Not in this version yet.")(not_yet)


def hoisted(words: Sequence[str]) -> list[str]:
    """Bring --home and --config to the front, from wherever they stand before a `--`."""
    end = words.index("--") if "--" in words else len(words)
    front: list[str] = []
    rest: list[str] = []
    at = 0
    while at < end:
        name, equals, _ = words[at].partition("=")
        taken = 0 if name not in PLACED else 1 if equals else 2
        (front if taken else rest).extend(words[at : min(at + max(taken, 1), end)])
        at += max(taken, 1)
    return [*front, *rest, *words[end:]]


def explain_fault(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Say in a line that the program itself is at fault; the traceback is for those who ask for it."""
    if os.environ.get("DRAGOMAN_DEBUG"):
        sys.__excepthook__(kind, error, trace)
    if isinstance(error, OSError):
        print(f"dragoman: {error.strerror or error}: {error.filename or 'no file'}", file=sys.stderr)
        return
    print(f"dragoman: this is a fault in dragoman itself: {kind.__name__}: {error}", file=sys.stderr)
    print("DRAGOMAN_DEBUG=1 before the same command shows where; please report it.", file=sys.stderr)
