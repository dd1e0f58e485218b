"""`dragoman jobs`: what people have scheduled."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from gateway.cli import client
from gateway.cli.options import AsJson
from gateway.cli.output import Json, clean, print_json, print_table, say

Id = Annotated[str, typer.Argument(metavar="ID", help="As `jobs list` shows it: J-….")]
For = Annotated[str, typer.Option("--for", metavar="PERSON", help="Whose job it is: a name, or an id.")]


def add(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
    group.command("list")(listed)
    group.command("show")(show)
    group.command("why")(show)
    group.command("add")(make)
    for act in ("pause", "resume", "run", "remove"):
        group.command(act, help=f"{act.capitalize()} a job.")(_acting(act))
    app.add_typer(group, name="jobs", help="What is due later: list, show, why, add, pause, resume, run, remove.")


def listed(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List jobs, those that are due first."""
    found = client.ask(ctx.obj, "jobs.list")
    rows: list[Json] = found if isinstance(found, list) else []
    if as_json:
        print_json(rows)
    elif not rows:
        say("No jobs. In a chat: /schedule every weekday at 8:30: what is new?")
    else:
        cells = [
            [one["id"], one["name"], one["person_name"] or "-", one["when"], _due(one), one["state"]] for one in rows
        ]
        print_table(["id", "name", "whose", "when", "next", "state"], cells)


def show(ctx: typer.Context, job: Id, as_json: AsJson = False) -> None:
    """Show a job, when it is due next, and what became of its runs."""
    found = client.ask(ctx.obj, "jobs.show", id=job)
    whole: Json = found if isinstance(found, dict) else {}
    if as_json:
        print_json(whole)
        return
    runs, upcoming = whole.pop("runs"), whole.pop("upcoming")
    zone = str(whole["zone"])
    whole["next_due"] = _due(whole)
    print_table(["", ""], [[name, value] for name, value in whole.items() if value not in (None, "")])
    for due in upcoming if isinstance(upcoming, list) else []:
        say(f"next  {_at(due, zone)}")
    for run in runs if isinstance(runs, list) else []:
        say(f"run   {_at(run['due'], zone)}  {clean(run['became'])}")


def make(
    ctx: typer.Context,
    when: Annotated[str, typer.Argument(metavar="WHEN", help='"every weekday at 8:30", "0 9 * * 1", "in 2 h".')],
    what: Annotated[str, typer.Argument(metavar="WHAT", help="What I am asked then.")],
    person: For,
    *,
    name: Annotated[str | None, typer.Option("--name", help="How to call it.")] = None,
    zone: Annotated[str | None, typer.Option("--zone", help="Time zone, if not the person's: Europe/Rome.")] = None,
    to: Annotated[str | None, typer.Option("--to", help="Where output goes: home, last, slack, … (commas).")] = None,
    late: Annotated[str | None, typer.Option("--late", help="Missed runs: late (once), skip, all.")] = None,
    model: Annotated[str | None, typer.Option("--model", help="Another model of the configuration.")] = None,
    script: Annotated[str | None, typer.Option("--script", help="A file in HOME/scripts that runs first.")] = None,
    context: Annotated[str | None, typer.Option("--context", help="A job whose last result is told.")] = None,
    urgent: Annotated[bool, typer.Option("--urgent", help="Quiet hours do not hold it.")] = False,
    fallback: Annotated[bool, typer.Option("--fallback", help="Another platform will do if one fails.")] = False,
    here: Annotated[bool, typer.Option("--here", help="In the session of the talk.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make a job for somebody; the running daemon makes it, so it counts at once."""
    found = client.ask(
        ctx.obj, "jobs.add", when=when, what=what, person=person, name=name, zone=zone, to=to, late=late, model=model,
        script=script, context=context, urgent=urgent, fallback=fallback, here=here,
    )  # fmt: skip
    job: Json = found if isinstance(found, dict) else {}
    if as_json:
        print_json(job)
        return
    say(f"{job['id']} {clean(job['name'])}: {clean(job['reading'])}, {job['zone']}; next:")
    upcoming = job["upcoming"]
    for due in upcoming if isinstance(upcoming, list) else []:
        say(f"  {_at(due, str(job['zone']))}")


def _acting(what: str) -> Callable[[typer.Context, str], None]:
    def act(ctx: typer.Context, job: Id) -> None:
        found = client.ask(ctx.obj, "jobs.act", id=job, act=what)
        done: Json = found if isinstance(found, dict) else {}
        say(f"{done['id']} {clean(done['name'])}: {done['state']}, next {_due(done)}")

    return act


def _due(job: Json) -> str:
    return _at(job["next_due"], str(job["zone"])) if job["next_due"] else "-"


def _at(due: object, zone: str) -> str:
    at = float(str(due))
    return f"{datetime.fromtimestamp(at, ZoneInfo(zone)):%a %Y-%m-%d %H:%M} {zone}"
