"""docs/requirements.md against the marks in the tests: `python -m tests.house.requirements [--promote]`."""

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from tests.house.sources import ROOT, Source, sources

MANIFEST = "docs/requirements.md"
LATER = ("Server", "Platforms", "Mail", "People", "Schedule", "Mind", "Hands")
PLANNED = "planned: Spine"
STATUSES = ("tested", PLANNED, *(f"later: {name}" for name in LATER))
ROW = re.compile(r"^\| (?P<id>[A-Z]\d[\d.]*) \| (?P<what>.+?) \| (?P<status>[^|]+?) \|$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One row: what must be true, and how far it is proved."""

    id: str
    what: str
    status: str


def manifest(text: str) -> tuple[Requirement, ...]:
    """The rows of the page; raises ValueError for an id that stands twice or a status that does not exist."""
    rows = tuple(Requirement(id=row["id"], what=row["what"], status=row["status"]) for row in ROW.finditer(text))
    twice = [name for name, count in Counter(row.id for row in rows).items() if count > 1]
    unknown = [f"{row.id}: {row.status}" for row in rows if row.status not in STATUSES]
    if twice or unknown:
        message = f"{MANIFEST}: twice {twice}, unknown status {unknown}"
        raise ValueError(message)
    return rows


def marks(source: Source) -> Iterator[tuple[str, str]]:
    """Every id that a test file names, with its `path:line`; an id that is no plain string is given as ""."""
    for node in source.nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.requirement"):
            for argument in node.args:
                plain = isinstance(argument, ast.Constant) and isinstance(argument.value, str)
                yield (str(argument.value) if plain else ""), f"{source.path}:{node.lineno}"  # type: ignore[attr-defined]


def proved() -> dict[str, list[str]]:
    """Which tests name which id."""
    found: dict[str, list[str]] = defaultdict(list)
    for source in sources():
        if source.test and source.python:
            for name, where in marks(source):
                found[name].append(where)
    return found


def rows() -> tuple[Requirement, ...]:
    """The rows of the page as it stands."""
    return manifest((ROOT / MANIFEST).read_text(encoding="utf-8"))


def unknown_ids() -> list[str]:
    """Marks that name no row of the page."""
    known = {row.id for row in rows()}
    return sorted(f"{where}: {name!r}" for name, places in proved().items() if name not in known for where in places)


def without_test(*statuses: str) -> list[str]:
    """Rows of these statuses that no test names."""
    tests = proved()
    return [f"{row.id} ({row.status}): {row.what}" for row in rows() if row.status in statuses and row.id not in tests]


def promote() -> list[str]:
    """Mark planned rows that have a test as tested; gives their ids."""
    tests = proved()
    ready = [row.id for row in rows() if row.status == PLANNED and row.id in tests]
    path = ROOT / MANIFEST
    text = path.read_text(encoding="utf-8")
    for name in ready:
        text = re.sub(rf"^(\| {re.escape(name)} \| .+? \| ){PLANNED} \|$", r"\1tested |", text, flags=re.MULTILINE)
    path.write_text(text, encoding="utf-8")
    return ready


def main() -> int:
    """Print what is missing; 1 if a tested row has no test or a test names an unknown id."""
    if "--promote" in sys.argv[1:]:
        print("now tested:", " ".join(promote()) or "nothing new")
    wrong = unknown_ids() + without_test("tested")
    for title, lines in (("wrong", wrong), ("planned, no test yet", without_test(PLANNED))):
        print(f"{title}: {len(lines)}", *(f"  {line}" for line in lines), sep="\n")
    counted = Counter(row.status for row in rows())
    print(", ".join(f"{counted[status]} {status}" for status in STATUSES if counted[status]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
