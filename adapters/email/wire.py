"""One IMAP connection by aioimaplib, which needs watching: every wait here has a deadline and ends with the connection.

Promise: after a time-out or any surprise the connection is thrown away, never used again. Nothing that the library
raises or logs about a login reaches anybody, for it holds the password.
"""

import asyncio
import logging
import re
import socket
from collections.abc import Awaitable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

import aioimaplib
import structlog
from aioimaplib import aioimaplib as library

from adapters.email.account import LoginRefused, Server, unreached
from adapters.email.grammar import encoded, instant, quoted, readable, slices
from adapters.email.pace import STANDARD, Pace
from gateway.domain.errors import Misconfigured, Retry
from gateway.domain.ids import Instant

log = structlog.get_logger(__name__)
# At debug level it writes passwords, tokens and every byte of every mail.
logging.getLogger("aioimaplib.aioimaplib").setLevel(logging.WARNING)

T = TypeVar("T")
BYTES_PER_SECOND = 50_000  # the slowest line we wait for
MOST_HURRIED = 20  # looks in a row without waiting, for a server that tells the same again and again
MOST_FOUND = 20_000  # numbers in one answer to a search
_LATER = re.compile(
    rb"\[(UNAVAILABLE|INUSE|LIMIT|SERVERBUG|CONTACTADMIN)\]|too many|simultaneous|try again|temporar", re.IGNORECASE
)
_EXISTS = re.compile(rb"^\* \d+ EXISTS", re.MULTILINE)
_SENT = ("Sent", "Sent Items", "Sent Messages", "[Gmail]/Sent Mail", "INBOX.Sent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """An opened folder: its numbering, and the number that the next mail will get."""

    validity: int
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A mail on the server, before it is fetched."""

    uid: int
    size: int
    arrived: Instant | None


class Connection:
    """Logged in, with a folder open; not to be used again after anything was raised."""

    def __init__(self, server: Server, pace: Pace = STANDARD) -> None:
        self._server = server
        self._pace = pace
        self._lost = asyncio.Event()
        self._bye = ""
        self._news = False  # the server told of mail while we were asking for something else
        self._hurried = 0
        self._client: Any = None

    @property
    def pushes(self) -> bool:
        """Whether the server tells by itself that mail has come."""
        return bool(self._client.has_capability("IDLE"))

    async def open(self, folder: str) -> Folder:
        """Connect, log in and open a folder; raises Retry, Misconfigured or LoginRefused."""
        await self._connect()
        await self._login()
        await self._introduce()
        return await self.select(folder)

    async def select(self, folder: str, *, what: str = "SELECT") -> Folder:
        """Open a folder; raises Misconfigured where there is none of that name."""
        answer = await self._ask(self._client.select(quoted(encoded(folder))), self._pace.call, what)
        lines = b"\n".join(bytes(line) for line in answer.lines)
        if answer.result != "OK":
            if _LATER.search(lines):
                raise self._broken(f"the folder {folder} cannot be opened now")
            self.close()
            message = f"{self._server.where} has no folder {folder!r} that can be opened"
            raise Misconfigured(message)
        validity, following = re.search(rb"UIDVALIDITY (\d+)", lines), re.search(rb"UIDNEXT (\d+)", lines)
        if validity is None:
            raise self._broken("the folder has no UIDVALIDITY")
        number = int(following[1]) if following else max(await self.search("1:*"), default=0) + 1
        return Folder(validity=int(validity[1]), next=number)

    async def search(self, uids: str) -> list[int]:
        """Find the numbers of mails in a range of numbers such as `5:*`, in order."""
        return await self._search(f"UID {uids}")

    async def since(self, at: Instant) -> list[int]:
        """Find the numbers of mails that arrived since the day before an instant, in order."""
        day = datetime.fromtimestamp(max(at - 86_400, 0), UTC)
        return await self._search(f"SINCE {day.day}-{_MONTHS[day.month - 1]}-{day.year}")

    async def with_id(self, message_id: str) -> list[int]:
        """Find mails with a Message-ID in the opened folder."""
        return await self._search(f"HEADER Message-ID {quoted(message_id)}")

    async def _search(self, criteria: str) -> list[int]:
        self._news = False
        answer = await self._ask(self._client.uid_search(criteria, charset=None), self._pace.call, "SEARCH")
        if answer.result != "OK":
            raise self._broken("a search was refused")
        numbers: set[int] = set()
        for line in answer.lines[:-1]:
            words = bytes(line).removeprefix(b"SEARCH").split()
            if all(word.isdigit() for word in words):
                numbers.update(int(word) for word in words)
        return sorted(numbers)[-MOST_FOUND:]

    async def look(self, uid: int) -> Stored | None:
        """Ask for the size and the date of a mail; None for one that is gone."""
        answer = await self._fetch(uid, "(UID RFC822.SIZE INTERNALDATE)", self._pace.call)
        for line in answer:
            if not isinstance(line, bytes) or not re.search(rb"\bUID %d\b" % uid, line):
                continue
            size = re.search(rb"RFC822\.SIZE (\d+)", line)
            date = re.search(rb'INTERNALDATE "([^"]+)"', line)
            if size is not None:
                return Stored(uid=uid, size=int(size[1]), arrived=instant(date[1]) if date else None)
        return None

    async def body(self, uid: int, size: int, most: int) -> bytes | None:
        """Fetch a mail without marking it, at most so many bytes; None for one that is gone."""
        what = "BODY.PEEK[]" if size <= most else f"BODY.PEEK[]<0.{most}>"
        answer = await self._fetch(uid, f"(UID {what})", self._pace.fetch + min(size, most) / BYTES_PER_SECOND)
        found = [bytes(part) for part in answer if isinstance(part, bytearray)]
        if found:
            return max(found, key=len)
        return b"" if any(isinstance(part, bytes) and b"BODY[]" in part for part in answer) else None

    async def _fetch(self, uid: int, what: str, seconds: float) -> list[bytes | bytearray]:
        call = self._client.protocol.fetch(str(uid), what, by_uid=True, timeout=seconds)
        answer = await self._ask(call, seconds + 1, "FETCH")
        if answer.result != "OK":
            raise self._broken("a mail could not be fetched")
        return list(answer.lines)

    async def mark(self, uid: int) -> None:
        """Mark a mail as seen, as a courtesy to whoever looks at the mailbox."""
        answer = await self._ask(
            self._client.protocol.store(str(uid), "+FLAGS.SILENT", r"(\Seen)", by_uid=True), self._pace.call, "STORE"
        )
        if answer.result != "OK":
            log.info("mail_not_marked", platform="email", uid=uid)

    async def noop(self) -> None:
        """Hear from the server."""
        await self._ask(self._client.noop(), self._pace.call, "NOOP")

    async def idle(self, seconds: float) -> None:
        """Wait until the server tells of new mail, at most some seconds; not at all if it has just done so."""
        if self._news and self._hurried < MOST_HURRIED:
            self._hurried += 1
            return
        self._hurried = 0
        pushes: asyncio.Queue[Any] = self._client.protocol.idle_queue
        while not pushes.empty():
            pushes.get_nowait()
        waiting = await self._ask(self._client.idle_start(seconds + 3600), self._pace.call, "IDLE")
        until = asyncio.get_running_loop().time() + seconds
        while (left := until - asyncio.get_running_loop().time()) > 0:
            pushed = await self._first(pushes.get(), left)
            if not isinstance(pushed, list) or self._lost.is_set():
                break
            lines = [bytes(line) for line in pushed if isinstance(line, bytes | bytearray)]
            if any(line.startswith(b"BYE") for line in lines):
                raise self._broken("the server is going down")
            if any(line.rstrip().endswith((b"EXISTS", b"RECENT")) for line in lines):
                break
        if self._lost.is_set():
            raise self._broken("the connection was lost")
        self._client.idle_done()
        await self._ask(waiting, self._pace.call, "IDLE")

    async def sent_folder(self) -> str | None:
        """Find the folder that holds what was sent; None where there is none."""
        answer = await self._ask(self._client.list('""', '"*"'), self._pace.call, "LIST")
        names: list[str] = []
        for line in answer.lines:
            found = re.match(rb'(?:LIST )?\(([^)]*)\) (?:"[^"]*"|NIL) (?:"((?:[^"\\]|\\.)*)"|(\S+))$', bytes(line))
            if found is None:
                continue
            name = re.sub(rb"\\(.)", rb"\1", found[2] or found[3] or b"").decode("utf-8", "replace")
            if b"\\sent" in found[1].lower():
                return name
            names.append(name)
        return next((name for name in _SENT if name in names), None)

    async def append(self, folder: str, data: bytes) -> None:
        """Put a mail into a folder, marked as seen; raises Misconfigured where there is no such folder."""
        seconds = self._pace.call + len(data) / BYTES_PER_SECOND
        call = self._client.protocol.append(data, quoted(encoded(folder)), flags=r"(\Seen)", timeout=seconds)
        answer = await self._ask(call, seconds + 1, "APPEND")
        if answer.result != "OK":
            message = f"{self._server.where} takes no copy in the folder {folder!r}"
            raise Misconfigured(message)

    async def select_raw(self, name: str) -> None:
        """Open a folder by the name that the server gave it."""
        answer = await self._ask(self._client.select(quoted(name)), self._pace.call, "SELECT")
        if answer.result != "OK":
            raise self._broken("the folder cannot be opened")

    def close(self) -> None:
        """Throw the connection away."""
        self._lost.set()
        if self._client is not None:
            self._client._client_task.cancel()  # noqa: SLF001  # it has no other way to stop connecting
            transport = self._client.protocol.transport
            if transport is not None:
                transport.abort()

    async def _connect(self) -> None:
        server = self._server
        context = server.tls() if server.security == "tls" else None
        lost = self._lost  # of this connection: an older one may be told of its end later
        client = aioimaplib.IMAP4(
            server.host,
            server.port,
            timeout=self._pace.call,
            ssl_context=context,
            conn_lost_cb=lambda _: lost.set(),
        )
        self._client = client
        self._guard(client.protocol)
        try:
            async with asyncio.timeout(self._pace.connect):
                await asyncio.shield(client._client_task)  # noqa: SLF001  # the only place where its error is told
                _keep_alive(client.protocol.transport)
                if await self._first(client.protocol.wait("AUTH|NONAUTH"), self._pace.connect) is _NOTHING:
                    raise self._broken(self._bye or "it greeted us in no way that IMAP knows")
                if server.security == "starttls":
                    await self._start_tls()
        except (OSError, TimeoutError) as trouble:
            self.close()
            raise unreached(server, trouble) from None

    async def _start_tls(self) -> None:
        """Go over to TLS before anything else is said; what the server told in the clear is forgotten."""
        protocol = self._client.protocol
        library.Commands.setdefault("STARTTLS", library.Cmd("STARTTLS", (library.NONAUTH,), library.Exec.is_sync))
        answer = await self._ask(
            protocol.execute(library.Command("STARTTLS", protocol.new_tag())), self._pace.call, "STARTTLS"
        )
        if answer.result != "OK":
            self.close()
            message = f'{self._server.where} does not offer STARTTLS; look at `security` ("tls" is port 993)'
            raise Misconfigured(message)
        loop = asyncio.get_running_loop()
        protocol.capabilities, protocol.incomplete_line, protocol.current_command = set(), b"", None
        protocol.transport = await loop.start_tls(
            protocol.transport, protocol, self._server.tls(), server_hostname=self._server.host
        )
        await self._ask(protocol.capability(), self._pace.call, "CAPABILITY")

    def _guard(self, protocol: Any) -> None:
        """Hand the library little at a time, hear a BYE at the door, and end a refused token's challenge."""
        receive, lost = protocol.data_received, self._lost
        greeted = False

        def data_received(data: bytes) -> None:
            nonlocal greeted
            if not greeted and data.startswith(b"* BYE"):
                self._bye = f"the server turns us away: {readable(data[5:])}"
                lost.set()
                return
            greeted = True
            self._news = self._news or _EXISTS.search(data) is not None
            pending = protocol.pending_sync_command
            if data.startswith(b"+") and pending is not None and pending.name == "AUTHENTICATE":
                protocol.transport.write(b"\r\n")
                return
            for piece in slices(data):
                if lost.is_set():
                    return
                receive(piece)

        protocol.data_received = data_received

    async def _login(self) -> None:
        if self._client.get_state() == library.AUTH:
            return
        server = self._server
        if server.token is None:
            if "LOGINDISABLED" in self._client.protocol.capabilities:
                self.close()
                message = f"{server.where} takes no password on this connection; look at `security`"
                raise Misconfigured(message)
            result = await self._try(self._client.protocol.login(quoted(server.username), server.password))
        else:
            result = await self._try(self._client.protocol.xoauth2(server.username, await server.token(False)))  # noqa: FBT003
            if result is not None and not _LATER.search(result):
                self.close()
                self._lost, self._client = asyncio.Event(), None
                await self._connect()
                result = await self._try(self._client.protocol.xoauth2(server.username, await server.token(True)))  # noqa: FBT003
        if result is None:
            return
        self.close()
        if _LATER.search(result):
            raise Retry(f"{server.where} lets nobody in now: {readable(result)}", after=30.0, account=True)
        secret = "password" if server.token is None else "access token"
        raise LoginRefused(f"{server.where} refuses the name and {secret} of {server.username}: {readable(result)}")

    async def _try(self, login: Awaitable[Any]) -> bytes | None:
        """Log in once; None if that worked, else what the server said."""
        try:
            answer = await self._ask(login, self._pace.call, "login")
        except (ValueError, UnicodeError):
            self.close()
            raise LoginRefused("the name or the password holds signs that IMAP cannot carry") from None
        return None if answer.result == "OK" else b" ".join(bytes(line) for line in answer.lines)[:300] or b"no reason"

    async def _introduce(self) -> None:
        """Hear what the server can do now that it knows us, and say who we are where it wants to know."""
        await self._ask(self._client.protocol.capability(), self._pace.call, "CAPABILITY")
        if self._client.has_capability("ID"):
            await self._ask(self._client.id(name="dragoman"), self._pace.call, "ID")

    async def _ask(self, call: Awaitable[T], seconds: float, what: str) -> T:
        """Await a call; raises Retry when the connection is lost, when it takes too long, or the library stumbles."""
        try:
            answer = await self._first(call, seconds)
        except (library.AioImapException, asyncio.InvalidStateError, IndexError, AttributeError, OSError) as odd:
            raise self._broken(f"{what} failed ({type(odd).__name__})") from None
        if answer is _NOTHING or (answer is None and what != "CAPABILITY"):
            raise self._broken("the connection was lost" if self._lost.is_set() else f"no answer to {what} in time")
        return answer  # type: ignore[return-value]

    async def _first(self, call: Awaitable[T], seconds: float) -> T | object:
        """Await a call no longer than the connection lives."""
        task = asyncio.ensure_future(call)
        lost = asyncio.ensure_future(self._lost.wait())
        try:
            await asyncio.wait({task, lost}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            return task.result() if task.done() and not task.cancelled() else _NOTHING
        finally:
            task.cancel()
            lost.cancel()

    def _broken(self, why: str) -> Retry:
        self.close()
        return Retry(f"{self._server.where}: {self._bye or why}", account=True)


_NOTHING = object()
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _keep_alive(transport: Any) -> None:
    """Let the system notice a line that is dead."""
    sock = transport.get_extra_info("socket")
    if sock is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
