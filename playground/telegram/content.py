"""A message's text as the bot sends it: parse mode or entities, limits, link previews, reply markup."""

from playground.telegram.core import Core
from playground.telegram.detect import detect
from playground.telegram.entities import add_found, read_entities, settle
from playground.telegram.errors import bad_request
from playground.telegram.html_mode import parse_html
from playground.telegram.markdown_mode import MarkdownParser
from playground.telegram.params import Params, given_json, mapping, words
from playground.telegram.utf16 import units
from playground.telegram.world import Entity, Wire

LONGEST_TEXT = 4_096
LONGEST_INPUT = 32_768  # bytes, before parsing
LONGEST_CAPTION = 1_024
LONGEST_CALLBACK = 64  # bytes


def formatted(core: Core, text: str, mode: str, given: object) -> tuple[str, tuple[Entity, ...]]:
    """Give a text without its markup, cleaned and trimmed, with its entities."""
    if len(text.encode(errors="replace")) > LONGEST_INPUT:
        raise bad_request("text is too long")
    mode = mode.lower()
    entities: list[Entity] = []
    if mode in PARSERS:
        text, entities = PARSERS[mode](text)
    elif mode not in {"", "none"}:
        raise bad_request("unsupported parse_mode")
    elif isinstance(given, list) and given:
        entities = read_entities(given)
    text, entities = settle(text, entities, core.complain)
    return text, tuple(add_found(entities, detect(text)))


def read_text(core: Core, params: Params) -> tuple[str, tuple[Entity, ...]]:
    """Give the text of a message; raises when it is empty or too long."""
    source = params.text("text")
    if not source:
        raise bad_request("message text is empty")
    text, entities = formatted(core, source, params.text("parse_mode"), given_json(params, "entities"))
    if not text:
        raise bad_request("text must be non-empty")
    return text, entities


def read_caption(core: Core, source: str, mode: str, given: object) -> tuple[str, tuple[Entity, ...]]:
    """Give the caption of a media message; raises when it is too long."""
    if not source:
        return "", ()
    text, entities = formatted(core, source, mode, given)
    if units(text) > LONGEST_CAPTION:
        raise bad_request("message caption is too long")
    return text, entities


def markdown_v2(text: str) -> tuple[str, list[Entity]]:
    """Parse a text in MarkdownV2."""
    return MarkdownParser(text).parse()


def markdown_v1(text: str) -> tuple[str, list[Entity]]:
    """Refuse the old Markdown, which nothing here should use."""
    raise bad_request(f"can't parse entities: the emulator doesn't know the old Markdown ({units(text)} units)")


PARSERS = {"html": parse_html, "markdownv2": markdown_v2, "markdown": markdown_v1}


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
