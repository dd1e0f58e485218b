"""The sending side: parts to calls; what is in doubt is asked again under the same nonce."""

import asyncio
import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from discord.http import Route

from adapters.discord import render
from adapters.discord.faults import THREAD_EXISTS, UNKNOWN_CHANNEL, UNKNOWN_GUILD, UNKNOWN_MESSAGE, Refused
from adapters.discord.flakes import flake
from adapters.discord.slash import EPHEMERAL, Desk, Open
from adapters.discord.wire import Expired, Wire, parts_of
from adapters.fields import Json, Unreadable, one_line, thing, things, words
from adapters.files import Blobs, content
from gateway.domain.errors import GiveUp, Retry, Unsure
from gateway.domain.ids import ConversationKey, MessageRef
from gateway.domain.messages import Attachment, Delivery, Limits, Part

LIMITS = Limits(
    max_units=render.TEXT_CHARS,
    unit="chars",
    max_upload=10 * 1024 * 1024,
    max_download=100 * 1024 * 1024,
    edits_per_minute=50,
    group_edits_per_minute=30,
    repeat="edit",
)
PLACEHOLDER = "…"
UPLOAD_BYTES_PER_SECOND = 100_000  # the slowest line we wait for
NONCE_CHARS = 25
THREAD_NAME_CHARS = 60
REMEMBERED = 1000
RETRY_AFTER = 0.3  # seconds before a post in doubt is tried again, then doubled
_VARIATION = "\ufe0f"
_MENTION = re.compile(r"<@[!&]?\d+>")


class Speaker:
    """Says things in channels of one account."""

    def __init__(
        self, wire: Wire, *, desk: Desk, link_previews: bool, auto_thread: bool, blobs: Blobs | None, doubt: float
    ) -> None:
        self._wire = wire
        self._desk = desk
        self._link_previews = link_previews
        self._auto_thread = auto_thread
        self._blobs = blobs
        self._doubt = doubt
        self._posted: OrderedDict[str, int] = OrderedDict()  # how often each delivery was surely posted

    async def post(self, delivery: Delivery) -> MessageRef | None:
        """Post a part once; raises Retry (surely not posted), GiveUp or Unsure."""
        body = render.payload(delivery.part, link_previews=self._link_previews)
        answered = await self._desk.find(delivery.key)
        if answered is not None and not delivery.part.attachments:
            command, first = answered
            try:
                return await self._answer(delivery, body, command, first=first)
            except Refused:
                return await self._post(delivery, body)  # too late for Discord: as an ordinary message then
        return await self._post(delivery, body)

    async def open(self, delivery: Delivery) -> MessageRef:
        """Post a placeholder that holds nothing of the answer."""
        body = render.payload(Part(text=PLACEHOLDER), link_previews=self._link_previews)
        return await self._post(replace(delivery, part=Part()), body)

    async def edit(self, ref: MessageRef, part: Part) -> None:
        """Put a part into a posted message; raises Retry or GiveUp."""
        if part.attachments:
            raise GiveUp("a text cannot be changed into a file")
        if not part.text:
            return  # the first signs of an answer may show nothing yet
        body = {"components": [], **render.payload(part, link_previews=self._link_previews)}  # else old buttons stay
        await self._wire.request(_message("PATCH", ref), json=body)

    async def delete(self, ref: MessageRef) -> None:
        """Remove a message; one that is gone already is as good."""
        try:
            await self._wire.request(_message("DELETE", ref))
        except Refused as refusal:
            if refusal.code not in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL):
                raise

    async def leave(self, conversation: ConversationKey) -> None:
        """Leave a server; one that we are not in any more is left already."""
        try:
            await self._wire.request(Route("DELETE", "/users/@me/guilds/{guild_id}", guild_id=conversation.chat))
        except Refused as refusal:
            if refusal.code != UNKNOWN_GUILD:
                raise

    async def typing(self, conversation: ConversationKey) -> None:
        """Show that an answer is being made."""
        await self._wire.request(_channel("POST", conversation, "/typing"), repeatable=True)

    async def react(self, ref: MessageRef, emoji: str, mine: OrderedDict[str, str]) -> None:
        """Set our reaction on a message, or take it away; `mine` remembers what stands where."""
        before = mine.pop(str(ref), "")
        if before and before != emoji:
            await self._wire.request(_reaction("DELETE", ref, before))
        if emoji:
            await self._wire.request(_reaction("PUT", ref, emoji.replace(_VARIATION, "")))
            mine[str(ref)] = emoji.replace(_VARIATION, "")
            while len(mine) > REMEMBERED:
                mine.popitem(last=False)

    async def fetch(self, attachment: Attachment) -> AsyncIterator[bytes]:
        """Stream a file that somebody sent; an address that has expired is asked for anew."""
        if attachment.remote is None:
            raise GiveUp(f"{attachment.name} has no Discord file")
        channel, message, number, url = attachment.remote.split("/", 3)
        begun = False
        try:
            async for chunk in self._wire.download(url, LIMITS.max_download):
                begun = True
                yield chunk
        except Expired:
            if begun:
                raise
        else:
            return
        fresh = await self._fresh(int(channel), int(message), int(number), attachment.name)
        async for chunk in self._wire.download(fresh, LIMITS.max_download):
            yield chunk

    async def _fresh(self, channel: int, message: int, number: int, name: str) -> str:
        found = await self._wire.get_message(channel, message)
        try:
            for file in things(thing(found), "attachments"):
                if flake(file, "id") == number:
                    return words(file, "url")
        except Unreadable as strange:
            raise Retry(f"asking for a file again: {strange}") from None
        raise GiveUp(f"{name} is no longer there")

    async def _post(self, delivery: Delivery, body: Mapping[str, object]) -> MessageRef:
        """Post into a channel; a thread that is gone gives way to its channel."""
        conversation = delivery.conversation
        try:
            return await self._post_to(conversation, delivery, body)
        except Refused as refusal:
            if refusal.code != UNKNOWN_CHANNEL or conversation.thread is None:
                raise
        if self._auto_thread and await self._open_thread(conversation):
            return await self._post_to(conversation, delivery, body)
        return await self._post_to(replace(conversation, thread=None), delivery, body)

    async def _post_to(
        self, conversation: ConversationKey, delivery: Delivery, body: Mapping[str, object]
    ) -> MessageRef:
        nonce = self._nonce(delivery.key)
        full = {**body, "nonce": nonce, "enforce_nonce": True}
        if delivery.silent:
            full["flags"] = int(str(full["flags"])) | render.SILENT
        if delivery.reply_to is not None and delivery.reply_to.native != conversation.thread:
            full["message_reference"] = {"message_id": delivery.reply_to.native, "fail_if_not_exists": False}
        route = _channel("POST", conversation, "/messages")
        answer = await self._surely(route, full, delivery.part.attachments)
        self._remember(delivery.key)
        return MessageRef(conversation=conversation, native=_id(answer, "POST messages"))

    async def _surely(self, route: Route, body: Mapping[str, object], files: tuple[Attachment, ...]) -> object:
        """Post, and where the outcome is unknown ask again with the same nonce: Discord then gives the first one."""
        loop = asyncio.get_running_loop()
        until, pause = loop.time() + self._doubt, RETRY_AFTER
        doubt: Unsure | None = None
        while True:
            try:
                return await self._call(route, body, files)
            except Unsure as unsure:
                doubt = unsure
            except Retry as trouble:
                if doubt is None:
                    raise
                pause = max(pause, trouble.after)  # it may have been posted before: only an answer ends the doubt
            if loop.time() + pause > until:
                raise doubt
            await asyncio.sleep(pause)
            pause *= 2

    async def _call(self, route: Route, body: Mapping[str, object], files: tuple[Attachment, ...]) -> object:
        if not files:
            return await self._wire.request(route, json=body)
        with ExitStack() as stack:
            form: list[dict[str, Any]] = []
            described: list[Mapping[str, object]] = []
            size = 0
            for n, file in enumerate(files):
                path = self._path(file)
                size += path.stat().st_size
                name = one_line(file.name, 120) or "file"
                handle = stack.enter_context(path.open("rb"))
                form.append({"name": f"files[{n}]", "value": handle, "filename": name, "content_type": file.mime})
                described.append({"id": n, "filename": name})
            form.insert(0, parts_of({**body, "attachments": described}))
            return await self._wire.request(
                route, form=form, seconds=self._wire.seconds + size / UPLOAD_BYTES_PER_SECOND
            )

    def _path(self, file: Attachment) -> Path:
        """Find the bytes of a file of ours; raises GiveUp if it can't be sent."""
        path, size = content(file, self._blobs)
        if size > LIMITS.max_upload:
            raise GiveUp(f"{file.name} is larger than the 10 MB that Discord lets a bot send")
        return path

    async def _answer(
        self, delivery: Delivery, body: Mapping[str, object], command: Open, *, first: bool
    ) -> MessageRef:
        """Answer a slash command where it was used: its first part takes the place of "is thinking"."""
        root = "/webhooks/{webhook_id}/{webhook_token}"
        if first:
            route = Route(
                "PATCH", f"{root}/messages/@original", webhook_id=command.application, webhook_token=command.token
            )
        else:
            route = Route("POST", root, webhook_id=command.application, webhook_token=command.token)
            body = {**body, "flags": int(str(body["flags"])) | (EPHEMERAL if command.hidden else 0)}
        answer = await self._wire.request(route, json=body)
        return MessageRef(conversation=delivery.conversation, native=_id(answer, "answering a command"))

    async def _open_thread(self, conversation: ConversationKey) -> bool:
        """Open the thread that a mention asked for: it has the id of that message; says whether it is there now."""
        channel, message = int(conversation.chat), int(conversation.thread or 0)
        try:
            asked = thing(await self._wire.get_message(channel, message))
            text = one_line(_MENTION.sub("", words(asked, "content")), THREAD_NAME_CHARS)
            path = "/channels/{channel_id}/messages/{message_id}/threads"
            route = Route("POST", path, channel_id=channel, message_id=message)
            body = {"name": text or "…", "auto_archive_duration": 1440}
            await self._wire.request(route, json=body, repeatable=True)
        except Refused as refusal:
            return refusal.code == THREAD_EXISTS
        except Unreadable as strange:
            raise Retry(f"reading a message: {strange}") from None
        return True

    def _nonce(self, key: str) -> str:
        """Name a delivery in 25 characters: the same in doubt, another one for a second post that is meant."""
        again = self._posted.get(key, 0)
        return sha256(f"{key}#{again}".encode()).hexdigest()[:NONCE_CHARS]

    def _remember(self, key: str) -> None:
        self._posted[key] = self._posted.pop(key, 0) + 1
        while len(self._posted) > REMEMBERED:
            self._posted.popitem(last=False)


def _id(answer: object, what: str) -> str:
    try:
        found: Json = thing(answer)
        return str(flake(found, "id"))
    except Unreadable:
        raise Unsure(f"{what}: the answer names no message") from None


def _channel(method: str, conversation: ConversationKey, rest: str) -> Route:
    channel = conversation.thread or conversation.chat
    return Route(method, f"/channels/{{channel_id}}{rest}", channel_id=channel)


def _message(method: str, ref: MessageRef) -> Route:
    path = "/channels/{channel_id}/messages/{message_id}"
    channel = ref.conversation.thread or ref.conversation.chat
    return Route(method, path, channel_id=channel, message_id=ref.native)


def _reaction(method: str, ref: MessageRef, emoji: str) -> Route:
    path = "/channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me"
    channel = ref.conversation.thread or ref.conversation.chat
    return Route(method, path, channel_id=channel, message_id=ref.native, emoji=emoji)
