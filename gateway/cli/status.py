"""`dragoman status`: platforms, queues, lanes, incidents, and what is wrong."""

import typer

from gateway.cli import client
from gateway.cli.output import Json, ago, at, line, print_json, print_table, say, size, span

LATE_SECONDS = 5.0  # between two looks may pass more than no time


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("status")(status)


def status(
    ctx: typer.Context,
    check: bool = typer.Option(False, "--check", help="Exit with 1 if something is wrong."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Show platforms, lanes, queues and what is wrong."""
    state: Json = client.ask(ctx.obj, "status")  # type: ignore[assignment]  # the operation answers with an object
    if as_json:
        print_json(state)
    else:
        show(state)
    if check and state["problems"]:
        raise typer.Exit(1)


def show(state: Json) -> None:
    """Print what `status` answered."""
    daemon = state["daemon"]
    life = (
        f"running for {span(daemon['up_seconds'])}, pid {daemon['pid']}" if isinstance(daemon, dict) else "not running"
    )
    owner = (
        f"owner {line(state['owner'], 60)}" if state["owner"] else "no owner yet: run `dragoman pair new --role owner`"
    )
    say(f"dragoman {state['version']}: {life}; {owner}")
    _platforms(_objects(state["platforms"]))
    _queues(state["queues"])
    _jobs(state["jobs"])
    _keeping(state.get("keeping"))
    lanes = [[one["queue"], one["lane"], ago(one["turn_opened_at"])] for one in _objects(state["lanes"])]
    if lanes:
        say()
        print_table(["working in", "lane", "turn since"], lanes)
    if isinstance(state["problems"], list) and state["problems"]:
        say("\nWrong:")
        for problem in state["problems"]:
            say(f"  {line(problem, 300)}")
    if isinstance(state["needs_restart"], list) and state["needs_restart"]:
        say(f"\nChanged in the configuration, waits for a restart: {', '.join(map(str, state['needs_restart']))}")
    if isinstance(state["not_yet"], list) and state["not_yet"]:
        say("\nAccepted in the configuration, but not in this version yet:")
        for one in state["not_yet"]:
            say(f"  {line(str(one).replace(': not yet: ', ': '), 300)}")


def _platforms(lines: list[Json]) -> None:
    if lines:
        say()
        rows = [
            [
                one["name"],
                one["state"],
                f"{span(one['inbound_age'])} ago" if one["heard_at"] else "never",
                one["trouble"],
            ]
            for one in lines
        ]
        print_table(["platform", "state", "last heard", "trouble"], rows)


def _queues(queues: object) -> None:
    if isinstance(queues, dict):
        say()
        rows = [
            [name, one["ready"], span(one["oldest_seconds"]), one["dead"], one["unknown"]]
            for name, one in queues.items()
        ]
        print_table(["queue", "waiting", "oldest", "dead", "unknown"], rows)


def _jobs(jobs: object) -> None:
    """Print how many jobs there are, when the next is due, and how late the look at them is."""
    if isinstance(jobs, dict) and jobs["active"]:
        due, late = jobs["next_due"], float(str(jobs["late_seconds"]))
        coming = f"next {at(due)}" if due else "none due"
        say(f"\nJobs: {jobs['active']} active, {coming}, {'on time' if late < LATE_SECONDS else f'{span(late)} late'}")


def _keeping(kept: object) -> None:
    """Print how large the state is, when it was last swept, and how backups stand."""
    if not isinstance(kept, dict) or not isinstance(kept["backups"], dict):
        return
    say()
    if kept["measured"]:
        limit = f" of {kept['max_gib']:g} GiB" if kept["max_gib"] else ""
        say(
            f"State: {size(kept['state'])}{limit} (database {size(kept['used'])}, attachments {size(kept['blobs'])}); "
            f"{size(kept['free'])} free; swept {ago(kept['at'])} ago: {kept['texts_removed']} texts, "
            f"{kept['keys_removed']} rows, {kept['sessions_removed']} sessions, {kept['blobs_removed']} files gone"
        )
    backups = kept["backups"]
    made = f"newest {ago(backups['newest_at'])} old" if backups["newest_at"] else "none yet"
    coming = f"next {at(backups['next_at'])}" if backups["on"] else "switched off"
    failed = f"; the last one failed: {line(backups['failed'], 200)}" if backups["failed"] else ""
    say(f"Backups: {backups['count']} with {size(backups['bytes'])}, {made}, {coming}{failed}")


def _objects(value: object) -> list[Json]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
