"""A message's text as the bot sends it: parse mode or entities, limits, link previews, reply markup."""

from playground.telegram.detect import detect
from playground.telegram.errors import bad_request
from playground.telegram.params import Params, mapping, words
from playground.telegram.utf16 import units
from playground.telegram.world import Entity, Wire

LONGEST_TEXT = 4_096
LONGEST_CAPTION = 1_024
LONGEST_CALLBACK = 64  # bytes


def read_text(params: Params, *, key: str = "text") -> tuple[str, tuple[Entity, ...]]:
    """Give the text of a call without its markup, cleaned, with its entities."""
    text = params.text(key)
    text = text.strip()
    return text, detect(text)


def message_text(params: Params) -> tuple[str, tuple[Entity, ...]]:
    """Give the text of a message; raises when it is empty or too long."""
    text, entities = read_text(params)
    if not text:
        raise bad_request("message text is empty")
    if units(text) > LONGEST_TEXT:
        raise bad_request("message is too long")
    return text, entities


def read_markup(params: Params) -> Wire | None:
    """Give the reply markup of a call; raises when a button is wrong."""
    markup = params.object("reply_markup", "reply markup")
    if not markup:
        return None
    rows = markup.get("inline_keyboard")
    if rows is None:
        return None
    if not isinstance(rows, list):
        raise bad_request('field "inline_keyboard" must be of type Array')
    kept = [checked_row(row) for row in rows]
    kept = [row for row in kept if row]
    return {"inline_keyboard": kept} if kept else None


def checked_row(row: object) -> list[Wire]:
    """Check a row of inline buttons."""
    if not isinstance(row, list):
        raise bad_request("object expected as reply markup")
    return [checked_button(mapping(button)) for button in row]


def checked_button(button: Wire) -> Wire:
    """Check one inline button."""
    if not words(button.get("text")):
        raise bad_request('can\'t parse inline keyboard button: Field "text" must be of type String')
    data = button.get("callback_data")
    if data is not None and not 1 <= len(words(data).encode()) <= LONGEST_CALLBACK:
        raise bad_request("BUTTON_DATA_INVALID")
    if data is None and not any(key in button for key in ("url", "web_app", "login_url", "copy_text", "pay")):
        raise bad_request("Text buttons are unallowed in the inline keyboard")
    return button
