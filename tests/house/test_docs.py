"""The documents point at what exists, and open with what a newcomer types."""

import re

import pytest

from tests.house.requirements import LATER
from tests.house.sources import ROOT, Source, sources

LINK = re.compile(r"\]\((?!https?://|mailto:)([^)#\s]+)(#[^)\s]*)?\)")
TEST = re.compile(r"`(tests/[\w/.]+\.py)(?:::(\w+))?`")
PAGES = [source for source in sources() if source.path.endswith(".md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path)
def test_every_link_between_pages_leads_somewhere(page: Source) -> None:
    folder = (ROOT / page.path).parent
    assert not [hit[1] for hit in LINK.finditer(page.text) if not (folder / hit[1]).exists()]


def test_the_readme_opens_with_its_two_commands() -> None:
    head = "\n".join((ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:20])
    assert "make run" in head
    assert "make test" in head
    assert "pip install" in head


def test_every_threat_names_its_test_or_who_brings_it() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| T")]
    assert len(rows) >= 12
    for row in rows:
        named = TEST.findall(row[-1])
        later = any(f"later: {name}" in row[-1] for name in LATER)
        assert named or later or "planned: Spine" in row[-1], row
        for path, function in named:
            assert (ROOT / path).is_file(), f"{row[0]}: {path}"
            assert function in (ROOT / path).read_text(encoding="utf-8"), f"{row[0]}: {path}::{function}"


def test_the_map_names_every_floor_that_is_held() -> None:
    floors = (ROOT / ".importlinter").read_text(encoding="utf-8")
    named = set(re.findall(r"gateway\.(\w+)", floors)) - {"oddity"}
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert not [name for name in sorted(named) if name not in page]
