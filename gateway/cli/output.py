"""What commands print: tables for people, JSON for scripts; nothing from outside can steer the terminal."""

import json
import os
import re
import sys
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

# control characters, those that turn the direction of writing, and halves of characters
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
PIPED_WIDTH = 160  # columns of a table that no terminal shows
LEAST_WIDTH = 10  # of the last column

Json = dict[str, object]


def clean(text: object) -> str:
    """Take out of a text whatever could steer a terminal; lines and tabs stay."""
    return UNSAFE.sub("", "" if text is None else str(text))


def line(text: object, most: int = 200) -> str:
    """Make a text one clean line of at most so many characters."""
    flat = " ".join(clean(text).split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"


def plain() -> bool:
    """Whether whoever looks wants no colours (no-color.org)."""
    return bool(os.environ.get("NO_COLOR"))


def say(text: object = "") -> None:
    """Print a clean text."""
    print(clean(text))


def print_json(value: object) -> None:
    """Print JSON; what is unsafe on a terminal is written as an escape, which means the same."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    print(UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def print_table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table; cells are clean single lines, and the last column gives way when space is short."""
    from rich.console import Console  # noqa: PLC0415  # takes longer to import than most commands to run
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    width = None if sys.stdout.isatty() else PIPED_WIDTH
    console = Console(width=width, highlight=False, color_system=None if plain() else "auto")
    cells = [[Text(line(cell)) for cell in row] for row in rows]
    titles = [Text(heading) for heading in headings]
    columns = list(zip(titles, *cells, strict=True))
    taken = sum(max(text.cell_len for text in column) + 2 for column in columns[:-1])
    room = max(console.width - taken, LEAST_WIDTH)  # rich would squeeze the other columns just as much
    table = Table(box=None, pad_edge=False, header_style="bold", show_header=any(headings))
    for number, title in enumerate(titles):
        last = number == len(titles) - 1
        table.add_column(title, no_wrap=True, overflow="ellipsis", max_width=room if last else None)
    for row in cells:
        table.add_row(*row)
    console.print(table)


def at(instant: object) -> str:
    """Write an instant as local time, with the day unless it is today."""
    if not isinstance(instant, int | float) or instant <= 0:
        return "-"
    local = datetime.fromtimestamp(instant, UTC).astimezone()
    today = datetime.now(UTC).astimezone().date()
    return f"{local:%H:%M:%S}" if local.date() == today else f"{local:%d %b %H:%M:%S}"


def ago(instant: object) -> str:
    """Write how long ago an instant is."""
    return span(time.time() - instant) if isinstance(instant, int | float) and instant > 0 else "-"


def size(count: object) -> str:
    """Write a number of bytes in its largest fitting unit."""
    if not isinstance(count, int | float):
        return "-"
    for unit, power in (("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if count >= 2**power:
            return f"{count / 2**power:.1f} {unit}"
    return f"{count:.0f} B"


def span(seconds: object) -> str:
    """Write a length of time in its largest fitting unit."""
    if not isinstance(seconds, int | float):
        return "-"
    whole = max(int(seconds), 0)
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if whole >= 2 * size:
            return f"{whole // size} {unit}"
    return f"{whole} s"
