"""`dragoman pair new`: a code that lets somebody in."""

import sys
from typing import Annotated

import typer

from gateway.cli import client
from gateway.cli.options import AsJson
from gateway.cli.output import Json, line, print_json, say


def add(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
    group.command("new")(new)
    app.add_typer(group, name="pair", help="Codes that let people in: new.")


def new(
    ctx: typer.Context,
    role: Annotated[str, typer.Option(help="owner, admin, user or guest.")] = "user",
    name: Annotated[str | None, typer.Option(help="What the person is called.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make a code that lets one person in, once."""
    found = client.ask(ctx.obj, "pair.new", role=role, name=name)
    made: Json = found if isinstance(found, dict) else {}
    if as_json:
        print_json(made)
        return
    life = "60 minutes" if role == "owner" else "24 hours"
    links = made["links"] if isinstance(made["links"], list) else []
    say(f"{made['code']} makes whoever sends it {line(role)}; it works once, for {life}.")
    say(f"Send `/pair {made['code']}` to me in a direct talk" + (", or open one of these:" if links else "."))
    for link in links:
        say(f"  {link}")
    if links and sys.stdout.isatty():
        from gateway.welcome import qr  # noqa: PLC0415  # only a terminal needs it

        print(qr(str(links[0])))
