"""`dragoman run`: the daemon, in the foreground."""

import os
import sys

import typer

from gateway.cli.client import command
from gateway.cli.where import Where
from gateway.home import lock_home


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("run")(run)


def run(ctx: typer.Context) -> None:
    """Run the daemon in the foreground until it is told to stop."""
    # the whole daemon; not for --help
    from gateway.app import run as serve  # noqa: PLC0415
    from gateway.cli.settings import settings  # noqa: PLC0415
    from gateway.config import secret_values  # noqa: PLC0415
    from gateway.logs import configure, log_uncaught  # noqa: PLC0415
    from gateway.masking import Masker  # noqa: PLC0415

    where: Where = ctx.obj
    config = settings(where).config
    home = where.open(create=True)
    with lock_home(home.lock, command()):
        configure(config.logging.level, config.logging.format, sys.stderr, Masker(secret_values(config)), os.environ)
        log_uncaught()
        code = serve(config, home)
    raise typer.Exit(code)
