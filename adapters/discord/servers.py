"""Which servers our bot is in, over restarts: Discord names each of them anew at every start, new ones among them."""

from adapters.discord.flakes import flake, maybe_flake
from adapters.discord.parse import added
from adapters.discord.places import Myself
from adapters.fields import Json, things
from gateway.domain.messages import Cursor
from gateway.domain.ports import Intake

INDEX = "servers"


class Servers:
    """Tells once of each server that our bot came into; those of the very first start were there already."""

    def __init__(self, intake: Intake, me: Myself) -> None:
        self._intake = intake
        self._me = me
        self._known: set[int] = set()

    async def hear(self, name: str, event: Json) -> None:
        """Take an event that may be about servers; raises Unreadable."""
        if name == "READY":
            await self._ready(event)
        elif name == "GUILD_CREATE":
            await self._came(event)
        elif name == "GUILD_DELETE":
            await self._went(event)

    async def _ready(self, event: Json) -> None:
        listed = {flake(guild, "id") for guild in things(event, "guilds")}
        stored = await self._intake.cursor(self._me.mailbox, INDEX)
        self._known = listed if stored is None else {int(number) for number in stored.split()} & listed
        if stored is None or len(self._known) != len(stored.split()):
            await self._intake.accept((), self._cursor())

    async def _came(self, guild: Json) -> None:
        number = flake(guild, "id")
        if number not in self._known:
            self._known.add(number)
            await self._intake.accept((added(guild, self._me),), self._cursor())

    async def _went(self, guild: Json) -> None:
        number = maybe_flake(guild, "id")
        # "unavailable" is a server of theirs that is out of order
        if number in self._known and guild.get("unavailable") is not True:
            self._known.discard(number)
            await self._intake.accept((), self._cursor())

    def _cursor(self) -> Cursor:
        value = " ".join(map(str, sorted(self._known)))
        return Cursor(account=self._me.mailbox, name=INDEX, value=value)
