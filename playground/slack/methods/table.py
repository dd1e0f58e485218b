"""Every method by name, with the scopes it needs; and which of them read a JSON body."""

from collections.abc import Callable, Mapping

from playground.slack.args import Args
from playground.slack.core import Core
from playground.slack.methods import chat, conversations, files, signs
from playground.slack.world import Wire

Method = Callable[[Core, Args], Wire]
HISTORY = {"channel": "channels:history", "group": "groups:history", "im": "im:history", "mpim": "mpim:history"}
LEAVE = {"channel": "channels:manage", "group": "groups:write", "im": "im:write", "mpim": "mpim:write"}
READ = {"channel": "channels:read", "group": "groups:read", "im": "im:read", "mpim": "mpim:read"}
METHODS: Mapping[str, tuple[Method, str]] = {
    "auth.test": (signs.auth_test, ""),
    "chat.postMessage": (chat.post_message, "chat:write"),
    "chat.postEphemeral": (chat.post_ephemeral, "chat:write"),
    "chat.update": (chat.update, "chat:write"),
    "chat.delete": (chat.delete, "chat:write"),
    "assistant.threads.setStatus": (chat.set_status, "assistant:write"),
    "conversations.history": (conversations.history, "*:history"),
    "conversations.replies": (conversations.replies, "*:history"),
    "conversations.list": (conversations.list_all, "*:read"),
    "conversations.info": (conversations.info, "*:read"),
    "conversations.members": (conversations.members, "*:read"),
    "conversations.open": (conversations.open_im, "im:write"),
    "conversations.leave": (conversations.leave, "*:leave"),
    "users.conversations": (conversations.list_mine, "*:read"),
    "users.info": (conversations.user_info, "users:read"),
    "users.list": (conversations.user_list, "users:read"),
    "files.getUploadURLExternal": (files.get_upload_url, "files:write"),
    "files.completeUploadExternal": (files.complete_upload, "files:write"),
    "files.info": (files.info, "files:read"),
    "reactions.add": (signs.add, "reactions:write"),
    "reactions.remove": (signs.remove, "reactions:write"),
    "reactions.get": (signs.get, "reactions:read"),
}
# The others read a form or the query and never see a JSON body.
JSON_METHODS = frozenset(
    {
        "chat.postMessage",
        "chat.postEphemeral",
        "chat.update",
        "chat.delete",
        "assistant.threads.setStatus",
        "conversations.open",
        "files.completeUploadExternal",
        "reactions.add",
        "reactions.remove",
    }
)


def scopes(core: Core, name: str, args: Args) -> list[str]:
    """Give the scopes that a call needs."""
    needed = METHODS[name][1]
    if not needed.startswith("*"):
        return [needed] if needed else []
    table = {"*:history": HISTORY, "*:leave": LEAVE}.get(needed, READ)
    if "types" in args.values or name in ("conversations.list", "users.conversations"):
        kinds = [conversations.TYPES.get(one, "") for one in args.words("types", "public_channel").split(",")]
        return [table[kind] for kind in kinds if kind in table]
    channel = core.world.channels.get(args.words("channel"))
    return [table[channel.kind]] if channel else []
