"""`dragoman sessions`: what was said between two resets."""

import json
from typing import Annotated

import typer

from gateway.cli import client
from gateway.cli.options import AsJson, Limit
from gateway.cli.output import Json, ago, at, clean, print_json, print_table, say

SHOWN = 300  # characters of a line that was found
Closed = Annotated[bool, typer.Option("--closed", help="Closed ones too.")]


def add(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
    group.command("list")(listed)
    group.command("show")(show)
    group.command("search")(search)
    group.command("export")(export)
    app.add_typer(group, name="sessions", help="What was said between two resets: list, show, search, export.")


def listed(ctx: typer.Context, closed: Closed = False, limit: Limit = 50, as_json: AsJson = False) -> None:
    """List sessions, the last active first."""
    found = client.ask(ctx.obj, "sessions.list", closed=closed, limit=limit)
    rows: list[Json] = found if isinstance(found, list) else []
    if as_json:
        print_json(rows)
    elif not rows:
        say("No sessions.")
    else:
        cells = [
            [
                *(one["id"], one["person_name"] or one["lane"], ago(one["last_active"]), one["turns"]),
                *(one["output_tokens"], f"closed by {one['closed_by']}" if one["closed_at"] else "open", one["title"]),
            ]
            for one in rows
        ]
        print_table(["id", "who", "last active", "turns", "tokens out", "state", "title"], cells)


def show(
    ctx: typer.Context,
    session: Annotated[str, typer.Argument(metavar="ID", help="The beginning is enough.")],
    as_json: AsJson = False,
) -> None:
    """Show a session with its transcript."""
    found = client.ask(ctx.obj, "sessions.show", id=session)
    whole: Json = found if isinstance(found, dict) else {}
    if as_json:
        print_json(whole)
        return
    steps = whole.pop("steps")
    for name in ("opened_at", "last_active", "closed_at"):
        whole[name] = at(whole[name])
    print_table(["", ""], [[name, value] for name, value in whole.items() if value not in (None, "", "-")])
    for step in steps if isinstance(steps, list) else []:
        say(f"\n{at(step['at'])} {step['role']}{'  ' + clean(step['calls']) if step['calls'] else ''}")
        say(clean(step["content"]))


def search(
    ctx: typer.Context,
    words: Annotated[list[str], typer.Argument(metavar="WORDS…", help="Lines that hold all of them, else any.")],
    person: Annotated[str | None, typer.Option("--person", metavar="ID", help="Only this person's talks.")] = None,
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """Find what was said, the newest first."""
    found = client.ask(ctx.obj, "sessions.search", query=" ".join(words), person=person, limit=limit)
    rows: list[Json] = found if isinstance(found, list) else []
    if as_json:
        print_json(rows)
        return
    if not rows:
        say("Nothing was found.")
    for one in rows:
        say(f"{at(one['at'])} {one['session']} {clean(one['title'])}")
        text = " ".join(clean(one["content"]).split())
        say(f"  {one['role']}: {text[:SHOWN]}{'…' if len(text) > SHOWN else ''}")


def export(
    ctx: typer.Context,
    session: Annotated[str, typer.Argument(metavar="ID", help="The beginning is enough.")],
    markdown: Annotated[bool, typer.Option("--markdown", help="For reading; otherwise JSON, a line per step.")] = False,
) -> None:
    """Write a whole transcript to standard output, with what the session carries on before it."""
    found = client.ask(ctx.obj, "sessions.export", id=session)
    whole: Json = found if isinstance(found, dict) else {}
    steps = whole.pop("steps")
    steps = steps if isinstance(steps, list) else []
    if not markdown:
        for one in (whole, *steps):
            typer.echo(json.dumps(one, ensure_ascii=False))
        return
    typer.echo(f"# {clean(whole['title']) or clean(whole['id'])}\n\n{at(whole['opened_at'])}, {clean(whole['id'])}")
    for step in steps:
        calls = f"\n\n    {clean(step['calls'])}" if step["calls"] else ""
        typer.echo(f"\n## {step['role']}, {at(step['at'])}\n\n{clean(step['content'])}{calls}")
