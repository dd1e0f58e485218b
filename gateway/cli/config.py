"""`dragoman config`: the configuration in use, its schema, and what each key means."""

from typing import Annotated

import typer

from gateway.cli.failing import FAILED, Stop
from gateway.cli.output import print_json, print_table, say


def add(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
    group.command("show")(show)
    group.command("schema")(schema)
    group.command("explain")(explain)
    app.add_typer(group, name="config", help="The configuration: show, schema, explain.")


def show(ctx: typer.Context) -> None:
    """Show the configuration in use with every default, secrets masked."""
    from gateway.cli.settings import settings  # noqa: PLC0415  # the models of the configuration; not for --help
    from gateway.config import shown  # noqa: PLC0415

    print_json(shown(settings(ctx.obj).config))


def schema() -> None:
    """Print gateway.schema.json, which editors understand."""
    from gateway.config.schema import schema_text  # noqa: PLC0415  # the models of the configuration; not for --help

    say(schema_text().rstrip())


def explain(key: Annotated[str | None, typer.Argument(metavar="[KEY]")] = None) -> None:
    """Say what a key means; without one, list all keys."""
    from gateway.config.catalogue import Catalogue, UnknownKeyError  # noqa: PLC0415  # likewise

    catalogue = Catalogue()
    if key is None:
        print_table(["key", "meaning"], [[entry.key, entry.meaning] for entry in catalogue.entries.values()])
        return
    try:
        entry = catalogue.explain(key)
    except UnknownKeyError as error:
        raise Stop(str(error), code=FAILED) from error
    say(f"{entry.key}: {entry.type}")
    say(entry.meaning)
    for name, value in (("default", entry.default), ("example", entry.example)):
        if value:
            say(f"{name}: {value}")
    if entry.secret:
        say("A secret: write it as ${NAME} and keep the value in the environment or in HOME/.env.")
    if entry.keys:
        say(f"keys: {', '.join(entry.keys)}")
