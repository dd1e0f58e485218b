"""A call as it came in: the parts of its path, its query, its JSON and its files."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from aiohttp import BodyPartReader, web

from playground.discord.core import Core
from playground.discord.errors import ApiError, missing_access, unknown
from playground.discord.fields import mapping, whole
from playground.discord.world import VIEW, Channel, File, Message, Wire

LARGEST_FILE = 10 * 1024 * 1024


@dataclass(slots=True, kw_only=True)
class Asked:
    """One call."""

    core: Core
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Wire = field(default_factory=dict)
    items: list[object] = field(default_factory=list)  # the body where it is a list
    files: dict[int, File] = field(default_factory=dict)

    def channel(self) -> Channel:
        """Find the channel of the path, which the bot must be able to see."""
        channel = self.core.world.channels.get(whole(self.path.get("channel")))
        if channel is None:
            raise unknown("Channel", 10003)
        if not self.core.world.rights(channel) & VIEW:
            raise missing_access()
        return channel

    def message(self) -> Message:
        """Find the message of the path."""
        channel = self.channel()
        message = self.core.world.message(channel.id, whole(self.path.get("message")))
        if message is None or message.only_for:
            raise unknown("Message", 10008)
        return message


Handler = Callable[[Asked], object]


async def read(request: web.Request, core: Core, path: Mapping[str, str]) -> Asked:
    """Read a request; raises ApiError for a body that is none."""
    asked = Asked(core=core, path=path, query=dict(request.query))
    if request.content_type.startswith("multipart/"):
        await _read_parts(request, asked)
        return asked
    raw = await request.read()
    if not raw:
        return asked
    if request.content_type != "application/json":
        raise ApiError(400, 50109, "The request body contains invalid JSON.")
    try:
        body: object = json.loads(raw)
    except ValueError:
        raise ApiError(400, 50109, "The request body contains invalid JSON.") from None
    asked.body = mapping(body)
    asked.items = body if isinstance(body, list) else []
    return asked


async def _read_parts(request: web.Request, asked: Asked) -> None:
    reader = await request.multipart()
    while (part := await reader.next()) is not None:
        if not isinstance(part, BodyPartReader):
            continue
        content = bytes(await part.read())
        name = part.name or ""
        if name == "payload_json":
            asked.body = mapping(json.loads(content))
        elif name.startswith("files["):
            if len(content) > LARGEST_FILE:
                raise ApiError(413, 40005, "Request entity too large")
            asked.files[whole(name[6:-1])] = File(
                id=asked.core.new_id(),
                name=part.filename or "file",
                size=len(content),
                mime=part.headers.get("Content-Type", "application/octet-stream"),
                content=content,
            )
