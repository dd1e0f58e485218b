"""Every tracked file, read and parsed once."""

import ast
import subprocess
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ("gateway", "agent", "adapters", "cron", "playground", "bench")
SUFFIXES = {".py", ".md", ".toml", ".json", ".sql", ".html", ".css", ".js", ".sh", ".lock", ".service", ""}


@dataclass(frozen=True, kw_only=True)
class Source:
    """One tracked text file; `path` is relative to the root, with slashes."""

    path: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their ends."""
        return self.text.splitlines()

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree of a Python file."""
        return ast.parse(self.text, self.path)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of the tree."""
        return tuple(ast.walk(self.tree))

    @property
    def python(self) -> bool:
        """Whether it is Python."""
        return self.path.endswith(".py")

    @property
    def shipped(self) -> bool:
        """Whether it is part of what users run."""
        return self.path.split("/")[0] in SHIPPED

    @property
    def test(self) -> bool:
        """Whether it is part of the tests."""
        return self.path.startswith("tests/")


@cache
def sources() -> tuple[Source, ...]:
    """All text files that are tracked or about to be."""
    found = []
    for name in _names():
        path = ROOT / name
        if path.suffix in SUFFIXES and path.is_file():
            found.append(Source(path=name, text=path.read_text(encoding="utf-8", errors="replace")))
    return tuple(found)


def _names() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode == 0:
        return sorted(set(listed.stdout.split("\n")) - {""})
    hidden = {".venv", ".git", "__pycache__", "build", "dist"}  # an unpacked archive has no list of its own
    paths = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
    return sorted(path.as_posix() for path in paths if not hidden & set(path.parts))
