"""Files as the server keeps them: two ids, a size, a path to fetch them from."""

import base64
import secrets
import struct

from playground.telegram.core import Core
from playground.telegram.errors import bad_request
from playground.telegram.params import Params, Upload
from playground.telegram.world import File, Wire

LARGEST_DOWNLOAD = 20 * 1024 * 1024
LARGEST_PHOTO = 10 * 1024 * 1024
# Where files of a kind lie, their usual ending, and how their ids begin.
PLACES = {
    "photo": ("photos", ".jpg", "AgACAgIAAx"),
    "document": ("documents", "", "BQACAgIAAx"),
    "voice": ("voice", ".oga", "AwACAgIAAx"),
    "audio": ("music", ".mp3", "CQACAgIAAx"),
    "video": ("videos", ".mp4", "BAACAgIAAx"),
    "animation": ("animations", ".mp4", "CgACAgIAAx"),
    "sticker": ("stickers", ".webp", "CAACAgIAAx"),
    "video_note": ("video_notes", ".mp4", "DQACAgIAAx"),
}
IMAGES = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF8", b"RIFF", b"BM")


def store(core: Core, kind: str, content: bytes | None, *, size: int = 0, name: str = "", mime: str = "") -> File:
    """Keep a file; without bytes only its declared size."""
    world = core.world
    folder, ending, prefix = PLACES[kind]
    number = world.serial()
    suffix = f".{name.rpartition('.')[2]}" if "." in name else ending
    file = File(
        id=prefix + word(struct.pack(">I", number) + secrets.token_bytes(24)),
        unique_id=word(struct.pack(">I", number) + secrets.token_bytes(7)),
        size=size if content is None else len(content),
        path=f"{folder}/file_{number}{suffix}",
        kind=kind,
        name=name,
        mime=mime,
    )
    world.files[file.id] = file
    world.paths[file.path] = file.id
    if content is not None:
        core.contents[file.id] = content
    return file


def word(raw: bytes) -> str:
    """Write bytes as the ids are written."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def file_fields(file: File) -> Wire:
    """Give the members that every file object has."""
    return {"file_id": file.id, "file_unique_id": file.unique_id, "file_size": file.size}


def take_file(core: Core, params: Params, kind: str, value: str, field: str) -> File:
    """Find the file of a call: an upload, an `attach://` name, or a file_id; raises the server's words."""
    upload = params.files.get(value.removeprefix("attach://") if value.startswith("attach://") else field)
    if upload is not None:
        return store_upload(core, kind, upload)
    if not value or value.startswith("attach://"):
        raise bad_request(f"there is no {kind.replace('_', ' ')} in the request")
    if "://" in value:
        # Nothing is ever fetched from elsewhere.
        raise bad_request("failed to get HTTP URL content")
    file = core.world.files.get(value)
    if file is None:
        raise bad_request("wrong file identifier/HTTP URL specified")
    if file.kind != kind:
        have, want = file.kind.capitalize(), kind.capitalize()
        raise bad_request(f"can't use file of type {have} as {want}")
    return file


def store_upload(core: Core, kind: str, upload: Upload) -> File:
    """Keep an uploaded file; a photo must be a picture of at most 10 MB."""
    if not upload.content:
        raise bad_request("file must be non-empty")
    if kind == "photo":
        if len(upload.content) > LARGEST_PHOTO:
            raise bad_request("file is too big")
        if not upload.content.startswith(IMAGES):
            raise bad_request("IMAGE_PROCESS_FAILED")
    return store(core, kind, upload.content, name=upload.name, mime=upload.mime)
