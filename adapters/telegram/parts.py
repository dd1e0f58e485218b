"""Which pieces of an answer become one post each (pure)."""

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

from adapters.telegram import render
from adapters.telegram.content import utf16
from gateway.domain.ids import Instant
from gateway.domain.messages import Attachment, AttachmentKind, OutboundMessage, Part

ALBUM_FILES = 10
DATE_UNITS = 24  # kept free in every text, so that a late one can say when it was made
# Kinds that one album may hold side by side; every other file goes alone.
_COMPANY: dict[AttachmentKind, str] = {
    "photo": "pictures",
    "video": "pictures",
    "document": "documents",
    "audio": "audio",
}


def split(message: OutboundMessage) -> tuple[Part, ...]:
    """Cut a message into posts: its text, which edits make safe to repeat, and then its files."""
    texts = list(render.split(message.text, max_units=render.TEXT_UNITS - DATE_UNITS))
    posts = [Part(attachments=group) for group in albums(message.attachments)]
    if message.choices:
        _give_buttons(texts, posts, message)
    return (*texts, *posts)


def dated(part: Part, at: Instant) -> Part:
    """Put an instant before a part's text, in UTC; a caption that has no room for it stays as it is."""
    date = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC\n")
    most = render.CAPTION_UNITS if part.attachments else render.TEXT_UNITS
    if utf16(part.text) + len(date) > most:
        return part
    entities = [entity | {"offset": entity["offset"] + len(date)} for entity in json.loads(part.markup or "[]")]
    return replace(part, text=date + part.text, markup=json.dumps(entities) if entities else "")


def albums(attachments: Iterable[Attachment]) -> list[tuple[Attachment, ...]]:
    """Group neighbours that may go as one post, in order."""
    groups: list[tuple[Attachment, ...]] = []
    for attachment in attachments:
        company = _COMPANY.get(attachment.kind)
        last = groups[-1] if groups else ()
        if company and last and _COMPANY.get(last[0].kind) == company and len(last) < ALBUM_FILES:
            groups[-1] = (*last, attachment)
        else:
            groups.append((attachment,))
    return groups


def _give_buttons(texts: list[Part], posts: list[Part], message: OutboundMessage) -> None:
    """Hang the buttons under the last text, else under the last file; an album takes none, so a text is made."""
    if texts:
        texts[-1] = replace(texts[-1], choices=message.choices)
    elif posts and len(posts[-1].attachments) == 1:
        posts[-1] = replace(posts[-1], choices=message.choices)
    else:
        posts.append(Part(text=" · ".join(choice.label for choice in message.choices), choices=message.choices))
