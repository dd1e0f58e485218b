"""Calls an address of the configuration as long as all is well, so that somebody else notices when it is not.

Promise: a call means that messages come in, are stored and would be answered; its address is a secret and stands in
no log; it is called directly, for no proxy of the environment is taken anywhere in the house.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from urllib.parse import urlsplit

import aiohttp
import structlog

from gateway.domain.ports import Clock

log = structlog.get_logger(__name__)
CALL_SECONDS = 10.0
LOOK_SECONDS = 5.0  # by wall clock: a machine that slept calls soon after it woke


class Heartbeat:
    """Calls with GET every so many seconds; `unwell` names what keeps it from calling; `trouble` is its own."""

    def __init__(
        self,
        *,
        url: str,
        every: float,
        unwell: Callable[[], Awaitable[Sequence[str]]],
        clock: Clock,
        look: float = LOOK_SECONDS,
    ) -> None:
        self.trouble: str | None = None
        self._url = url
        self._every = every
        self._unwell = unwell
        self._clock = clock
        self._look = look
        self._silent = False

    async def run(self) -> None:
        """Call whenever it is due and all is well, until cancelled."""
        due = 0.0
        while True:
            now = self._clock()
            due = min(due, now + self._every)  # the clock may have been set back
            if now >= due and await self._well():
                await self._call()
                due = now + self._every
            await asyncio.sleep(min(self._look, self._every))

    async def _well(self) -> bool:
        """Look whether all is well, and log when that changes what we do."""
        wrong = await self._unwell()
        if wrong and not self._silent:
            log.warning("heartbeat_stopped", reason="; ".join(wrong))
        elif self._silent and not wrong:
            log.info("heartbeat_goes_on")
        self._silent = bool(wrong)
        return not wrong

    async def _call(self) -> None:
        reason = await self._answer()
        host = urlsplit(self._url).hostname
        trouble = None if reason is None else f"the heartbeat is not heard: {host} {reason}"
        if trouble is not None and self.trouble is None:
            log.warning("heartbeat_not_heard", host=host, reason=reason)
        elif trouble is None and self.trouble is not None:
            log.info("heartbeat_heard_again", host=host)
        self.trouble = trouble

    async def _answer(self) -> str | None:
        """Call once; says why it was not heard, without a word of the library, which may repeat the address."""
        try:
            timeout = aiohttp.ClientTimeout(total=CALL_SECONDS)
            async with (
                aiohttp.ClientSession(timeout=timeout) as session,
                session.get(self._url, allow_redirects=False) as answer,
            ):
                return None if answer.ok and answer.status < 300 else f"answers {answer.status}"
        except TimeoutError:
            return f"gives no answer in {CALL_SECONDS:.0f} s"
        except (aiohttp.ClientError, OSError, ValueError) as error:
            return f"cannot be called ({type(error).__name__})"
