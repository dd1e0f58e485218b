"""Messages with files, albums and places."""

from collections.abc import Callable

from playground.telegram.content import read_caption, read_markup
from playground.telegram.core import Core
from playground.telegram.destination import Destination, read_destination
from playground.telegram.errors import bad_request
from playground.telegram.files import take_file
from playground.telegram.media import location_fields, media_fields
from playground.telegram.params import Params, given_json, mapping, words
from playground.telegram.wire import message_wire
from playground.telegram.world import Body, Message, Wire

MOST_IN_ALBUM = 10
NUMBERS = ("duration", "width", "height", "length")
WORDS = ("title", "performer", "emoji")
CAPTIONLESS = frozenset({"sticker", "video_note"})
ALONE = frozenset({"document", "audio"})  # kinds that share an album only with their like
ALBUM_KINDS = frozenset({"photo", "video", "document", "audio"})


def sender(kind: str) -> Callable[[Core, Params], object]:
    """Make the method that sends one file of a kind."""

    def send(core: Core, params: Params) -> object:
        caption = read_body(core, params, kind)
        markup = read_markup(params)
        place = read_destination(core, params)
        file = take_file(core, params, kind, params.text(kind), kind)
        fields = media_fields(core, kind, file, said(params.values))
        return post(core, place, Body(media=fields, markup=markup, text=caption.text, entities=caption.entities))

    return send


def read_body(core: Core, params: Params, kind: str) -> Body:
    """Read the caption of a call."""
    if kind in CAPTIONLESS:
        return Body()
    text, entities = read_caption(
        core, params.text("caption"), params.text("parse_mode"), given_json(params, "caption_entities")
    )
    return Body(text=text, entities=entities, caption_above=params.flag("show_caption_above_media"))


def said(values: Wire) -> Wire:
    """Take what the sender said of a file."""
    found: Wire = {}
    for key in NUMBERS:
        value = values.get(key)
        if isinstance(value, int) or (isinstance(value, str) and value.isdigit()):
            found[key] = int(value)
    for key in WORDS:
        if words(values.get(key)):
            found[key] = values[key]
    return found


def post(core: Core, place: Destination, body: Body) -> Wire:
    """Post a message of the bot and give it as JSON."""
    return message_wire(core.world, put(core, place, body))


def put(core: Core, place: Destination, body: Body, album: str = "") -> Message:
    """Post a message of the bot."""
    return core.post(
        place.chat,
        core.world.bot.id,
        body,
        thread=place.thread,
        reply_to=place.reply_to,
        quote=place.quote,
        silent=place.silent,
        album=album,
    )


def send_location(core: Core, params: Params) -> object:
    """Send a place on the map."""
    latitude, longitude = params.number("latitude"), params.number("longitude")
    if latitude is None:
        raise bad_request("latitude is empty")
    if longitude is None:
        raise bad_request("longitude is empty")
    markup = read_markup(params)
    place = read_destination(core, params)
    fields = location_fields(latitude, longitude, params.number("horizontal_accuracy"))
    return post(core, place, Body(media=fields, markup=markup))


def send_media_group(core: Core, params: Params) -> object:
    """Send an album of 2 to 10 files."""
    items = [mapping(item) for item in params.items("media", "media", "InputMedia") or []]
    check_album(items)
    place = read_destination(core, params)
    bodies = [album_body(core, params, item) for item in items]
    album = str(10_000_000_000_000_000 + core.world.serial())
    return [message_wire(core.world, put(core, place, body, album)) for body in bodies]


def check_album(items: list[Wire]) -> None:
    """Raise for an album that the server would not take."""
    if len(items) < 2:
        raise bad_request("there are not enough messages to send as an album: it must include 2-10 items")
    if len(items) > MOST_IN_ALBUM:
        raise bad_request("too many messages to send as an album")
    kinds = [words(item.get("type")) for item in items]
    for kind in kinds:
        if kind not in ALBUM_KINDS:
            reason = "can't be used in sendMediaGroup" if kind == "animation" else "is unsupported"
            raise bad_request(f'can\'t parse InputMedia: type "{kind}" {reason}')
    alone = next((kind for kind in kinds if kind in ALONE), kinds[0])
    if alone in ALONE and set(kinds) != {alone}:
        raise bad_request(f"{alone} can't be mixed with other media types")


def album_body(core: Core, params: Params, item: Wire) -> Body:
    """Read one item of an album."""
    kind = words(item.get("type"))
    media = words(item.get("media"))
    if not media:
        raise bad_request("can't parse InputMedia: media not found")
    text, entities = read_caption(
        core, words(item.get("caption")), words(item.get("parse_mode")), item.get("caption_entities")
    )
    file = take_file(core, params, kind, media, "")
    return Body(media=media_fields(core, kind, file, said(item)), text=text, entities=entities)
