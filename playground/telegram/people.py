"""The users' side: who exists, where they meet, what they write; every act becomes an update for the bot."""

from dataclasses import replace

from playground.telegram.core import Core
from playground.telegram.detect import detect
from playground.telegram.errors import bad_request
from playground.telegram.files import store
from playground.telegram.media import location_fields, media_fields
from playground.telegram.params import mapping
from playground.telegram.utf16 import chunks, piece, units
from playground.telegram.wire import chat_wire, message_wire, user_wire
from playground.telegram.world import Body, Chat, Message, Press, Topic, User, Wire

CLIENT_LIMIT = 4_096  # a client cuts a longer paste into several messages
ABSENT = frozenset({"kicked", "left", "never", "blocked", "migrated", "deleted"})
# Accounts that stand for many people; they exist everywhere.
STAND_INS = {777000: "Telegram", 1087968824: "Group", 136817688: "Channel"}


class People:
    """What humans do on the emulated Telegram."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.world = core.world
        for user_id, name in STAND_INS.items():
            if user_id not in self.world.users:
                self.world.users[user_id] = User(id=user_id, first_name=name, is_bot=user_id != 777000)

    def create_user(
        self,
        first_name: str,
        *,
        username: str = "",
        user_id: int = 0,
        language: str = "en",
        started: bool = True,
        is_bot: bool = False,
    ) -> User:
        """Create a user and the private chat with the bot, opened unless told otherwise."""
        world = self.world
        if not user_id:
            user_id, world.next_user = world.next_user, world.next_user + 1
        user = User(id=user_id, first_name=first_name, username=username, language_code=language, is_bot=is_bot)
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
        big = forum or kind == "supergroup"
        chat = Chat(
            id=-1_000_000_000_000 - number if big else -number,
            kind="supergroup" if big else "group",
            title=title,
            forum=forum,
            bot=bot,
            members=dict.fromkeys(members, "member"),
        )
        world.chats[chat.id] = chat
        self.core.changes.publish("chat", chat.id)
        return chat

    def create_topic(self, chat_id: int, user_id: int, name: str) -> Topic:
        """Open a topic of a forum, or of the private chat with the bot."""
        chat = self.world.chat(chat_id)
        if not chat.forum and not (chat.kind == "private" and self.world.topics_enabled):
            raise bad_request("the chat is not a forum")
        topic = self.core.open_topic(chat, user_id, name)
        self.deliver(chat.messages[topic.id])
        return topic

    def delete_topic(self, chat_id: int, topic_id: int) -> None:
        """Delete a topic with its messages; the bot is not told, as on Telegram."""
        chat = self.world.chat(chat_id)
        if topic_id not in chat.topics:
            raise bad_request("TOPIC_ID_INVALID")
        self.core.delete_topic(chat, chat.topics[topic_id])

    def send_text(
        self,
        user_id: int,
        text: str,
        *,
        chat_id: int = 0,
        thread: int = 0,
        reply_to: int = 0,
        quote: str = "",
        sender_chat: int = 0,
        forward: Wire | None = None,
    ) -> list[Message]:
        """Write a text, by default in the private chat; a long paste becomes several messages."""
        sent: list[Message] = []
        for part in chunks(text, CLIENT_LIMIT):
            body = Body(text=part, entities=detect(part))
            message = self.say(
                user_id,
                body,
                chat_id=chat_id,
                thread=thread,
                reply_to=0 if sent else reply_to,
                quote="" if sent else quote,
                sender_chat=sender_chat,
                forward=forward,
            )
            sent.append(message)
        return sent

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

    def file_body(
        self,
        kind: str,
        content: bytes | None = None,
        *,
        size: int = 0,
        name: str = "",
        mime: str = "",
        caption: str = "",
        said: Wire | None = None,
    ) -> Body:
        """Make the content of a message with a file; without bytes it has only its declared size."""
        file = store(self.core, kind, content, size=size, name=name, mime=mime)
        fields = media_fields(self.core, kind, file, said or {})
        return Body(media=fields, text=caption, entities=detect(caption))

    def send_file(
        self,
        user_id: int,
        kind: str,
        content: bytes | None = None,
        *,
        size: int = 0,
        name: str = "",
        mime: str = "",
        caption: str = "",
        said: Wire | None = None,
        chat_id: int = 0,
        thread: int = 0,
        reply_to: int = 0,
    ) -> Message:
        """Send a photo, document, voice, video, audio, animation, sticker or video_note."""
        body = self.file_body(kind, content, size=size, name=name, mime=mime, caption=caption, said=said)
        return self.say(user_id, body, chat_id=chat_id, thread=thread, reply_to=reply_to)

    def send_album(self, user_id: int, bodies: list[Body], *, chat_id: int = 0, thread: int = 0) -> list[Message]:
        """Send several files as one post: as many messages with one media_group_id."""
        album = str(13_000_000_000_000_000 + self.world.serial())
        return [self.say(user_id, body, chat_id=chat_id, thread=thread, album=album) for body in bodies]

    def send_location(
        self, user_id: int, latitude: float, longitude: float, *, chat_id: int = 0, thread: int = 0
    ) -> Message:
        """Send a place on the map."""
        return self.say(user_id, Body(media=location_fields(latitude, longitude)), chat_id=chat_id, thread=thread)

    def edit_text(self, user_id: int, chat_id: int, message_id: int, text: str) -> Message:
        """Change the text or caption of a message that the user wrote."""
        message = self.own(user_id, chat_id, message_id)
        self.core.edit(message, replace(message.body, text=text, entities=detect(text)))
        self.deliver(message, kind="edited_message")
        return message

    def delete(self, user_id: int, chat_id: int, message_id: int) -> Message:
        """Delete a message for everybody; the bot is not told, as on Telegram."""
        chat = self.world.chat(chat_id or user_id)
        message = self.world.message(chat, message_id)
        if message is None:
            raise bad_request("message to delete not found")
        self.core.delete(message)
        return message

    def own(self, user_id: int, chat_id: int, message_id: int) -> Message:
        """Find a message that a user wrote."""
        chat = self.world.chat(chat_id or user_id)
        message = self.world.message(chat, message_id)
        if message is None or message.sender != user_id:
            raise bad_request("message to edit not found")
        return message

    def react(self, user_id: int, chat_id: int, message_id: int, emoji: str) -> None:
        """Put a reaction on a message, or take it away with an empty one."""
        chat = self.world.chat(chat_id or user_id)
        message = self.world.message(chat, message_id)
        if message is None:
            raise bad_request("message to react not found")
        old = message.reactions.pop(user_id, [])
        new: list[Wire] = [{"type": "emoji", "emoji": emoji}] if emoji else []
        if new:
            message.reactions[user_id] = new
        self.core.changes.publish("reaction", chat.id, message.id)
        if chat.bot in ABSENT or (chat.kind != "private" and chat.bot != "administrator"):
            return
        self.core.updates.push(
            "message_reaction",
            {
                "chat": chat_wire(self.world, chat),
                "message_id": message.id,
                "user": user_wire(self.world.user(user_id)),
                "date": int(self.core.clock()),
                "old_reaction": old,
                "new_reaction": new,
            },
        )

    def press(self, user_id: int, chat_id: int, message_id: int, data: str) -> Press:
        """Press an inline button, named by its callback data or its words."""
        chat = self.world.chat(chat_id or user_id)
        message = self.world.message(chat, message_id)
        if message is None:
            raise bad_request("message not found")
        found = [button for button in buttons(message) if data in {button.get("callback_data"), button.get("text")}]
        if not found:
            raise bad_request(f"no such button: {data!r}; there are {[one.get('text') for one in buttons(message)]}")
        press = Press(
            id=str(4_000_000_000_000_000_000 + self.world.serial()),
            chat=chat.id,
            message=message.id,
            user=user_id,
            at=self.core.clock(),
        )
        self.world.presses[press.id] = press
        self.core.updates.push(
            "callback_query",
            {
                "id": press.id,
                "from": user_wire(self.world.user(user_id)),
                "message": message_wire(self.world, message),
                "chat_instance": str(-chat.id),
                "data": found[0].get("callback_data", ""),
            },
        )
        return press

    def deliver(self, message: Message, *, kind: str = "message") -> None:
        """Queue the update about a message, where the bot may see it."""
        if self.visible(message):
            self.core.updates.push(kind, message_wire(self.world, message))

    def visible(self, message: Message) -> bool:
        """Tell whether the bot hears of it: it must be there, and in groups privacy mode hides talk."""
        chat = self.world.chats[message.chat]
        if chat.bot in ABSENT or (message.sender in self.world.users and self.other_bot(message.sender)):
            return False
        if chat.kind == "private" or not self.world.privacy or chat.bot == "administrator" or message.service:
            return True
        target = chat.messages.get(message.reply_to)
        if target is not None and target.sender == self.world.bot.id:
            return True
        return self.means_bot(message.body)

    def other_bot(self, user_id: int) -> bool:
        """Tell whether an account is a bot whose messages no other bot sees."""
        return self.world.users[user_id].is_bot and user_id not in STAND_INS

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


def cited(chat: Chat, reply_to: int, quote: str) -> Wire | None:
    """Make the quote of a reply."""
    if not quote or reply_to not in chat.messages:
        return None
    text = chat.messages[reply_to].body.text
    return {"text": quote, "position": units(text[: max(text.find(quote), 0)]), "is_manual": True}


def buttons(message: Message) -> list[Wire]:
    """Give the inline buttons of a message."""
    rows = (message.body.markup or {}).get("inline_keyboard")
    return [mapping(button) for row in rows for button in row] if isinstance(rows, list) else []
