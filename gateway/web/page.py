"""The status page behind the login: plain HTML without a script, everything from outside escaped."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

Json = Mapping[str, object]
STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#2c2c2c}"
    "table{border-collapse:collapse;margin:.5rem 0 1.5rem}th,td{text-align:left;padding:.2rem 1.2rem .2rem 0}"
    "th{color:#6e6e6e;font-weight:500}.wrong{color:#b00020}button{font:inherit}"
    "@media(prefers-color-scheme:dark){body{background:#1c1c1c;color:#ddd}th{color:#9e9e9e}.wrong{color:#ff8a80}}"
)


def page(state: Json) -> str:
    """Show what `dragoman status` shows."""
    problems = _texts(state.get("problems"))
    life = state.get("daemon")
    up = f", up {_span(life.get('up_seconds'))}" if isinstance(life, Mapping) else ""
    body = [
        f"<h1>dragoman {_text(state.get('version'))}{up}</h1>",
        _list("Wrong", problems) if problems else "<p>All is well.</p>",
        _table("Platforms", ("platform", "state", "last heard", "trouble"), _platforms(state)),
        _table("Queues", ("queue", "waiting", "oldest", "dead", "unknown"), _queues(state)),
        _list("Not in this version yet", _texts(state.get("not_yet"))),
        '<form method="post" action="/logout"><button>Log out</button></form>',
    ]
    head = (
        f'<meta charset="utf-8"><meta http-equiv="refresh" content="10"><title>dragoman</title><style>{STYLE}</style>'
    )
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(body)}</body></html>\n'


def _platforms(state: Json) -> list[list[object]]:
    return [
        [one["name"], one["state"], f"{_span(one['inbound_age'])} ago" if one["heard_at"] else "never", one["trouble"]]
        for one in _objects(state.get("platforms"))
    ]


def _queues(state: Json) -> list[list[object]]:
    queues = state.get("queues")
    return [
        [name, one["ready"], _span(one["oldest_seconds"]), one["dead"], one["unknown"]]
        for name, one in (queues.items() if isinstance(queues, Mapping) else ())
    ]


def _table(title: str, headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    head = "".join(f"<th>{heading}</th>" for heading in headings)
    lines = "".join("<tr>" + "".join(f"<td>{_text(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<h2>{title}</h2><table><tr>{head}</tr>{lines}</table>"


def _list(title: str, texts: Sequence[str]) -> str:
    mark = ' class="wrong"' if title == "Wrong" else ""
    lines = "".join(f"<li>{_text(text)}</li>" for text in texts)
    return f"<h2{mark}>{title}</h2><ul>{lines}</ul>" if texts else ""


def _text(value: object) -> str:
    return escape("" if value is None else str(value))


def _texts(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, Sequence) and not isinstance(value, str) else []


def _objects(value: object) -> list[Json]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, Sequence) else []


def _span(seconds: object) -> str:
    if not isinstance(seconds, int | float):
        return "-"
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size:.0f} {unit}"
    return f"{max(seconds, 0):.0f} s"
