"""`dragoman memory`: what the agent remembers of a person, and what it shall know before the first talk."""

import json
from pathlib import Path
from typing import Annotated

import typer

from gateway.cli import client
from gateway.cli.failing import Stop
from gateway.cli.options import AsJson
from gateway.cli.output import Json, line, print_json, print_table, say

Who = Annotated[str, typer.Argument(metavar="PERSON", help="Id, name or platform:id; or groups/… as files name it.")]


def add(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
    for command in (show, seed, export):
        group.command(command.__name__)(command)
    app.add_typer(group, name="memory", help="What is remembered of somebody: show, seed, export.")


def show(ctx: typer.Context, person: Who, as_json: AsJson = False) -> None:
    """Show both stores, and how full they are."""
    found = _asked(ctx, person)
    if as_json:
        print_json(found)
        return
    for store in _stores(found):
        entries = store["entries"] if isinstance(store["entries"], list) else []
        say(f"{store['file']}: {store['used']} of {store['limit']} characters ({line(store['purpose'])})")
        rows = [[one["text"], one["channel"], one["day"]] for one in entries]
        if rows:
            print_table(["entry", "from", "day"], rows)


def seed(
    ctx: typer.Context,
    person: Who,
    user: Annotated[list[str] | None, typer.Option(help="An entry about who they are; may be repeated.")] = None,
    memory: Annotated[list[str] | None, typer.Option(help="An entry worth knowing; may be repeated.")] = None,
) -> None:
    """Write the first entries, before anybody has talked; refused afterwards."""
    if not user and not memory:
        raise Stop("nothing to write: give --user or --memory, each as often as you like", code=2)
    done = client.ask(ctx.obj, "memory.seed", who=person, user=user or [], memory=memory or [])
    if isinstance(done, dict):
        count = sum(len(one["entries"]) for one in _stores(done) if isinstance(one["entries"], list))
        say(f"{line(done['name'])}: {count} entries are known from the first talk on.")


def export(
    ctx: typer.Context, person: Who, file: Annotated[Path, typer.Argument(help="Where to; must be new.")]
) -> None:
    """Write what is remembered into a file, as JSON."""
    found = _asked(ctx, person)
    try:
        with file.open("x", encoding="utf-8") as stream:
            json.dump(found, stream, ensure_ascii=False, indent=2)
            stream.write("\n")
    except OSError as error:
        message = f"{file} cannot be written: {error.strerror}"
        raise Stop(message) from error
    say(f"Written to {file}.")


def _asked(ctx: typer.Context, person: str) -> Json:
    found = client.ask(ctx.obj, "memory.show", who=person)
    return found if isinstance(found, dict) else {}


def _stores(found: Json) -> list[Json]:
    stores = found.get("stores")
    return stores if isinstance(stores, list) else []
