"""What a page or a test sees: conversations and messages as people see them."""

from playground.slack import blocks as layout
from playground.slack.core import Core
from playground.slack.world import Channel, Message, Wire


def text_of(message: Message) -> str:
    """Give the words that a reader sees: those of the blocks where there are any."""
    return layout.shown(message.blocks) if message.blocks else message.text


def message_view(core: Core, message: Message) -> Wire:
    """Show one message."""
    files = [core.world.files[name] for name in message.files]
    return {
        "id": message.ts,
        "user": message.user,
        "mine": message.user == core.world.bot_user,
        "text": text_of(message),
        "raw": message.text,
        "blocks": message.blocks,
        "buttons": [
            {"label": label.get("text") if isinstance(label := button["text"], dict) else "", "value": button["value"]}
            for button in layout.buttons(message.blocks)
        ],
        "thread": message.thread_ts if message.thread_ts != message.ts else "",
        "edited": bool(message.edited),
        "deleted": message.deleted,
        "subtype": message.subtype,
        "files": [{"id": file.id, "name": file.name, "size": len(file.content)} for file in files],
        "reactions": {name: who for name, who in message.reactions.items() if who},
        "pings": layout.pings(message.blocks),
    }


def messages_view(core: Core, channel: Channel, *, deleted: bool = False, thread: str = "") -> list[Wire]:
    """Show what stands in a conversation, oldest first."""
    shown = sorted(channel.messages.items())
    return [
        message_view(core, message)
        for _, message in shown
        if (deleted or not message.deleted) and (not thread or thread in (message.ts, message.thread_ts))
    ]


def channel_view(channel: Channel) -> Wire:
    """Show a conversation without its messages."""
    return {
        "id": channel.id,
        "kind": channel.kind,
        "name": channel.name,
        "user": channel.user,
        "members": sorted(channel.members),
        "archived": channel.archived,
        "status": dict(channel.status),
    }


def world_view(core: Core) -> Wire:
    """Show who and what exists."""
    world = core.world
    return {
        "team": world.team,
        "bot": world.bot_user,
        "users": [{"id": user.id, "name": user.name, "real_name": user.real_name} for user in world.users.values()],
        "chats": [channel_view(channel) for channel in world.channels.values()],
    }
