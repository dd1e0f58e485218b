"""The reading side of the emulated mailbox: pymap's server in this process, on loopback, with its mail in memory."""

import asyncio
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime

from proxyprotocol.result import ProxyResultUnknown
from proxyprotocol.sock import SocketInfo
from pymap.backend.dict import DictBackend
from pymap.backend.dict.mailbox import MailboxData, MailboxSet
from pymap.imap import IMAPServer, IMAPService
from pymap.parsing.message import AppendMessage
from pymap.parsing.specials import Flag
from pysasl.hashing import Cleartext

HOST = "127.0.0.1"
SEEN = Flag(b"\\Seen")
STOP_SECONDS = 2.0


class ImapServer:
    """One mailbox, `INBOX` and `Sent`, for one name and password."""

    def __init__(self, *, port: int, name: str, password: str) -> None:
        self.port = port
        self._name = name
        self._password = password
        self._folders = MailboxSet()
        self._server: asyncio.Server | None = None
        self._stack = AsyncExitStack()
        self._links: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[object]] = set()

    async def start(self) -> None:
        """Listen; port 0 takes a free one."""
        backend, config = await DictBackend.init(self._arguments(), hash_context=Cleartext())
        config.apply_context()
        await backend.start(self._stack)
        with suppress(ValueError, KeyError):  # it is there after a restart
            await self._folders.add_mailbox("Sent")
        identity = backend.login.demo_user_identity
        async with identity.new_session() as session:
            config.set_cache[self._name] = (self._folders, session.filter_set)
        serve = IMAPServer(backend.login, config)

        async def attend(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            self._links.add(writer)
            if task is not None:
                self._tasks.add(task)
            try:
                await serve(reader, writer, SocketInfo.get(writer, ProxyResultUnknown()))
            except (OSError, EOFError, asyncio.CancelledError):
                return
            finally:
                self._links.discard(writer)
                self._tasks.discard(task) if task is not None else None
                writer.close()

        self._server = await asyncio.start_server(attend, HOST, self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Hang up on everybody and listen no more."""
        if self._server is None:
            return
        self._server.close()
        self.cut()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=STOP_SECONDS)
        await self._server.wait_closed()
        await self._stack.aclose()
        self._server = None

    def cut(self) -> None:
        """Cut every connection."""
        for writer in list(self._links):
            writer.transport.abort()

    async def put(self, raw: bytes, *, folder: str = "INBOX", when: float) -> int:
        """Put a mail into a folder, as a mail server does; gives its number there."""
        box: MailboxData = await self._folders.get_mailbox(folder)
        mail = AppendMessage(raw, datetime.fromtimestamp(when, UTC), frozenset())
        return (await box.append(mail, recent=True)).uid

    async def seen(self) -> list[int]:
        """List the numbers of the mails in the inbox that are marked as seen."""
        box: MailboxData = await self._folders.get_mailbox("INBOX")
        return [message.uid async for message in box.messages() if SEEN in message.permanent_flags]

    def _arguments(self) -> Namespace:
        parser = ArgumentParser()
        parser.add_argument("--debug", action="store_true")
        parser.set_defaults(skip_services=[], passlib_cfg=None)
        group = parser.add_subparsers(dest="backend")
        DictBackend.add_subparser("dict", group).set_defaults(backend_type=DictBackend)
        IMAPService.add_arguments(parser)
        words: Sequence[str] = ["--no-tls", "dict", f"--demo-user={self._name}", f"--demo-password={self._password}"]
        return parser.parse_args(words)
