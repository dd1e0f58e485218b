"""`dragoman inbox` and `dragoman outbox`: the two queues, row by row."""

import sys
from collections.abc import Callable
from typing import Annotated, Literal

import typer

from gateway.cli import client
from gateway.cli.failing import FAILED
from gateway.cli.options import AsJson, Limit
from gateway.cli.output import Json, ago, at, clean, line, print_json, print_table, say
from gateway.domain.errors import DragomanError

Queue = Literal["inbox", "outbox"]
State = Annotated[str, typer.Option(help="unfinished, all, ready, dead, unknown or done.")]
Number = Annotated[int, typer.Argument(metavar="ID")]
Numbers = Annotated[list[int], typer.Argument(metavar="ID...")]


def add_inbox(app: typer.Typer) -> None:
    """Add the commands about what came in."""
    app.add_typer(_group("inbox"), name="inbox", help="What came in and is not done: list, show, retry, drop.")


def add_outbox(app: typer.Typer) -> None:
    """Add the commands about what goes out."""
    app.add_typer(_group("outbox"), name="outbox", help="What goes out and is not done: list, show, retry, drop.")


def _group(queue: Queue) -> typer.Typer:
    app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)

    def listed(ctx: typer.Context, state: State = "unfinished", limit: Limit = 50, as_json: AsJson = False) -> None:
        """List rows, the latest first."""
        rows = client.ask(ctx.obj, f"{queue}.list", state=state, limit=limit)
        if as_json:
            print_json(rows)
        else:
            _table(queue, rows)

    def show(ctx: typer.Context, number: Number, as_json: AsJson = False) -> None:
        """Show one row with its whole text."""
        row = client.ask(ctx.obj, f"{queue}.show", id=number)
        if as_json:
            print_json(row)
        else:
            _one(row)

    def retry(ctx: typer.Context, numbers: Numbers) -> None:
        """Try dead or unknown rows again."""
        _each(numbers, lambda number: _retried(client.ask(ctx.obj, f"{queue}.retry", id=number)))

    def drop(ctx: typer.Context, numbers: Numbers) -> None:
        """End rows for good."""
        _each(numbers, lambda number: _dropped(client.ask(ctx.obj, f"{queue}.drop", id=number)))

    for name, command in (("list", listed), ("show", show), ("retry", retry), ("drop", drop)):
        app.command(name)(command)
    return app


def _table(queue: Queue, rows: object) -> None:
    found: list[Json] = rows if isinstance(rows, list) else []
    if not found:
        say(f"Nothing in the {queue} is unfinished.")
        return
    cells = [
        [one["id"], one["state"], ago(one["created_at"]), one["conversation"], one["why"] or "waits", line(one["text"])]
        for one in found
    ]
    print_table(["id", "state", "age", "conversation", "why", "text"], cells)


def _one(row: object) -> None:
    fields: Json = row if isinstance(row, dict) else {}
    for name in ("created_at", "finished_at", "not_before", "expires_at", "received_at"):
        if fields.get(name):
            fields[name] = at(fields[name])
    text = clean(fields.pop("text", ""))
    print_table(["", ""], [[name, value] for name, value in fields.items() if value not in (None, "", [], 0)])
    if text:
        say(f"\n{text}")


def _each(numbers: list[int], do: Callable[[int], None]) -> None:
    """Do all that can be done, and fail if one could not."""
    failed = False
    for number in numbers:
        try:
            do(number)
        except DragomanError as error:
            print(f"dragoman: {clean(error)}", file=sys.stderr)
            failed = True
    if failed:
        raise typer.Exit(FAILED)


def _retried(done: object) -> None:
    fields: Json = done if isinstance(done, dict) else {}
    ids = fields.get("ids")
    for number in ids if isinstance(ids, list) else []:
        say(f"{fields['queue']} row {number} is tried again.")


def _dropped(done: object) -> None:
    fields: Json = done if isinstance(done, dict) else {}
    say(f"{fields['queue']} row {fields['id']} is dropped.")
