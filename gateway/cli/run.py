"""`dragoman run`: the daemon, in the foreground."""

import gc

import typer

from gateway.cli.client import command
from gateway.cli.where import Where


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("run")(run)


def run(ctx: typer.Context) -> None:
    """Run the daemon in the foreground until it is told to stop."""
    gc.disable()  # nothing of what is loaded now is garbage; the app turns it on again once all is there
    from gateway.app import run as serve  # noqa: PLC0415  # the whole daemon; not for --help
    from gateway.cli.settings import settings  # noqa: PLC0415

    where: Where = ctx.obj
    config = settings(where).config
    raise typer.Exit(serve(config, where.open(create=True), command(), lambda: settings(where).config))
