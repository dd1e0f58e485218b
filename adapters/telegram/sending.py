"""The sending side: parts to calls, and what may be left out of a call that the Bot API refuses."""

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from adapters.fields import Unreadable, one_line, thing, whole, words
from adapters.files import Blobs, content
from adapters.telegram import render
from adapters.telegram.faults import Refused
from adapters.telegram.wire import Wire, upload
from gateway.domain.errors import GiveUp, Retry, Unsure
from gateway.domain.ids import ConversationKey, MessageRef
from gateway.domain.messages import Attachment, Delivery, Limits, Part

LIMITS = Limits(
    max_units=4096,
    unit="utf16",
    max_upload=50 * 1024 * 1024,
    max_download=20 * 1024 * 1024,
    edits_per_minute=50,
    group_edits_per_minute=15,
    repeat="edit",
)
PLACEHOLDER = "…"
GENERAL_TOPIC = 1
LARGEST_PHOTO = 10 * 1024 * 1024
UPLOAD_BYTES_PER_SECOND = 100_000  # the slowest line we wait for
_VARIATION = "\ufe0f"  # the Bot API lists its reactions without this sign
_COMMAND_NAME = re.compile(r"[a-z0-9_]{1,32}")

Parameters = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file of ours on its way out: `field` is its name in the call."""

    field: str
    path: Path
    name: str
    mime: str


class Speaker:
    """Says things in chats of one account."""

    def __init__(self, wire: Wire, *, link_previews: bool, blobs: Blobs | None, forums: set[str]) -> None:
        self._wire = wire
        self._link_previews = link_previews
        self._blobs = blobs
        self._forums = forums

    async def post(self, delivery: Delivery) -> MessageRef | None:
        """Post a part once; raises Retry (surely not posted), GiveUp, Unsure or Moved."""
        part = delivery.part
        if part.attachments:
            return await self._post_files(delivery)
        return await self._post("sendMessage", delivery, self._text(part), plain=render.plain_payload(part))

    async def open(self, delivery: Delivery) -> MessageRef:
        """Post a placeholder that holds nothing of the answer."""
        ref = await self._post("sendMessage", delivery, {"text": PLACEHOLDER})
        if ref is None:
            raise Unsure("sendMessage: the answer names no message")
        return ref

    async def edit(self, ref: MessageRef, part: Part) -> None:
        """Put a part into a posted text; raises Retry or GiveUp."""
        if part.attachments:
            raise GiveUp("a text cannot be changed into a file")
        if not part.text:
            return  # the first signs of an answer may show nothing yet
        body = {**_named(ref), **self._text(part)}
        try:
            await self._spared("editMessageText", body, repeatable=True, plain=render.plain_payload(part))
        except Refused as refusal:
            if not refusal.says("not modified"):
                raise

    async def delete(self, ref: MessageRef) -> None:
        """Remove a message; one that is gone already is as good."""
        try:
            await self._wire.call("deleteMessage", _named(ref))
        except Refused as refusal:
            if not refusal.says("message to delete not found"):
                raise

    async def typing(self, conversation: ConversationKey) -> None:
        """Show that an answer is being made; in a forum the General topic has to be named here, and only here."""
        thread = conversation.thread or (GENERAL_TOPIC if conversation.chat in self._forums else None)
        where = {"chat_id": _chat(conversation)} | ({} if thread is None else {"message_thread_id": int(thread)})
        await self._spared("sendChatAction", {**where, "action": "typing"}, repeatable=True)

    async def react(self, ref: MessageRef, emoji: str) -> None:
        """Set our reaction on a message, or take it away."""
        reaction = [{"type": "emoji", "emoji": emoji.replace(_VARIATION, "")}] if emoji else []
        await self._wire.call("setMessageReaction", {**_named(ref), "reaction": reaction})

    async def leave(self, conversation: ConversationKey) -> None:
        """Leave a group; one that we are not in any more is left already."""
        try:
            await self._wire.call("leaveChat", {"chat_id": int(conversation.chat)})
        except Refused:
            return  # we are not in it any more, so there is nothing to leave

    async def menu(self, commands: Sequence[tuple[str, str]]) -> None:
        """Set the menu of commands; names that Telegram cannot show are left out."""
        shown = [
            {"command": name, "description": description[:256]}
            for name, description in commands
            if _COMMAND_NAME.fullmatch(name) and description
        ]
        await self._wire.call("setMyCommands", {"commands": shown[:100]})

    async def fetch(self, attachment: Attachment) -> AsyncIterator[bytes]:
        """Stream a file that somebody sent; raises GiveUp for one that bots can't get."""
        most = LIMITS.max_download
        too_large = f"{attachment.name} is larger than the 20 MB that Telegram lets a bot download"
        if attachment.remote is None:
            raise GiveUp(f"{attachment.name} has no Telegram file")
        if attachment.size is not None and attachment.size > most:
            raise GiveUp(too_large)
        path = await self._path(attachment.remote, too_large)
        if path.startswith(("/", "file:")):
            raise GiveUp(f"{attachment.name} lies on the Bot API server's own disk; run that server without --local")
        async for chunk in self._wire.connections.download(path, most):
            yield chunk

    async def _path(self, remote: str, too_large: str) -> str:
        try:
            answer = await self._wire.call("getFile", {"file_id": remote})
        except Refused as refusal:
            raise GiveUp(too_large if refusal.says("file is too big") else str(refusal)) from None
        try:
            if path := words(thing(answer), "file_path"):
                return path
        except Unreadable as strange:
            raise Retry(f"getFile: {strange}") from None
        raise Retry("getFile: no path for the file yet")

    async def _post_files(self, delivery: Delivery) -> MessageRef | None:
        files = [self._upload(attachment, n) for n, attachment in enumerate(delivery.part.attachments)]
        if len(files) > 1:
            return await self._post_album(delivery, files)
        kind, file = files[0]
        part = delivery.part
        body, plain = {**render.caption_payload(part), **_keyboard(part)}, render.caption_payload(part, plain=True)
        try:
            return await self._post(_METHODS[kind], delivery, body, plain=plain, files=[replace(file, field=kind)])
        except Refused as refusal:
            if kind == "document" or not refusal.says("photo", "image", "voice_messages_forbidden"):
                raise
        # Not every picture is one to Telegram; as a document it takes any.
        file = replace(file, field="document")
        return await self._post("sendDocument", delivery, body, plain=plain, files=[file])

    async def _post_album(self, delivery: Delivery, files: Sequence[tuple[str, Upload]]) -> MessageRef | None:
        kinds = {kind for kind, _ in files}
        together = kinds <= {"photo", "video"} or kinds in ({"document"}, {"audio"})
        media: list[Parameters] = [
            {"type": kind if together else "document", "media": f"attach://{file.field}"} for kind, file in files
        ]
        first, *rest = media
        body = {"media": [{**first, **render.caption_payload(delivery.part)}, *rest]}
        plain = {"media": [{**first, **render.caption_payload(delivery.part, plain=True)}, *rest]}
        return await self._post("sendMediaGroup", delivery, body, plain=plain, files=[file for _, file in files])

    def _text(self, part: Part) -> dict[str, object]:
        body = {**render.text_payload(part), **_keyboard(part)}
        if self._link_previews:
            body.pop("link_preview_options", None)
        return body

    def _upload(self, attachment: Attachment, n: int) -> tuple[str, Upload]:
        """Find the bytes of an attachment and the kind it is sent as; raises GiveUp if it can't be sent."""
        path, size = content(attachment, self._blobs)
        if size > LIMITS.max_upload:
            raise GiveUp(f"{attachment.name} is larger than the 50 MB that Telegram lets a bot send")
        kind = attachment.kind if attachment.kind in _METHODS else "document"
        if kind == "photo" and size > LARGEST_PHOTO:
            kind = "document"
        return kind, Upload(field=f"file{n}", path=path, name=one_line(attachment.name, 120), mime=attachment.mime)

    async def _post(
        self,
        method: str,
        delivery: Delivery,
        body: Parameters,
        *,
        plain: Parameters | None = None,
        files: Sequence[Upload] = (),
    ) -> MessageRef | None:
        parameters = {**_addressed(delivery), **body}
        result, used = await self._spared(method, parameters, repeatable=False, plain=plain, files=files)
        conversation = delivery.conversation
        if "message_thread_id" not in used:
            conversation = replace(conversation, thread=None)
        try:
            first = thing(result[0] if isinstance(result, list) and result else result)
            return MessageRef(conversation=conversation, native=str(whole(first, "message_id")))
        except Unreadable:
            return None  # accepted all the same

    async def _spared(
        self,
        method: str,
        parameters: Parameters,
        *,
        repeatable: bool,
        plain: Parameters | None = None,
        files: Sequence[Upload] = (),
    ) -> tuple[object, Parameters]:
        """Call; what the server refuses for its trimmings goes again without them, each once."""
        while True:
            try:
                return await self._call(method, parameters, repeatable=repeatable, files=files), parameters
            except Refused as refusal:
                less = spare(parameters, refusal, plain)
                if less is None:
                    raise
                parameters = less

    async def _call(self, method: str, parameters: Parameters, *, repeatable: bool, files: Sequence[Upload]) -> object:
        with ExitStack() as stack:
            given = dict(parameters)
            for file in files:
                handle = stack.enter_context(file.path.open("rb"))
                given[file.field] = upload(handle, name=file.name, mime=file.mime)
            seconds = self._wire.seconds + sum(file.path.stat().st_size for file in files) / UPLOAD_BYTES_PER_SECOND
            return await self._wire.call(method, given, repeatable=repeatable, seconds=seconds)


_METHODS = {
    "photo": "sendPhoto",
    "document": "sendDocument",
    "voice": "sendVoice",
    "audio": "sendAudio",
    "video": "sendVideo",
    "animation": "sendAnimation",
}


def spare(parameters: Parameters, refusal: Refused, plain: Parameters | None) -> dict[str, object] | None:
    """Leave out what a refusal is about: a thread that is gone, formatting, a message to reply to; None if nothing."""
    less = dict(parameters)
    if refusal.says("thread not found", "topic_deleted"):
        less.pop("message_thread_id", None)
    elif refusal.says("entit", "url") and plain is not None:
        less = {key: value for key, value in less.items() if key not in {"entities", "caption_entities"}} | dict(plain)
    elif refusal.says("message to be replied not found", "message to reply not found"):
        less.pop("reply_parameters", None)
    return None if less == dict(parameters) else less


def _keyboard(part: Part) -> dict[str, object]:
    return {"reply_markup": render.keyboard(part.choices)} if part.choices else {}


def _chat(where: ConversationKey) -> int | str:
    """Name a chat as the Bot API does: by its number, a public one also as `@name`."""
    return int(where.chat) if where.chat.removeprefix("-").isdecimal() else where.chat


def _named(ref: MessageRef) -> dict[str, object]:
    return {"chat_id": _chat(ref.conversation), "message_id": int(ref.native)}


def _addressed(delivery: Delivery) -> dict[str, object]:
    """Say where a delivery goes, with its thread and the message it replies to."""
    where = delivery.conversation
    address: dict[str, object] = {"chat_id": _chat(where)}
    if where.thread is not None:
        address["message_thread_id"] = int(where.thread)
    if delivery.reply_to is not None and delivery.reply_to.conversation.chat == where.chat:
        reply = {"message_id": int(delivery.reply_to.native), "allow_sending_without_reply": True}
        address["reply_parameters"] = reply
    if delivery.silent:
        address["disable_notification"] = True
    return address
