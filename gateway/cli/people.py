"""`dragoman people`: who is admitted, with which accounts and rights, and what is stored about them."""

from typing import Annotated

import typer

from gateway.cli import client
from gateway.cli.options import AsJson
from gateway.cli.output import Json, ago, line, print_json, print_table, say
from gateway.cli.portrait import portrait
from gateway.domain.ids import UserId
from gateway.services.people.belongings import notes

Who = Annotated[str, typer.Argument(metavar="PERSON", help="Id, name or platform:id.")]
Account = Annotated[str, typer.Argument(metavar="PLATFORM:ID")]


def add(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
    commands = (listed, show, link, unlink, role, timezone, export, erase)
    for command in commands:
        group.command("list" if command is listed else command.__name__)(command)
    app.add_typer(
        group, name="people", help="Who is admitted: list, show, link, unlink, role, timezone, export, erase."
    )


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


def show(ctx: typer.Context, person: Who, as_json: AsJson = False) -> None:
    """Show one person, and how much is stored about them."""
    found = client.ask(ctx.obj, "people.show", person=person)
    whole: dict[str, object] = found if isinstance(found, dict) else {}
    if as_json:
        print_json(whole)
        return
    stored = whole.pop("stored")
    cells = {**{name: _shown(value) for name, value in whole.items()}, "stored": _counted(stored)}
    print_table(["", ""], [[name, value] for name, value in cells.items() if value not in (None, "", False)])


def link(ctx: typer.Context, person: Who, account: Account) -> None:
    """Tie an account of nobody to a person."""
    done = client.ask(ctx.obj, "people.link", person=person, account=account)
    if isinstance(done, dict):
        say(f"{line(done['account'])} is {line(done['person'])} now.")


def unlink(ctx: typer.Context, account: Account) -> None:
    """Take an account off its person, as soon as no turn of theirs is running."""
    done = client.ask(ctx.obj, "people.unlink", account=account)
    if isinstance(done, dict):
        say(f"{line(done['account'])} is taken off {line(done['person'])} as soon as nothing is running for them.")


def role(ctx: typer.Context, person: Who, role: Annotated[str, typer.Argument(metavar="ROLE")]) -> None:
    """Give a person a role: owner, admin, user, guest or blocked."""
    done = client.ask(ctx.obj, "people.role", person=person, role=role)
    if isinstance(done, dict):
        say(f"{line(done['person'])} was {line(done['was'])} and is {line(done['role'])} now.")


def timezone(ctx: typer.Context, person: Who, zone: Annotated[str, typer.Argument(metavar="ZONE")]) -> None:
    """Set a person's time zone."""
    done = client.ask(ctx.obj, "people.timezone", person=person, timezone=zone)
    if isinstance(done, dict):
        say(f"{line(done['person'])} lives in {line(done['timezone'])} now.")


def export(
    ctx: typer.Context,
    person: Who,
    markdown: Annotated[bool, typer.Option("--markdown", help="To be read, instead of JSON.")] = False,
) -> None:
    """Print everything that is stored about a person."""
    found = client.ask(ctx.obj, "people.export", person=person)
    whole: dict[str, list[Json]] = found if isinstance(found, dict) else {}
    files = notes(ctx.obj.open().people, [UserId(str(one["id"])) for one in whole["people"]])
    if markdown:
        say(portrait(whole, files))
    else:
        print_json({**whole, "files": files})


def erase(
    ctx: typer.Context,
    person: Who,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove a person with all that was said with them; shows first what goes."""
    show(ctx, person)
    if not yes:
        typer.confirm("Remove all of this for good?", abort=True)
    done = client.ask(ctx.obj, "people.erase", person=person)
    if isinstance(done, dict):
        say(f"{line(done['person'])} is removed as soon as nothing is running for them: {_counted(done['stored'])}.")


def _shown(value: object) -> object:
    return _joined(value) if isinstance(value, list) else value


def _counted(stored: object) -> str:
    counts = stored if isinstance(stored, dict) else {}
    return ", ".join(f"{number} {name}" for name, number in counts.items() if number) or "nothing"
