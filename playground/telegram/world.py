"""What exists on the emulated Telegram: users, chats, topics, messages, files; plain data and look-ups."""

from dataclasses import dataclass, field

from playground.telegram.errors import ApiError, bad_request, forbidden

Wire = dict[str, object]
GENERAL_TOPIC = 1  # the topic every forum has; its messages carry no thread id


@dataclass(slots=True, kw_only=True)
class User:
    """An account: a human or a bot."""

    id: int
    first_name: str
    last_name: str = ""
    username: str = ""
    language_code: str = "en"
    is_bot: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A marked range of a text, offset and length in UTF-16 units."""

    type: str
    offset: int
    length: int
    url: str = ""
    language: str = ""
    user: int = 0
    custom_emoji_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """What can be edited in a message; `media` holds its fields as they go over the wire."""

    text: str = ""
    entities: tuple[Entity, ...] = ()
    media: Wire = field(default_factory=dict)
    markup: Wire | None = None
    preview: Wire | None = None
    caption_above: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One state of a message and the instant (seconds since 1970) from which it was seen."""

    at: float
    body: Body


@dataclass(slots=True, kw_only=True)
class Message:
    """A message with everything it has been; `deleted_at` is set when nobody sees it any more."""

    id: int
    chat: int
    sender: int
    date: float
    body: Body
    thread: int = 0
    in_topic: bool = False
    reply_to: int = 0
    quote: Wire | None = None
    album: str = ""
    service: Wire = field(default_factory=dict)
    forward: Wire | None = None
    sender_chat: int = 0
    silent: bool = False
    edited_at: float = 0
    deleted_at: float = 0
    versions: list[Version] = field(default_factory=list)
    reactions: dict[int, list[Wire]] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Topic:
    """A forum topic, or a topic of a private chat; its id is the id of the message that opened it."""

    id: int
    name: str
    icon_color: int = 0x6FB9F0
    closed: bool = False


@dataclass(slots=True, kw_only=True)
class Chat:
    """A private chat (its id is the user's), a basic group or a supergroup, and the bot's standing in it."""

    id: int
    kind: str
    title: str = ""
    forum: bool = False
    bot: str = "member"
    members: dict[int, str] = field(default_factory=dict)
    migrated_to: int = 0
    next_id: int = 2  # the first message of a supergroup tells of its creation; topic 1 is General
    topics: dict[int, Topic] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    drafts: dict[int, Wire] = field(default_factory=dict)
    action: tuple[str, float] = ("", 0.0)


@dataclass(slots=True, kw_only=True)
class File:
    """A stored file; its bytes lie beside the world, so that a size can be declared without them."""

    id: str
    unique_id: str
    size: int
    path: str
    kind: str
    name: str = ""
    mime: str = ""


@dataclass(slots=True, kw_only=True)
class Press:
    """A pressed button that waits for its answer."""

    id: str
    chat: int
    message: int
    user: int
    at: float
    answer: Wire | None = None


@dataclass(slots=True, kw_only=True)
class World:
    """Everything that exists, with the counters that name what comes next."""

    bot: User
    bot_token: str
    privacy: bool = False
    topics_enabled: bool = True
    users: dict[int, User] = field(default_factory=dict)
    chats: dict[int, Chat] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    files: dict[str, File] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)
    presses: dict[str, Press] = field(default_factory=dict)
    commands: dict[str, list[Wire]] = field(default_factory=dict)
    next_user: int = 1_000_001
    next_group: int = 1
    next_box_id: int = 2
    next_serial: int = 1

    def serial(self) -> int:
        """Give the next number for things that only need to differ."""
        self.next_serial += 1
        return self.next_serial - 1

    def message_id(self, chat: Chat) -> int:
        """Give the next message id: a supergroup counts for itself, the bot's other chats together."""
        if chat.kind == "supergroup":
            chat.next_id += 1
            return chat.next_id - 1
        self.next_box_id += 1
        return self.next_box_id - 1

    def chat(self, chat_id: int) -> Chat:
        """Find a chat, or raise what the server answers for one that the bot has never seen."""
        chat = self.chats.get(chat_id)
        if chat is None:
            raise bad_request("chat not found")
        return chat

    def user(self, user_id: int) -> User:
        """Find an account by its id."""
        user = self.users.get(user_id)
        if user is None:
            raise bad_request("user not found")
        return user

    def writable(self, chat_id: int) -> Chat:
        """Find a chat that the bot may write to, or raise why it may not."""
        chat = self.chat(chat_id)
        if chat.bot in {"member", "administrator", "creator"}:
            return chat
        raise standing(chat)

    def message(self, chat: Chat, message_id: int) -> Message | None:
        """Find a message that still exists."""
        found = chat.messages.get(message_id)
        return found if found is not None and not found.deleted_at else None


PRIVATE_WORDS = {
    "never": "bot can't initiate conversation with a user",
    "deactivated": "user is deactivated",
    "blocked": "bot was blocked by the user",
}
GROUP_WORDS = {
    "deleted": "the group chat was deleted",
    "left": "bot is not a member of the {} chat",
    "kicked": "bot was kicked from the {} chat",
}


def standing(chat: Chat) -> ApiError:
    """Say why the bot has no access to a chat."""
    if chat.migrated_to:
        return ApiError(400, "Bad Request: group chat was upgraded to a supergroup chat", migrate_to=chat.migrated_to)
    if chat.kind == "private":
        return forbidden(PRIVATE_WORDS[chat.bot])
    if chat.bot == "restricted":
        return bad_request("not enough rights to send text messages to the chat")
    return forbidden(GROUP_WORDS[chat.bot].format(chat.kind))
