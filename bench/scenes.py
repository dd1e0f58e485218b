"""What is measured: each scene takes every side in turn, so that a noisy machine is noisy for all of them.

A scene gives, for each side, the figures by their names in the table of budgets.
"""

import asyncio
import statistics
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from bench.platforms import all_platforms
from bench.side import Answered, Kind, Side, opened
from playground.model import Pace

Figures = dict[str, float]
SETTLE_SECONDS = 2.0  # after a start or a load, until the last thread has done its last work
FIFTY = 50
THINKING = Pace(first=2.0, chunks=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How long to look: more of it gives steadier figures."""

    starts: int
    idle: float  # seconds
    alone: int  # rounds of fifty messages, one after the other
    together: int  # rounds of fifty messages, all at the same instant
    crowd: int  # chats that wait for a thinking model
    flow: int  # messages of each of 200 chats that never pause


FULL = Sizes(starts=7, idle=20.0, alone=10, together=16, crowd=1000, flow=5)
QUICK = Sizes(starts=3, idle=5.0, alone=3, together=6, crowd=1000, flow=2)


async def measure(kinds: Sequence[Kind], sizes: Sizes) -> dict[str, Figures]:
    """Run all scenes; gives the figures by side."""
    figures: dict[str, Figures] = {kind.name: {} for kind in kinds}
    await starts(kinds, sizes, figures)
    _say("all platforms at once")
    for kind in kinds:
        if kind.checkout is not None:  # the floor knows Telegram only
            figures[kind.name] |= await all_platforms(kind, starts=sizes.starts, idle=sizes.idle)
    await talks(kinds, sizes, figures)
    _say("a thousand chats and a model that thinks")
    for kind in kinds:
        figures[kind.name] |= await crowd(kind, sizes)
    return figures


def _say(what: str) -> None:
    print(f"bench: {what} …", file=sys.stderr, flush=True)


async def starts(kinds: Sequence[Kind], sizes: Sizes, figures: dict[str, Figures]) -> None:
    """From the start of the process to the first complete reply; the message waits already."""
    _say("starts")
    seconds: dict[str, list[float]] = {kind.name: [] for kind in kinds}
    for _ in range(sizes.starts):
        for kind in kinds:
            async with opened(kind) as side:
                (phone,) = side.invite(1)
                answer = asyncio.create_task(side.ask(phone))
                await asyncio.sleep(0)
                began = time.perf_counter()
                await side.start()
                await answer
                seconds[kind.name].append(time.perf_counter() - began)
    for name, found in seconds.items():
        figures[name] |= {"start": statistics.median(found), "start.best": min(found)}


async def talks(kinds: Sequence[Kind], sizes: Sizes, figures: dict[str, Figures]) -> None:
    """Idle, then one chat after the other, then fifty at once, then two hundred without a pause."""
    async with AsyncExitStack() as stack:
        sides = [await stack.enter_async_context(opened(kind)) for kind in kinds]
        for side in sides:
            await side.start()
            await side.ask(*side.invite(1))
        _say("idle")
        for side in sides:
            figures[side.kind.name] |= await idle(side, sizes.idle)
        _say("one chat at a time")
        for found, side in zip(await alone(sides, sizes.alone), sides, strict=True):
            figures[side.kind.name] |= found
        _say("fifty chats at once")
        for found, side in zip(await together(sides, sizes.together), sides, strict=True):
            figures[side.kind.name] |= found
        _say("two hundred chats without a pause")
        for side in sides:
            figures[side.kind.name] |= await flow(side, sizes.flow)


async def idle(side: Side, seconds: float) -> Figures:
    """Memory and processor of a daemon that has answered one message and has nothing to do."""
    await asyncio.sleep(SETTLE_SECONDS)
    cpu = side.meter.cpu()
    await asyncio.sleep(seconds)
    return {"idle.rss": side.meter.rss(), "idle.cpu": 100 * (side.meter.cpu() - cpu) / seconds}


async def alone(sides: Sequence[Side], rounds: int) -> list[Figures]:
    """One message at a time, spread over fifty chats so that no session grows long."""
    answered: list[list[Answered]] = [[] for _ in sides]
    cpu = [0.0 for _ in sides]
    for number in range(rounds + 1):
        for place, side in enumerate(sides):
            before = side.meter.cpu()
            found = [await side.ask(phone) for phone in side.invite(FIFTY)]
            if number:  # the first messages of all open their sessions and their connections
                answered[place] += found
                cpu[place] += side.meter.cpu() - before
    return [
        _overhead("one", [one.overhead for one in found]) | {"one.cpu": 1000 * spent / len(found)}
        for found, spent in zip(answered, cpu, strict=True)
    ]


async def together(sides: Sequence[Side], rounds: int) -> list[Figures]:
    """Fifty chats send at the same instant, and again when all have their answers."""
    answered: list[list[Answered]] = [[] for _ in sides]
    cpu = [0.0 for _ in sides]
    for number in range(rounds + 1):
        for place, side in enumerate(sides):
            before = side.meter.cpu()
            found = await asyncio.gather(*(side.ask(phone) for phone in side.invite(FIFTY)))
            if number:
                answered[place] += found
                cpu[place] += side.meter.cpu() - before
    return [
        _overhead("fifty", [one.overhead for one in found]) | {"fifty.cpu": 1000 * spent / len(found)}
        for found, spent in zip(answered, cpu, strict=True)
    ]


def _overhead(name: str, seconds: Sequence[float]) -> Figures:
    cuts = statistics.quantiles(seconds, n=20)
    return {f"{name}.p50": 1000 * statistics.median(seconds), f"{name}.p95": 1000 * cuts[18]}


async def flow(side: Side, messages: int) -> Figures:
    """Two hundred chats that write again as soon as they are answered."""

    async def chat(number: int) -> None:
        for _ in range(messages):
            await side.ask(side.phones[number])

    people = len(side.invite(200))
    began = time.perf_counter()
    await asyncio.gather(*map(chat, range(people)))
    return {"flow": people * messages / (time.perf_counter() - began)}


async def crowd(kind: Kind, sizes: Sizes) -> Figures:
    """A thousand chats ask at once a model that takes two seconds and answers in one chunk."""
    async with opened(kind, turns=sizes.crowd) as side:
        await side.start()
        await side.ask(*side.invite(1))
        await asyncio.sleep(SETTLE_SECONDS)
        before = side.meter.rss()
        side.meter.forget_peak()
        side.think(THINKING)
        people = side.invite(sizes.crowd)
        began = time.perf_counter()
        await asyncio.gather(*map(side.ask, people))
        seconds = time.perf_counter() - began
        return {"crowd": seconds, "crowd.rss": side.meter.peak() - before}
