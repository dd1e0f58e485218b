"""`dragoman` alone: where you stand, and the next command."""

from gateway.cli.output import line, say
from gateway.cli.where import Where


def where_you_stand(where: Where) -> None:
    """Print what there is of home, configuration and daemon, and what to type next."""
    from gateway.cli import client, settings, version  # noqa: PLC0415  # the models of the configuration
    from gateway.config import ConfigErrors  # noqa: PLC0415
    from gateway.domain.errors import DragomanError  # noqa: PLC0415

    say(version())
    found = settings.find(where)
    if found.path is None:
        say(f"No configuration yet (looked in {', '.join(str(place) for place in found.looked)}).")
        say("Next: `dragoman setup` takes two minutes; `dragoman playground` shows everything without a key.")
        return
    try:
        settings.settings(where)
    except ConfigErrors as errors:
        say(f"The configuration {found.path} has {len(errors.errors)} problem(s).")
        say("Next: `dragoman check` names them.")
        return
    say(f"Configuration: {found.path}")
    say(f"Home: {where.choice().path}")
    try:
        state = client.over_socket(where.open().control_sock, "status", {})
    except client.Absent:
        say("The daemon is not running.")
        say("Next: `dragoman run`")
        return
    except DragomanError as error:
        say(f"{line(error, 300)}")
        say("Next: `dragoman run`")
        return
    _running(state if isinstance(state, dict) else {})


def _running(state: dict[str, object]) -> None:
    problems = state.get("problems")
    say("The daemon is running.")
    if not state.get("owner"):
        say("It has no owner yet.\nNext: `dragoman pair new --role owner`, or `dragoman chat`")
    elif problems:
        say(
            f"{len(problems) if isinstance(problems, list) else 'Some'} problem(s).\nNext: `dragoman status` names them"
        )
    else:
        say("Next: `dragoman chat`")
