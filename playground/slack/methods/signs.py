"""auth.*, apps.*, reactions.*: who the app is, its sockets, its reactions."""

from playground.slack.args import Args
from playground.slack.core import Core
from playground.slack.errors import ApiError
from playground.slack.methods.conversations import find
from playground.slack.world import Message, Wire


def auth_test(core: Core, _args: Args) -> Wire:
    """Say who the token is."""
    world = core.world
    return {
        "url": "https://emulated.slack.com/",
        "team": "Emulated",
        "user": world.users[world.bot_user].name,
        "team_id": world.team,
        "user_id": world.bot_user,
        "bot_id": world.bot_id,
        "is_enterprise_install": False,
    }


def add(core: Core, args: Args) -> Wire:
    """Put a reaction of the app on a message."""
    who = reacting(core, args)
    if core.world.bot_user in who:
        raise ApiError("already_reacted")
    who.append(core.world.bot_user)
    core.changes.publish("reaction", args.words("channel"), args.words("timestamp"))
    return {}


def remove(core: Core, args: Args) -> Wire:
    """Take a reaction of the app away."""
    who = reacting(core, args)
    if core.world.bot_user not in who:
        raise ApiError("no_reaction")
    who.remove(core.world.bot_user)
    core.changes.publish("reaction", args.words("channel"), args.words("timestamp"))
    return {}


def get(core: Core, args: Args) -> Wire:
    """Show a message with its reactions."""
    channel = find(core, args.needed("channel"))
    return {"type": "message", "message": core.wire(channel, target(core, args))}


def target(core: Core, args: Args) -> Message:
    """Find the message that a reaction is about."""
    message = find(core, args.needed("channel")).messages.get(args.needed("timestamp"))
    if message is None or message.deleted:
        raise ApiError("message_not_found")
    return message


def reacting(core: Core, args: Args) -> list[str]:
    """Find who has put a reaction, by its name."""
    name = args.needed("name")
    if not name.replace("_", "").replace("-", "").replace("+", "").isalnum() or not name.isascii():
        raise ApiError("invalid_name")
    return target(core, args).reactions.setdefault(name, [])
