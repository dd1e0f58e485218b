"""The daemon's rows as the page shows them: short, in one shape for all tables, whatever else the daemon tells."""

import json
from collections.abc import Mapping, Sequence

LONGEST_TEXT = 240
SHOWN_ROWS = 60
TABLES = ("inbox", "steps", "outbox")

Row = Mapping[str, object]


def tables(result: Mapping[str, object]) -> Mapping[str, object]:
    """Shorten what the operation `rows` gave: newest rows first, texts cut, leased lanes told apart."""
    shown: dict[str, object] = {name: [row(one) for one in newest(result.get(name))] for name in TABLES}
    shown["leased"] = [
        f"{lane.get('queue', 'inbox')}/{lane.get('lane', '')}" for lane in listed(result.get("lanes")) if busy(lane)
    ]
    return shown


def newest(found: object) -> Sequence[Row]:
    """Give the newest rows of a table, newest first."""
    return sorted(listed(found), key=place, reverse=True)[:SHOWN_ROWS]


def listed(found: object) -> list[Row]:
    """Give the members of a list that are rows."""
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def place(one: Row) -> float:
    """Give what orders a row: its number, which grows."""
    number = one.get("id", one.get("seq"))
    return number if isinstance(number, int | float) else 0


def row(one: Row) -> Row:
    """Keep of a row what the page shows."""
    return {
        "id": one.get("id", one.get("seq")),
        "n": one.get("n"),
        "state": one.get("state") or one.get("role") or "",
        "turn": one.get("turn"),
        "lane": one.get("lane") or "",
        "at": one.get("created_at", one.get("at")),
        "done_at": one.get("finished_at"),
        "failures": one.get("failures") or 0,
        "deaths": one.get("deaths") or 0,
        "not_before": one.get("not_before") or 0,
        "why": cut(one.get("why")),
        "text": cut(text_of(one)),
    }


def busy(lane: Row) -> bool:
    """Tell whether somebody works a lane now."""
    return bool(lane.get("owner") or lane.get("leased"))


def text_of(one: Row) -> object:
    """Find the words of a row: its own text, or what its body holds."""
    if one.get("text") or one.get("content"):
        return one.get("text") or one.get("content")
    if one.get("calls"):
        return calls(one["calls"])
    body = parsed(one.get("body"))
    return deep(body) if body is not None else one.get("body")


def calls(found: object) -> object:
    """Name the tools that a step calls."""
    asked = parsed(found) if isinstance(found, str) else found
    if not isinstance(asked, list):
        return found
    return ", ".join(f"{one.get('name')}({one.get('arguments', '')})" for one in asked if isinstance(one, dict))


def parsed(body: object) -> object:
    """Read a body that is JSON; nothing when it isn't."""
    if not isinstance(body, str):
        return body
    try:
        found: object = json.loads(body)
    except ValueError:
        return None
    return found


def deep(body: object) -> object:
    """Find the text in a body: its own, or that of the message inside it."""
    if not isinstance(body, dict):
        return ""
    for name in ("text", "markdown", "content"):
        if isinstance(body.get(name), str) and body[name]:
            return body[name]
    for inner in body.values():
        found = deep(inner)
        if found:
            return found
    return ""


def cut(text: object) -> str:
    """Shorten a text for a row."""
    words = text if isinstance(text, str) else "" if text is None else json.dumps(text)
    return words if len(words) <= LONGEST_TEXT else words[: LONGEST_TEXT - 1] + "…"
