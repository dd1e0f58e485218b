"""The folder of what was sent: whether a mail of ours lies there, and a copy for it where its server files none."""

import structlog

from adapters.email.account import Server
from adapters.email.pace import Pace
from adapters.email.wire import Connection
from gateway.domain.errors import DragomanError

log = structlog.get_logger(__name__)


async def in_sent(server: Server, message_id: str, folder: str | None, pace: Pace) -> bool | None:
    """Look for a mail of ours in the folder of what was sent; None where there is no such folder."""
    connection = Connection(server, pace)
    try:
        await connection.open(folder or "INBOX")
        if folder is None:
            name = await connection.sent_folder()
            if name is None:
                return None
            await connection.select_raw(name)
        return bool(await connection.with_id(message_id))
    except DragomanError as trouble:
        log.info("sent_not_searched", platform="email", reason=str(trouble))
        return None
    finally:
        connection.close()


async def to_sent(server: Server, data: bytes, folder: str, pace: Pace) -> None:
    """Put a copy of a mail into a folder, as seen; raises Retry or Misconfigured."""
    connection = Connection(server, pace)
    try:
        await connection.open("INBOX")
        await connection.append(folder, data)
    finally:
        connection.close()
