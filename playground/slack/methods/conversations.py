"""conversations.* and users.*: places, their history, and who is there."""

from collections.abc import Callable

from playground.slack.args import Args
from playground.slack.core import Core
from playground.slack.errors import ApiError
from playground.slack.world import Channel, Message, User, Wire

LARGEST_PAGE = 999
TYPES = {"public_channel": "channel", "private_channel": "group", "mpim": "mpim", "im": "im"}


def find(core: Core, name: str) -> Channel:
    """Find a conversation that the app may know of."""
    channel = core.world.channels.get(name)
    if channel is None or (channel.kind != "channel" and core.world.bot_user not in channel.members):
        raise ApiError("channel_not_found")
    return channel


def joined(core: Core, name: str) -> Channel:
    """Find a conversation that the app is in."""
    channel = find(core, name)
    if core.world.bot_user not in channel.members:
        raise ApiError("not_in_channel")
    return channel


def history(core: Core, args: Args) -> Wire:
    """Give the messages of a conversation, newest first, without the answers in threads."""
    channel = joined(core, args.needed("channel"))
    shown = [one for one in standing(channel) if one.thread_ts in ("", one.ts) or one.subtype == "thread_broadcast"]
    shown.reverse()
    return page(core, args, channel, within(args, shown))


def replies(core: Core, args: Args) -> Wire:
    """Give a thread with its root, oldest first."""
    channel = joined(core, args.needed("channel"))
    root = args.needed("ts")
    if root not in channel.messages:
        raise ApiError("thread_not_found")
    thread = [one for one in standing(channel) if root in (one.ts, one.thread_ts)]
    wanted = within(args, thread)
    if thread and thread[0] not in wanted and "cursor" not in args.values:
        wanted.insert(0, thread[0])  # the root comes with every first page
    return page(core, args, channel, wanted)


def standing(channel: Channel) -> list[Message]:
    """Give what was not taken away, oldest first."""
    return [one for _, one in sorted(channel.messages.items()) if not one.deleted]


def within(args: Args, messages: list[Message]) -> list[Message]:
    """Keep what lies between `oldest` and `latest`."""
    inclusive = args.flag("inclusive")
    oldest, latest = args.words("oldest", "0"), args.words("latest")
    low = float(oldest)
    high = float(latest) if latest else float("inf")
    return [
        one
        for one in messages
        if low < float(one.ts) < high or (inclusive and float(one.ts) in (low, high))
    ]  # fmt: skip


def page(core: Core, args: Args, channel: Channel, messages: list[Message]) -> Wire:
    """Give one page of messages and the cursor of the next."""
    limit = args.whole("limit", 100)
    if not 0 < limit <= LARGEST_PAGE:
        raise ApiError("invalid_limit")
    cursor = args.words("cursor")
    if cursor and not cursor.isdigit():
        raise ApiError("invalid_cursor")
    start = int(cursor or 0)
    shown = messages[start : start + limit]
    more = start + limit < len(messages)
    metadata = args.flag("include_all_metadata")
    return {
        "messages": [_with_thread(core, channel, one, metadata=metadata) for one in shown],
        "has_more": more,
        "response_metadata": {"next_cursor": str(start + limit) if more else ""},
    }


def _with_thread(core: Core, channel: Channel, message: Message, *, metadata: bool) -> Wire:
    given = core.wire(channel, message, metadata=metadata)
    answers = [one.ts for one in standing(channel) if one.thread_ts == message.ts != one.ts]
    if answers:
        given |= {"reply_count": len(answers), "latest_reply": answers[-1], "thread_ts": message.ts}
    return given


def list_all(core: Core, args: Args) -> Wire:
    """List the conversations that the app may see."""
    bot = core.world.bot_user
    return _listed(core, args, lambda one: one.kind == "channel" or bot in one.members)


def list_mine(core: Core, args: Args) -> Wire:
    """List the conversations that the app is in."""
    return _listed(core, args, lambda one: core.world.bot_user in one.members)


def _listed(core: Core, args: Args, wanted: Callable[[Channel], bool]) -> Wire:
    kinds = [TYPES.get(one.strip()) for one in args.words("types", "public_channel").split(",")]
    if None in kinds:
        raise ApiError("invalid_types")
    found = [one for one in core.world.channels.values() if one.kind in kinds and wanted(one)]
    if args.flag("exclude_archived"):
        found = [one for one in found if not one.archived]
    limit, start = args.whole("limit", 100), args.whole("cursor", 0)
    more = start + limit < len(found)
    return {
        "channels": [described(one) for one in found[start : start + limit]],
        "response_metadata": {"next_cursor": str(start + limit) if more else ""},
    }


def info(core: Core, args: Args) -> Wire:
    """Describe one conversation."""
    return {"channel": described(find(core, args.needed("channel")))}


def leave(core: Core, args: Args) -> Wire:
    """Let the app go out of a channel; one that it is not in is no error."""
    channel = find(core, args.needed("channel"))
    if channel.kind not in ("channel", "group"):
        raise ApiError("method_not_supported_for_channel_type")
    if core.world.bot_user not in channel.members:
        return {"not_in_channel": True}
    core.went(channel, core.world.bot_user)
    return {}


def members(core: Core, args: Args) -> Wire:
    """List who is in a conversation."""
    found = sorted(find(core, args.needed("channel")).members)
    return {"members": found, "response_metadata": {"next_cursor": ""}}


def open_im(core: Core, args: Args) -> Wire:
    """Open the direct talk with a person."""
    user = args.needed("users")
    if user not in core.world.users:
        raise ApiError("user_not_found")
    for channel in core.world.channels.values():
        if channel.kind == "im" and channel.user == user:
            return {"channel": {"id": channel.id}, "already_open": True}
    channel = Channel(id=f"D{core.world.number():08d}", kind="im", user=user, members={user, core.world.bot_user})
    core.world.channels[channel.id] = channel
    return {"channel": {"id": channel.id}}


def described(channel: Channel) -> Wire:
    """Give a conversation as the API shows it."""
    return {
        "id": channel.id,
        "name": channel.name,
        "user": channel.user,
        "is_im": channel.kind == "im",
        "is_mpim": channel.kind == "mpim",
        "is_channel": channel.kind == "channel",
        "is_group": channel.kind == "group",
        "is_private": channel.kind != "channel",
        "is_archived": channel.archived,
    }


def user_info(core: Core, args: Args) -> Wire:
    """Describe a member."""
    user = core.world.users.get(args.needed("user"))
    if user is None:
        raise ApiError("user_not_found")
    return {"user": user_wire(user)}


def user_list(core: Core, _args: Args) -> Wire:
    """List all members."""
    return {
        "members": [user_wire(user) for user in core.world.users.values()],
        "response_metadata": {"next_cursor": ""},
    }


def user_wire(user: User) -> Wire:
    """Give a member as the API shows them."""
    return {
        "id": user.id,
        "team_id": user.team,
        "name": user.name,
        "deleted": False,
        "real_name": user.real_name,
        "is_bot": user.is_bot,
        "profile": {"real_name": user.real_name, "display_name": user.real_name},
    }
