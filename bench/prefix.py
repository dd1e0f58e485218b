"""`python -m bench.prefix [MESSAGES]`: how much of each request is, byte for byte, the request before it; prints JSON.

A provider that caches prefixes reads that part for a fraction of the price.
"""

import asyncio
import json
import statistics
import sys
from collections import deque
from collections.abc import Sequence
from itertools import pairwise

from bench.side import HERE, Kind, opened
from playground.model import Recorded

MESSAGES = 40


async def measure(messages: int) -> dict[str, float]:
    """Hold one talk with a daemon and compare each request with the one before."""
    async with opened(Kind(name="dragoman", checkout=HERE)) as side:
        side.model.requests = deque(maxlen=messages)
        await side.start()
        (phone,) = side.invite(1)
        for _ in range(messages):
            await side.ask(phone)
        return compare([_bytes(one) for one in side.model.requests if "tools" in one.body])  # not what is asked aside


def compare(bodies: Sequence[bytes]) -> dict[str, float]:
    """Give the share of the request before that each one begins with, and the share of each that is new."""
    pairs = [(before, after, _shared(before, after)) for before, after in pairwise(bodies)]
    return {
        "requests": len(bodies),
        "kept.least": round(min(shared / len(before) for before, _, shared in pairs), 4),
        "new.median": round(statistics.median(1 - shared / len(after) for _, after, shared in pairs), 4),
        "bytes.last": len(bodies[-1]),
    }


def _shared(before: bytes, after: bytes) -> int:
    return next((n for n, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), len(before))


def _bytes(request: Recorded) -> bytes:
    """Write what a provider reads, without what closes the last brackets."""
    body = dict(request.body)
    messages = body.pop("messages")
    return json.dumps([body, messages]).encode().rstrip(b"]")


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else MESSAGES))))
