"""Context files of a workspace: what whoever works there wants an assistant to know, capped and looked over."""

from pathlib import Path

from agent.context import shorten
from agent.plainfiles import read_text
from agent.screening import flaw

NAMES = ("AGENTS.md", ".cursorrules")
LONGEST = 20_000  # characters of one file in a prompt
_MOST_BYTES = 4 * LONGEST


def context_files(folder: Path) -> list[tuple[str, str]]:
    """Read the context files of a folder; one that should not be in a prompt is left out, and that is said."""
    found = []
    for name in NAMES:
        text = read_text(folder / name, _MOST_BYTES)
        if not text.strip():
            continue
        wrong = flaw(text)
        found.append((name, f"(left out: {wrong})" if wrong else shorten(text, LONGEST)))
    return found
