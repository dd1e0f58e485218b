"""What is stored about a person, to be read: their talks as they were led, the rest as lists."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from gateway.cli.output import Json, line

TALKED = {"user": "They", "assistant": "I", "tool": "A tool"}
INSTANTS = ("at", "until", "since")
LONGEST = 2000


def portrait(whole: Mapping[str, Sequence[Json]], files: Mapping[str, str]) -> str:
    """Write all of it as Markdown."""
    titles = {str(one["id"]): one for one in whole["sessions"]}
    parts = ["# What is stored about this person", ""]
    for name, rows in whole.items():
        if rows and name not in ("sessions", "words"):
            parts += [f"## {name.capitalize()}", "", *(f"- {_listed(one)}" for one in rows), ""]
    session = None
    for one in whole["words"]:
        if one["session"] != session:
            session = one["session"]
            about = titles.get(str(session), {})
            parts += [f"## Talk: {line(about.get('title') or session)} ({_at(one['at'])} UTC)", ""]
        parts += [f"**{TALKED.get(str(one['role']), line(one['role']))}**: {_words(one)}", ""]
    for name, text in files.items():
        parts += [f"## File: {line(name)}", "", *(f"    {row}" for row in text.splitlines()), ""]
    return "\n".join(parts)


def _words(step: Json) -> str:
    calls = f" `{line(json.dumps(step['calls'], ensure_ascii=False), LONGEST)}`" if step.get("calls") else ""
    return f"{step.get('content') or ''}{calls}"


def _listed(row: Json) -> str:
    return "; ".join(f"{name}: {_shown(name, value)}" for name, value in row.items())


def _shown(name: str, value: object) -> str:
    if isinstance(value, float) and (name.endswith("_at") or name in INSTANTS or name == "next_due"):
        return _at(value)
    return line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), LONGEST)


def _at(at: object) -> str:
    return datetime.fromtimestamp(float(str(at)), UTC).strftime("%Y-%m-%d %H:%M")
