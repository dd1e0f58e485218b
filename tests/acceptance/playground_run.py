"""The playground as a person starts it: a process of its own, whose first http address is the page's."""

import asyncio
import json
import os
import re
import select
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp

ROOT = Path(__file__).parent.parent.parent
ADDRESS = re.compile(r"(http://127\.0\.0\.1:\d+)/#([\w-]{20,})")
PATIENCE = 30.0
HEADER = "X-Playground-Token"


class Playground:
    """A running playground: what it printed, and calls of its page's server."""

    def __init__(self, process: asyncio.subprocess.Process, session: aiohttp.ClientSession) -> None:
        self.process = process
        self.session = session
        self.printed = ""
        self.base = self.token = ""

    @property
    def address(self) -> str:
        """Give the page's address."""
        return f"{self.base}/#{self.token}"

    async def ready(self) -> None:
        """Read what is printed until the first http address, which is the page's."""
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            while "http" not in self.printed:
                line = await self.process.stdout.readline()
                assert line, self.printed
                self.printed += line.decode()
        found = ADDRESS.search(self.printed)
        assert found, self.printed
        self.base, self.token = found[1], found[2]

    async def post(self, path: str, **body: object) -> Mapping[str, object]:
        """Do something through the page's server."""
        headers = {HEADER: self.token}
        async with self.session.post(f"{self.base}/api/{path}", json=body, headers=headers) as response:
            answer = await response.json()
            assert isinstance(answer, dict)
            return answer

    @asynccontextmanager
    async def stream(self) -> AsyncIterator["Stream"]:
        """Listen as the page does."""
        async with self.session.get(f"{self.base}/api/stream", headers={HEADER: self.token}) as response:
            yield Stream(response)

    async def daemon(self, *, other_than: int = 0) -> int:
        """Wait until the daemon is up, and give its process id."""
        async with self.stream() as stream:
            async for news in stream:
                value = news.get("value")
                if news["kind"] == "daemon" and isinstance(value, dict):
                    if value["state"] == "up" and value["pid"] != other_than:
                        return int(value["pid"])
                    assert value["state"] != "refused", value
        raise AssertionError("the stream has ended")

    async def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Tell the playground to end, and give its exit code."""
        self.process.send_signal(number)
        assert self.process.stdout is not None
        self.printed += (await asyncio.wait_for(self.process.stdout.read(), PATIENCE)).decode()
        return await asyncio.wait_for(self.process.wait(), PATIENCE)


class Stream:
    """The messages that an open page gets, within a bound."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self.response = response

    async def __aiter__(self) -> AsyncIterator[Mapping[str, object]]:
        async with asyncio.timeout(PATIENCE):
            async for line in self.response.content:
                yield json.loads(line)


@asynccontextmanager
async def playing(home: Path, *options: str, environment: Mapping[str, str] | None = None) -> AsyncIterator[Playground]:
    """Run a playground on any free port; it is gone afterwards."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "playground", "--home", str(home), "--port", "0", *options),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, **(environment or {})},
        limit=2**22,
    )
    async with aiohttp.ClientSession() as session:
        playground = Playground(process, session)
        try:
            await playground.ready()
            yield playground
        finally:
            if process.returncode is None:
                await playground.end()


def gone(watch: int) -> bool:
    """Wait until the process behind a pidfd has ended."""
    ready, _, _ = select.select([watch], [], [], PATIENCE)
    os.close(watch)
    return bool(ready)
