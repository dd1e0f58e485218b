"""Rows as plain JSON; a body that retention emptied or that cannot be read costs a listing nothing else."""

import json
from collections.abc import Mapping

from gateway.domain.ids import ConversationKey, Identity
from gateway.services.operations.base import Json
from gateway.store.sqlite import Row

HIDDEN = ("body", "person")  # what a listing shows in other words


def shown(row: Row) -> Json:
    """Describe a row of either queue."""
    gone = row["body"] == "" and row["state"] != "ready"
    columns: Json = {name: row[name] for name in row.keys() if name not in HIDDEN}  # noqa: SIM118  # a Row iterates values
    told = _inbound(row["body"]) if row["queue"] == "inbox" else _outbound(row["body"])
    return {**columns, **told, "removed": "its text was removed by retention" if gone else None}


def _inbound(body: str) -> Json:
    whole = _object(body)
    message, route = _part(whole, "message"), _part(whole, "route")
    return {
        "kind": message.get("kind"),
        "conversation": _conversation(message),
        "sender": _sender(message),
        "sender_name": message.get("sender_name", ""),
        "received_at": message.get("received_at"),
        "text": message.get("text", ""),
        "attachments": _names(message),
        "route": route.get("kind"),
        "talk": route.get("talk", ""),
        "role": route.get("role", "guest"),
        "person": route.get("person"),
    }


def _outbound(body: str) -> Json:
    delivery = _object(body)
    part = _part(delivery, "part")
    return {
        "what": delivery.get("what", "answer"),
        "repeat": delivery.get("repeat"),
        "conversation": _conversation(delivery),
        "text": part.get("text", ""),
        "attachments": _names(part),
    }


def _object(text: str) -> Mapping[str, object]:
    try:
        value = json.loads(text or "{}")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _part(whole: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = whole.get(name)
    return value if isinstance(value, dict) else {}


def _names(holder: Mapping[str, object]) -> list[str]:
    files = holder.get("attachments")
    return [str(file.get("name")) for file in files if isinstance(file, dict)] if isinstance(files, list) else []


def _conversation(holder: Mapping[str, object]) -> str | None:
    fields = _part(holder, "conversation")
    if not fields:
        return None
    thread = fields.get("thread")
    return str(
        ConversationKey(
            platform=str(fields.get("platform")),
            account=str(fields.get("account")),
            chat=str(fields.get("chat")),
            kind="direct",
            thread=None if thread is None else str(thread),
        )
    )


def _sender(message: Mapping[str, object]) -> str | None:
    fields = _part(message, "sender")
    if not fields:
        return None
    return str(
        Identity(
            platform=str(fields.get("platform")),
            native=str(fields.get("native")),
            scope=str(fields.get("scope", "")),
        )
    )
