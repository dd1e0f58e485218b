"""The few things that happen in a chat (a message appears, changes, goes), and what follows from them."""

from collections import deque
from collections.abc import Callable

from playground.changes import Changes
from playground.telegram.updates import UpdateQueue
from playground.telegram.world import GENERAL_TOPIC, Body, Chat, Message, Topic, Version, Wire, World


class Core:
    """The world, the bot's update queue and the feed of changes, kept in step."""

    def __init__(self, world: World, clock: Callable[[], float]) -> None:
        self.world = world
        self.clock = clock
        self.contents: dict[str, bytes] = {}
        self.updates = UpdateQueue(clock)
        self.changes = Changes()
        self.complaints: deque[str] = deque(maxlen=1_000)

    def complain(self, words: str) -> None:
        """Note what the real server would have dropped or changed in silence."""
        self.complaints.append(words)

    def post(
        self,
        chat: Chat,
        sender: int,
        body: Body,
        *,
        thread: int = 0,
        reply_to: int = 0,
        quote: Wire | None = None,
        album: str = "",
        service: Wire | None = None,
        forward: Wire | None = None,
        sender_chat: int = 0,
        silent: bool = False,
    ) -> Message:
        """Let a message appear in a chat."""
        now = self.clock()
        message = Message(
            id=self.world.message_id(chat),
            chat=chat.id,
            sender=sender,
            date=now,
            body=body,
            thread=thread,
            in_topic=thread in chat.topics,
            reply_to=reply_to,
            quote=quote,
            album=album,
            service=service or {},
            forward=forward,
            sender_chat=sender_chat,
            silent=silent,
            versions=[Version(at=now, body=body)],
        )
        if not thread and reply_to and chat.kind == "supergroup" and not chat.forum:
            message.thread = self.root(chat, reply_to)
        chat.messages[message.id] = message
        if sender == self.world.bot.id:
            chat.action = ("", 0.0)
            chat.drafts.clear()
        self.changes.publish("message", chat.id, message.id)
        return message

    def edit(self, message: Message, body: Body) -> None:
        """Replace what a message says; only a change of markup leaves no edit date."""
        now = self.clock()
        if (body.text, body.entities, body.media) != (
            message.body.text,
            message.body.entities,
            message.body.media,
        ):
            message.edited_at = now
        message.body = body
        message.versions.append(Version(at=now, body=body))
        self.changes.publish("edit", message.chat, message.id)

    def delete(self, message: Message) -> None:
        """Take a message away from everybody."""
        message.deleted_at = self.clock()
        self.changes.publish("delete", message.chat, message.id)

    def open_topic(self, chat: Chat, sender: int, name: str, icon_color: int = 0x6FB9F0) -> Topic:
        """Open a topic; the service message that says so gives it its id."""
        created: Wire = {"name": name, "icon_color": icon_color}
        message = self.post(chat, sender, Body(), service={"forum_topic_created": created})
        message.thread, message.in_topic = message.id, True
        topic = Topic(id=message.id, name=name, icon_color=icon_color)
        chat.topics[topic.id] = topic
        self.changes.publish("topic", chat.id, message.id)
        return topic

    def delete_topic(self, chat: Chat, topic: Topic) -> None:
        """Take a topic away with its messages."""
        for message in chat.messages.values():
            if message.thread == topic.id and not message.deleted_at:
                self.delete(message)
        del chat.topics[topic.id]
        self.changes.publish("topic", chat.id, topic.id)

    @staticmethod
    def root(chat: Chat, message_id: int) -> int:
        """Find the message that a reply thread of a supergroup hangs from."""
        target = chat.messages.get(message_id)
        return target.thread if target is not None and target.thread > GENERAL_TOPIC else message_id
