"""The few things that happen in a conversation (a message appears, changes, goes), and the events that follow."""

import re
from collections.abc import Callable

from playground.changes import Changes
from playground.slack.world import Channel, File, Message, Version, Wire, World

MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^>]*)?>")
Send = Callable[[str, Wire], None]  # the type of an envelope and its payload


class Core:
    """The world, its events and the feed of changes, kept in step."""

    def __init__(self, world: World, clock: Callable[[], float], send: Send) -> None:
        self.world = world
        self.clock = clock
        self.send = send
        self.changes = Changes()
        self.base = ""  # the address files are served at

    def post(self, channel: Channel, message: Message, *, event: bool = True) -> Message:
        """Let a message appear."""
        message.versions.append(Version(at=self.clock(), text=message.text, blocks=message.blocks))
        channel.messages[message.ts] = message
        for file in message.files:
            self.world.files[file].channels.add(channel.id)
            self.world.files[file].shares[channel.id] = message.ts
        self.changes.publish("message", channel.id, message.ts)
        if event and self.hears(channel):
            self.emit(self.event(channel, message))
            if self.world.bot_user in MENTION.findall(message.text) and channel.kind != "im" and not message.bot_id:
                self.emit({**self.event(channel, message), "type": "app_mention"}, drop=("channel_type", "subtype"))
        return message

    def edit(self, channel: Channel, message: Message, text: str, blocks: list[Wire] | None = None) -> None:
        """Replace what a message says."""
        before = self.wire(channel, message)
        message.text = text
        message.blocks = blocks if blocks is not None else message.blocks
        message.edited = self.world.stamp(self.clock())
        message.versions.append(Version(at=self.clock(), text=text, blocks=message.blocks))
        self.changes.publish("edit", channel.id, message.ts)
        self.changed(channel, message, before)

    def changed(self, channel: Channel, message: Message, before: Wire) -> None:
        """Tell the app that a message is another one now."""
        stamp = message.edited or self.world.stamp(self.clock())
        self.hidden(channel, stamp, "message_changed", message=self.wire(channel, message), previous_message=before)

    def delete(self, channel: Channel, message: Message) -> None:
        """Take a message away from everybody."""
        message.deleted = True
        self.changes.publish("delete", channel.id, message.ts)
        stamp = self.world.stamp(self.clock())
        before = self.wire(channel, message)
        self.hidden(channel, stamp, "message_deleted", deleted_ts=message.ts, previous_message=before)

    def hidden(self, channel: Channel, stamp: str, subtype: str, **more: object) -> None:
        """Emit an event about a message that is none itself."""
        if not self.hears(channel):
            return
        place: Wire = {"channel": channel.id, "channel_type": channel.type, "ts": stamp, "event_ts": stamp}
        self.emit({"type": "message", "subtype": subtype, "hidden": True, **place, **more})

    def went(self, channel: Channel, user: str) -> None:
        """Let somebody, or the app, be out of a channel."""
        channel.members.discard(user)
        stamp = self.world.stamp(self.clock())
        if user == self.world.bot_user:
            kind = "channel_left" if channel.kind == "channel" else "group_left"
            self.emit({"type": kind, "channel": channel.id, "actor_id": "", "event_ts": stamp})
        else:
            self.emit({"type": "member_left_channel", "user": user, "channel": channel.id, "event_ts": stamp})

    def hears(self, channel: Channel) -> bool:
        """Whether the app gets the events of a conversation."""
        return self.world.bot_user in channel.members

    def emit(self, event: Wire, *, drop: tuple[str, ...] = ()) -> None:
        """Send an event to the app."""
        number = self.world.number()
        payload: Wire = {
            "token": "verification",
            "team_id": self.world.team,
            "context_team_id": self.world.team,
            "api_app_id": self.world.app,
            "event": {key: value for key, value in event.items() if key not in drop},
            "type": "event_callback",
            "event_id": f"Ev{number:08d}",
            "event_time": int(self.clock()),
            "authorizations": [{"team_id": self.world.team, "user_id": self.world.bot_user, "is_bot": True}],
            "is_ext_shared_channel": False,
        }
        self.send("events_api", payload)

    def event(self, channel: Channel, message: Message) -> Wire:
        """Give a message as its event."""
        place: Wire = {"channel": channel.id, "channel_type": channel.type, "event_ts": message.ts}
        return {**self.wire(channel, message), **place}

    def wire(self, channel: Channel, message: Message, *, metadata: bool = False) -> Wire:
        """Give a message as the API shows it."""
        given: Wire = {"type": "message", "user": message.user, "text": message.text, "ts": message.ts}
        user = self.world.users.get(message.user)
        given["team"] = user.team if user else self.world.team
        if message.thread_ts:
            given["thread_ts"] = message.thread_ts
            root = channel.messages.get(message.thread_ts)
            if message.thread_ts != message.ts and root is not None:
                given["parent_user_id"] = root.user
        if message.bot_id:
            given |= {"bot_id": message.bot_id, "app_id": self.world.app}
        if message.edited:
            given["edited"] = {"user": message.user, "ts": message.edited}
        given |= {key: value for key in ("subtype", "blocks") if (value := getattr(message, key))}
        if message.files:
            given["files"] = [self.file_wire(self.world.files[file]) for file in message.files]
        if message.reactions:
            listed = message.reactions.items()
            given["reactions"] = [{"name": name, "users": who, "count": len(who)} for name, who in listed if who]
        if metadata and message.metadata is not None:
            given["metadata"] = message.metadata
        return given

    def file_wire(self, file: File, *, whole: bool = False) -> Wire:
        """Give a file as the API shows it; one that has to be asked for shows its id only."""
        if file.access == "check_file_info" and not whole:
            return {"id": file.id, "mode": file.mode, "file_access": file.access}
        address = f"{self.base}/files-pri/{self.world.team}-{file.id}/download/file"
        return {
            "id": file.id,
            "name": file.name,
            "title": file.title or file.name,
            "mimetype": file.mime,
            "filetype": file.name.rpartition(".")[2],
            "size": len(file.content),
            "mode": file.mode,
            "user": file.user,
            "file_access": "visible",
            "url_private": address,
            "url_private_download": address,
        }
