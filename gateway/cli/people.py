"""`dragoman people`: who is admitted."""

import typer

from gateway.cli import client
from gateway.cli.options import AsJson
from gateway.cli.output import Json, ago, print_json, print_table, say


def add(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
    group.command("list")(listed)
    app.add_typer(group, name="people", help="Who is admitted: list.")


def listed(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List people with their roles and accounts."""
    found = client.ask(ctx.obj, "people.list")
    rows: list[Json] = found if isinstance(found, list) else []
    if as_json:
        print_json(rows)
    elif not rows:
        say("Nobody yet; `dragoman pair new --role owner` makes a code for the owner.")
    else:
        cells = [
            [one["id"], one["name"], one["role"], ago(one["last_at"]), one["source"], _joined(one["identities"])]
            for one in rows
        ]
        print_table(["id", "name", "role", "last wrote", "from", "accounts"], cells)


def _joined(accounts: object) -> str:
    return ", ".join(str(one) for one in accounts) if isinstance(accounts, list) else ""
