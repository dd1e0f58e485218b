"""The floor: a daemon that polls, asks and edits as ours does, and keeps nothing; nobody can be faster on this wire."""

import asyncio
import json
import sys
from collections.abc import Mapping

import aiohttp

ENOUGH = 4096  # signs that a Telegram message holds


class Floor:
    """Answers every text: placeholder and model at once, then one edit."""

    def __init__(self, http: aiohttp.ClientSession, bot: str, model: str) -> None:
        self.http = http
        self.bot = bot
        self.model = model

    async def run(self) -> None:
        """Poll until killed."""
        offset = 0
        async with asyncio.TaskGroup() as group:
            while True:
                updates = await self.call("getUpdates", {"timeout": 25, "offset": offset})
                for update in updates if isinstance(updates, list) else []:
                    offset = update["update_id"] + 1
                    if "message" in update:
                        group.create_task(self.answer(update["message"]))

    async def answer(self, message: Mapping[str, Mapping[str, object]]) -> None:
        """Answer one message."""
        chat = message["chat"]["id"]
        placeholder = asyncio.create_task(self.call("sendMessage", {"chat_id": chat, "text": "…"}))
        text = await self.ask(str(message["text"]))
        sent = await placeholder
        number = sent["message_id"] if isinstance(sent, dict) else 0
        await self.call("editMessageText", {"chat_id": chat, "message_id": number, "text": text[:ENOUGH]})

    async def ask(self, text: str) -> str:
        """Stream one answer of the model."""
        body = {"model": "stand-in", "stream": True, "messages": [{"role": "user", "content": text}]}
        said = ""
        async with self.http.post(f"{self.model}/chat/completions", json=body) as response:
            async for line in response.content:
                if line.startswith(b"data: {"):
                    said += json.loads(line[6:])["choices"][0]["delta"].get("content", "")
        return said

    async def call(self, method: str, parameters: Mapping[str, object]) -> object:
        """Call a method of the Bot API and give its result."""
        async with self.http.post(f"{self.bot}/{method}", json=parameters) as response:
            result: object = (await response.json())["result"]
            return result


async def main(bot: str, model: str) -> None:
    """Serve one bot with one model."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:
        await Floor(http, bot, model).run()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:3]))
