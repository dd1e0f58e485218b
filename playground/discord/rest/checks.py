"""What the API takes of a message and what it refuses."""

from collections.abc import Mapping

from playground.discord.errors import ApiError, invalid
from playground.discord.fields import listed, mapping, whole, wholes, words
from playground.discord.world import Wire

MAX_CONTENT = 2000
MAX_NONCE = 25
MAX_ROWS, MAX_IN_ROW, MAX_LABEL, MAX_CUSTOM_ID = 5, 5, 80, 100
MAX_EMBEDS, MAX_EMBED_CHARS = 10, 6000
EMBED_FIELDS: Mapping[str, int] = {"title": 256, "description": 4096}
SUPPRESS_EMBEDS, EPHEMERAL, SILENT = 1 << 2, 1 << 6, 1 << 12
PARSED = frozenset({"roles", "users", "everyone"})


def content(body: Wire) -> str:
    """Take the text of a message, stripped as the server does it."""
    value = body.get("content")
    if value is not None and not isinstance(value, str):
        raise invalid("content", "STRING_TYPE_CONVERT", "Could not interpret as a string.")
    text = (value or "").strip()
    if len(text) > MAX_CONTENT:
        raise invalid("content", "BASE_TYPE_MAX_LENGTH", f"Must be {MAX_CONTENT} or fewer in length.")
    return text


def nonce(body: Wire) -> str:
    """Take a nonce."""
    value = body.get("nonce")
    text = str(value) if isinstance(value, str | int) else ""
    if len(text) > MAX_NONCE:
        raise invalid("nonce", "NONCE_TYPE_TOO_LONG", f"Must be {MAX_NONCE} or fewer in length.")
    return text


def embeds(body: Wire) -> list[Wire]:
    """Take embeds."""
    found = [mapping(one) for one in listed(body.get("embeds"))]
    if len(found) > MAX_EMBEDS:
        raise invalid("embeds", "BASE_TYPE_MAX_LENGTH", f"Must be {MAX_EMBEDS} or fewer in length.")
    for name, most in EMBED_FIELDS.items():
        if any(len(words(one.get(name))) > most for one in found):
            raise invalid("embeds", "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
    if sum(len(words(one.get(name))) for one in found for name in EMBED_FIELDS) > MAX_EMBED_CHARS:
        raise invalid("embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")
    return found


def components(body: Wire) -> list[Wire]:
    """Take rows of buttons."""
    rows = [mapping(one) for one in listed(body.get("components"))]
    if len(rows) > MAX_ROWS:
        raise invalid("components", "BASE_TYPE_BAD_LENGTH", f"Must be between 1 and {MAX_ROWS} in length.")
    seen: set[str] = set()
    for row in rows:
        inside = [mapping(one) for one in listed(row.get("components"))]
        if row.get("type") != 1 or not 1 <= len(inside) <= MAX_IN_ROW:
            raise invalid("components", "BASE_TYPE_BAD_LENGTH", f"Must be between 1 and {MAX_IN_ROW} in length.")
        for button in inside:
            _button(button, seen)
    return rows


def _button(button: Wire, seen: set[str]) -> None:
    label, number = words(button.get("label")), words(button.get("custom_id"))
    if button.get("type") != 2 or button.get("style") not in (1, 2, 3, 4):
        raise invalid("components", "UNION_TYPE_CHOICES", 'Value of field "type" must be one of the known ones.')
    if not 1 <= len(label) <= MAX_LABEL:
        raise invalid("components", "BASE_TYPE_MAX_LENGTH", f"Must be {MAX_LABEL} or fewer in length.")
    if not 1 <= len(number) <= MAX_CUSTOM_ID:
        raise invalid("components", "BASE_TYPE_BAD_LENGTH", f"Must be between 1 and {MAX_CUSTOM_ID} in length.")
    if number in seen:
        raise invalid("components", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
    seen.add(number)


def mentions(body: Wire, found: tuple[list[int], list[int], bool]) -> tuple[list[int], list[int], bool]:
    """Say who is notified by a text of the bot that mentions users, roles, everybody."""
    value = body.get("allowed_mentions")
    if value is None:
        return found
    allowed = mapping(value)
    parse = [words(one) for one in listed(allowed.get("parse"))]
    if not set(parse) <= PARSED:
        raise invalid("allowed_mentions", "BASE_TYPE_CHOICES", "Value must be one of ('roles', 'users', 'everyone').")
    for kind in ("users", "roles"):
        if kind in parse and allowed.get(kind):
            words_ = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            raise invalid("allowed_mentions", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", words_)
    users, roles, everyone = found
    may_users, may_roles = wholes(allowed.get("users")), wholes(allowed.get("roles"))
    return (
        [one for one in users if "users" in parse or one in may_users],
        [one for one in roles if "roles" in parse or one in may_roles],
        everyone and "everyone" in parse,
    )


def not_empty(*parts: object) -> None:
    """Refuse a message that shows nothing."""
    if not any(parts):
        raise ApiError(400, 50006, "Cannot send an empty message")


def reference(body: Wire) -> tuple[int, bool]:
    """Take what a message replies to, and whether it must exist."""
    value = mapping(body.get("message_reference"))
    return whole(value.get("message_id")), value.get("fail_if_not_exists") is not False
