"""chat.*: messages of the app, posted, changed, taken back."""

from playground.slack import blocks as layout
from playground.slack.args import Args
from playground.slack.core import Core
from playground.slack.errors import ApiError
from playground.slack.methods.conversations import find, joined
from playground.slack.world import Channel, Message, Wire

LONGEST_POST = 40_000
LONGEST_UPDATE = 4_000
METADATA_CHARS = 8_000


def post_message(core: Core, args: Args) -> Wire:
    """Post into a conversation the app is in; a user's id opens the talk with them."""
    channel = destination(core, args.needed("channel"))
    blocks, text = content(args)
    warned = len(text) > LONGEST_POST
    message = Message(
        ts=core.world.stamp(core.clock()),
        channel=channel.id,
        user=core.world.bot_user,
        bot_id=core.world.bot_id,
        text=text[:LONGEST_POST],
        blocks=blocks,
        thread_ts=thread_of(channel, args.words("thread_ts")),
        metadata=metadata(args),
        unfurled="http" in text and args.flag("unfurl_links", default=True),
    )
    root = channel.messages.get(message.thread_ts)
    if root is not None:
        root.thread_ts = root.ts
        channel.status.pop(root.ts, None)
    core.post(channel, message)
    given: Wire = {"channel": channel.id, "ts": message.ts, "message": core.wire(channel, message)}
    return given | ({"warning": "message_truncated"} if warned else {})


def post_ephemeral(core: Core, args: Args) -> Wire:
    """Show something to one person, for the moment."""
    channel = joined(core, args.needed("channel"))
    content(args)
    if args.needed("user") not in channel.members:
        raise ApiError("user_not_in_channel")
    core.changes.publish("ephemeral", channel.id)
    return {"message_ts": core.world.stamp(core.clock())}


def update(core: Core, args: Args) -> Wire:
    """Change a message of the app."""
    channel, message = own(core, args, "cant_update_message")
    blocks, text = content(args)
    if len(text) > LONGEST_UPDATE:
        raise ApiError("msg_too_long")
    if blocks and "text" not in args.values:
        text = message.text
    given = metadata(args)
    message.metadata = given if given is not None else message.metadata
    core.edit(channel, message, text, blocks)
    return {"channel": channel.id, "ts": message.ts, "text": text, "message": core.wire(channel, message)}


def delete(core: Core, args: Args) -> Wire:
    """Take a message of the app back."""
    channel, message = own(core, args, "cant_delete_message")
    core.delete(channel, message)
    return {"channel": channel.id, "ts": message.ts}


def set_status(core: Core, args: Args) -> Wire:
    """Show what the assistant is doing, in a thread of its own."""
    channel = find(core, args.needed("channel_id"))
    thread = args.needed("thread_ts")
    if channel.kind != "im" or thread not in channel.messages:
        raise ApiError("invalid_thread_ts")
    channel.status[thread] = args.words("status")
    core.changes.publish("status", channel.id, thread)
    return {}


def own(core: Core, args: Args, refusal: str) -> tuple[Channel, Message]:
    """Find a message of the app that still stands."""
    channel = find(core, args.needed("channel"))
    message = channel.messages.get(args.needed("ts"))
    if message is None or message.deleted:
        raise ApiError("message_not_found")
    if message.user != core.world.bot_user:
        raise ApiError(refusal)
    return channel, message


def destination(core: Core, name: str) -> Channel:
    """Find where a post goes."""
    if name in core.world.users:
        direct = [one for one in core.world.channels.values() if one.kind == "im" and one.user == name]
        if direct:
            return direct[0]
        opened = Channel(id=f"D{core.world.number():08d}", kind="im", user=name)
        opened.members = {name, core.world.bot_user}
        core.world.channels[opened.id] = opened
        return opened
    channel = joined(core, name)
    if channel.archived:
        raise ApiError("is_archived")
    return channel


def content(args: Args) -> tuple[list[Wire], str]:
    """Read what a message says."""
    given = args.structure("blocks")
    blocks = layout.check(given) if given else []
    text = args.words("text")
    if not blocks and not text.strip():
        raise ApiError("no_text")
    return blocks, text


def metadata(args: Args) -> Wire | None:
    """Read the data beside a message."""
    given = args.structure("metadata")
    if given is None:
        return None
    kind = given.get("event_type") if isinstance(given, dict) else None
    payload = given.get("event_payload") if isinstance(given, dict) else None
    if not isinstance(kind, str) or not kind or not isinstance(payload, dict):
        raise ApiError("invalid_metadata_format")
    if len(str(payload)) > METADATA_CHARS:
        raise ApiError("metadata_too_large")
    return {"event_type": kind, "event_payload": payload}


def thread_of(channel: Channel, thread: str) -> str:
    """Find the thread of a post; one whose root never was is left out, as Slack does."""
    root = channel.messages.get(thread)
    if root is None:
        return ""
    return root.thread_ts or root.ts
