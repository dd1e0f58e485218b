"""Asks the daemon over its control socket: one JSON line there, one JSON line back, within a bound."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

PATIENCE = 2.0
LONGEST_ANSWER = 32 * 2**20


class Unreachable(Exception):
    """The daemon is down, or said that it can't; the page shows what it last knew."""


class Control:
    """The control socket of one daemon, found at the first of its possible places."""

    def __init__(self, places: Callable[[], Sequence[Path]]) -> None:
        self.places = places

    async def ask(self, op: str, **args: object) -> Mapping[str, object]:
        """Give the result of one operation; raises `Unreachable`."""
        try:
            async with asyncio.timeout(PATIENCE):
                answer = await self._exchange({"op": op, "args": args})
        except (OSError, TimeoutError, ValueError) as error:
            raise Unreachable(f"{op}: {error or type(error).__name__}") from error
        if not isinstance(answer, dict) or not answer.get("ok"):
            raise Unreachable(f"{op}: {answer!r:.200}")
        result = answer.get("result")
        return result if isinstance(result, dict) else {"listed": result}

    async def _exchange(self, question: Mapping[str, object]) -> object:
        reader, writer = await asyncio.open_unix_connection(str(self._place()), limit=LONGEST_ANSWER)
        try:
            writer.write(json.dumps(question).encode() + b"\n")
            await writer.drain()
            answer: object = json.loads(await reader.readline())
            return answer
        finally:
            writer.close()

    def _place(self) -> Path:
        for place in self.places():
            if place.is_socket():
                return place
        raise FileNotFoundError("there is no control socket")
