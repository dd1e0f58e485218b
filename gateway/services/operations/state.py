"""How things are: platforms, queues, incidents, and the rows as they change."""

import asyncio
import os
from importlib.metadata import PackageNotFoundError, version

from gateway.domain.errors import GiveUp
from gateway.services.operations.base import MOST, Asked, Json, LineState, Live, instant, whole
from gateway.services.operations.bodies import shown
from gateway.services.operations.life import step
from gateway.services.upkeep.incidents import PLATFORM
from gateway.store import asleep, views
from gateway.store.sqlite import Row

MOST_REASONS = 3  # of rows that were given up, for each queue and state


async def status(asked: Asked) -> Json:
    """Tell how the daemon is, with `problems` in words; without a daemon, how the store is."""
    queues = _depths(await views.depths(asked.db), asked.now)
    people = await views.people(asked.db)
    incidents = [
        {"subject": row["subject"], "detail": row["detail"], "opened_at": row["opened_at"]}
        for row in await views.incidents(asked.db)
    ]
    state: Json = {
        "version": daemon_version(),
        "daemon": _daemon(asked.live, asked.now),
        "platforms": [_line(line, asked.now) for line in asked.live.lines] if asked.live else [],
        "queues": queues,
        "lanes": await _lanes(asked),
        "jobs": await _jobs(asked),
        "incidents": incidents,
        "storage": asked.db.trouble,
        "keeping": asked.live.keeping.state() if asked.live else None,
        "asleep": await asleep.sleeping(asked.db),
        "people": len(people),
        "owner": next((row["name"] for row in people if row["role"] == "owner"), None),
        "not_yet": list(asked.live.not_yet) if asked.live else [],
        "needs_restart": list(asked.live.waiting) if asked.live else [],
    }
    # a platform says below how it is now
    known = [f"{row['subject']}: {row['detail']}" for row in incidents if not row["subject"].startswith(PLATFORM)]
    if state["asleep"]:
        known.append(str(state["asleep"]))
    return {**state, "problems": _problems(asked, queues, known, await views.reasons(asked.db, MOST_REASONS))}


async def door(asked: Asked) -> Json:
    """Make an address that opens the web page once, within a minute; raises GiveUp when there is none."""
    address = asked.live.door() if asked.live else None
    if address is None:
        why = "the daemon does not run" if asked.live is None else "http.port is 0, or `dragoman status` says why"
        message = f"there is no web page now: {why}"
        raise GiveUp(message)
    return {"address": address, "seconds": 60}


def daemon_version() -> str:
    """Name the version that runs."""
    try:
        return version("dragoman")
    except PackageNotFoundError:  # run from a checkout that is not installed
        return "unknown"


def _daemon(live: Live | None, now: float) -> Json | None:
    if live is None:
        return None
    return {
        "pid": os.getpid(),
        "boot": live.boot,
        "started_at": live.started_at,
        "up_seconds": now - live.started_at,
        "tasks": len(asyncio.all_tasks()),
    }


def _line(line: LineState, now: float) -> Json:
    return {
        "name": line.name,
        "account": line.mailbox,
        "state": line.state,
        "since": line.since,
        "heard_at": line.heard_at,
        "inbound_age": None if line.heard_at is None else max(now - line.heard_at, 0.0),
        "trouble": line.trouble,
    }


async def _jobs(asked: Asked) -> Json:
    """Tell how many jobs there are, which comes next, and how late the ticker is with it."""
    row = (await asked.db.read(views.JOBS))[0]
    late = max(asked.now - row["next_due"], 0.0) if row["next_due"] is not None else 0.0
    return {"active": row["active"], "next_due": row["next_due"], "late_seconds": late}


def _depths(rows: list[Row], now: float) -> dict[str, Json]:
    depths: dict[str, Json] = {
        queue: {"ready": 0, "dead": 0, "unknown": 0, "oldest_seconds": None} for queue in ("inbox", "outbox")
    }
    for row in rows:
        depths[row["queue"]][row["state"]] = row["n"]
        if row["state"] == "ready":
            depths[row["queue"]]["oldest_seconds"] = max(now - row["oldest"], 0.0)
    return depths


async def _lanes(asked: Asked) -> list[Json]:
    """List lanes in work; without a daemon the leases that are left mean nothing."""
    if asked.live is None:
        return []
    return [
        {"queue": row["queue"], "lane": row["lane"], "turn": row["turn"], "turn_opened_at": row["opened_at"]}
        for row in await views.busy(asked.db)
    ]


def _problems(asked: Asked, queues: dict[str, Json], incidents: list[str], reasons: list[Row]) -> list[str]:
    found = list(incidents)
    if asked.live is None:
        found.append("the daemon is not running")
    else:
        lines = [line for line in asked.live.lines if line.state not in ("up", "paused")]  # somebody wanted that
        found += [f"{line.name} is {line.state}" + (f": {line.trouble}" if line.trouble else "") for line in lines]
        found += [f"{line.name}: {line.warning}" for line in asked.live.lines if line.warning]
        found += asked.live.troubles
    if asked.db.trouble:
        found.append(f"the store cannot be written: {asked.db.trouble}")
    for queue, depths in queues.items():
        for kind in ("dead", "unknown"):
            found += _given_up(queue, kind, depths[kind], reasons)
    return found


def _given_up(queue: str, kind: str, count: object, reasons: list[Row]) -> list[str]:
    """Say for the latest reasons how many rows have each and where it was last so; the others in one line."""
    found, told = [], 0
    for row in reasons:
        if (row["queue"], row["state"]) == (queue, kind):
            where = _where(row["lane"]) if queue == "outbox" else ""
            why = f" ({where}{row['why']})" if row["why"] else ""
            found.append(f"{row['n']} {queue} rows are {kind}{why}: `dragoman {queue} list` shows them")
            told += row["n"]
    if isinstance(count, int) and count > told:
        found.append(f"{count - told} {'more ' if told else ''}{queue} rows are {kind}: `dragoman {queue} list`")
    return found


def _where(lane: str) -> str:
    """Name the conversation of a row of the outbox as the configuration does."""
    platform, _, rest = lane.partition("/")
    chat = rest.partition("/")[2].partition("/")[0]
    return f"{platform}:{chat}: " if chat else ""


async def rows(asked: Asked) -> Json:
    """Hand over rows as they are, texts included: those new since some ids, those that wait, those that ended."""
    limit = whole(asked.args, "limit", 40, most=MOST)
    seen = views.Seen(
        inbox=whole(asked.args, "inbox", 0),
        outbox=whole(asked.args, "outbox", 0),
        steps=whole(asked.args, "steps", 0),
        at=instant(asked.args, "at"),
    )
    return {
        "at": asked.now,
        "inbox": [shown(row) for row in await views.newest(asked.db, "inbox", seen, limit)],
        "outbox": [shown(row) for row in await views.newest(asked.db, "outbox", seen, limit)],
        "steps": [step(row) for row in await views.newest_steps(asked.db, seen, limit)],
        "turns": [
            {name: row[name] for name in row.keys() if name != "conversation"}  # noqa: SIM118  # a Row iterates values
            for row in await views.newest_turns(asked.db, seen, limit)
        ],
        "lanes": [dict(row) for row in await views.lanes(asked.db, limit)],
    }
