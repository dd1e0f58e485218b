"""Looking into the past is quick however much was said; `SOAK=1` looks among a million lines."""

import os
from pathlib import Path

import pytest

from bench.search import measure

LINES = 1_000_000 if os.environ.get("SOAK") else 20_000


@pytest.mark.requirement("C10.3")
async def test_words_are_found_within_50_milliseconds(tmp_path: Path) -> None:
    figures = await measure(tmp_path / "state.db", LINES)
    assert figures["slowest_ms"] <= 50, figures
