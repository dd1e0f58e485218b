"""Groups that owners allowed in a chat; those of the configuration are not here."""

from collections.abc import Collection

from gateway.domain.ids import Instant, UserId
from gateway.domain.people import Role
from gateway.store.sqlite import Row, Work


def allow(work: Work, address: str, *, title: str, role: Role, by: UserId | None, now: Instant) -> None:
    """Let everybody in a group speak with a role, when they address us."""
    work.execute(
        "INSERT INTO groups (address, title, role, allowed_by, at) VALUES (?,?,?,?,?)"
        " ON CONFLICT (address) DO UPDATE SET role = excluded.role, allowed_by = excluded.allowed_by",
        (address, title, role, by, now),
    )


def forbid(work: Work, address: str) -> bool:
    """Be silent in a group again; False when it was not allowed in a chat."""
    return work.one("DELETE FROM groups WHERE address = ? RETURNING address", address) is not None


def role(work: Work, addresses: Collection[str]) -> Role | None:
    """Say which role a group has under any of its addresses, None for one that nobody allowed."""
    for address in addresses:
        row = work.one("SELECT role FROM groups WHERE address = ?", address)
        if row is not None:
            return "user" if row["role"] == "user" else "guest"
    return None


def listed(work: Work) -> list[Row]:
    """List the groups that were allowed in a chat."""
    return work.all("SELECT * FROM groups ORDER BY at, address")
