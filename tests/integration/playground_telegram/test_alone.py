"""`python -m playground.telegram` says where it is, serves, and keeps its state."""

import asyncio
import json
import sys
from pathlib import Path

from tests.integration.playground_telegram.api import Bot, ControlClient

PATIENCE = 10.0


async def started(*arguments: str) -> tuple[asyncio.subprocess.Process, dict[str, str]]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "playground.telegram", *arguments, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    line = await asyncio.wait_for(process.stdout.readline(), PATIENCE)
    return process, json.loads(line)


async def ended(process: asyncio.subprocess.Process) -> int:
    process.terminate()
    return await asyncio.wait_for(process.wait(), PATIENCE)


async def test_it_runs_alone_and_outlives_a_restart(tmp_path: Path, session) -> None:
    state = str(tmp_path / "telegram.json")
    process, first = await started("--port", "0", "--state", state)
    base, _, token = first["control"].partition("#")
    control = ControlClient(session, base, token)
    user = await control.act("create_user", first_name="Ann")
    await control.act("send_text", user=user["id"], text="hello")
    assert await Bot(session, first["url"], first["token"]).texts() == ["hello"]
    assert await ended(process) == 0
    process, second = await started("--state", state)
    assert second["token"] == first["token"]
    assert second["control"] != first["control"]
    assert await Bot(session, second["url"], second["token"]).texts() == ["hello"]
    assert await ended(process) == 0
