"""The daemon's rows as the page shows them: newest first, cut short, in one shape for all tables."""

import json
from collections.abc import Mapping, Sequence

LONGEST_TEXT = 240
TABLES = ("inbox", "steps", "outbox")

Row = Mapping[str, object]


def tables(result: Mapping[str, object]) -> Mapping[str, object]:
    """Shorten what the operation `rows` gave; `leased` names the lanes that are being worked."""
    shown: dict[str, object] = {name: [row(one) for one in newest(result.get(name))] for name in TABLES}
    shown["leased"] = [f"{lane['queue']}/{lane['lane']}" for lane in listed(result.get("lanes")) if lane.get("owner")]
    return shown


def newest(found: object) -> Sequence[Row]:
    """Give the rows of a table, newest first."""
    return sorted(listed(found), key=number, reverse=True)


def listed(found: object) -> list[Row]:
    """Give the members of a list that are rows."""
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def number(one: Row) -> int:
    """Give the number that grows from row to row."""
    found = one.get("id", one.get("seq"))
    return found if isinstance(found, int) else 0


def row(one: Row) -> Row:
    """Keep of a row what the page shows."""
    return {
        "id": number(one),
        "state": one.get("state") or one.get("role") or "",
        "kind": one.get("what") or one.get("kind") or "",
        "who": one.get("sender_name") or "",
        "turn": one.get("turn"),
        "lane": one.get("lane") or "",
        "at": one.get("created_at", one.get("at")),
        "done_at": one.get("finished_at"),
        "failures": one.get("failures") or 0,
        "deaths": one.get("deaths") or 0,
        "not_before": one.get("not_before") or 0,
        "why": cut(one.get("why")),
        "text": cut(words(one)),
    }


def words(one: Row) -> str:
    """Find the words of a row: its text, the tools it calls, the files it carries."""
    files = one.get("attachments")
    named = [f"[{name}]" for name in files] if isinstance(files, list) else []
    said = [str(one[name]) for name in ("text", "content") if one.get(name)]
    return " ".join([*said, *called(one.get("calls")), *named])


def called(calls: object) -> list[str]:
    """Name the tools that a step calls; each is stored as id, name, arguments."""
    try:
        asked: object = json.loads(calls) if isinstance(calls, str) and calls else []
    except ValueError:
        return []
    return [f"{call[1]}({call[2]})" for call in asked] if isinstance(asked, list) else []


def cut(text: object) -> str:
    """Shorten a text for a row."""
    found = text if isinstance(text, str) else ""
    return found if len(found) <= LONGEST_TEXT else found[: LONGEST_TEXT - 1] + "…"
