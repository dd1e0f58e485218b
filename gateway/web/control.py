"""The control socket: a line of JSON in, a line of JSON out, for programs of the same user on this machine.

Promise: only the user who runs the daemon (or root) is heard, no line is longer than its bound, no request lives
longer than its deadline, and nothing that is asked here can stop the daemon.
"""

import asyncio
import json
import os
import socket
import stat
import struct
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import structlog

from gateway.domain.errors import DragomanError, Misconfigured

log = structlog.get_logger(__name__)
MAX_LINE = 1024 * 1024  # bytes of one line that a peer may send
IDLE_SECONDS = 60.0  # how long a silent peer may keep its connection
DEADLINE_SECONDS = 30.0  # for an operation
SEND_SECONDS = 10.0  # for a peer to take what it is sent
LINGER_SECONDS = 1.0  # for a peer to hang up after our last words
MAX_PEERS = 64
CHAT, CHAT_WAKE = "chat", "chat.wake"  # the operation that turns a connection into a talk, and what follows it

Event = Mapping[str, object]
Perform = Callable[[str, Event], Awaitable[object]]
"""Runs an operation by name with its arguments; raises DragomanError with a sentence for the asker."""


class Connection:
    """One peer: sends and reads bounded lines of JSON."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def receive(self) -> Event | None:
        """Read the next object, None when the peer has gone; raises ValueError for anything that is not one."""
        try:
            line = await self._reader.readline()
        except ConnectionError:
            return None
        except ValueError as error:
            message = f"a line is longer than {MAX_LINE} bytes"
            raise ValueError(message) from error
        if not line.endswith(b"\n"):
            return None
        try:
            event: object = json.loads(line)
        except RecursionError as error:
            message = "the JSON is nested too deeply"
            raise ValueError(message) from error
        if not isinstance(event, dict):
            message = "each line must be a JSON object"
            raise ValueError(message)  # noqa: TRY004  # all that is wrong with a line is one kind of error
        return event

    async def send(self, event: Event) -> None:
        """Write an object; raises OSError when the peer has gone or does not read."""
        self._writer.write(json.dumps(event).encode() + b"\n")
        async with asyncio.timeout(SEND_SECONDS):
            await self._writer.drain()

    def peer(self) -> int:
        """Tell the user id of the process on the other side, as the kernel knows it."""
        return peer_uid(self._writer.get_extra_info("socket"))

    def abort(self) -> None:
        """Cut the connection."""
        self._writer.transport.abort()

    async def close(self) -> None:
        """Hand over what was written, then hang up.

        What the peer still sends is read first, because closing on unread bytes would cut off our last words.
        """
        try:
            async with asyncio.timeout(LINGER_SECONDS):
                self._writer.write_eof()
                while await self._reader.read(MAX_LINE):
                    continue
        except OSError:
            self.abort()
        self._writer.close()


Chat = Callable[[str, Connection], Awaitable[None]]
"""Serves a terminal that speaks under a name until it hangs up."""


class ControlServer:
    """Listens on the control socket of a home whose lock we hold."""

    def __init__(self, path: Path, perform: Perform, chat: Chat) -> None:
        self.path = path
        self._perform = perform
        self._chat = chat
        self._server: asyncio.Server | None = None
        self._peers: dict[Connection, asyncio.Task[None] | None] = {}

    async def start(self) -> None:
        """Replace what a dead process left and listen; raises Misconfigured when the path cannot be used."""
        listening = bind(self.path)
        self._server = await asyncio.start_unix_server(self._serve, sock=listening, limit=MAX_LINE)

    async def close(self) -> None:
        """Stop listening, cut every connection, remove the socket."""
        if self._server is None:
            return
        self._server.close()
        self.path.unlink(missing_ok=True)
        tasks = [task for task in self._peers.values() if task is not None]
        for connection in list(self._peers):
            connection.abort()
        if tasks:
            await asyncio.wait(tasks, timeout=SEND_SECONDS)
        self._server = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = Connection(reader, writer)
        self._peers[connection] = asyncio.current_task()
        try:
            refusal = self._refusal(connection)
            if refusal is None:
                await self._converse(connection)
            else:
                await connection.send({"ok": False, "error": refusal})
        except OSError as error:
            log.debug("control_peer_gone", reason=str(error))
        finally:
            del self._peers[connection]
            await connection.close()

    def _refusal(self, connection: Connection) -> str | None:
        if connection.peer() not in {os.getuid(), 0}:
            log.warning("control_peer_refused", uid=connection.peer())
            return "only the user who runs the daemon may ask"
        if len(self._peers) > MAX_PEERS:
            return f"there are {MAX_PEERS} connections already"
        return None

    async def _converse(self, connection: Connection) -> None:
        while True:
            try:
                async with asyncio.timeout(IDLE_SECONDS):
                    request = await connection.receive()
            except ValueError as error:  # the rest of the stream cannot be trusted
                await connection.send({"ok": False, "error": f"not a request: {error}"})
                return
            if request is None:
                return
            reply = await self._answer(request)
            await connection.send(reply)
            if request.get("op") == CHAT:
                if reply["ok"]:
                    await self._talk(connection, reply)
                return

    async def _answer(self, request: Event) -> Event:
        name, args = request.get("op"), request.get("args", {})
        if not isinstance(name, str) or not isinstance(args, dict):
            return {"ok": False, "error": 'a request is {"op": "name", "args": {…}}'}
        try:
            async with asyncio.timeout(DEADLINE_SECONDS):
                return {"ok": True, "result": await self._perform(name, args)}
        except DragomanError as error:
            return {"ok": False, "error": str(error)}
        except TimeoutError:
            return {"ok": False, "error": f"{name} took longer than {DEADLINE_SECONDS:.0f} s"}

    async def _talk(self, connection: Connection, reply: Event) -> None:
        result = reply["result"]
        name = str(result["name"]) if isinstance(result, dict) else ""
        waking = asyncio.create_task(self._wake(name))  # starts when the chat below knows its terminal
        try:
            await self._chat(name, connection)
        except ValueError as error:
            await connection.send({"event": "error", "text": f"not a line: {error}"})
        finally:
            await waking

    async def _wake(self, name: str) -> None:
        try:
            async with asyncio.timeout(DEADLINE_SECONDS):
                await self._perform(CHAT_WAKE, {"name": name})
        except (DragomanError, TimeoutError) as error:
            log.warning("control_wake_failed", reason=str(error))


def bind(path: Path) -> socket.socket:
    """Make the socket file, readable and writable by its owner only; raises Misconfigured."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _clear(path)
        listening.bind(str(path))
        path.chmod(0o600)  # before listen(), so that nobody could have connected
    except OSError as error:
        listening.close()
        message = f"cannot make the control socket {path}: {error}"
        raise Misconfigured(message) from error
    return listening


def _clear(path: Path) -> None:
    if path.is_symlink() or path.exists():
        if not stat.S_ISSOCK(path.lstat().st_mode):
            message = "something else is in its way; move that away"
            raise FileExistsError(message)
        path.unlink()


def peer_uid(connected: socket.socket) -> int:
    """Ask the kernel for the user id behind a connected Unix socket."""
    if hasattr(socket, "SO_PEERCRED"):
        raw = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        return int(struct.unpack("3i", raw)[1])  # struct ucred: pid, uid, gid
    raw = connected.getsockopt(0, 1, 76)  # macOS: SOL_LOCAL, LOCAL_PEERCRED; struct xucred: version, uid, …
    return int(struct.unpack_from("2I", raw)[1])
