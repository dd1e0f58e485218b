"""Discord's adapter: its life, and the powers it lends to the house."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Collection, Sequence

import structlog
from discord import Intents
from discord.http import Route

from adapters.discord import render, slash
from adapters.discord.budget import Budget
from adapters.discord.flakes import flake
from adapters.discord.listening import Listener
from adapters.discord.pace import STANDARD, Pace
from adapters.discord.places import PLATFORM, Myself
from adapters.discord.reading import Reader, Ways
from adapters.discord.sending import LIMITS, Speaker
from adapters.discord.slash import Desk
from adapters.discord.wire import Wire, check_proxy
from adapters.fields import Unreadable, line, thing
from adapters.files import Blobs
from adapters.several import first_of
from gateway.domain.errors import Retry
from gateway.domain.ids import ConversationKey, Instant, MessageRef
from gateway.domain.messages import Attachment, Delivery, Limits, OutboundMessage, Part
from gateway.domain.ports import Clock, Intake

_log = structlog.get_logger(__name__)


class DiscordAdapter:
    """One bot account on Discord, read from the event gateway."""

    platform: str = PLATFORM
    limits: Limits = LIMITS

    def __init__(
        self,
        *,
        token: str,
        base_url: str = "https://discord.com/api/v10",
        gateway_url: str = "wss://gateway.discord.gg/",
        proxy: str | None = None,
        free_channels: Collection[str] = (),
        guilds: Sequence[str] = (),
        auto_thread: bool = False,
        read_all: bool = False,
        catch_up_hours: float = 24.0,
        link_previews: bool = False,
        name: str = "main",
        blobs: Blobs | None = None,
        clock: Clock = time.time,
        pace: Pace = STANDARD,
    ) -> None:
        check_proxy(proxy)
        self.name = name
        self._gateway_url = gateway_url
        self._guilds = tuple(guilds)
        self._intents = intents(read_all=read_all)
        self._clock = clock
        self._pace = pace
        self._ways = Ways(
            free_channels=frozenset(map(int, free_channels)),
            auto_thread=auto_thread,
            reads_all=read_all,
            catch_up_seconds=catch_up_hours * 3600,
        )
        self._me: Myself | None = None
        self._reacted: OrderedDict[str, str] = OrderedDict()
        self._wire = Wire(token=token, base_url=base_url, proxy=proxy, seconds=pace.call, close=pace.close)
        self._desk = Desk(clock)
        self._budget = Budget(time.monotonic, most=pace.sessions, seconds=pace.session)
        self._speaker = Speaker(
            self._wire,
            desk=self._desk,
            link_previews=link_previews,
            auto_thread=auto_thread,
            blobs=blobs,
            doubt=pace.doubt,
        )

    @property
    def account(self) -> str | None:
        """The id of our bot, None until Discord has told it."""
        return None if self._me is None else str(self._me.id)

    async def run(self, intake: Intake) -> None:
        """Read until cancelled, each time with a new connection and a new session."""
        async with self._wire.held():
            me = self._me = await self._introduce()
            reader = Reader(
                wire=self._wire,
                me=me,
                intake=intake,
                clock=self._clock,
                ways=self._ways,
                desk=self._desk,
                again=self._pace.again,
            )
            listener = Listener(
                wire=self._wire,
                gateway_url=self._gateway_url,
                intents=self._intents,
                pace=self._pace,
                budget=self._budget,
                heard=reader.hear,
                room=reader.room,
                alive=lambda: intake.alive(me.mailbox),
            )
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(reader.read(group))
                    group.create_task(listener.listen())
            except ExceptionGroup as errors:
                raise first_of(errors) from None

    def split(self, message: OutboundMessage) -> tuple[Part, ...]:
        """Cut a message into parts that fit when rendered."""
        return render.split(message)

    def dated(self, part: Part, at: Instant) -> Part:
        """Put the date of an answer that comes late before its first part."""
        return render.dated(part, at)

    def sketch(self, text: str) -> Part:
        """Show the unfinished answer as one part."""
        return render.sketch(text)

    async def send(self, delivery: Delivery) -> MessageRef | None:
        """Post a part once; raises Retry (surely not posted), GiveUp or Unsure (perhaps posted)."""
        return await self._speaker.post(delivery)

    async def open(self, delivery: Delivery) -> MessageRef:
        """Post a placeholder that holds nothing of the answer; raises like `send`."""
        return await self._speaker.open(delivery)

    async def edit(self, ref: MessageRef, part: Part) -> None:
        """Put a part into a posted message, harmless to repeat; raises Retry or GiveUp."""
        await self._speaker.edit(ref, part)

    async def delete(self, ref: MessageRef) -> None:
        """Remove a posted message, harmless to repeat; raises Retry or GiveUp."""
        await self._speaker.delete(ref)

    async def typing(self, conversation: ConversationKey) -> None:
        """Show the typing sign for some seconds; raises Retry or GiveUp."""
        await self._speaker.typing(conversation)

    async def react(self, ref: MessageRef, emoji: str) -> None:
        """Set our reaction on a message, an empty string removes it; raises Retry or GiveUp."""
        await self._speaker.react(ref, emoji, self._reacted)

    async def leave(self, conversation: ConversationKey) -> None:
        """Leave a server, harmless to repeat; raises Retry or GiveUp."""
        await self._speaker.leave(conversation)

    def fetch(self, attachment: Attachment) -> AsyncIterator[bytes]:
        """Stream the bytes of a file that somebody sent; raises Retry or GiveUp."""
        return self._speaker.fetch(attachment)

    async def menu(self, commands: Sequence[tuple[str, str]]) -> None:
        """Set our slash command: in the named guilds and direct talks, or everywhere; raises Retry or GiveUp."""
        if self._me is None:
            raise Retry("the account is not known yet")
        everywhere = slash.menu(commands, contexts=slash.ONLY_DIRECT if self._guilds else slash.EVERYWHERE)
        app = self._me.application
        route = Route("PUT", "/applications/{application_id}/commands", application_id=app)
        await self._wire.request(route, json=[everywhere])
        path = "/applications/{application_id}/guilds/{guild_id}/commands"
        for guild in self._guilds:
            there = Route("PUT", path, application_id=app, guild_id=guild)
            await self._wire.request(there, json=[slash.menu(commands, contexts=None)])

    async def _introduce(self) -> Myself:
        """Ask who our bot is, before the gateway counts an identify; raises Misconfigured for a wrong token."""
        try:
            user = thing(await self._wire.request(Route("GET", "/users/@me")))
            application = thing(await self._wire.request(Route("GET", "/oauth2/applications/@me")))
            me = Myself(id=flake(user, "id"), application=flake(application, "id"), name=line(user, "username"))
        except Unreadable as strange:
            raise Retry(f"asking who we are: {strange}", account=True) from None
        _log.info("discord_account", platform=PLATFORM, account=me.id, username=me.name)
        return me


def intents(*, read_all: bool) -> Intents:
    """The least that is needed: talk and reactions; the texts of others only where all of them are to be read."""
    wanted = Intents.none()
    wanted.guilds = True
    wanted.guild_messages = True
    wanted.guild_reactions = True
    wanted.dm_messages = True
    wanted.dm_reactions = True
    wanted.message_content = read_all
    return wanted
