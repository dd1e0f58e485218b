"""Comings and goings: the bot added, kicked, blocked; members joining; a group that becomes a supergroup."""

from playground.telegram.core import Core
from playground.telegram.errors import bad_request
from playground.telegram.members import member_wire
from playground.telegram.people import People
from playground.telegram.wire import chat_wire, user_wire
from playground.telegram.world import Body, Chat, Wire


class Membership:
    """What people do with the bot's and their own places in chats."""

    def __init__(self, core: Core, people: People) -> None:
        self.core = core
        self.world = core.world
        self.people = people

    def block(self, user_id: int) -> None:
        """Block the bot."""
        self.stand(self.world.chat(user_id), user_id, "blocked")

    def unblock(self, user_id: int) -> None:
        """Unblock the bot."""
        self.stand(self.world.chat(user_id), user_id, "member")

    def add_bot(self, chat_id: int, user_id: int, *, status: str = "member") -> None:
        """Add the bot to a group, or give it another standing there (`administrator`, `restricted`)."""
        chat = self.world.chat(chat_id)
        absent = chat.bot in {"left", "kicked"}
        self.stand(chat, user_id, status)
        if absent:
            joined: Wire = {"new_chat_members": [user_wire(self.world.bot)]}
            self.people.deliver(self.core.post(chat, user_id, Body(), service=joined))

    def kick_bot(self, chat_id: int, user_id: int) -> None:
        """Throw the bot out of a group."""
        self.stand(self.world.chat(chat_id), user_id, "kicked")

    def stand(self, chat: Chat, user_id: int, status: str) -> None:
        """Change the bot's standing and tell it."""
        old, chat.bot = chat.bot, status
        bot = self.world.bot
        self.core.updates.push(
            "my_chat_member",
            {
                "chat": chat_wire(self.world, chat),
                "from": user_wire(self.world.user(user_id)),
                "date": int(self.core.clock()),
                "old_chat_member": member_wire(bot, old),
                "new_chat_member": member_wire(bot, status),
            },
        )
        self.core.changes.publish("standing", chat.id)

    def join(self, chat_id: int, user_id: int) -> None:
        """Let a user join a group."""
        chat = self.world.chat(chat_id)
        chat.members[user_id] = "member"
        joined: Wire = {"new_chat_members": [user_wire(self.world.user(user_id))]}
        self.people.deliver(self.core.post(chat, user_id, Body(), service=joined))

    def leave(self, chat_id: int, user_id: int) -> None:
        """Let a user leave a group."""
        chat = self.world.chat(chat_id)
        chat.members.pop(user_id, None)
        gone: Wire = {"left_chat_member": user_wire(self.world.user(user_id))}
        self.people.deliver(self.core.post(chat, user_id, Body(), service=gone))

    def migrate(self, chat_id: int, user_id: int) -> Chat:
        """Turn a basic group into a supergroup: a new chat with a new id; the old one only points there."""
        old = self.world.chat(chat_id)
        if old.kind != "group" or old.migrated_to:
            raise bad_request("only a basic group can be migrated")
        new = self.people.create_group(old.title, [], kind="supergroup", bot=old.bot)
        new.members = dict(old.members)
        leaving: Wire = {"migrate_to_chat_id": new.id}
        arriving: Wire = {"migrate_from_chat_id": old.id}
        self.people.deliver(self.core.post(old, user_id, Body(), service=leaving))
        self.people.deliver(self.core.post(new, user_id, Body(), service=arriving))
        old.migrated_to, old.bot = new.id, "migrated"
        return new
