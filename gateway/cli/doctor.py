"""`dragoman doctor`: what is wrong with this installation, and the command that mends each of it."""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from gateway.cli.failing import Stop
from gateway.cli.options import AsJson
from gateway.cli.output import line, plain, print_json, say
from gateway.cli.where import Where

if TYPE_CHECKING:
    from gateway.masking import Masker
    from gateway.setup.findings import Finding

SIGNS = {"ok": "✓", "note": "·", "wrong": "✗"}
COLOURS = {"ok": "32", "note": "33", "wrong": "31"}
LONGEST = 600


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor")(doctor)


def doctor(
    ctx: typer.Context,
    *,
    live: Annotated[bool, typer.Option("--live", help="Also post to yourself on each platform; asks first.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="With --live: do not ask.")] = False,
    offline: Annotated[bool, typer.Option("--offline", help="Ask no server.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say what is wrong and which command mends it; exit with 1 if anything is."""
    if live and (offline or as_json):
        message = "--live talks to platforms and to you; it goes with neither --offline nor --json"
        raise Stop(message, code=2)
    from gateway.cli import doctor_look  # noqa: PLC0415  # the models of the configuration; not for --help
    from gateway.masking import Masker  # noqa: PLC0415

    where: Where = ctx.obj
    masker = Masker()
    found: list[Finding] = []
    for finding in doctor_look.look(where, masker, offline=offline):
        found.append(finding)
        if not as_json:
            show(finding, masker)
    bad = sum(finding.state == "wrong" for finding in found)
    if as_json:
        shown = [{name: masker.mask(str(text)) for name, text in asdict(one).items()} for one in found]
        print_json({"ok": not bad, "findings": shown})
    else:
        say(f"\n{bad} thing(s) wrong." if bad else "\nNothing is wrong.")
    if live:
        from gateway.cli import doctor_live  # noqa: PLC0415  # the whole daemon; not for a plain look

        bad += doctor_live.run(where, masker, yes=yes)
    if bad:
        raise typer.Exit(1)


def show(finding: "Finding", masker: "Masker") -> None:
    """Print a finding, and below it what mends it."""
    sign = SIGNS[finding.state]
    if sys.stdout.isatty() and not plain():
        sign = f"\x1b[{COLOURS[finding.state]}m{sign}\x1b[0m"
    print(f"{sign} {finding.area}: {line(masker.mask(finding.text), LONGEST)}", flush=True)
    if finding.mend:
        say(f"    {line(masker.mask(finding.mend), LONGEST)}")
