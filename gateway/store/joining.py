"""Joining people and taking that back: who their accounts belong to, whose rows wait where, what was done."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from gateway.domain.ids import ConversationKey, Identity, Instant, UserId, parse_identity
from gateway.domain.people import Role
from gateway.store.sqlite import Row, Work


class Join(NamedTuple):
    """Accounts that were joined to a person; `gone` is who had them before, None for accounts of nobody."""

    id: int
    kept: UserId
    gone: UserId | None
    identities: tuple[Identity, ...]
    apart: tuple[str, ...]  # conversations that were set apart with it
    role_before: Role
    role_after: Role
    undone: bool


def add(
    work: Work,
    *,
    kept: UserId,
    gone: UserId | None,
    identities: Sequence[Identity],
    apart: Sequence[str],
    roles: tuple[Role, Role],
    now: Instant,
) -> int:
    """Write down what a join has changed; returns its number."""
    work.execute(
        "INSERT INTO joins (kept, gone, identities, apart, role_before, role_after, at) VALUES (?,?,?,?,?,?,?)",
        (kept, gone, json.dumps([str(one) for one in identities]), json.dumps(list(apart)), *roles, now),
    )
    return int(work.lastrowid or 0)


def get(work: Work, number: int) -> Join | None:
    """Find a join by its number."""
    row = work.one("SELECT * FROM joins WHERE id = ?", number)
    if row is None:
        return None
    return Join(
        id=row["id"],
        kept=row["kept"],
        gone=row["gone"],
        identities=tuple(parse_identity(one) for one in json.loads(row["identities"])),
        apart=tuple(json.loads(row["apart"])),
        role_before=row["role_before"],
        role_after=row["role_after"],
        undone=row["undone_at"] is not None,
    )


def undone(work: Work, number: int, now: Instant) -> None:
    """Write down that a join was taken back."""
    work.execute("UPDATE joins SET undone_at = ? WHERE id = ?", (now, number))


def merge(work: Work, gone: UserId, into: UserId | None) -> None:
    """Let look-ups of a person find another one, or themselves again."""
    work.execute("UPDATE people SET merged_into = ? WHERE id = ?", (into, gone))


def set_role(work: Work, person: UserId, role: Role) -> None:
    """Give a person a role."""
    work.execute("UPDATE people SET role = ? WHERE id = ?", (role, person))


def give(work: Work, identity: Identity, person: UserId | None) -> None:
    """Let an account that somebody has belong to another person, or to nobody."""
    key = (identity.platform, identity.scope, identity.native)
    if person is None:
        work.execute("DELETE FROM identities WHERE platform = ? AND scope = ? AND native = ?", key)
    else:
        work.execute("UPDATE identities SET person = ? WHERE platform = ? AND scope = ? AND native = ?", (person, *key))


def movable(work: Work, lane: str) -> list[Row]:
    """List the rows of a lane that no turn has taken, in order."""
    return work.all(
        "SELECT id, body FROM items WHERE queue = 'inbox' AND lane = ? AND state = 'ready' AND turn IS NULL"
        " ORDER BY id",
        lane,
    )


def waiting_of(work: Work, person: UserId) -> list[Row]:
    """List the rows of a person, in whichever lane, that no turn has taken, in order."""
    return work.all(
        "SELECT id, lane, body FROM items WHERE queue = 'inbox' AND state = 'ready' AND turn IS NULL AND person = ?"
        " ORDER BY id",
        person,
    )


def own_talks(work: Work, identity: Identity) -> list[str]:
    """Name the direct talks that were led with an account."""
    return [row["conversation"] for row in work.all("SELECT conversation FROM talks WHERE identity = ?", str(identity))]


def move(work: Work, item: int, lane: str, person: UserId, body: str) -> None:
    """Let a row wait behind everything in another lane, and ring.

    It gets a new number, or it could become the head of a lane whose turn is under way.
    """
    row = work.one("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'items' RETURNING seq")
    if row is not None:
        work.execute(
            "UPDATE items SET id = ?, lane = ?, person = ?, body = ? WHERE id = ?",
            (row["seq"], lane, person, body, item),
        )
        work.ring("inbox")


def set_apart(work: Work, conversation: ConversationKey, now: Instant, *, apart: bool) -> bool:
    """Let a direct talk keep a session of its own, or not; False when it is so already."""
    if apart:
        sql, args = "INSERT INTO apart VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING 1 AS n", (str(conversation), now)
        return work.one(sql, *args) is not None
    return work.one("DELETE FROM apart WHERE conversation = ? RETURNING 1 AS n", str(conversation)) is not None


def is_apart(work: Work, conversation: ConversationKey) -> bool:
    """Whether a direct talk keeps a session of its own."""
    return work.one("SELECT 1 FROM apart WHERE conversation = ?", str(conversation)) is not None
