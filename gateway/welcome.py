"""Shows the first owner the way in: a code with link and QR on a terminal, one line in the log elsewhere."""

import asyncio
import sys
from collections.abc import Callable, Sequence

import structlog

from gateway.domain.errors import StorageTrouble
from gateway.domain.ports import Clock
from gateway.services.people import pairing
from gateway.services.registry import Lines
from gateway.store import people
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.texts import say

log = structlog.get_logger(__name__)
RENEW_SECONDS = pairing.OWNER_SECONDS - 300
GRACE_SECONDS = 1.0  # for a code that was sent before we ran
LINK_SECONDS = 5.0  # how long a platform may take to tell our name there


class Welcome:
    """Lives until there is an owner."""

    def __init__(
        self, *, db: SqliteDatabase, lines: Lines, links: Callable[[str], Sequence[str]], clock: Clock
    ) -> None:
        self._db = db
        self._lines = lines
        self._links = links
        self._clock = clock

    async def run(self) -> None:
        """Say how an owner comes in, renew the code while nobody has come, say when somebody has."""
        while True:
            try:
                await self._wait_for_owner()
            except StorageTrouble as trouble:
                log.warning("welcome_waits", reason=str(trouble))
                await asyncio.sleep(trouble.after)
            else:
                return

    async def _wait_for_owner(self) -> None:
        if await self._owner() is not None:
            return
        if all(line.name == "terminal" for line in self._lines.all):
            return  # whoever is there is asked by `chat`
        if not sys.stdout.isatty():
            log.warning("no owner yet: run `dragoman pair new --role owner`")
            return
        await self._known()
        if await self._db.write(self._open_code):
            await self._db.wait("people", GRACE_SECONDS)
            if owner := await self._owner():
                write(say("owner.came", name=owner))
                return
        while True:
            code = await self._db.write(self._code)
            await self._known()
            write("\n".join(invitation(code, self._links(code))))
            until = self._clock() + RENEW_SECONDS
            while self._clock() < until:
                owner = await self._owner()
                if owner is not None:
                    write(say("owner.came", name=owner))
                    return
                await self._db.wait("people", until - self._clock())

    def _open_code(self, work: Work) -> bool:
        """Whether a code made earlier may have been sent while nobody ran; a new one would void it."""
        return any(row["kind"] == "owner" for row in people.open_codes(work, self._clock()))

    def _code(self, work: Work) -> str:
        return pairing.new_code(work, kind="owner", role="owner", name=None, now=self._clock())

    async def _owner(self) -> str | None:
        owners = await self._db.write(lambda work: people.having_role(work, "owner"))
        return owners[0].name if owners else None

    async def _known(self) -> None:
        """Wait until a platform has told our name, for the link."""
        heard = [asyncio.create_task(line.heard.wait()) for line in self._lines.all if line.name != "terminal"]
        if heard:
            await asyncio.wait(heard, timeout=LINK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        for task in heard:
            task.cancel()


def invitation(code: str, links: Sequence[str]) -> list[str]:
    """Write the lines that show a code: how to send it, the links that do, and the first of them as a QR."""
    return [say("owner.code", code=code), *links, *([qr(links[0])] if links else [])]


def qr(text: str) -> str:
    """Draw a QR code with half blocks, dark on light as scanners want it."""
    import qrcode  # noqa: PLC0415  # only for people who look at a terminal

    drawing = qrcode.QRCode(border=2)
    drawing.add_data(text)
    matrix = drawing.get_matrix()
    if len(matrix) % 2:
        matrix.append([False] * len(matrix[0]))
    signs = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    pairs = zip(matrix[::2], matrix[1::2], strict=True)
    return "\n".join("".join(signs[up, down] for up, down in zip(*pair, strict=True)) for pair in pairs)


def write(text: str) -> None:
    """Show something to whoever sits at the terminal."""
    sys.stdout.write(f"\n{text}\n\n")
    sys.stdout.flush()
