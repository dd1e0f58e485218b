"""What people do in the workspace: write, change, react, press, upload, call the slash command, come and go."""

import re

from playground.slack import blocks as layout
from playground.slack.core import Core
from playground.slack.errors import ApiError
from playground.slack.world import Channel, File, Kind, Message, User, Wire

NAMED = re.compile(r"@([a-z0-9_.-]+)")
EVERYBODY = {"here": "<!here>", "channel": "<!channel>", "everyone": "<!everyone>"}
LONGEST = 40_000


class People:
    """Acts as everybody but the app."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.world = core.world

    def create_user(self, name: str = "ann", *, user_id: str = "", is_bot: bool = False, team: str = "") -> User:
        """Let somebody join the workspace."""
        number = user_id or f"U{self.world.number():08d}"
        user = User(id=number, name=name.lower(), real_name=name.title(), is_bot=is_bot, team=team or self.world.team)
        self.world.users[user.id] = user
        return user

    def open_dm(self, user: str) -> Channel:
        """Open the direct talk of somebody with the app, or find it."""
        for channel in self.world.channels.values():
            if channel.kind == "im" and channel.user == user:
                return channel
        channel = Channel(id=f"D{self.world.number():08d}", kind="im", user=user)
        channel.members = {user, self.world.bot_user}
        self.world.channels[channel.id] = channel
        self.core.changes.publish("channel", channel.id)
        return channel

    def create_channel(self, name: str, members: list[str], *, kind: Kind = "channel", bot: bool = True) -> Channel:
        """Open a channel; `bot` invites the app, too."""
        letter = "C" if kind == "channel" else "G"
        channel = Channel(id=f"{letter}{self.world.number():08d}", kind=kind, name=name, members=set(members))
        self.world.channels[channel.id] = channel
        self.core.changes.publish("channel", channel.id)
        if bot:
            self.invite(channel.id, members[0] if members else "", self.world.bot_user)
        return channel

    def channel(self, number: str) -> Channel:
        """Find a conversation; raises ApiError."""
        if number not in self.world.channels:
            raise ApiError("channel_not_found")
        return self.world.channels[number]

    def message(self, channel: str, ts: str) -> Message:
        """Find a message that stands; raises ApiError."""
        found = self.channel(channel).messages.get(ts)
        if found is None or found.deleted:
            raise ApiError("message_not_found")
        return found

    def marked(self, text: str) -> str:
        """Turn what somebody types into what Slack stores: escaped, with mentions by id."""
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        ids = {user.name: f"<@{user.id}>" for user in self.world.users.values()}
        return NAMED.sub(lambda match: ids.get(match[1]) or EVERYBODY.get(match[1]) or match[0], text)

    def say(
        self,
        user: str,
        channel: str,
        text: str,
        *,
        thread: str = "",
        subtype: str = "",
        bot: str = "",
        raw: bool = False,
        event: bool = True,
    ) -> Message:
        """Write into a conversation; `raw` takes the text as Slack stores it, `bot` is another app's."""
        place = self.channel(channel)
        message = Message(
            ts=self.world.stamp(self.core.clock()),
            channel=channel,
            user=user,
            text=(text if raw else self.marked(text))[:LONGEST],
            thread_ts=thread,
            subtype=subtype,
            bot_id=bot,
        )
        root = place.messages.get(thread)
        if root is not None:
            root.thread_ts = root.thread_ts or root.ts
        return self.core.post(place, message, event=event)

    def upload(
        self,
        user: str,
        channel: str,
        content: bytes,
        *,
        name: str,
        mime: str = "application/octet-stream",
        text: str = "",
        thread: str = "",
        access: str = "visible",
        mode: str = "hosted",
    ) -> Message:
        """Send a file, with some words."""
        file = File(
            id=f"F{self.world.number():08d}",
            name=name,
            mime=mime,
            content=content,
            user=user,
            access=access,
            mode=mode,
        )
        self.world.files[file.id] = file
        message = Message(
            ts=self.world.stamp(self.core.clock()),
            channel=channel,
            user=user,
            text=self.marked(text),
            thread_ts=thread,
            subtype="file_share",
            files=[file.id],
        )
        return self.core.post(self.channel(channel), message)

    def edit(self, channel: str, ts: str, text: str) -> Message:
        """Change one's own message."""
        message = self.message(channel, ts)
        self.core.edit(self.channel(channel), message, self.marked(text))
        return message

    def unfurl(self, channel: str, ts: str) -> None:
        """Let Slack add a preview to a message, which looks like an edit."""
        message = self.message(channel, ts)
        before = self.core.wire(self.channel(channel), message)
        self.core.changed(self.channel(channel), message, before)

    def delete(self, channel: str, ts: str) -> None:
        """Take one's own message away."""
        self.core.delete(self.channel(channel), self.message(channel, ts))

    def react(self, user: str, channel: str, ts: str, name: str, *, added: bool = True) -> None:
        """Put a reaction on a message, or take it away."""
        message = self.message(channel, ts)
        who = message.reactions.setdefault(name, [])
        if added == (user in who):
            return
        (who.append if added else who.remove)(user)
        self.core.changes.publish("reaction", channel, ts)
        if self.core.hears(self.channel(channel)):
            self.core.emit(
                {
                    "type": "reaction_added" if added else "reaction_removed",
                    "user": user,
                    "reaction": name,
                    "item": {"type": "message", "channel": channel, "ts": ts},
                    "item_user": message.user,
                    "event_ts": self.world.stamp(self.core.clock()),
                }
            )

    def press(self, user: str, channel: str, ts: str, what: str) -> str:
        """Press a button, named by its words or its value; gives the value."""
        message = self.message(channel, ts)
        for button in layout.buttons(message.blocks):
            label = button["text"]
            if what in (button.get("value"), label.get("text") if isinstance(label, dict) else None):
                self.core.send("interactive", self._pressed(user, message, button))
                return str(button.get("value"))
        raise ApiError("no_such_button")

    def _pressed(self, user: str, message: Message, button: Wire) -> Wire:
        world, channel = self.world, self.channel(message.channel)
        container: Wire = {"type": "message", "message_ts": message.ts, "channel_id": channel.id, "is_ephemeral": False}
        if message.thread_ts:
            container["thread_ts"] = message.thread_ts
        return {
            "type": "block_actions",
            "user": {"id": user, "username": world.users[user].name, "team_id": world.users[user].team},
            "api_app_id": world.app,
            "team": {"id": world.team, "domain": "emulated"},
            "container": container,
            "trigger_id": f"{world.number()}.trigger",
            "channel": {"id": channel.id, "name": channel.name or "directmessage"},
            "message": self.core.wire(channel, message),
            "response_url": f"{self.core.base}/actions/{world.number()}",
            "actions": [{**button, "type": "button", "action_ts": world.stamp(self.core.clock())}],
        }

    def slash(self, user: str, channel: str, text: str = "") -> None:
        """Call the app's slash command, wherever it is called: the app needs not be there."""
        world, place = self.world, self.channel(channel)
        self.core.send(
            "slash_commands",
            {
                "token": "verification",
                "team_id": world.team,
                "channel_id": channel,
                "channel_name": "directmessage" if place.kind == "im" else place.name,
                "user_id": user,
                "user_name": world.users[user].name,
                "command": world.command,
                "text": text,
                "api_app_id": world.app,
                "is_enterprise_install": "false",
                "response_url": f"{self.core.base}/commands/{world.number()}",
                "trigger_id": f"{world.number()}.trigger",
            },
        )

    def start_assistant(self, user: str) -> str:
        """Open a new thread with the assistant in the direct talk; gives its ts."""
        channel = self.open_dm(user)
        channel.assistant = True
        world = self.world
        root = Message(
            ts=world.stamp(self.core.clock()),
            channel=channel.id,
            user=world.bot_user,
            bot_id=world.bot_id,
            text="New Assistant Thread",
            subtype="assistant_app_thread",
        )
        root.thread_ts = root.ts
        self.core.post(channel, root, event=False)
        thread: Wire = {"user_id": user, "channel_id": channel.id, "thread_ts": root.ts, "context": {}}
        self.core.emit({"type": "assistant_thread_started", "assistant_thread": thread, "event_ts": root.ts})
        return root.ts

    def invite(self, channel: str, inviter: str, user: str) -> None:
        """Bring somebody, or the app, into a channel."""
        place = self.channel(channel)
        place.members.add(user)
        joined = Message(
            ts=self.world.stamp(self.core.clock()),
            channel=channel,
            user=user,
            text=f"<@{user}> has joined the channel",
            subtype="channel_join" if place.kind == "channel" else "group_join",
        )
        self.core.post(place, joined)
        if self.core.hears(place):
            event: Wire = {"type": "member_joined_channel", "user": user, "channel": channel, "inviter": inviter}
            kind: Wire = {"channel_type": "C" if place.kind == "channel" else "G", "team": self.world.team}
            self.core.emit({**event, **kind, "event_ts": joined.ts})

    def kick(self, channel: str, user: str) -> None:
        """Take somebody, or the app, out of a channel."""
        self.core.went(self.channel(channel), user)

    def archive(self, channel: str) -> None:
        """Close a channel for good."""
        self.channel(channel).archived = True
