"""Single facts about this home."""

import secrets

from gateway.domain.ids import Instant
from gateway.store.sqlite import Work


def secret(work: Work, name: str) -> bytes:
    """Hand out a random secret of this home, made the first time it is asked for."""
    row = work.one("SELECT value FROM meta WHERE key = ?", name)
    if row is not None:
        return bytes.fromhex(row["value"])
    value = secrets.token_bytes(32)
    work.execute("INSERT INTO meta VALUES (?, ?)", (name, value.hex()))
    return value


def count_up(work: Work, name: str) -> int:
    """Hand out the next number of a series, counted from 1."""
    row = work.one(
        "INSERT INTO meta VALUES (?, '1') ON CONFLICT (key) DO UPDATE SET value = value + 1 RETURNING value", name
    )
    return int(row["value"]) if row else 0


def instant(work: Work, name: str, first: Instant) -> Instant:
    """Look an instant up, which is `first` when nobody has noted it yet."""
    row = work.one("SELECT value FROM meta WHERE key = ?", name)
    if row is not None:
        return float(row["value"])
    set_instant(work, name, first)
    return first


def set_instant(work: Work, name: str, at: Instant) -> None:
    """Note an instant."""
    work.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, repr(float(at))))
