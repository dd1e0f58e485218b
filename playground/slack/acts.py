"""The acts of the control API: a JSON object in, what has happened out; one function per act."""

import base64
import binascii
from collections.abc import Callable, Mapping

from playground.slack.core import Core
from playground.slack.faults import Faults
from playground.slack.hub import Hub
from playground.slack.people import People
from playground.slack.view import channel_view, message_view
from playground.slack.world import Wire

Act = Callable[[Wire], object]


class Acts:
    """What the control API can do; `table` names each."""

    def __init__(self, core: Core, people: People, hub: Hub, faults: Faults) -> None:
        self.core = core
        self.people = people
        self.hub = hub
        self.faults = faults

    def table(self) -> Mapping[str, Act]:
        """Give the acts by name."""
        return {
            "create_user": self.create_user,
            "open_dm": self.open_dm,
            "create_channel": self.create_channel,
            "start_assistant": self.start_assistant,
            "send_text": self.send_text,
            "send_file": self.send_file,
            "edit_text": self.edit_text,
            "delete": self.delete,
            "react": self.react,
            "press": self.press,
            "slash": self.slash,
            "invite": self.invite,
            "kick": self.kick,
            "add_fault": self.add_fault,
            "clear_faults": self.clear_faults,
            "drop_sockets": self.drop_sockets,
            "disconnect": self.disconnect,
            "blackhole": self.blackhole,
            "expire_tickets": self.expire_tickets,
        }

    def create_user(self, body: Wire) -> object:
        """Let somebody join: name, id, is_bot."""
        user = self.people.create_user(
            word(body, "name") or "ann", user_id=word(body, "id"), is_bot=body.get("is_bot") is True
        )
        return {"id": user.id, "name": user.name}

    def open_dm(self, body: Wire) -> object:
        """Open a person's direct talk with the app: user."""
        return channel_view(self.people.open_dm(word(body, "user")))

    def create_channel(self, body: Wire) -> object:
        """Open a channel: name, members, private, bot (true invites the app)."""
        members = body.get("members")
        channel = self.people.create_channel(
            word(body, "name") or "general",
            [str(one) for one in members] if isinstance(members, list) else [],
            kind="group" if body.get("private") is True else "channel",
            bot=body.get("bot") is not False,
        )
        return channel_view(channel)

    def start_assistant(self, body: Wire) -> object:
        """Open a new assistant thread: user."""
        return {"thread": self.people.start_assistant(word(body, "user"))}

    def send_text(self, body: Wire) -> object:
        """Write a text: user, chat, text, thread."""
        place = (word(body, "user"), word(body, "chat"), word(body, "text"))
        return message_view(self.core, self.people.say(*place, thread=word(body, "thread")))

    def send_file(self, body: Wire) -> object:
        """Send a file: user, chat, content (base64), name, mime, text, thread."""
        try:
            content = base64.b64decode(word(body, "content"), validate=True)
        except binascii.Error as error:
            raise ValueError(f"content is not base64: {error}") from None
        message = self.people.upload(
            word(body, "user"),
            word(body, "chat"),
            content,
            name=word(body, "name") or "file",
            mime=word(body, "mime") or "application/octet-stream",
            text=word(body, "text"),
            thread=word(body, "thread"),
        )
        return message_view(self.core, message)

    def edit_text(self, body: Wire) -> object:
        """Change a text: chat, message, text."""
        return message_view(self.core, self.people.edit(*place(body), word(body, "text")))

    def delete(self, body: Wire) -> object:
        """Delete a message: chat, message."""
        self.people.delete(*place(body))
        return True

    def react(self, body: Wire) -> object:
        """Put a reaction: user, chat, message, name (remove takes it away)."""
        added = body.get("remove") is not True
        self.people.react(word(body, "user"), *place(body), word(body, "name"), added=added)
        return True

    def press(self, body: Wire) -> object:
        """Press a button: user, chat, message, data (its value or words)."""
        return {"value": self.people.press(word(body, "user"), *place(body), word(body, "data"))}

    def slash(self, body: Wire) -> object:
        """Call the slash command: user, chat, text."""
        self.people.slash(word(body, "user"), word(body, "chat"), word(body, "text"))
        return True

    def invite(self, body: Wire) -> object:
        """Bring somebody into a channel: chat, inviter, user (without one: the app)."""
        user = word(body, "user") or self.core.world.bot_user
        self.people.invite(word(body, "chat"), word(body, "inviter"), user)
        return True

    def kick(self, body: Wire) -> object:
        """Take somebody out of a channel: chat, user (without one: the app)."""
        self.people.kick(word(body, "chat"), word(body, "user") or self.core.world.bot_user)
        return True

    def add_fault(self, body: Wire) -> object:
        """Switch a trouble on; the members are those of `Faults.add`."""
        fault = self.faults.add(
            word(body, "kind"),
            method=word(body, "method") or "*",
            count=whole(body, "count"),
            code=word(body, "code") or "internal_error",
            status=whole(body, "status") or 200,
            retry_after=whole(body, "retry_after") or 1,
            skip=whole(body, "skip"),
            channel=word(body, "channel"),
        )
        return fault.id

    def clear_faults(self, body: Wire) -> object:
        """Switch one trouble off by its id, or all."""
        self.faults.clear(whole(body, "id") or None)
        return True

    def drop_sockets(self, _body: Wire) -> object:
        """Cut every socket without a word."""
        self.hub.drop()
        return True

    def disconnect(self, body: Wire) -> object:
        """Tell every socket that it goes soon: reason, grace (seconds)."""
        self.hub.disconnect(word(body, "reason") or "refresh_requested", grace=whole(body, "grace"))
        return True

    def blackhole(self, _body: Wire) -> object:
        """Let every open socket go deaf and silent."""
        self.hub.blackhole()
        return True

    def expire_tickets(self, body: Wire) -> object:
        """Let the next socket addresses be expired: count."""
        self.hub.stale_tickets += whole(body, "count") or 1
        return True


def place(body: Wire) -> tuple[str, str]:
    """Read which message: chat, message."""
    return word(body, "chat"), word(body, "message")


def word(body: Wire, name: str) -> str:
    """Read text, empty where there is none."""
    value = body.get(name)
    return value if isinstance(value, str) else ""


def whole(body: Wire, name: str) -> int:
    """Read a whole number, 0 where there is none."""
    value = body.get(name)
    return int(value) if isinstance(value, int | float) else 0
