"""What a message holds: its words, things described in words, and files (pure)."""

from collections.abc import Callable

from adapters.fields import Json, line, maybe, number, one_line, thing, things, whole, words
from gateway.domain.messages import Attachment, AttachmentKind

QUOTE_CHARS = 1000  # enough to know what is meant; the rest is in the transcript

# What surrounds the content, and what Telegram reports about the chat itself: neither says anything to us.
ENVELOPE = frozenset(
    {
        "message_id", "message_thread_id", "direct_messages_topic", "from", "sender_chat", "sender_boost_count",
        "sender_business_bot", "sender_tag", "date", "business_connection_id", "chat", "forward_origin",
        "forward_from", "forward_from_chat", "forward_signature", "forward_sender_name", "forward_from_message_id",
        "forward_date", "is_topic_message", "is_automatic_forward", "reply_to_message", "external_reply", "quote",
        "reply_to_story", "reply_to_checklist_task_id", "reply_to_poll_option_id", "via_bot", "edit_date",
        "has_protected_content", "is_from_offline", "is_paid_post", "media_group_id", "author_signature",
        "paid_star_count", "effect_id", "link_preview_options", "suggested_post_info", "entities",
        "caption_entities", "show_caption_above_media", "has_media_spoiler", "reply_markup",
    }
)  # fmt: skip
SERVICE = frozenset(
    {
        "new_chat_members", "new_chat_member", "new_chat_participant", "left_chat_member", "left_chat_participant",
        "new_chat_title", "new_chat_photo", "delete_chat_photo", "group_chat_created", "supergroup_chat_created",
        "channel_chat_created", "message_auto_delete_timer_changed", "migrate_to_chat_id", "migrate_from_chat_id",
        "pinned_message", "connected_website", "write_access_allowed", "proximity_alert_triggered", "boost_added",
        "chat_background_set", "forum_topic_created", "forum_topic_edited", "forum_topic_closed",
        "forum_topic_reopened", "general_forum_topic_hidden", "general_forum_topic_unhidden", "giveaway_created",
        "giveaway_completed", "paid_message_price_changed", "direct_message_price_changed", "video_chat_scheduled",
        "video_chat_started", "video_chat_ended", "video_chat_participants_invited", "voice_chat_scheduled",
        "voice_chat_started", "voice_chat_ended", "voice_chat_participants_invited", "chat_owner_left",
        "chat_owner_changed", "checklist_tasks_done", "checklist_tasks_added", "poll_option_added",
        "poll_option_deleted",
    }
)  # fmt: skip
FILES: tuple[tuple[str, AttachmentKind, str, str], ...] = (  # field, kind, ending, type if none is given
    ("animation", "animation", "mp4", "video/mp4"),  # first: an animation is repeated as a document
    ("audio", "audio", "mp3", "audio/mpeg"),
    ("document", "document", "bin", "application/octet-stream"),
    ("video", "video", "mp4", "video/mp4"),
    ("video_note", "video", "mp4", "video/mp4"),
    ("voice", "voice", "ogg", "audio/ogg"),
)


def is_service(message: Json) -> bool:
    """Whether a message only reports something about the chat."""
    content = set(message) - ENVELOPE
    return bool(content & SERVICE) or not content


def text_of(message: Json) -> str:
    """Give the words of a message, its caption, and what it shows described in words."""
    body = _with_links(words(message, "text"), things(message, "entities"))
    caption = _with_links(words(message, "caption"), things(message, "caption_entities"))
    return "\n".join(piece for piece in (described(message), body, caption) if piece)


def described(message: Json) -> str:
    """Say in words what is neither text nor a file: a place, a contact, a poll, a sticker."""
    for key, describe in DESCRIBED.items():
        if (holder := maybe(message, key)) is not None:
            return f"[{describe(holder)}]"
    known = {"text", "caption", "photo", "live_photo", *(field for field, *_ in FILES), *ENVELOPE, *SERVICE, *DESCRIBED}
    unknown = sorted(set(message) - known)
    return f"[content that cannot be shown here: {one_line(', '.join(unknown))}]" if unknown else ""


def attachments_of(message: Json) -> tuple[Attachment, ...]:
    """Give the file of a message; of a photo its largest size."""
    stamp = whole(message, "message_id")
    if sizes := things(message, "photo"):
        largest = max(sizes, key=lambda size: whole(size, "width", 0) * whole(size, "height", 0))
        return (_file(largest, "photo", f"photo-{stamp}.jpg", "image/jpeg"),)
    for field, kind, ending, mime in FILES:
        if (holder := maybe(message, field)) is not None:
            name = _name(holder) or f"{field.replace('_', '-')}-{stamp}.{ending}"
            return (_file(holder, kind, name, words(holder, "mime_type") or mime),)
    return ()


def forwarded_from(message: Json) -> str | None:
    """Name the origin of a forwarded message; None if it isn't one."""
    origin = maybe(message, "forward_origin")
    if origin is None:
        return None
    if (user := maybe(origin, "sender_user")) is not None:
        return full_name(user)
    chat = maybe(origin, "sender_chat") or maybe(origin, "chat")
    return line(chat, "title") if chat is not None else line(origin, "sender_user_name") or "unknown"


def quote_of(message: Json) -> str | None:
    """Give what a message replies to, as far as Telegram shows it: plain and of bounded length."""
    if (quote := maybe(message, "quote")) is not None:
        return _bounded(words(quote, "text"))
    replied = maybe(message, "reply_to_message") or maybe(message, "external_reply")
    if replied is None or "forum_topic_created" in replied:
        return None
    files = [f"[{field.replace('_', ' ')}]" for field in ("photo", *(name for name, *_ in FILES)) if replied.get(field)]
    pieces = (*files[:1], described(_content(replied)), words(replied, "text"), words(replied, "caption"))
    return _bounded("\n".join(piece for piece in pieces if piece)) or None


def full_name(user: Json) -> str:
    """Give the name a user shows, as one short line."""
    return one_line(f"{words(user, 'first_name')} {words(user, 'last_name')}")


def utf16(text: str) -> int:
    """Count a text in the unit of the Bot API."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def piece(text: str, entity: Json) -> str:
    """Cut the text an entity covers, whose offsets count UTF-16 units."""
    start = whole(entity, "offset")
    return text.encode("utf-16-le")[2 * start : 2 * (start + whole(entity, "length"))].decode("utf-16-le", "replace")


def _with_links(text: str, entities: list[Json]) -> str:
    """Write the address of a link behind its label, as plain text would lose it."""
    links = [entity for entity in entities if entity.get("type") == "text_link"]
    if not links:
        return text
    raw = text.encode("utf-16-le")
    for link in sorted(links, key=lambda entity: -whole(entity, "offset")):
        end = 2 * (whole(link, "offset") + whole(link, "length"))
        raw = raw[:end] + f" ({words(link, 'url')})".encode("utf-16-le") + raw[end:]
    return raw.decode("utf-16-le", "replace")


def _content(replied: Json) -> Json:
    return {key: value for key, value in replied.items() if key in DESCRIBED}


def _bounded(text: str) -> str:
    return text if len(text) <= QUOTE_CHARS else f"{text[: QUOTE_CHARS - 1]}…"


def _name(holder: Json) -> str:
    return line(holder, "file_name", 120).replace("/", "_").replace("\\", "_").lstrip(".")


def _file(holder: Json, kind: AttachmentKind, name: str, mime: str) -> Attachment:
    size = whole(holder, "file_size", -1)
    return Attachment(
        kind=kind, name=name, mime=one_line(mime), size=None if size < 0 else size, remote=words(holder, "file_id")
    )


def _place(location: Json) -> str:
    live = "live location" if "live_period" in location else "location"
    return f"{live}: {number(location, 'latitude'):.6f}, {number(location, 'longitude'):.6f}"


def _venue(venue: Json) -> str:
    where = _place(thing(venue.get("location"), "location"))
    return f"venue: {line(venue, 'title')}, {line(venue, 'address', 200)}, {where}"


def _contact(contact: Json) -> str:
    return f"contact: {full_name(contact)}, {line(contact, 'phone_number', 40)}"


def _poll(poll: Json) -> str:
    options = "; ".join(line(option, "text", 100) for option in things(poll, "options"))
    return f"poll: {line(poll, 'question', 300)} ({options})"


def _sticker(sticker: Json) -> str:
    return " ".join(filter(None, ("sticker", line(sticker, "emoji", 16))))


def _dice(dice: Json) -> str:
    return f"dice {line(dice, 'emoji', 16)}: {whole(dice, 'value')}"


def _checklist(checklist: Json) -> str:
    tasks = "; ".join(line(task, "text", 100) for task in things(checklist, "tasks"))
    return f"checklist: {line(checklist, 'title', 300)} ({tasks})"


def _game(game: Json) -> str:
    return f"game: {line(game, 'title')}"


def _story(_: Json) -> str:
    return "story"


DESCRIBED: dict[str, Callable[[Json], str]] = {
    "venue": _venue,  # first: a venue repeats its place as a location
    "location": _place,
    "contact": _contact,
    "poll": _poll,
    "dice": _dice,
    "sticker": _sticker,
    "checklist": _checklist,
    "game": _game,
    "story": _story,
}
