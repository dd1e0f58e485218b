"""The acts of the control API: a JSON object in, what has happened out; one function per act."""

import asyncio
import base64
import binascii
from collections.abc import Callable, Mapping

from playground.discord.core import Core
from playground.discord.faults import Faults
from playground.discord.fields import whole, wholes, words
from playground.discord.people import People
from playground.discord.view import channel_view, guild_view, interaction_view, message_view
from playground.discord.wire import user_wire
from playground.discord.world import EVERYTHING, TEXT, Channel, Message, Wire

Act = Callable[[Wire], object]


class Acts:
    """What the control API can do; `table` names each."""

    def __init__(self, core: Core, people: People, faults: Faults) -> None:
        self.core = core
        self.people = people
        self.faults = faults
        self.closing: set[asyncio.Task[None]] = set()

    def table(self) -> Mapping[str, Act]:
        """Give the acts by name."""
        acts: tuple[Act, ...] = (
            self.create_user, self.create_guild, self.create_channel, self.create_thread, self.create_role,
            self.open_direct, self.send_text, self.send_file, self.webhook, self.edit_text, self.delete, self.react,
            self.press, self.slash, self.set_open, self.deny, self.delete_channel, self.add_bot, self.kick_bot,
            self.set_content_allowed, self.add_fault, self.clear_faults, self.break_gateway,
        )  # fmt: skip
        return {act.__name__: act for act in acts}

    def create_user(self, body: Wire) -> object:
        """Make a user, whose direct talk with the bot is open: name, bot."""
        user = self.people.create_user(words(body.get("name")) or "Ann", bot=body.get("bot") is True)
        direct = None if user.bot else str(self.people.direct(user.id).id)
        return {**user_wire(user), "direct": direct}

    def create_guild(self, body: Wire) -> object:
        """Make a guild with the channel `general`: name, members, bot, permissions."""
        allowed = whole(body.get("permissions")) or EVERYTHING
        members = wholes(body.get("members"))
        if not members:
            raise ValueError("a guild needs members")
        guild = self.people.create_guild(
            words(body.get("name")) or "Guild", members, bot=body.get("bot") is not False, permissions=allowed
        )
        channels = [channel_view(self.core.world, one) for one in self._channels(guild.id)]
        return {**guild_view(self.core.world, guild), "channels": channels}

    def create_channel(self, body: Wire) -> object:
        """Make a channel: guild, name, type."""
        kind = whole(body.get("type")) or TEXT
        made = self.people.create_channel(whole(body.get("guild")), words(body.get("name")) or "channel", kind=kind)
        return channel_view(self.core.world, made)

    def create_thread(self, body: Wire) -> object:
        """Open a thread: user, channel, name, message."""
        name, message = words(body.get("name")) or "thread", whole(body.get("message"))
        made = self.people.create_thread(whole(body.get("user")), whole(body.get("channel")), name, message=message)
        return channel_view(self.core.world, made)

    def create_role(self, body: Wire) -> object:
        """Make a role: guild, name, members."""
        role = self.people.create_role(whole(body.get("guild")), words(body.get("name")), wholes(body.get("members")))
        return {"id": str(role.id), "name": role.name}

    def open_direct(self, body: Wire) -> object:
        """Open the direct talk of a user with the bot: user."""
        return channel_view(self.core.world, self.people.direct(whole(body.get("user"))))

    def send_text(self, body: Wire) -> object:
        """Write a text: user, channel, text, reply_to, ping."""
        return self._shown(
            self.people.say(
                whole(body.get("user")),
                whole(body.get("channel")),
                words(body.get("text")),
                reply_to=whole(body.get("reply_to")),
                ping=body.get("ping") is not False,
            )
        )

    def send_file(self, body: Wire) -> object:
        """Send a file: user, channel, name, content (base64), mime, text."""
        try:
            content = base64.b64decode(words(body.get("content")), validate=True)
        except binascii.Error:
            raise ValueError("content must be base64") from None
        name = words(body.get("name")) or "file"
        mime, text = words(body.get("mime")), words(body.get("text"))
        user, channel = whole(body.get("user")), whole(body.get("channel"))
        return self._shown(self.people.upload(user, channel, name, content, mime=mime, text=text))

    def webhook(self, body: Wire) -> object:
        """Let a webhook write: channel, name, text."""
        name = words(body.get("name")) or "Hook"
        return self._shown(self.people.webhook(whole(body.get("channel")), name, words(body.get("text"))))

    def edit_text(self, body: Wire) -> object:
        """Change a text: user, channel, message, text."""
        return self._shown(self.people.edit(*_place(body), words(body.get("text"))))

    def delete(self, body: Wire) -> object:
        """Take a message away: user, channel, message."""
        self.people.delete(*_place(body))
        return True

    def react(self, body: Wire) -> object:
        """Put a reaction on a message, or take it away: user, channel, message, emoji, add."""
        self.people.react(*_place(body), words(body.get("emoji")), add=body.get("add") is not False)
        return True

    def press(self, body: Wire) -> object:
        """Press a button by its words or its id: user, channel, message, button."""
        return interaction_view(self.people.press(*_place(body), words(body.get("button"))))

    def slash(self, body: Wire) -> object:
        """Use a sub-command of ours: user, channel, word, text."""
        user, channel = whole(body.get("user")), whole(body.get("channel"))
        return interaction_view(self.people.slash(user, channel, words(body.get("word")), words(body.get("text"))))

    def set_open(self, body: Wire) -> object:
        """Let somebody take direct messages from the bot, or not: user, open."""
        self.core.world.users[whole(body.get("user"))].open = body.get("open") is not False
        return True

    def deny(self, body: Wire) -> object:
        """Take rights from the bot in a channel, as a number of bits: channel, permissions (0: none is taken)."""
        self.core.world.channels[whole(body.get("channel"))].denied = whole(body.get("permissions"))
        return True

    def delete_channel(self, body: Wire) -> object:
        """Take a channel or a thread away: channel."""
        self.core.delete_channel(self.core.world.channels[whole(body.get("channel"))])
        return True

    def add_bot(self, body: Wire) -> object:
        """Let the bot come into a guild: guild."""
        self.people.add_bot(whole(body.get("guild")))
        return True

    def kick_bot(self, body: Wire) -> object:
        """Put the bot out of a guild: guild."""
        self.people.kick_bot(whole(body.get("guild")))
        return True

    def set_content_allowed(self, body: Wire) -> object:
        """Switch the message content intent in the portal: allowed."""
        self.core.world.content_allowed = body.get("allowed") is not False
        return True

    def add_fault(self, body: Wire) -> object:
        """Switch a trouble on: kind, route, count, status, code, message, retry_after, everywhere, seconds, skip."""
        seconds, after = body.get("seconds"), body.get("retry_after")
        fault = self.faults.add(
            words(body.get("kind")),
            route=words(body.get("route")) or "*",
            count=whole(body.get("count")),
            status=whole(body.get("status")) or 500,
            code=whole(body.get("code")),
            message=words(body.get("message")),
            retry_after=float(after) if isinstance(after, int | float) else 1.0,
            everywhere=body.get("everywhere") is True,
            seconds=float(seconds) if isinstance(seconds, int | float) else 0.0,
            skip=whole(body.get("skip")),
            channel=whole(body.get("channel")),
        )
        return {"id": fault.id}

    def clear_faults(self, body: Wire) -> object:
        """Switch troubles off: id (none: all)."""
        self.faults.clear(whole(body.get("id")) or None)
        self.core.gateway.acks = True
        return True

    def break_gateway(self, body: Wire) -> object:
        """Break the gateway: how (drop freeze reconnect invalidate forget close refuse no_acks), code, count."""
        gateway, how = self.core.gateway, words(body.get("how"))
        match how:
            case "drop" | "freeze" | "reconnect" | "forget":
                {"drop": gateway.drop, "freeze": gateway.freeze, "reconnect": gateway.reconnect}.get(
                    how, gateway.forget
                )()
            case "invalidate":
                gateway.invalidate(resumable=body.get("resumable") is True)
            case "close":
                task = asyncio.get_running_loop().create_task(gateway.close(whole(body.get("code")) or 4000))
                self.closing.add(task)
                task.add_done_callback(self.closing.discard)
            case "refuse":
                gateway.refusals = whole(body.get("count")) or 1
            case "no_acks":
                gateway.acks = False
            case _:
                raise ValueError(f"unknown way to break the gateway: {how!r}")
        return True

    def _channels(self, guild: int) -> list[Channel]:
        return [one for one in self.core.world.channels.values() if one.guild == guild]

    def _shown(self, message: Message) -> Wire:
        return message_view(self.core.world, message)


def _place(body: Wire) -> tuple[int, int, int]:
    return whole(body.get("user")), whole(body.get("channel")), whole(body.get("message"))
