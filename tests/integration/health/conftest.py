"""A house with its web server on a free port, and a service manager that writes down what it hears."""

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import pytest

from tests.harness.house import House, running
from tests.harness.ports import free_port

BOUND = 15.0


class Answer(NamedTuple):
    status: int
    text: str
    headers: Mapping[str, str]


class Browser:
    """Asks the web server of a house; sends what it is told to send and keeps no cookies."""

    def __init__(self, house: House, port: int, session: aiohttp.ClientSession) -> None:
        self.house = house
        self.port = port
        self._session = session

    @property
    def token(self) -> str:
        return (self.house.root / "http-token").read_text().strip()

    async def get(self, path: str, method: str = "GET", **headers: str) -> Answer:
        url = path if path.startswith("http") else f"http://127.0.0.1:{self.port}{path}"
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        async with self._session.request(method, url, headers=named, allow_redirects=False) as answer:
            return Answer(answer.status, await answer.text(), answer.headers)

    async def with_token(self, path: str, method: str = "GET", **headers: str) -> Answer:
        return await self.get(path, method, Authorization=f"Bearer {self.token}", **headers)

    async def until(self, path: str, status: int) -> Answer:
        """Ask until an answer has a status."""
        async with asyncio.timeout(BOUND):
            while (answer := await self.get(path)).status != status:
                await asyncio.sleep(TICK)
        return answer


TICK = 0.02  # seconds between two questions


@asynccontextmanager
async def served(root: Path, settings: Mapping[str, Any] | None = None) -> AsyncIterator[Browser]:
    """A house whose web server is up."""
    port = free_port()
    http = {"port": port, **(settings or {}).get("http", {})}
    async with running(root, {**(settings or {}), "http": http}) as house, aiohttp.ClientSession() as session:
        assert house.app is not None
        async with asyncio.timeout(BOUND):
            await house.app.front.up.wait()
        yield Browser(house, port, session)


@pytest.fixture
async def browser(tmp_path: Path) -> AsyncIterator[Browser]:
    async with served(tmp_path) as found:
        yield found


class Ear:
    """A service manager's socket, in the abstract namespace as some managers have it."""

    def __init__(self) -> None:
        self.address = f"@dragoman-{secrets.token_hex(8)}"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(f"\0{self.address[1:]}")
        self._socket.setblocking(False)
        self.heard: list[str] = []

    def listen(self) -> list[str]:
        """Take in what has arrived, line by line."""
        while True:
            try:
                self.heard += self._socket.recv(65536).decode().split("\n")
            except BlockingIOError:
                return self.heard

    async def hears(self, wanted: Callable[[str], object], *, after: int = 0) -> str:
        """Wait for a line."""
        async with asyncio.timeout(BOUND):
            while True:
                found = next((line for line in self.listen()[after:] if wanted(line)), None)
                if found is not None:
                    return found
                await asyncio.sleep(TICK)

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def ear() -> Iterator[Ear]:
    made = Ear()
    yield made
    made.close()
