"""The sending side: parts to calls; what was perhaps posted is looked for by its metadata, not sent again."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

from adapters.fields import Json, Unreadable, maybe, obj, one_line, things, words
from adapters.files import Blobs, content
from adapters.slack import render
from adapters.slack.emoji import name_of
from adapters.slack.faults import Refused, Uncertain
from adapters.slack.pace import Pace
from adapters.slack.wire import Wire
from gateway.domain.errors import DragomanError, GiveUp, Retry, Unsure
from gateway.domain.ids import ConversationKey, MessageRef
from gateway.domain.messages import Attachment, Delivery, Limits, Part
from gateway.domain.ports import Clock

LIMITS = Limits(
    max_units=render.TEXT_CHARS,
    unit="chars",
    max_upload=1024**3,
    max_download=100 * 1024 * 1024,
    edits_per_minute=40,
    group_edits_per_minute=20,
    repeat="edit",
)
METADATA = "dragoman_delivery"
LOOKS = 3  # for a post whose answer was lost
LOOK_BACK = 3_600.0  # seconds before it was queued; clocks may differ
MOST_PAGES = 10
CANNOT_LEAVE = (
    "to leave channels by itself the app needs the scopes channels:manage and groups:write, which can do much more; "
    "`/remove @…` in the channel takes it out without them"
)
_LEFT = frozenset({"channel_not_found", "is_archived", "not_in_channel"})
_FORMATTING = frozenset({"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long"})


class Speaker:
    """Says things in conversations of one account."""

    def __init__(
        self, wire: Wire, *, user: str, link_previews: bool, blobs: Blobs | None, clock: Clock, pace: Pace, status: str
    ) -> None:
        self._wire = wire
        self._user = user  # our own id
        self._link_previews = link_previews
        self._blobs = blobs
        self._clock = clock
        self._pace = pace
        self._status = status
        self._shown: set[tuple[str, str]] = set()  # threads where our status may stand

    async def post(self, delivery: Delivery) -> MessageRef | None:
        """Post a part once; raises Retry (surely not posted), GiveUp or Unsure."""
        if delivery.part.attachments:
            return await self._post_file(delivery, delivery.part.attachments[0])
        try:
            return await self._post(delivery, render.payload(delivery.part))
        except Refused as refusal:
            if refusal.code not in _FORMATTING:
                raise
        return await self._post(delivery, render.payload(delivery.part, plain=True))

    async def open(self, delivery: Delivery) -> MessageRef:
        """Post a placeholder that holds nothing of the answer."""
        return await self._post(delivery, {"text": render.PLACEHOLDER})

    async def edit(self, ref: MessageRef, part: Part) -> None:
        """Put a part into a posted text; raises Retry or GiveUp."""
        if part.attachments:
            raise GiveUp("a text cannot be changed into a file")
        if not part.text:
            return  # the first signs of an answer may show nothing yet
        where = {"channel": ref.conversation.chat, "ts": ref.native}
        try:
            await self._wire.call("chat.update", {**where, **render.payload(part)})
        except Refused as refusal:
            if refusal.code not in _FORMATTING:
                raise
            await self._wire.call("chat.update", {**where, **render.payload(part, plain=True)})
        await self._clear(ref.conversation)

    async def delete(self, ref: MessageRef) -> None:
        """Remove a message; one that is gone already is as good."""
        await self._bearing("message_not_found", "chat.delete", {"channel": ref.conversation.chat, "ts": ref.native})

    async def typing(self, conversation: ConversationKey) -> None:
        """Show in an assistant's thread that an answer is being made; elsewhere Slack has no such sign."""
        if conversation.kind == "direct" and conversation.thread is not None:
            self._shown.add((conversation.chat, conversation.thread))
            await self._set_status(conversation.chat, conversation.thread, self._status)

    async def _clear(self, conversation: ConversationKey) -> None:
        """Take the status away once the answer shows: an edit does not end it as a post does."""
        thread = (conversation.chat, conversation.thread or "")
        if thread not in self._shown:
            return
        self._shown.discard(thread)
        try:
            await self._set_status(*thread, "")
        except DragomanError:
            return  # it ends by itself after two minutes

    async def _set_status(self, channel: str, thread: str, status: str) -> None:
        where = {"channel_id": channel, "thread_ts": thread}
        await self._wire.call("assistant.threads.setStatus", {**where, "status": status})

    async def react(self, ref: MessageRef, emoji: str) -> None:
        """Set our reaction on a message, or take it away."""
        where = {"channel": ref.conversation.chat, "timestamp": ref.native}
        name = name_of(emoji) if emoji else None
        if emoji and name is None:
            raise GiveUp(f"Slack has no reaction {emoji}")
        for old in await self._reactions(where):
            if old != name:
                await self._bearing("no_reaction", "reactions.remove", {**where, "name": old})
        if name is not None:
            await self._bearing("already_reacted", "reactions.add", {**where, "name": name})

    async def leave(self, conversation: ConversationKey) -> None:
        """Leave a channel; one that we are not in any more is left already."""
        try:
            await self._wire.call("conversations.leave", {"channel": conversation.chat})
        except Refused as refusal:
            if refusal.code == "missing_scope":
                raise GiveUp(CANNOT_LEAVE) from refusal
            if refusal.code not in _LEFT:
                raise

    async def _reactions(self, where: dict[str, str]) -> list[str]:
        """List our reactions on a message."""
        answer = await self._wire.call("reactions.get", where)
        message = maybe(answer, "message") or {}
        return [words(one, "name") for one in things(message, "reactions") if self._user in _users(one)]

    async def _bearing(self, code: str, method: str, arguments: dict[str, str]) -> None:
        """Call a method for which one refusal is as good as a success."""
        try:
            await self._wire.call(method, arguments)
        except Refused as refusal:
            if refusal.code != code:
                raise

    async def fetch(self, attachment: Attachment) -> AsyncIterator[bytes]:
        """Stream a file that somebody sent; raises GiveUp for one that we can't get."""
        if attachment.remote is None:
            raise GiveUp(f"{attachment.name} has no file on Slack")
        if attachment.size is not None and attachment.size > LIMITS.max_download:
            raise GiveUp(f"{attachment.name} is larger than 100 MB")
        try:
            file = obj(await self._wire.call("files.info", {"file": attachment.remote}), "file")
            address = words(file, "url_private_download") or words(file, "url_private")
            page = words(file, "mimetype") == "text/html"
        except Unreadable as strange:
            raise Retry(f"files.info: {strange}") from None
        if not address:
            raise GiveUp(f"{attachment.name} cannot be downloaded from Slack")
        async for chunk in self._wire.download(address, LIMITS.max_download, page=page):
            yield chunk

    async def recall(self, delivery: Delivery) -> MessageRef | None:
        """Look whether a delivery was posted, by the key beside it; None where it surely was not.

        Raises Unsure when too much was said since.
        """
        where = delivery.conversation
        start = (delivery.queued_at or self._clock()) - LOOK_BACK
        arguments: dict[str, object] = {"channel": where.chat, "limit": "100", "include_all_metadata": "true"}
        arguments["oldest"] = f"{start:.6f}"
        method = "conversations.history" if where.thread is None else "conversations.replies"
        for _ in range(MOST_PAGES):
            answer = await self._wire.call(method, {**arguments, "ts": where.thread})
            for message in things(answer, "messages"):
                if _key(message) == delivery.key:
                    return MessageRef(conversation=where, native=words(message, "ts"))
            arguments["cursor"] = words(maybe(answer, "response_metadata") or {}, "next_cursor")
            if not arguments["cursor"]:
                return None
        raise Unsure("too much was said since to find what was perhaps posted")

    async def _post(self, delivery: Delivery, content: dict[str, object]) -> MessageRef:
        where = delivery.conversation
        arguments: dict[str, object] = {
            "channel": where.chat,
            "thread_ts": where.thread,
            "metadata": {"event_type": METADATA, "event_payload": {"key": delivery.key}},
            "unfurl_links": self._link_previews,
            "unfurl_media": self._link_previews,
            **content,
        }
        try:
            answer = await self._wire.call("chat.postMessage", arguments, repeatable=False)
        except Uncertain as doubt:
            return await self._settled(delivery, doubt)
        self._shown.discard((where.chat, where.thread or ""))
        ts = words(answer, "ts")
        if not ts:
            raise Unsure("chat.postMessage: the answer names no message")
        return MessageRef(conversation=where, native=ts)

    async def _settled(self, delivery: Delivery, doubt: Uncertain) -> MessageRef:
        """Find a post whose answer was lost; raises Retry if it surely isn't there, else the doubt."""
        for look in range(LOOKS):
            await asyncio.sleep(look * self._pace.doubt)
            try:
                found = await self.recall(delivery)
            except (DragomanError, Unreadable):
                raise doubt from None
            if found is not None:
                return found
        if doubt.answered:
            raise Retry(str(doubt)) from doubt
        raise doubt

    async def _post_file(self, delivery: Delivery, attachment: Attachment) -> MessageRef | None:
        """Bring a file in three steps; the first two show nothing and may be repeated."""
        path, size = self._content(attachment)
        name = one_line(attachment.name, 120) or "file"
        ticket = await self._wire.call("files.getUploadURLExternal", {"filename": name, "length": str(size)})
        number = words(ticket, "file_id")
        await self._wire.put(words(ticket, "upload_url"), path, size)
        where = delivery.conversation
        arguments = {
            "files": json.dumps([{"id": number, "title": name}]),
            "channel_id": where.chat,
            "thread_ts": where.thread,
        }
        try:
            await self._wire.call("files.completeUploadExternal", arguments, repeatable=False)
        except Uncertain:
            ref = await self._shared(number, where)
            if ref is None:
                raise
            return ref
        return await self._shared(number, where)

    async def _shared(self, number: str, where: ConversationKey) -> MessageRef | None:
        """Find the message that shows a file; it may appear a little later."""
        try:
            file = obj(await self._wire.call("files.info", {"file": number}), "file")
            shares = maybe(file, "shares") or {}
            for kind in ("public", "private"):
                for share in things(maybe(shares, kind) or {}, where.chat):
                    return MessageRef(conversation=where, native=words(share, "ts"))
        except (DragomanError, Unreadable):
            return None
        return None

    def _content(self, attachment: Attachment) -> tuple[Path, int]:
        """Find the bytes of an attachment; raises GiveUp if it can't be sent."""
        path, size = content(attachment, self._blobs)
        if not 0 < size <= LIMITS.max_upload:
            raise GiveUp(f"{attachment.name} is empty, or larger than the 1 GB that Slack takes")
        return path, size


def _key(message: Json) -> str:
    """Read the key of the delivery that a message carries, empty for every other."""
    metadata = maybe(message, "metadata") or {}
    payload = maybe(metadata, "event_payload") or {}
    return words(payload, "key") if words(metadata, "event_type") == METADATA else ""


def _users(reaction: Json) -> list[str]:
    users = reaction.get("users")
    return [user for user in users if isinstance(user, str)] if isinstance(users, list) else []
