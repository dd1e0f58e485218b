"""Single facts about this home."""

import secrets

from gateway.store.sqlite import Work


def secret(work: Work, name: str) -> bytes:
    """Hand out a random secret of this home, made the first time it is asked for."""
    row = work.one("SELECT value FROM meta WHERE key = ?", name)
    if row is not None:
        return bytes.fromhex(row["value"])
    value = secrets.token_bytes(32)
    work.execute("INSERT INTO meta VALUES (?, ?)", (name, value.hex()))
    return value
