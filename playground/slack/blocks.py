"""Blocks of a message: what Slack takes, and what a reader sees of them."""

from collections.abc import Iterable

from playground.slack.errors import ApiError
from playground.slack.world import Wire

MAX_BLOCKS = 50
MAX_BUTTONS = 25
MAX_CHARS = 12_000
LABEL_CHARS = 75
VALUE_CHARS = 2_000
ACTION_CHARS = 255
URL_CHARS = 3_000
PARTS = frozenset({"rich_text_section", "rich_text_preformatted", "rich_text_quote", "rich_text_list"})
LEAVES = frozenset({"text", "link", "user", "usergroup", "channel", "emoji", "broadcast", "date"})
STYLES = frozenset({"bold", "italic", "strike", "code", "underline", "highlight"})


def check(value: object) -> list[Wire]:
    """Take the blocks of a call; raises ApiError for what Slack refuses."""
    if not isinstance(value, list) or not all(isinstance(block, dict) for block in value):
        raise ApiError("invalid_blocks_format")
    if len(value) > MAX_BLOCKS:
        raise wrong("no more than 50 items allowed [json-pointer:/blocks]")
    for block in value:
        _check_block(block)
    if len(shown(value)) > MAX_CHARS:
        raise ApiError("msg_blocks_too_long")
    return value


def wrong(why: str) -> ApiError:
    """Refuse blocks and say why, as Slack does."""
    return ApiError("invalid_blocks", errors=[why], response_metadata={"messages": [f"[ERROR] {why}"]})


def _check_block(block: Wire) -> None:
    match block.get("type"):
        case "rich_text":
            for part in children(block):
                _check_part(part)
        case "actions":
            _check_actions(children(block))
        case "section" | "context" | "divider" | "header" | "markdown":
            return
        case other:
            raise wrong(f"unsupported type: {other}")


def _check_part(part: Wire) -> None:
    if part.get("type") not in PARTS:
        raise wrong(f"unsupported element: {part.get('type')}")
    inside = children(part)
    if not inside:
        raise wrong("must have at least one element")
    for leaf in inside:
        if part["type"] == "rich_text_list":
            _check_part(leaf)
            continue
        if leaf.get("type") not in LEAVES:
            raise wrong(f"unsupported element: {leaf.get('type')}")
        if part["type"] == "rich_text_preformatted" and leaf["type"] not in ("text", "link"):
            raise wrong("only text and links in preformatted text")
        _check_leaf(leaf)


def _check_leaf(leaf: Wire) -> None:
    if leaf["type"] == "text" and not leaf.get("text"):
        raise wrong("must be more than 0 characters [json-pointer:/text]")
    if leaf["type"] == "link":
        url = leaf.get("url")
        if not isinstance(url, str) or not url or len(url) > URL_CHARS:
            raise wrong("invalid url")
    style = leaf.get("style", {})
    if not isinstance(style, dict) or not style.keys() <= STYLES:
        raise wrong("invalid style")


def _check_actions(buttons: list[Wire]) -> None:
    if not 0 < len(buttons) <= MAX_BUTTONS:
        raise wrong("actions take 1 to 25 elements")
    names = [button.get("action_id") for button in buttons]
    if len(set(names)) != len(names):
        raise wrong("action_id already exists in this block")
    for button in buttons:
        label = button.get("text")
        words = label.get("text") if isinstance(label, dict) else None
        if not isinstance(words, str) or not 0 < len(words) <= LABEL_CHARS:
            raise wrong("must be between 1 and 75 characters [json-pointer:/text]")
        if len(str(button.get("value", ""))) > VALUE_CHARS or len(str(button.get("action_id", ""))) > ACTION_CHARS:
            raise wrong("too long")


def children(block: Wire) -> list[Wire]:
    """Give the elements of a block."""
    elements = block.get("elements")
    if not isinstance(elements, list) or not all(isinstance(one, dict) for one in elements):
        raise wrong("missing required field: elements")
    return elements


def buttons(blocks: Iterable[Wire]) -> list[Wire]:
    """Give the buttons under a message."""
    return [button for block in blocks if block.get("type") == "actions" for button in children(block)]


def shown(blocks: Iterable[Wire]) -> str:
    """Give the words that a reader sees: each part on lines of its own."""
    lines: list[str] = []
    for block in blocks:
        if block.get("type") == "rich_text":
            lines.extend(_part(part) for part in children(block))
        elif block.get("type") == "section":
            text = block.get("text")
            lines.append(str(text.get("text")) if isinstance(text, dict) else "")
        elif block.get("type") == "markdown":
            lines.append(str(block.get("text")))
    return "\n".join(lines)


def _part(part: Wire) -> str:
    if part.get("type") == "rich_text_list":
        return "\n".join(f"• {_part(item)}" for item in children(part))
    return "".join(_leaf(leaf) for leaf in children(part))


def _leaf(leaf: Wire) -> str:
    match leaf.get("type"):
        case "text":
            return str(leaf.get("text"))
        case "link":
            return str(leaf.get("text") or leaf.get("url"))
        case "user":
            return f"@{leaf.get('user_id')}"
        case "broadcast":
            return f"@{leaf.get('range')}"
        case "emoji":
            return f":{leaf.get('name')}:"
        case _:
            return ""


def pings(blocks: Iterable[Wire]) -> list[str]:
    """List whom the blocks would ring up."""
    parts = [part for block in blocks if block.get("type") == "rich_text" for part in children(block)]
    leaves = [leaf for part in parts for leaf in children(part)]
    return [
        str(leaf.get("user_id") or leaf.get("usergroup_id") or leaf.get("range"))
        for leaf in leaves
        if leaf.get("type") in ("user", "usergroup", "broadcast")
    ]
