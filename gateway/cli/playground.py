"""`dragoman playground`: emulated platforms, a stand-in model, the real daemon, and a page."""

import sys

import typer

from gateway.cli.where import Where


def add(app: typer.Typer) -> None:
    """Add the command; its options are the playground's own."""
    settings = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
    app.command("playground", context_settings=settings)(playground)


def playground(ctx: typer.Context) -> None:
    """Try everything in the browser: emulated platforms, a stand-in model, no key, no network."""
    from playground.launch import main  # noqa: PLC0415  # servers and emulators; not for --help

    where: Where = ctx.obj
    home = [] if where.home is None else ["--home", str(where.home)]
    sys.stdout.flush()
    raise typer.Exit(main([*home, *ctx.args]))
