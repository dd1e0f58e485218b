"""The acts of the control API: a JSON object in, what has happened out; one function per act."""

import base64
import binascii
from collections.abc import Callable, Mapping

from playground.telegram.core import Core
from playground.telegram.faults import Faults
from playground.telegram.membership import Membership
from playground.telegram.params import mapping, whole, words
from playground.telegram.people import People
from playground.telegram.view import message_view
from playground.telegram.wire import user_wire
from playground.telegram.world import Body, Message, Wire

Act = Callable[[Wire], object]


class Acts:
    """What the control API can do; `table` names each."""

    def __init__(self, core: Core, people: People, membership: Membership, faults: Faults) -> None:
        self.core = core
        self.people = people
        self.membership = membership
        self.faults = faults

    def table(self) -> Mapping[str, Act]:
        """Give the acts by name."""
        return {
            "create_user": self.create_user,
            "create_group": self.create_group,
            "create_topic": self.create_topic,
            "delete_topic": self.delete_topic,
            "send_text": self.send_text,
            "send_file": self.send_file,
            "send_album": self.send_album,
            "send_location": self.send_location,
            "send_content": self.send_content,
            "edit_text": self.edit_text,
            "delete": self.delete,
            "react": self.react,
            "press": self.press,
            "block": self.block,
            "unblock": self.unblock,
            "add_bot": self.add_bot,
            "kick_bot": self.kick_bot,
            "join": self.join,
            "leave": self.leave,
            "migrate": self.migrate,
            "push_update": self.push_update,
            "set_privacy": self.set_privacy,
            "add_fault": self.add_fault,
            "clear_faults": self.clear_faults,
            "freeze": self.freeze,
            "stop_polls": self.stop_polls,
        }

    def shown(self, message: Message) -> Wire:
        """Show what was written."""
        return message_view(self.core.world, message)

    def create_user(self, body: Wire) -> object:
        """Create a user: first_name, username, id, language, started, is_bot."""
        user = self.people.create_user(
            words(body.get("first_name")) or "Ann",
            username=words(body.get("username")),
            user_id=whole(body.get("id")),
            language=words(body.get("language")) or "en",
            started=body.get("started") is not False,
            is_bot=body.get("is_bot") is True,
        )
        return user_wire(user)

    def create_group(self, body: Wire) -> object:
        """Create a group: title, members, kind, forum, bot."""
        members = body.get("members")
        chat = self.people.create_group(
            words(body.get("title")) or "Group",
            [whole(one) for one in members] if isinstance(members, list) else [],
            kind=words(body.get("kind")) or "group",
            forum=body.get("forum") is True,
            bot=words(body.get("bot")) or "member",
        )
        return {"id": chat.id, "type": chat.kind}

    def create_topic(self, body: Wire) -> object:
        """Open a topic: chat, user, name."""
        topic = self.people.create_topic(whole(body.get("chat")), whole(body.get("user")), words(body.get("name")))
        return {"id": topic.id, "name": topic.name}

    def delete_topic(self, body: Wire) -> object:
        """Delete a topic: chat, topic."""
        self.people.delete_topic(whole(body.get("chat")), whole(body.get("topic")))
        return True

    def send_text(self, body: Wire) -> object:
        """Write a text: user, text, chat, thread, reply_to, quote, sender_chat, forward (a MessageOrigin)."""
        sent = self.people.send_text(
            whole(body.get("user")),
            words(body.get("text")),
            chat_id=whole(body.get("chat")),
            thread=whole(body.get("thread")),
            reply_to=whole(body.get("reply_to")),
            quote=words(body.get("quote")),
            sender_chat=whole(body.get("sender_chat")),
            forward=mapping(body.get("forward")) or None,
        )
        return [self.shown(message) for message in sent]

    def file_body(self, body: Wire) -> Body:
        """Read a file: kind, content (base64) or size, name, mime, caption, said."""
        content = body.get("content")
        return self.people.file_body(
            words(body.get("kind")) or "document",
            decode(content) if isinstance(content, str) else None,
            size=whole(body.get("size")),
            name=words(body.get("name")),
            mime=words(body.get("mime")),
            caption=words(body.get("caption")),
            said=mapping(body.get("said")),
        )

    def send_file(self, body: Wire) -> object:
        """Send a file: user, chat, thread, reply_to, and what `file_body` reads."""
        message = self.people.say(
            whole(body.get("user")),
            self.file_body(body),
            chat_id=whole(body.get("chat")),
            thread=whole(body.get("thread")),
            reply_to=whole(body.get("reply_to")),
        )
        return self.shown(message)

    def send_album(self, body: Wire) -> object:
        """Send several files as one post: user, chat, thread, files."""
        files = body.get("files")
        bodies = [self.file_body(mapping(one)) for one in files] if isinstance(files, list) else []
        sent = self.people.send_album(
            whole(body.get("user")), bodies, chat_id=whole(body.get("chat")), thread=whole(body.get("thread"))
        )
        return [self.shown(message) for message in sent]

    def send_location(self, body: Wire) -> object:
        """Send a place: user, chat, thread, latitude, longitude."""
        message = self.people.send_location(
            whole(body.get("user")),
            real(body.get("latitude")),
            real(body.get("longitude")),
            chat_id=whole(body.get("chat")),
            thread=whole(body.get("thread")),
        )
        return self.shown(message)

    def send_content(self, body: Wire) -> object:
        """Send any other content: user, chat, thread, reply_to, fields (as in a Message: contact, venue, poll …)."""
        message = self.people.say(
            whole(body.get("user")),
            Body(media=mapping(body.get("fields"))),
            chat_id=whole(body.get("chat")),
            thread=whole(body.get("thread")),
            reply_to=whole(body.get("reply_to")),
        )
        return self.shown(message)

    def edit_text(self, body: Wire) -> object:
        """Change a text: user, chat, message, text."""
        return self.shown(self.people.edit_text(*place(body), words(body.get("text"))))

    def delete(self, body: Wire) -> object:
        """Delete a message: user, chat, message."""
        return self.shown(self.people.delete(*place(body)))

    def react(self, body: Wire) -> object:
        """Put a reaction: user, chat, message, emoji (empty takes it away)."""
        self.people.react(*place(body), words(body.get("emoji")))
        return True

    def press(self, body: Wire) -> object:
        """Press a button: user, chat, message, data (or the button's words)."""
        return {"id": self.people.press(*place(body), words(body.get("data"))).id}

    def block(self, body: Wire) -> object:
        """Block the bot: user."""
        self.membership.block(whole(body.get("user")))
        return True

    def unblock(self, body: Wire) -> object:
        """Unblock the bot: user."""
        self.membership.unblock(whole(body.get("user")))
        return True

    def add_bot(self, body: Wire) -> object:
        """Add the bot to a group or change its standing there: chat, user, status."""
        status = words(body.get("status")) or "member"
        self.membership.add_bot(whole(body.get("chat")), whole(body.get("user")), status=status)
        return True

    def kick_bot(self, body: Wire) -> object:
        """Throw the bot out: chat, user."""
        self.membership.kick_bot(whole(body.get("chat")), whole(body.get("user")))
        return True

    def join(self, body: Wire) -> object:
        """Let a user join: chat, user."""
        self.membership.join(whole(body.get("chat")), whole(body.get("user")))
        return True

    def leave(self, body: Wire) -> object:
        """Let a user leave: chat, user."""
        self.membership.leave(whole(body.get("chat")), whole(body.get("user")))
        return True

    def migrate(self, body: Wire) -> object:
        """Turn a basic group into a supergroup: chat, user."""
        return {"id": self.membership.migrate(whole(body.get("chat")), whole(body.get("user"))).id}

    def push_update(self, body: Wire) -> object:
        """Queue any JSON value as an update: update; an object without update_id gets one."""
        return {"number": self.core.updates.put(body.get("update"))}

    def set_privacy(self, body: Wire) -> object:
        """Switch the bot's privacy mode: on."""
        self.core.world.privacy = body.get("on") is True
        return True

    def add_fault(self, body: Wire) -> object:
        """Switch a trouble on; the members are those of `Faults.add`."""
        fault = self.faults.add(
            words(body.get("kind")),
            method=words(body.get("method")) or "*",
            count=whole(body.get("count")),
            seconds=real(body.get("seconds")),
            code=whole(body.get("code"), 500),
            description=words(body.get("description")),
            retry_after=whole(body.get("retry_after"), 1),
            delay=real(body.get("delay")),
            skip=whole(body.get("skip")),
            chat=whole(body.get("chat")),
        )
        return fault.id

    def clear_faults(self, body: Wire) -> object:
        """Switch one trouble off by its id, or all."""
        self.faults.clear(whole(body.get("id")) or None)
        return True

    def freeze(self, _body: Wire) -> object:
        """Answer nothing until cleared."""
        return self.faults.freeze().id

    def stop_polls(self, _body: Wire) -> object:
        """Let only getUpdates hang until cleared."""
        return self.faults.stop_polls().id


def place(body: Wire) -> tuple[int, int, int]:
    """Read who acts on which message: user, chat, message."""
    return whole(body.get("user")), whole(body.get("chat")), whole(body.get("message"))


def real(value: object) -> float:
    """Read a JSON value as a number."""
    return float(value) if isinstance(value, int | float) else 0.0


def decode(content: str) -> bytes:
    """Read base64; raises ValueError when it is something else."""
    try:
        return base64.b64decode(content, validate=True)
    except binascii.Error as error:
        raise ValueError(f"content is not base64: {error}") from None
