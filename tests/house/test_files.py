"""What may stand in a tracked file at all, whatever its kind."""

import re

import pytest

from tests.house.sources import ROOT, Source, sources

# Put together from pieces, so that this file does not hold what it looks for.
MACHINE_PATHS = re.compile(r"/(work|farm|root|home/\w+|opt/wheels|opt/pypi)/|/tmp/" + r"(wt|venv)\b")
WORKPLACE = re.compile(
    r"\bsub" + r"agents?\b|\bwork" + r"trees?\b|\bissues " + r"show\b|before-" + r"stop|\bas an AI (language )?model",
    re.IGNORECASE,
)
INDEXES = re.compile(r"(^|\s)--(extra-)?index" + r"-url|(^|\s)--find" + r"-links|https?://[^\s\"']+/(simple|packages)/")
CONFLICT = re.compile(r"^(<{7}|>{7}) ", re.MULTILINE)

BREAKS = [
    (MACHINE_PATHS, "see /wo" + "rk/main"),
    (MACHINE_PATHS, "python /tmp/" + "venv/bin/python"),
    (WORKPLACE, "told by a sub" + "agent"),
    (INDEXES, "pip install --index" + "-url x"),
    (INDEXES, "https://example.org/sim" + "ple/aiohttp"),
    (CONFLICT, "<<<<<<" + "< HEAD"),
]


@pytest.mark.parametrize(
    "pattern", [MACHINE_PATHS, WORKPLACE, INDEXES, CONFLICT], ids=["paths", "workplace", "index", "conflict"]
)
def test_no_file_tells_of_the_machine_it_was_written_on(pattern: re.Pattern[str]) -> None:
    found = [f"{source.path}: {hit[0].strip()!r}" for source in sources() for hit in pattern.finditer(source.text)]
    assert not found


@pytest.mark.parametrize(("pattern", "text"), BREAKS)
def test_each_pattern_sees_what_it_is_for(pattern: re.Pattern[str], text: str) -> None:
    assert pattern.search(text)


def test_names_of_files_hold_no_space_and_nothing_but_ascii() -> None:
    assert not [source.path for source in sources() if not source.path.isascii() or " " in source.path]


def test_text_files_are_utf8_and_end_with_one_line_end() -> None:
    assert not [source.path for source in sources() if "\ufffd" in source.text or not _ends_well(source)]


def _ends_well(source: Source) -> bool:
    return not source.text or (source.text.endswith("\n") and not source.text.endswith("\n\n"))


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_every_locked_version_has_a_hash_and_no_address(name: str) -> None:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    entries = [line for line in lines if not line.startswith((" ", "#"))]
    assert all("==" in line and line.endswith("\\") for line in entries)
    assert not [line for line in lines if "://" in line]


def test_the_lock_holds_every_dependency() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    named = set(re.findall(r'^ {2}"([A-Za-z0-9._-]+)[^"]*>=', project, re.MULTILINE))
    named |= set(re.findall(r'"([A-Za-z0-9._-]+)>=', project))
    locked = {
        line.split("==")[0].split("[")[0].lower().replace("_", "-").replace(".", "-")
        for line in (ROOT / "requirements-dev.lock").read_text(encoding="utf-8").splitlines()
        if "==" in line
    }
    assert {name.lower().replace("_", "-").replace(".", "-") for name in named} <= locked
