"""What Telegram makes of a text and its entities: cleaned, trimmed, checked, and never crossing."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush
from itertools import pairwise

from playground.telegram.errors import ApiError, bad_request
from playground.telegram.links import read_link
from playground.telegram.params import mapping, whole, words
from playground.telegram.utf16 import units
from playground.telegram.world import Entity

MOST_ENTITIES = 100
FARTHEST = 1_000_000
SPLITTABLE = ("bold", "italic", "underline", "strikethrough", "spoiler")
QUOTES = frozenset({"blockquote", "expandable_blockquote"})
CODES = frozenset({"code", "pre"})
FOUND_BY_SERVER = frozenset(
    {"mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number", "bank_card"}
)
KNOWN = frozenset({*SPLITTABLE, *QUOTES, *CODES, "text_link", "text_mention", "custom_emoji"})
REMOVED = re.compile("[\r\u2028-\u202e\u0333\u033f\u030a]")
BLANKED = re.compile("[\0-\t\v\f\x0e-\x1f]")
Complain = Callable[[str], None]


def read_entities(items: Sequence[object]) -> list[Entity]:
    """Read the `entities` parameter; what the server finds by itself is ignored."""
    kept: list[Entity] = []
    for item in items:
        fields = mapping(item)
        if not fields:
            raise parse_problem("expected an Object")
        for name in ("offset", "length"):
            if name not in fields:
                raise parse_problem(f'Can\'t find field "{name}"')
        kind = words(fields.get("type"))
        if not kind:
            raise parse_problem("Type is not specified")
        if kind in FOUND_BY_SERVER:
            continue
        if kind not in KNOWN:
            raise parse_problem("Unsupported type specified")
        kept.append(read_entity(kind, fields))
    return kept


def read_entity(kind: str, fields: dict[str, object]) -> Entity:
    """Read one entity of a known type."""
    entity = Entity(type=kind, offset=whole(fields.get("offset")), length=whole(fields.get("length")))
    if kind == "pre":
        return replace(entity, language=words(fields.get("language")))
    if kind == "text_mention":
        return replace(entity, user=whole(mapping(fields.get("user")).get("id")))
    if kind == "custom_emoji":
        return replace(entity, custom_emoji_id=str(fields.get("custom_emoji_id", "")))
    if kind == "text_link":
        if not isinstance(fields.get("url"), str):
            raise parse_problem('Can\'t find field "url"')
        link = read_link(words(fields["url"]))
        if link.problem:
            raise bad_request(f"entity URL '{fields['url']}' is invalid: {link.problem}")
        return replace(entity, type="text_mention" if link.user else kind, url=link.url, user=link.user)
    return entity


def parse_problem(what: str) -> ApiError:
    """Make the error of an entity that can't be read."""
    return bad_request(f"can't parse MessageEntity: {what}")


def settle(text: str, entities: list[Entity], complain: Complain) -> tuple[str, list[Entity]]:
    """Clean a text and order its entities; raises where the server refuses, complains where it drops."""
    if entities:
        check_bounds(text, entities)
    text, entities = clean(text, entities)
    entities = [entity for entity in entities if entity.length > 0]
    if entities:
        entities = arrange(entities, complain)
    text, entities = trim(text, entities)
    if len(entities) > MOST_ENTITIES:
        complain(f"{len(entities) - MOST_ENTITIES} entities beyond the first {MOST_ENTITIES} were dropped")
        entities = entities[:MOST_ENTITIES]
    return text, entities


def check_bounds(text: str, entities: list[Entity]) -> None:
    """Raise for an entity that lies outside the text or cuts a character in two."""
    total = units(text)
    inside = cut_places(text)
    for entity in entities:
        if not 0 <= entity.offset <= FARTHEST:
            raise bad_request(f"receive an entity with incorrect offset {entity.offset}")
        if not 0 <= entity.length <= FARTHEST:
            raise bad_request(f"receive an entity with incorrect length {entity.length}")
        end = entity.offset + entity.length
        if not entity.length:
            continue
        if entity.offset >= total:
            raise bad_request(f"entity begins after the end of the text at UTF-16 offset {entity.offset}")
        if end > total:
            raise bad_request(
                f"entity beginning at UTF-16 offset {entity.offset} ends after the end of the text "
                f"at UTF-16 offset {end}"
            )
        if entity.offset in inside:
            raise bad_request(f"entity begins in a middle of a UTF-16 symbol at byte offset {inside[entity.offset]}")
        if end in inside:
            raise bad_request(
                f"entity beginning at UTF-16 offset {entity.offset} ends in a middle of a UTF-16 symbol "
                f"at byte offset {inside[end]}"
            )


def cut_places(text: str) -> dict[int, int]:
    """Give the UTF-16 offsets that lie inside a character, with the byte offset behind that character."""
    if text.isascii():
        return {}
    places: dict[int, int] = {}
    offset = size = 0
    for letter in text:
        size += len(letter.encode(errors="replace"))
        if letter > "\uffff":
            places[offset + 1] = size
            offset += 2
        else:
            offset += 1
    return places


def clean(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    """Blank out control characters and take out what the server removes."""
    text = BLANKED.sub(" ", text)
    removed = [units(text[: match.start()]) for match in REMOVED.finditer(text)]
    if not removed:
        return text, entities

    def moved(offset: int) -> int:
        return offset - sum(1 for place in removed if place < offset)

    kept = [
        replace(
            entity,
            offset=moved(entity.offset),
            length=moved(entity.offset + entity.length) - moved(entity.offset),
        )
        for entity in entities
    ]
    return REMOVED.sub("", text), kept


def order(entity: Entity) -> tuple[int, int, int]:
    """Sort by place, the longer first, quotes outside, styles inside."""
    rank = 0 if entity.type in QUOTES else 2 if entity.type in SPLITTABLE else 1
    return entity.offset, -entity.length, rank


def arrange(entities: list[Entity], complain: Complain) -> list[Entity]:
    """Sort entities, and drop or cut those that cross others."""
    entities = sorted(entities, key=order)
    if nested(entities):
        return entities
    quotes = apart([one for one in entities if one.type in QUOTES], complain)
    solid = apart([one for one in entities if one.type not in QUOTES and one.type not in SPLITTABLE], complain)
    for entity in [one for one in solid if any(bursts(one, quote) for quote in quotes)]:
        complain(f"{describe(entity)} was dropped: it crosses a block quote")
        solid.remove(entity)
    frame = sorted([*quotes, *solid], key=order)
    styles = [piece for kind in SPLITTABLE for piece in style(kind, entities, frame, complain)]
    return uncrossed([*frame, *styles])


def nested(entities: list[Entity]) -> bool:
    """Tell whether sorted entities lie in each other without crossing, as the server wants them."""
    stack: list[Entity] = []
    for entity in entities:
        while stack and stack[-1].offset + stack[-1].length <= entity.offset:
            stack.pop()
        if any(clashes(outer, entity) for outer in stack):
            return False
        stack.append(entity)
    return True


def clashes(outer: Entity, inner: Entity) -> bool:
    """Tell whether an entity may not lie where it lies inside another."""
    if inner.offset + inner.length > outer.offset + outer.length or outer.type in CODES:
        return True
    if outer.type == inner.type:
        return True
    if outer.type in QUOTES:
        return inner.type in QUOTES
    if outer.type in SPLITTABLE:
        return inner.type in QUOTES or inner.type in CODES
    return inner.type not in SPLITTABLE


def apart(entities: list[Entity], complain: Complain) -> list[Entity]:
    """Keep the first of entities that overlap."""
    kept: list[Entity] = []
    for entity in entities:
        if kept and entity.offset < kept[-1].offset + kept[-1].length:
            complain(f"{describe(entity)} was dropped: it overlaps {describe(kept[-1])}")
            continue
        kept.append(entity)
    return kept


def uncrossed(entities: list[Entity]) -> list[Entity]:
    """Sort entities, and cut each style that begins inside another and ends behind it, at that end."""
    waiting = [(order(entity), number, entity) for number, entity in enumerate(entities)]
    heapify(waiting)
    kept: list[Entity] = []
    around: list[Entity] = []
    while waiting:
        _, number, entity = heappop(waiting)
        end = entity.offset + entity.length
        around = [outer for outer in around if outer.offset + outer.length > entity.offset]
        edge = min((outer.offset + outer.length for outer in around), default=end)
        if edge < end:
            rest = replace(entity, offset=edge, length=end - edge)
            entity = replace(entity, length=edge - entity.offset)
            heappush(waiting, (order(rest), number, rest))
            heappush(waiting, (order(entity), number, entity))
            continue
        kept.append(entity)
        around.append(entity)
    return kept


def bursts(entity: Entity, quote: Entity) -> bool:
    """Tell whether an entity overlaps a quote without lying inside it."""
    start, end = entity.offset, entity.offset + entity.length
    low, high = quote.offset, quote.offset + quote.length
    return start < high and low < end and (start < low or end > high)


def style(kind: str, entities: list[Entity], frame: list[Entity], complain: Complain) -> list[Entity]:
    """Join the ranges of one style, cut them at the borders of the frame, and take them out of code."""
    ranges: list[tuple[int, int]] = []
    for entity in entities:
        if entity.type != kind:
            continue
        start, end = entity.offset, entity.offset + entity.length
        if ranges and start <= ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], max(ranges[-1][1], end))
        else:
            ranges.append((start, end))
    borders = sorted({place for one in frame for place in (one.offset, one.offset + one.length)})
    pieces: list[Entity] = []
    for start, end in ranges:
        places = [start, *(place for place in borders if start < place < end), end]
        for low, high in pairwise(places):
            if any(one.type in CODES and one.offset <= low < one.offset + one.length for one in frame):
                complain(f"{kind} at {low}+{high - low} was dropped: it lies in code")
            else:
                pieces.append(Entity(type=kind, offset=low, length=high - low))
    return pieces


def describe(entity: Entity) -> str:
    """Name an entity in a complaint."""
    return f"{entity.type} at {entity.offset}+{entity.length}"


def add_found(entities: list[Entity], found: Sequence[Entity]) -> list[Entity]:
    """Add what the server found by itself, where the bot's entities leave room."""
    fixed = [one for one in entities if one.type not in SPLITTABLE and one.type not in QUOTES]
    quotes = [one for one in entities if one.type in QUOTES]
    room = [
        one
        for one in found
        if not any(
            one.offset < other.offset + other.length and other.offset < one.offset + one.length for other in fixed
        )
        and not any(bursts(one, quote) for quote in quotes)
    ]
    return arrange([*entities, *room], silent) if room else entities


def silent(_words: str) -> None:
    """Take a complaint that nobody needs to hear."""


def trim(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    """Strip white space from the ends; entities shrink with it, and those of white space only go."""
    if not entities:
        return text.strip(" \n"), []
    letters = text.encode("utf-16-le", "surrogatepass")
    entities = [kept for entity in entities if (kept := shrink(letters, entity)) is not None]
    short = text.rstrip(" \n")
    total = units(short)
    first = min((entity.offset for entity in entities), default=total)
    lead = len(short) - len(short.lstrip(" \n"))
    lead = min(lead, first)
    trimmed = [
        replace(entity, offset=entity.offset - lead, length=min(entity.length, total - entity.offset))
        for entity in entities
        if entity.offset < total
    ]
    return short[lead:], trimmed


def shrink(letters: bytes, entity: Entity) -> Entity | None:
    """Move an entity's start behind leading white space of a UTF-16 text; nothing when there is only that."""
    start, end = entity.offset, entity.offset + entity.length
    content = letters[2 * start : 2 * end].decode("utf-16-le", "surrogatepass")
    if not content.strip(" \n"):
        return None
    lead = len(content) - len(content.lstrip(" \n"))
    return replace(entity, offset=start + lead, length=entity.length - lead) if lead else entity
