"""The users' side: who exists, where they meet, what they write; every act becomes an update for the bot."""

from playground.telegram.core import Core
from playground.telegram.detect import detect
from playground.telegram.errors import bad_request
from playground.telegram.utf16 import chunks, piece
from playground.telegram.wire import chat_wire, message_wire, user_wire
from playground.telegram.world import Body, Chat, Message, Topic, User, Wire

CLIENT_LIMIT = 4_096  # a client cuts a longer paste into several messages


class People:
    """What humans do on the emulated Telegram."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.world = core.world

    def create_user(
        self,
        first_name: str,
        *,
        username: str = "",
        user_id: int = 0,
        language: str = "en",
        started: bool = True,
    ) -> User:
        """Create a user and the private chat with the bot, opened unless told otherwise."""
        world = self.world
        if not user_id:
            user_id, world.next_user = world.next_user, world.next_user + 1
        user = User(id=user_id, first_name=first_name, username=username, language_code=language)
        world.users[user.id] = user
        world.chats[user.id] = Chat(id=user.id, kind="private", bot="member" if started else "never")
        if username:
            world.names[username.lower()] = user.id
        self.core.changes.publish("user", user.id)
        return user

    def create_group(
        self, title: str, members: list[int], *, kind: str = "group", forum: bool = False, bot: str = "member"
    ) -> Chat:
        """Create a group (`group` or `supergroup`) with the bot in it unless `bot` says otherwise."""
        world = self.world
        number, world.next_group = world.next_group, world.next_group + 1
        chat_id = -1_000_000_000_000 - number if kind == "supergroup" or forum else -number
        chat = Chat(
            id=chat_id,
            kind="supergroup" if forum else kind,
            title=title,
            forum=forum,
            bot=bot,
            members=dict.fromkeys(members, "member"),
        )
        world.chats[chat_id] = chat
        self.core.changes.publish("chat", chat_id)
        return chat

    def create_topic(self, chat_id: int, user_id: int, name: str) -> Topic:
        """Open a topic of a forum, or of the private chat with the bot."""
        chat = self.world.chat(chat_id)
        if not chat.forum and not (chat.kind == "private" and self.world.topics_enabled):
            raise bad_request("the chat is not a forum")
        topic = self.core.open_topic(chat, user_id, name)
        self.deliver(chat.messages[topic.id])
        return topic

    def send_text(
        self,
        user_id: int,
        text: str,
        *,
        chat_id: int = 0,
        thread: int = 0,
        reply_to: int = 0,
        quote: str = "",
    ) -> list[Message]:
        """Write a text, by default in the private chat; a long paste becomes several messages."""
        return [
            self.say(
                user_id,
                Body(text=part, entities=detect(part)),
                chat_id=chat_id,
                thread=thread,
                reply_to=reply_to if place == 0 else 0,
                quote=quote if place == 0 else "",
            )
            for place, part in enumerate(chunks(text, CLIENT_LIMIT))
        ]

    def say(
        self,
        user_id: int,
        body: Body,
        *,
        chat_id: int = 0,
        thread: int = 0,
        reply_to: int = 0,
        quote: str = "",
        album: str = "",
        sender_chat: int = 0,
        forward: Wire | None = None,
    ) -> Message:
        """Post any content as a user and tell the bot."""
        chat = self.world.chat(chat_id or user_id)
        self.world.user(user_id)
        if chat.kind == "private" and chat.bot == "never":
            chat.bot = "member"
        message = self.core.post(
            chat,
            user_id,
            body,
            thread=thread,
            reply_to=reply_to,
            quote=cited(chat, reply_to, quote),
            album=album,
            sender_chat=sender_chat,
            forward=forward,
        )
        self.deliver(message)
        return message

    def edit_text(self, user_id: int, chat_id: int, message_id: int, text: str) -> Message:
        """Change a message that the user wrote."""
        chat = self.world.chat(chat_id or user_id)
        message = self.world.message(chat, message_id)
        if message is None or message.sender != user_id:
            raise bad_request("message to edit not found")
        body = message.body
        self.core.edit(
            message,
            Body(text=text, entities=detect(text), media=body.media, caption_above=body.caption_above),
        )
        self.deliver(message, kind="edited_message")
        return message

    def deliver(self, message: Message, *, kind: str = "message") -> None:
        """Queue the update about a message, where the bot may see it."""
        if self.visible(message):
            self.core.updates.push(kind, {**message_wire(self.world, message)})

    def visible(self, message: Message) -> bool:
        """Tell whether the bot hears of it: it must be there, and in groups privacy mode hides talk."""
        chat = self.world.chats[message.chat]
        if chat.bot in {"kicked", "left", "never", "blocked"}:
            return False
        if chat.kind == "private" or not self.world.privacy or chat.bot == "administrator" or message.service:
            return True
        target = chat.messages.get(message.reply_to)
        if target is not None and target.sender == self.world.bot.id:
            return True
        return self.means_bot(message.body)

    def means_bot(self, body: Body) -> bool:
        """Tell whether a text names the bot, or is a command that is not another bot's."""
        name = f"@{self.world.bot.username}".lower()
        for entity in body.entities:
            words = (piece(body.text, entity.offset, entity.length) or "").lower()
            if entity.type == "mention" and words == name:
                return True
            if entity.type == "bot_command" and ("@" not in words or words.endswith(name)):
                return True
        return False

    def standing_update(self, chat: Chat, user_id: int, old: str, new: str) -> None:
        """Tell the bot that its own membership has changed."""
        bot = user_wire(self.world.bot)
        self.core.updates.push(
            "my_chat_member",
            {
                "chat": chat_wire(self.world, chat),
                "from": user_wire(self.world.user(user_id)),
                "date": int(self.world.clock()),
                "old_chat_member": {"user": bot, "status": old},
                "new_chat_member": {"user": bot, "status": new},
            },
        )
        self.core.changes.publish("standing", chat.id)


def cited(chat: Chat, reply_to: int, quote: str) -> Wire | None:
    """Make the quote of a reply."""
    if not quote or reply_to not in chat.messages:
        return None
    place = chat.messages[reply_to].body.text.find(quote)
    return {"text": quote, "position": max(place, 0), "is_manual": True}
