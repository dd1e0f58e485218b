"""`dragoman groups`: where the agent speaks among several people."""

from typing import Annotated

import typer

from gateway.cli import client
from gateway.cli.options import AsJson
from gateway.cli.output import Json, line, print_json, print_table, say

Group = Annotated[str, typer.Argument(metavar="PLATFORM:ID")]


def add(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
    group.command("list")(listed)
    group.command("allow")(allow)
    group.command("leave")(leave)
    app.add_typer(group, name="groups", help="Groups in which the agent speaks: list, allow, leave.")


def listed(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List groups, and from where each is allowed."""
    found = client.ask(ctx.obj, "groups.list")
    rows: list[Json] = found if isinstance(found, list) else []
    if as_json:
        print_json(rows)
    elif not rows:
        say("No groups. Added to one, I ask the owner.")
    else:
        print_table(["group", "role", "from"], [[one["group"], one["role"], one["source"]] for one in rows])


def allow(ctx: typer.Context, group: Group) -> None:
    """Answer in a group when mentioned."""
    done = client.ask(ctx.obj, "groups.allow", group=group)
    if isinstance(done, dict):
        say(f"In {line(done['group'])} I answer whoever mentions me.")


def leave(ctx: typer.Context, group: Group) -> None:
    """Leave a group."""
    done = client.ask(ctx.obj, "groups.leave", group=group)
    if isinstance(done, dict):
        left = "I leave" if done["left"] else "I am silent from now on in"
        say(f"{left} {line(done['group'])}.")
