"""`dragoman restore`: a backup becomes a home, asleep until it is told to take over."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.cli import client
from gateway.cli.backup import Progress, giving_up
from gateway.cli.options import AsJson
from gateway.cli.output import print_json, say
from gateway.cli.where import Where
from gateway.home import lock_home


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("restore")(restore)


def restore(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    *,
    force: Annotated[
        bool, typer.Option("--force", help="Also into a home that has state; that is moved aside.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Restore a backup into the home; it stays asleep until `dragoman run --take-over`."""
    from gateway.services.upkeep import restoring  # noqa: PLC0415  # the store; not for --help
    from gateway.store.asleep import day  # noqa: PLC0415

    where: Where = ctx.obj
    home, progress = where.open(create=True), Progress()
    progress.what = "restoring"
    with (
        giving_up(progress, "the restore was given up; run it again, with --force if it says that there is state"),
        lock_home(home.lock, client.command()),
    ):
        done = restoring.restore(file.expanduser().absolute(), home, force=force, watch=progress)
    if as_json:
        print_json(
            {
                "home": str(home.root),
                "made_at": done.opened.made_at,
                "version": done.opened.version,
                "schema": done.opened.schema,
                "files": len(done.opened.files),
                "secrets": done.opened.secrets,
                "aside": str(done.aside) if done.aside else None,
                "stayed": list(done.stayed),
            }
        )
        return
    say(f"Restored the backup of {day(done.opened.made_at)} into {home.root}: {len(done.opened.files)} files.")
    if done.aside is not None:
        say(f"The state that was there lies in {done.aside}.")
    for name in done.stayed:
        say(f"{name} was there already and stays; the backup's is {name}.from-backup.")
    if not done.opened.secrets:
        say(f"Keys and tokens were not in it: write them into {home.env_file}; `dragoman check` names what is missing.")
    say("This home is asleep. When the old one is stopped for good: `dragoman run --take-over`")
