"""`dragoman run`: the daemon, in the foreground."""

from typing import Annotated

import typer

from gateway import loading
from gateway.cli.client import command
from gateway.cli.where import Where


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("run")(run)


def run(
    ctx: typer.Context,
    *,
    take_over: Annotated[
        bool, typer.Option("--take-over", help="Wake a restored home: the old one is stopped for good.")
    ] = False,
) -> None:
    """Run the daemon in the foreground until it is told to stop."""
    loading.begin()  # it ends when the app has loaded the rest
    with loading.without("rich"):  # 4 MiB for tracebacks that our own chain writes
        import structlog  # noqa: F401, PLC0415
    from gateway.app import run as serve  # noqa: PLC0415  # the whole daemon; not for --help
    from gateway.cli.settings import settings  # noqa: PLC0415

    where: Where = ctx.obj
    found = settings(where)
    home = where.open(create=True)
    code = serve(
        found.config,
        home,
        command(),
        lambda: settings(where).config,
        take_over=take_over,
        config_file=found.found.path,
    )
    raise typer.Exit(code)
