"""`dragoman dashboard`: an address of the daemon's web page that lets in whoever opens it first."""

import typer

from gateway.cli import client
from gateway.cli.options import AsJson
from gateway.cli.output import Json, print_json, say


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("dashboard")(dashboard)


def dashboard(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Print an address of the web page that works once, within a minute."""
    made: Json = client.ask(ctx.obj, "dashboard")  # type: ignore[assignment]  # the operation answers with an object
    if as_json:
        print_json(made)
    else:
        say(made["address"])
