"""The bot's side and the control API by hand, without any library of Discord's."""

import json
import zlib
from typing import Any

import aiohttp

from playground.discord import Emulator


class Bot:
    """Calls of the REST API and a bare socket of the gateway."""

    def __init__(self, emulator: Emulator, session: aiohttp.ClientSession) -> None:
        self.emulator = emulator
        self.session = session

    async def call(self, method: str, path: str, body: object = None, *, token: str = "") -> tuple[int, Any]:
        """Make a call; gives status and JSON."""
        headers = {"Authorization": f"Bot {token or self.emulator.token}"}
        url = f"{self.emulator.url}{path}"
        async with self.session.request(method, url, json=body, headers=headers) as response:
            text = await response.text()
            return response.status, json.loads(text) if text else None

    async def post(self, channel: int, **body: object) -> tuple[int, Any]:
        """Post a message."""
        return await self.call("POST", f"/channels/{channel}/messages", body)

    async def act(self, act: str, /, **body: object) -> Any:
        """Do an act over the control API."""
        headers = {"X-Playground-Token": self.emulator.control_token}
        async with self.session.post(f"{self.emulator.control_url}{act}", json=body, headers=headers) as response:
            answer = await response.json()
            assert answer["ok"], answer
            return answer["result"]

    async def look(self, path: str) -> Any:
        """Look over the control API."""
        headers = {"X-Playground-Token": self.emulator.control_token}
        async with self.session.get(f"{self.emulator.control_url}{path}", headers=headers) as response:
            return await response.json()

    async def socket(self, *, compress: bool = False) -> "Socket":
        """Open the gateway and read its hello."""
        query = "?v=10&encoding=json" + ("&compress=zlib-stream" if compress else "")
        socket = Socket(await self.session.ws_connect(self.emulator.gateway_url + query))
        assert (await socket.get())["op"] == 10
        return socket


class Socket:
    """One connection to the gateway."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.unpacker = zlib.decompressobj()

    async def send(self, op: int, data: object) -> None:
        """Send a frame."""
        await self.socket.send_json({"op": op, "d": data})

    async def get(self) -> Any:
        """Receive a frame; a close gives its code."""
        message = await self.socket.receive(timeout=5)
        if message.type is aiohttp.WSMsgType.BINARY:
            return json.loads(self.unpacker.decompress(message.data))
        if message.type is aiohttp.WSMsgType.TEXT:
            return json.loads(message.data)
        return {"closed": self.socket.close_code}

    async def identify(self, token: str, intents: int = 1 << 9 | 1 << 12 | 1) -> Any:
        """Begin a session; gives what comes back."""
        await self.send(2, {"token": token, "intents": intents, "properties": {}})
        return await self.get()
