"""`dragoman pair`: codes that let somebody in, and strangers who ask."""

import sys
from typing import Annotated

import typer

from gateway.cli import client
from gateway.cli.options import AsJson
from gateway.cli.output import Json, ago, at, line, print_json, print_table, say


def add(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
    for name, command in (("new", new), ("list", listed), ("approve", approve), ("deny", deny), ("revoke", revoke)):
        group.command(name)(command)
    app.add_typer(group, name="pair", help="Who wants in: new, list, approve, deny, revoke.")


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


def listed(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List strangers who wait for an answer and codes that still count."""
    found = client.ask(ctx.obj, "pair.list")
    both: dict[str, list[Json]] = found if isinstance(found, dict) else {}
    if as_json:
        print_json(both)
        return
    if both["requests"]:
        rows = [[one["id"], one["about"], ago(one["at"])] for one in both["requests"]]
        print_table(["id", "who", "asked"], rows)
        say("`dragoman pair approve ID` lets in, `dragoman pair deny ID` does not.")
    else:
        say("No stranger waits for an answer.")
    if both["codes"]:
        cells = [
            [one["id"], one["kind"], one["role"], one["name"] or "", at(one["expires_at"])] for one in both["codes"]
        ]
        print_table(["code", "kind", "role", "name", "until"], cells)


def approve(
    ctx: typer.Context,
    request: Annotated[str, typer.Argument(metavar="ID", help="As `pair list` shows it.")],
    role: Annotated[str, typer.Option(help="guest, user or admin.")] = "user",
) -> None:
    """Let a stranger in."""
    done = client.ask(ctx.obj, "pair.approve", id=request, role=role)
    if isinstance(done, dict):
        say(f"{line(done['who'])} is let in as {line(done['role'])}.")


def deny(
    ctx: typer.Context,
    request: Annotated[str, typer.Argument(metavar="ID", help="As `pair list` shows it.")],
    block: Annotated[bool, typer.Option("--block", help="For good, not just for a day.")] = False,
) -> None:
    """Refuse a stranger."""
    done = client.ask(ctx.obj, "pair.deny", id=request, block=block)
    if isinstance(done, dict):
        say(f"{line(done['who'])} is {'blocked' if block else 'refused for a day'}.")


def revoke(ctx: typer.Context, code: Annotated[str, typer.Argument(metavar="CODE", help="C-…, as listed.")]) -> None:
    """Void a code that nobody has used yet."""
    done = client.ask(ctx.obj, "pair.revoke", id=code)
    if isinstance(done, dict):
        say(f"{line(done['id'])} is void.")
