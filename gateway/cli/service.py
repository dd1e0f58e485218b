"""`dragoman service`: installs, removes and shows the systemd service, for the system or for one user."""

import os
import shutil
from pathlib import Path
from typing import Annotated

import typer

from gateway.cli import service_files, service_program
from gateway.cli.failing import Stop
from gateway.cli.options import AsJson
from gateway.cli.output import line, print_json, print_table, say
from gateway.cli.service_systemd import Systemd, lingers
from gateway.cli.service_units import OPT, Kind, Unit
from gateway.cli.where import Where

UNIT = "dragoman.service"
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
UNDO = """What only you can undo, at the platforms:
  Telegram   @BotFather: /revoke makes the token worthless, /deletebot removes the bot
  Discord    discord.com/developers/applications: reset the token, or delete the application
  Slack      api.slack.com/apps: revoke the tokens, or delete the app
  Mail       the mailbox's password or app password
  Model      the provider's key"""


def add(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
    group.command("install")(install)
    group.command("uninstall")(uninstall)
    group.command("status")(status)
    group.command("print")(print_unit)
    app.add_typer(group, name="service", help="The systemd service: install, uninstall, status, print.")


def install(ctx: typer.Context, yes: Yes = False) -> None:
    """Install and start the service: the system's when you are root, else your own."""
    from gateway.cli.settings import settings  # noqa: PLC0415  # the models of the configuration

    systemd = Systemd(user=os.geteuid() != 0)
    systemd.check()
    where = _installed_before(ctx.obj) if not systemd.user else ctx.obj
    found = settings(where)  # a wrong configuration would only be refused later
    if found.found.path is None:  # `settings` has refused that already
        return
    home = where.choice().path
    if systemd.user:
        unit = Unit(
            kind="user", program=str(_own_program()), drain=found.config.drain_seconds, systemd=systemd.version(),
            home=str(home),
        )  # fmt: skip
    else:
        unit = _for_system(home, found.found.path, found.config.drain_seconds, systemd.version(), yes)
    _start(systemd, unit)
    if systemd.user:
        say(farewell(lingering=lingers()))


def farewell(*, lingering: bool) -> str:
    """Say what becomes of one's own service when its user logs out."""
    if lingering:
        return "It lives on when you log out (lingering is on)."
    return (
        "It ends when you log out for the last time. To keep it: `loginctl enable-linger`.\n"
        "Some versions of systemd end it all the same; `sudo dragoman service install` makes it the system's."
    )


def uninstall(
    ctx: typer.Context,
    purge: Annotated[bool, typer.Option("--purge", help="Remove state, configuration and program too.")] = False,
    yes: Yes = False,
) -> None:
    """Stop and remove the service; the state stays, unless --purge."""
    systemd = Systemd(user=os.geteuid() != 0)
    going = [systemd.folder / UNIT, systemd.folder / f"{UNIT}.d"]
    if purge and systemd.user:
        going.append(ctx.obj.choice().path)
    elif purge:
        going += [service_files.STATE, service_files.CONFIG, Path(OPT), service_program.LINK]
    going = [path for path in going if path.exists() or path.is_symlink()]
    if not going:
        message = f"no service is installed ({systemd.folder / UNIT}); `dragoman service install` does"
        raise Stop(message)
    say("This goes:")
    for path in going:
        say(f"  {path}")
    say(UNDO)
    _agree("Remove it?", yes)
    systemd.do("disable", "--now", UNIT, may_fail=True)
    for path in going:
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
    systemd.do("daemon-reload", may_fail=True)
    say("The service is gone." if purge else "The service is gone; state and configuration stay.")


def status(as_json: AsJson = False) -> None:
    """Show how the service is, as systemd sees it; 1 unless it runs."""
    systemd = _installed()
    state = dict(systemd.state(UNIT))
    if as_json:
        print_json({"scope": "user" if systemd.user else "system", **state})
    else:
        rows = [[name, value] for name, value in state.items()]
        print_table(["", str(systemd.folder / UNIT)], rows)
    if state.get("ActiveState") != "active":
        raise typer.Exit(1)


def print_unit(
    user: Annotated[bool, typer.Option("--user", help="The unit for one user.")] = False,
    instance: Annotated[bool, typer.Option("--instance", help="The template for several bots.")] = False,
) -> None:
    """Print the unit that would be installed, and change nothing."""
    kind: Kind = "user" if user else "instance" if instance else "system"
    print(Unit(kind=kind, program=str(service_program.here())).text(), end="")


def _installed_before(where: Where) -> Where:
    """Take up what an earlier installation left, if there is nothing else to install."""
    from gateway.cli.settings import find  # noqa: PLC0415  # as in install

    left = service_files.CONFIG / "gateway.json"
    if find(where).path is None and where.config is None and left.exists():
        return Where(home=where.home or service_files.STATE, config=left)
    return where


def _installed() -> Systemd:
    """Find the service: one's own first; raises Stop."""
    for systemd in (Systemd(user=True), Systemd(user=False)):
        if (systemd.folder / UNIT).exists() and (not systemd.user or os.geteuid() != 0):
            systemd.check()
            return systemd
    message = "no service is installed; `dragoman service install` does"
    raise Stop(message)


def _own_program() -> Path:
    program = service_program.here()
    why = service_program.runs(program)
    if why is not None:
        raise Stop(why)
    return program


def _for_system(home: Path, config: Path, drain: float, version: int, yes: bool) -> Unit:
    owner = service_files.owner()
    program = service_program.here()
    why = service_program.unfit(program, owner.uid, owner.gid)
    if why is not None:
        say(f"The service cannot run this program: {line(why, 300)}.")
        _agree(f"Make one of its own in {OPT}?", yes)
        program = service_program.make()
    if home != service_files.STATE or config.parent != service_files.CONFIG:
        say(f"The service has its state in {service_files.STATE} and its configuration in {service_files.CONFIG}.")
        _agree(f"Move {config} and what is in {home} there?", yes)
        service_files.move(home, config, owner)
    else:
        service_files.own(owner)
    if service_program.link(program):
        say(f"{service_program.LINK} leads to {program}.")
    return Unit(kind="system", program=str(program), drain=drain, systemd=version)


def _start(systemd: Systemd, unit: Unit) -> None:
    systemd.folder.mkdir(parents=True, exist_ok=True)
    path = systemd.folder / UNIT
    path.write_text(unit.text(), encoding="utf-8")
    path.chmod(0o644)
    systemd.do("daemon-reload")
    systemd.do("enable", UNIT)
    say(f"{path} is written; starting, and waiting until it is ready.")
    try:
        systemd.do("restart", UNIT)  # returns at READY=1
    except Stop as failed:
        state = systemd.state(UNIT)
        why = "its configuration is wrong: `dragoman check`" if state.get("ExecMainStatus") == "78" else str(failed)
        scope = "--user " if systemd.user else ""
        message = f"the service does not start: {why}\nIts log: journalctl {scope}-u {UNIT} -n 50"
        raise Stop(message) from failed
    state = systemd.state(UNIT)
    say(f"The service is {state.get('ActiveState')}: {line(state.get('StatusText') or 'ready', 200)}")
    say("`dragoman service status` shows how it is, `dragoman status` what it does.")


def _agree(question: str, yes: bool) -> None:
    if not yes and not typer.confirm(question, default=True):
        message = "nothing was changed"
        raise Stop(message)
