"""`dragoman check`: says whether the configuration is right; nothing is started and nobody is asked."""

import typer

from gateway.cli.output import print_json, say


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("check")(check)


def check(ctx: typer.Context, as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
    """Check the configuration and list what this version does not do yet."""
    from gateway.cli.settings import settings  # noqa: PLC0415  # the models of the configuration; not for --help
    from gateway.config import short_secrets  # noqa: PLC0415  # likewise
    from gateway.config.pending import doubtful  # noqa: PLC0415  # likewise

    found = settings(ctx.obj)
    later = [str(problem).replace(": not yet: ", ": ") for problem in found.not_yet]
    short = list(short_secrets(found.config))
    doubts = [str(problem) for problem in doubtful(found.config)]
    if as_json:
        path = str(found.found.path)
        print_json({"ok": True, "config": path, "not_yet": later, "short_secrets": short, "warnings": doubts})
        return
    say(f"{found.found.path} is right.")
    for one in doubts:
        say(f"Warning: {one}")
    if short:
        say(f"Too short to be hidden in logs, so choose longer ones: {', '.join(short)}.")
    if later:
        say("Accepted, but not in this version yet:")
        for one in later:
            say(f"  {one}")
