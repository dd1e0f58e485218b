"""Two plain clients of the emulator: the bot's, and the one of the control API."""

import json
from typing import Any

import aiohttp


class Refused(Exception):
    """An answer with `ok: false`."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        super().__init__(body.get("description", body.get("error", "")))
        self.status = status
        self.body = body
        self.words = str(self)


class Bot:
    """Calls methods of the Bot API and gives their results."""

    def __init__(self, session: aiohttp.ClientSession, base: str, token: str) -> None:
        self.session = session
        self.base = base
        self.token = token

    async def __call__(self, method: str, /, **params: object) -> Any:
        async with self.session.post(f"{self.base}/bot{self.token}/{method}", json=params) as response:
            return await read(response)

    async def form(self, method: str, fields: dict[str, object], **files: tuple[str, bytes]) -> Any:
        form = aiohttp.FormData()
        for name, value in fields.items():
            form.add_field(name, value if isinstance(value, str) else json.dumps(value))
        for name, (filename, content) in files.items():
            form.add_field(name, content, filename=filename)
        async with self.session.post(f"{self.base}/bot{self.token}/{method}", data=form) as response:
            return await read(response)

    async def texts(self, **params: object) -> list[str]:
        """The texts of the waiting messages, confirmed by nobody."""
        return [update["message"]["text"] for update in await self("getUpdates", **params)]


class ControlClient:
    """Does acts and looks at things over the control API."""

    def __init__(self, session: aiohttp.ClientSession, base: str, token: str) -> None:
        self.session = session
        self.base = base
        self.headers = {"X-Playground-Token": token}

    async def act(self, name: str, /, **body: object) -> Any:
        async with self.session.post(f"{self.base}{name}", json=body, headers=self.headers) as response:
            return await read(response)

    async def see(self, path: str) -> Any:
        async with self.session.get(f"{self.base}{path}", headers=self.headers) as response:
            assert response.status == 200, await response.text()
            return await response.json()


async def read(response: aiohttp.ClientResponse) -> Any:
    body = await response.json()
    if not body["ok"]:
        raise Refused(response.status, body)
    assert response.status == 200
    return body["result"]
