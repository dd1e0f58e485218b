"""How far each account has been read, and conversations that moved."""

from dataclasses import replace
from urllib.parse import unquote

from gateway.domain.ids import ConversationKey, Instant
from gateway.domain.messages import Cursor
from gateway.store import codec
from gateway.store.sqlite import Work


def get(work: Work, account: str, name: str) -> str | None:
    """Read a cursor, None before the first read."""
    row = work.one("SELECT value FROM cursors WHERE account = ? AND name = ?", account, name)
    return None if row is None else row["value"]


def move(work: Work, cursor: Cursor, now: Instant) -> None:
    """Set a cursor in the commit that stores what it covers."""
    work.execute("INSERT OR REPLACE INTO cursors VALUES (?,?,?,?)", (cursor.account, cursor.name, cursor.value, now))


def add_move(work: Work, old: ConversationKey, new: ConversationKey, now: Instant) -> None:
    """Remember that a conversation lives elsewhere now."""
    work.execute("INSERT OR REPLACE INTO moves VALUES (?,?,?,?)", (str(old), str(new), codec.dump(new), now))


def where(work: Work, conversation: ConversationKey) -> ConversationKey:
    """Follow a conversation to where it lives now."""
    for _ in range(5):
        row = work.one("SELECT body FROM moves WHERE old = ?", str(conversation))
        if row is None:
            break
        conversation = codec.load(ConversationKey, row["body"])
    return conversation


def origin(work: Work, conversation: ConversationKey) -> ConversationKey:
    """Find under which name a conversation began: its lane keeps that name wherever it moves."""
    return replace(conversation, chat=_chats(work, conversation)[-1])


def addresses(work: Work, conversation: ConversationKey) -> list[str]:
    """List every address under which people may know a conversation: its own, then those it moved from."""
    return [replace(conversation, chat=chat).address for chat in _chats(work, conversation)]


def _chats(work: Work, conversation: ConversationKey) -> list[str]:
    here = replace(conversation, thread=None)
    chats = [here.chat]
    for _ in range(5):
        key = str(here)
        row = work.one("SELECT old FROM moves WHERE new = ? AND old NOT LIKE ? || '/%'", key, key)  # no threads of it
        if row is None:
            break
        here = replace(here, chat=unquote(row["old"].split("/")[2]))
        chats.append(here.chat)
    return chats
