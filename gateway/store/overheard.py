"""Other people's words in a group that the next turn may read, the last few of at most a day."""

from gateway.domain.ids import ConversationKey, Instant
from gateway.store.sqlite import Row, Work

KEPT = 86400  # seconds


def add(work: Work, conversation: ConversationKey, line: tuple[str, str, str], *, keep: int, now: Instant) -> None:
    """Keep a line (message key, sender, text), the last `keep` of this conversation; a known key is a no-op."""
    where = str(conversation)
    work.execute(
        "INSERT INTO overheard (conversation, at, key, sender, text) VALUES (?,?,?,?,?) ON CONFLICT (key) DO NOTHING",
        (where, now, *line),
    )
    work.execute(
        "DELETE FROM overheard WHERE conversation = ? AND (at < ? OR id NOT IN"
        " (SELECT id FROM overheard WHERE conversation = ? ORDER BY id DESC LIMIT ?))",
        (where, now - KEPT, where, keep),
    )


def take(work: Work, conversation: ConversationKey) -> list[Row]:
    """Hand over the kept lines, oldest first, and forget them."""
    rows = work.all("SELECT sender, text, at FROM overheard WHERE conversation = ? ORDER BY id", str(conversation))
    work.execute("DELETE FROM overheard WHERE conversation = ?", (str(conversation),))
    return rows
