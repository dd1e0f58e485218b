"""A wire between two programs that tests can cut, freeze or reset."""

import asyncio
import contextlib
import socket
import struct

HOST = "127.0.0.1"


class Pipe:
    """Hands bytes on to a port; `cut_after` cuts the answers after so many bytes, once."""

    def __init__(self, target: int) -> None:
        self.port = 0
        self.opened = 0
        self.cut_after: int | None = None
        self.swallow = False  # what the server says is lost from now on
        self._target = target
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen."""
        self._server = await asyncio.start_server(self._attend, HOST, 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Close everything."""
        self.reset()
        for task in list(self._tasks):
            task.cancel()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    def reset(self) -> None:
        """End every connection with an RST."""
        for writer in list(self._writers):
            sock = writer.get_extra_info("socket")
            with contextlib.suppress(OSError):
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()

    async def _attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.opened += 1
        try:
            there, to_there = await asyncio.open_connection(HOST, self._target)
        except OSError:
            writer.close()
            return
        self._writers |= {writer, to_there}
        up = asyncio.create_task(self._pump(reader, to_there, answers=False))
        down = asyncio.create_task(self._pump(there, writer, answers=True))
        self._tasks |= {up, down}
        await asyncio.wait({up, down}, return_when=asyncio.FIRST_COMPLETED)
        for task in (up, down):
            task.cancel()
        await asyncio.wait({up, down})
        for end in (writer, to_there):
            end.close()
        self._writers -= {writer, to_there}
        self._tasks -= {up, down}

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answers: bool) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                if answers and self.swallow:
                    continue
                if answers and self.cut_after is not None:
                    data, self.cut_after = data[: self.cut_after], self.cut_after - len(data)
                    if self.cut_after <= 0:
                        self.cut_after = None
                        writer.write(data)
                        await writer.drain()
                        return
                writer.write(data)
                await writer.drain()
