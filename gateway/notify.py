"""Talks with systemd: we are ready, this is how we are, we still move, we reload, we stop and need so long.

Promise: the watchdog is fed only while event loop, writer and tickers move; without a service manager all of
this does nothing. Protocol: sd_notify(3).
"""

import asyncio
import contextlib
import os
import re
import socket
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import structlog

log = structlog.get_logger(__name__)
STATUS_SECONDS = 5.0
EXTENSION_SECONDS = 15.0  # asked for every 5 s while a drain goes on
MARGIN_SECONDS = 12.0  # what a stop needs beside the drain: the outbox's 10 s, and closing the store
ASK_SECONDS = 3.0  # for systemctl
UNIT = re.compile(r"/([^/]+\.service)(?:/|$)", re.MULTILINE)
SPAN = re.compile(r"(\d+(?:\.\d+)?)(us|ms|s|min|h|d|w|month|y)\b")
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
CGROUP = Path("/proc/self/cgroup")


class ServiceManager:
    """The one that started us, if it listens; `stuck` names what does not move, `status` is one line for humans."""

    def __init__(
        self, env: Mapping[str, str], stuck: Callable[[], list[str]], status: Callable[[], Awaitable[str]]
    ) -> None:
        self._address = env.get("NOTIFY_SOCKET", "")
        self._stuck = stuck
        self._status = status
        self._shown = ""
        self._remark = ""
        self._news = asyncio.Event()
        self._stopping = False
        mine = env.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        limit = env.get("WATCHDOG_USEC", "")
        self.feeding = int(limit) / 2e6 if limit.isdigit() and mine else 0.0  # seconds between two feedings, 0: none

    @property
    def listening(self) -> bool:
        """Whether somebody wants to hear of us."""
        return bool(self._address)

    def ready(self, remark: str = "") -> None:
        """Say that we serve, at the start and after a reload; a remark stands in the status until the next time."""
        self._remark = f", {remark}" if remark else ""
        self._send("READY=1")
        self._news.set()

    def reloading(self) -> None:
        """Say that the configuration is being read again; `ready` follows."""
        self._send("RELOADING=1", f"MONOTONIC_USEC={time.monotonic_ns() // 1000}")

    def stopping(self) -> None:
        """Say that we stop; from now on `run` asks for the time that it takes."""
        self._stopping = True
        self._send("STOPPING=1", *self._more_time())

    async def run(self) -> None:
        """Keep the manager informed until cancelled."""
        if not self.listening:
            return
        async with asyncio.TaskGroup() as group:
            group.create_task(self._tell(), name="status for the service manager")
            if self.feeding:
                group.create_task(self._feed(), name="feed the watchdog")

    async def _tell(self) -> None:
        while True:
            text = "draining, " * self._stopping + await self._status() + self._remark
            if text != self._shown or self._stopping:
                self._send(f"STATUS={text}", *self._more_time())
                self._shown = text
            self._news.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STATUS_SECONDS):
                    await self._news.wait()

    async def _feed(self) -> None:
        while True:
            stuck = self._stuck()
            if stuck:
                log.critical("watchdog_not_fed", reason=", ".join(stuck))
            else:
                self._send("WATCHDOG=1")
            await asyncio.sleep(self.feeding)

    def _more_time(self) -> list[str]:
        return [f"EXTEND_TIMEOUT_USEC={int(EXTENSION_SECONDS * 1e6)}"] if self._stopping else []

    def _send(self, *lines: str) -> None:
        if not self._address:
            return
        # an address that begins with @ is in the abstract namespace, where the first byte is a zero
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as wire:
                wire.settimeout(0)  # a manager that does not read must not hold up the loop
                wire.sendto("\n".join(lines).encode(), address)
        except OSError as error:
            log.warning("service_manager_deaf", reason=str(error))


async def stop_limit(env: Mapping[str, str], cgroup: Path = CGROUP) -> float | None:
    """Ask systemd how long a stop of our own unit may take, in seconds; None where nobody can tell."""
    if not env.get("NOTIFY_SOCKET"):
        return None
    try:
        found = UNIT.findall(cgroup.read_text(encoding="utf-8"))  # noqa: ASYNC240  # the kernel answers from memory
        if not found:
            return None
        # a user service's path holds user@UID.service first, then its own
        scope = ["--user"] if len(found) > 1 else []
        asking = await asyncio.create_subprocess_exec(
            *("systemctl", *scope, "show", "--property=TimeoutStopUSec", "--value", found[-1]),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError:
        return None
    try:
        async with asyncio.timeout(ASK_SECONDS):
            output, _ = await asking.communicate()
    except TimeoutError:
        asking.kill()
        await asking.wait()
        return None
    return seconds(output.decode())


def seconds(text: str) -> float | None:
    """Read a time span as systemctl prints it ("1min 30s"), None for infinity and for what is none."""
    spans = SPAN.findall(text)
    if not spans or SPAN.sub("", text).strip():
        return None
    return sum(float(number) * UNITS.get(unit, 2.6e6) for number, unit in spans)


def budget(wanted: float, limit: float | None) -> float:
    """Say how long a drain may last so that nobody is killed at the end of it."""
    return wanted if limit is None else max(min(wanted, limit - MARGIN_SECONDS), 0.0)
