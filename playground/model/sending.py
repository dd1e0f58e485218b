"""Sends one answer at its pace, and breaks off, stands still or fails where it says so."""

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass

from aiohttp import web

from playground.model import wire
from playground.model.answers import Answer, Pace


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """An answer on its way: what, how fast, under which id and with which usage."""

    answer: Answer
    pace: Pace
    envelope: wire.Envelope
    usage: wire.Usage


async def whole(sending: Sending) -> web.Response:
    """Send the answer as one JSON document, after the time that its chunks would have taken."""
    pace = sending.pace
    await asyncio.sleep(pace.first + pace.between * len(sending.answer.chunks))
    body = sending.envelope.completion(sending.answer, sending.usage)
    return web.Response(body=body, content_type="application/json")


async def stream(
    request: web.Request, body: Mapping[str, object], sending: Sending, released: asyncio.Event
) -> web.StreamResponse:
    """Send the answer as server-sent events; a client that leaves in the middle is its own business."""
    options = body.get("stream_options")
    usage = sending.usage if isinstance(options, dict) and options.get("include_usage") else None
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
    with contextlib.suppress(ConnectionError):
        await response.prepare(request)
        end = wire.tail(sending.envelope, sending.answer, usage) if sending.answer.done else b""
        await _chunks(request, response, sending, [*wire.body_chunks(sending.envelope, sending.answer), end], released)
    return response


async def _chunks(
    request: web.Request,
    response: web.StreamResponse,
    sending: Sending,
    chunks: list[bytes],
    released: asyncio.Event,
) -> None:
    answer, pace = sending.answer, sending.pace
    if answer.whole:
        chunks = [b"".join(chunks)]
    await asyncio.sleep(pace.first)
    for index, chunk in enumerate(chunks):
        if answer.hang_after == index:
            await released.wait()
        if answer.error_after == index:
            await response.write(wire.error_event())
            return
        if answer.cut_after == index:
            cut(request, response)
            return
        if index and pace.between:
            await asyncio.sleep(pace.between)
        await response.write(chunk)


def cut(request: web.Request, response: web.StreamResponse) -> web.StreamResponse:
    """Close the connection in good order, so that what was written arrives and only the end is missing."""
    if request.transport is not None:
        request.transport.close()
    return response
