"""A chat as its people see it now, with the history of every message; for the page and for tests."""

from playground.telegram.wire import body_wire, chat_wire, user_wire
from playground.telegram.world import Chat, Message, Version, Wire, World


def message_view(world: World, message: Message) -> Wire:
    """Show a message: content, sender, edits with their times, reactions."""
    view: Wire = {
        "message_id": message.id,
        "chat": message.chat,
        "sender": message.sender,
        "name": world.users[message.sender].first_name,
        "from_bot": message.sender == world.bot.id,
        "date": message.date,
        "thread": message.thread,
        "reply_to": message.reply_to,
        "quote": message.quote,
        "album": message.album,
        "service": message.service,
        "silent": message.silent,
        "deleted": bool(message.deleted_at),
        "edits": len(message.versions) - 1,
        "reactions": {str(who): reactions for who, reactions in message.reactions.items()},
        **body_wire(world, message.body),
    }
    return view


def history_view(world: World, message: Message) -> list[Wire]:
    """Show all states of a message, oldest first."""
    return [version_view(world, version) for version in message.versions]


def version_view(world: World, version: Version) -> Wire:
    """Show one state of a message."""
    return {"at": version.at, **body_wire(world, version.body)}


def chat_view(world: World, chat: Chat) -> Wire:
    """Show a chat without its messages."""
    return {
        **chat_wire(world, chat),
        "bot": chat.bot,
        "members": {str(user): status for user, status in chat.members.items()},
        "topics": [{"id": topic.id, "name": topic.name, "closed": topic.closed} for topic in chat.topics.values()],
        "migrated_to": chat.migrated_to,
        "messages": len(chat.messages),
        "action": list(chat.action),
        "drafts": {str(draft): body for draft, body in chat.drafts.items()},
    }


def messages_view(world: World, chat: Chat, *, deleted: bool, history: bool, thread: int = 0) -> list[Wire]:
    """Show the messages of a chat in order, those of one thread when named."""
    shown: list[Wire] = []
    for message in chat.messages.values():
        if (message.deleted_at and not deleted) or (thread and message.thread != thread):
            continue
        view = message_view(world, message)
        if history:
            view["history"] = history_view(world, message)
        shown.append(view)
    return shown


def world_view(world: World) -> Wire:
    """Show the bot, the users and the chats."""
    return {
        "bot": user_wire(world.bot),
        "users": [user_wire(user) for user in world.users.values() if not user.is_bot],
        "chats": [chat_view(world, chat) for chat in world.chats.values()],
        "commands": world.commands,
    }
