"""The content fields of messages that are more than text, for both sides."""

from playground.telegram.core import Core
from playground.telegram.files import file_fields, store
from playground.telegram.world import File, Wire

SMALL = 90  # pixels of the preview's longer side
NAMED = frozenset({"document", "audio", "video", "animation"})


def media_fields(core: Core, kind: str, file: File, given: Wire) -> Wire:
    """Give the fields of a message with one file; `given` are what the sender said of it."""
    if kind == "photo":
        return {"photo": photo_sizes(core, file, given)}
    body: Wire = file_fields(file)
    if kind in NAMED and file.name:
        body["file_name"] = file.name
    if file.mime and kind != "sticker":
        body["mime_type"] = file.mime
    body.update(EXTRA.get(kind, {}))
    body.update({key: value for key, value in given.items() if value not in {None, ""}})
    if kind == "animation":
        plain: Wire = {key: body[key] for key in ("file_name", "mime_type") if key in body}
        return {"animation": body, "document": {**file_fields(file), **plain}}
    return {kind: body}


# What an object must have even if the sender said nothing.
EXTRA: dict[str, Wire] = {
    "voice": {"duration": 0},
    "audio": {"duration": 0},
    "video": {"width": 0, "height": 0, "duration": 0},
    "animation": {"width": 0, "height": 0, "duration": 0},
    "video_note": {"length": 240, "duration": 0},
    "sticker": {"type": "regular", "width": 512, "height": 512, "is_animated": False, "is_video": False},
}


def photo_sizes(core: Core, file: File, given: Wire) -> list[Wire]:
    """Give a photo's two sizes, the small one first."""
    width, height = dimensions(core.contents.get(file.id, b""))
    width, height = int(str(given.get("width") or width)), int(str(given.get("height") or height))
    scale = SMALL / max(width, height, SMALL)
    small = store(core, "photo", None, size=min(file.size, 1_500))
    return [
        {**file_fields(small), "width": max(1, int(width * scale)), "height": max(1, int(height * scale))},
        {**file_fields(file), "width": width, "height": height},
    ]


def dimensions(content: bytes) -> tuple[int, int]:
    """Read the size of a PNG; anything else counts as 800 by 600."""
    if content.startswith(b"\x89PNG") and len(content) >= 24:
        return int.from_bytes(content[16:20]), int.from_bytes(content[20:24])
    return 800, 600


def location_fields(latitude: float, longitude: float, accuracy: float | None = None) -> Wire:
    """Give the fields of a location."""
    place: Wire = {"latitude": latitude, "longitude": longitude}
    if accuracy:
        place["horizontal_accuracy"] = accuracy
    return {"location": place}
