"""Small signs: reactions, answers to pressed buttons, drafts that stream, and files asked for."""

from playground.telegram.content import formatted
from playground.telegram.core import Core
from playground.telegram.destination import read_thread, readable_chat, writable_chat
from playground.telegram.errors import bad_request
from playground.telegram.files import LARGEST_DOWNLOAD, file_fields
from playground.telegram.params import Params, given_json, mapping, words
from playground.telegram.utf16 import units
from playground.telegram.world import Wire

PRESS_SECONDS = 30.0
LONGEST_TOAST = 200
LONGEST_DRAFT = 4_096
# The only emoji that may stand alone as a reaction.
REACTION_WORDS = (
    "👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 "
    "🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 "
    "🤷‍♂ 🤷 🤷‍♀ 😡"
)
REACTIONS = frozenset(REACTION_WORDS.split())
TOO_OLD = "query is too old and response timeout expired or query ID is invalid"


def set_message_reaction(core: Core, params: Params) -> object:
    """Put the bot's reaction on a message; a bot has one."""
    items = params.items("reaction", "reaction types", "ReactionType") or []
    reactions = [read_reaction(item) for item in items]
    chat = readable_chat(core, params)
    message = core.world.message(core.world.writable(chat.id), params.integer("message_id"))
    if message is None:
        raise bad_request("message to react not found")
    if len(reactions) > 1:
        raise bad_request("REACTIONS_TOO_MANY")
    if reactions:
        message.reactions[core.world.bot.id] = reactions
    else:
        message.reactions.pop(core.world.bot.id, None)
    core.changes.publish("reaction", chat.id, message.id)
    return True


def read_reaction(item: object) -> Wire:
    """Check one reaction."""
    fields = mapping(item)
    kind = fields.get("type")
    if kind == "custom_emoji":
        return {"type": kind, "custom_emoji_id": str(fields.get("custom_emoji_id", ""))}
    if kind != "emoji":
        raise bad_request("can't parse ReactionType: invalid reaction type specified")
    emoji = words(fields.get("emoji"))
    if emoji.replace("\ufe0f", "") not in REACTIONS:
        raise bad_request("REACTION_INVALID")
    return {"type": "emoji", "emoji": emoji}


def answer_callback_query(core: Core, params: Params) -> object:
    """Answer a pressed button, once and in time."""
    press = core.world.presses.get(params.text("callback_query_id"))
    if press is None or press.answer is not None or core.clock() - press.at > PRESS_SECONDS:
        raise bad_request(TOO_OLD)
    text = params.text("text")
    if len(text) > LONGEST_TOAST:
        raise bad_request("MESSAGE_TOO_LONG")
    press.answer = {"text": text, "show_alert": params.flag("show_alert")}
    core.changes.publish("press_answered", press.chat, press.message)
    return True


def send_message_draft(core: Core, params: Params) -> object:
    """Show a text that is still being made, in a private chat; the next real message replaces it."""
    draft = params.integer("draft_id")
    if draft == 0:
        raise bad_request("RANDOM_ID_INVALID")
    text, entities = formatted(core, params.text("text"), params.text("parse_mode"), given_json(params, "entities"))
    if units(text) > LONGEST_DRAFT:
        raise bad_request("MESSAGE_TOO_LONG")
    chat = writable_chat(core, params)
    if chat.kind != "private":
        raise bad_request("PEER_ID_INVALID")
    thread = read_thread(chat, params)
    shown: Wire = {"text": text, "thread": thread, "at": core.clock(), "entities": len(entities)}
    chat.drafts[draft] = shown
    core.changes.publish("draft", chat.id)
    return True


def get_file(core: Core, params: Params) -> object:
    """Prepare a download of at most 20 MB."""
    file = core.world.files.get(params.text("file_id"))
    if not params.has("file_id"):
        raise bad_request("file_id not specified")
    if file is None:
        raise bad_request("wrong file_id or the file is temporarily unavailable")
    if file.size > LARGEST_DOWNLOAD:
        raise bad_request("file is too big")
    return {**file_fields(file), "file_path": file.path}
