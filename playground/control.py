"""What the control APIs of all emulators do alike: run an act that a person asked for, hand out what has happened."""

import asyncio
import json
from collections.abc import Callable, Mapping

from aiohttp import web

from playground.changes import Changes

LONGEST_WAIT = 30.0
Act = Callable[[dict[str, object]], object]


async def perform(
    request: web.Request, acts: Mapping[str, Act], refusals: tuple[type[Exception], ...] = ()
) -> web.Response:
    """Do the act that a request names and give its result; `refusals` are errors that say in words what was wrong."""
    wrong: tuple[type[Exception], ...] = (ValueError, *refusals)
    act = acts.get(request.match_info["act"])
    if act is None:
        return failure(404, f"no such act; there are {', '.join(sorted(acts))}")
    try:
        body: object = json.loads(await request.read() or b"{}")
        if not isinstance(body, dict):
            return failure(400, "the body must be a JSON object")
        return web.json_response({"ok": True, "result": act(body)})
    except KeyError as error:
        return failure(400, f"there is no {error}")
    except wrong as error:
        return failure(400, str(error))


async def events(request: web.Request, changes: Changes) -> web.Response:
    """Wait for events after `?after=SEQ`, at most 30 s; without `after` give the newest number."""
    asked = request.query.get("after")
    try:
        after = changes.last if asked is None else int(asked)
    except ValueError:
        return failure(400, "`after` must be a number")
    found = changes.after(after)
    if asked is not None and not found:
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                await changes.wait()
        except TimeoutError:
            return web.json_response({"last": changes.last, "events": []})
        found = changes.after(after)
    return web.json_response({"last": changes.last, "events": found})


def describe(acts: Mapping[str, Act]) -> web.Response:
    """Say which acts there are and what they read."""
    return web.json_response({name: act.__doc__ for name, act in acts.items()})


def failure(status: int, words: str) -> web.Response:
    """Say what is wrong with a request."""
    return web.json_response({"ok": False, "error": words}, status=status)
