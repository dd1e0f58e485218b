"""The mind without a house: the README's lines work as they stand there."""

import asyncio
import re
import sys
from pathlib import Path

import pytest

from playground.model import StandIn

KEY = "9f2kEyNobodyMaySee77"  # the only one that the stand-in takes here
README = Path(__file__).parents[3] / "README.md"


@pytest.mark.requirement("S40")
async def test_the_lines_of_the_readme_answer(provider: StandIn) -> None:
    (lines,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    code = lines.replace("http://127.0.0.1:11434/v1", provider.url).replace('api_key=""', f'api_key="{KEY}"')
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", code), stdout=asyncio.subprocess.PIPE, cwd=README.parent
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    assert b"You wrote" in out
