"""People, their accounts, where they talk to us, and the codes that bring them in."""

from collections.abc import Iterable

from gateway.domain.ids import ConversationKey, Identity, Instant, UserId
from gateway.domain.people import Person, Role, Source
from gateway.store import codec
from gateway.store.sqlite import Row, Work


def _person(row: Row) -> Person:
    return Person(
        id=row["id"],
        name=row["name"],
        role=row["role"],
        timezone=row["timezone"],
        language=row["language"],
        source=row["source"],
        merged_into=row["merged_into"],
    )


def get(work: Work, person: UserId) -> Person | None:
    """Find a person by id, following whoever they were joined into."""
    row = work.one("SELECT * FROM people WHERE id = ?", person)
    while row is not None and row["merged_into"] is not None:
        row = work.one("SELECT * FROM people WHERE id = ?", row["merged_into"])
    return None if row is None else _person(row)


def by_identity(work: Work, identity: Identity) -> Person | None:
    """Find the person an account belongs to."""
    row = work.one(
        "SELECT person FROM identities WHERE platform = ? AND scope = ? AND native = ?",
        *(identity.platform, identity.scope, identity.native),
    )
    return None if row is None else get(work, row["person"])


def configured(work: Work, name: str) -> Person | None:
    """Find the person whom the configuration calls so, whichever accounts they had."""
    rows = work.all("SELECT * FROM people WHERE source = 'config' AND merged_into IS NULL ORDER BY created_at, id")
    return next((_person(row) for row in rows if row["name"].casefold() == name.casefold()), None)


def retire(work: Work, keep: Iterable[UserId]) -> None:
    """Take the role from people whom the configuration no longer names and who have no account left."""
    kept = set(keep)
    rows = work.all(
        "SELECT id FROM people WHERE source = 'config' AND role NOT IN ('guest', 'blocked')"
        " AND NOT EXISTS (SELECT 1 FROM identities WHERE person = people.id)"
    )
    gone = [(row["id"],) for row in rows if row["id"] not in kept]
    work.executemany("UPDATE people SET role = 'guest' WHERE id = ?", gone)


def having_role(work: Work, role: Role) -> list[Person]:
    """List the people of one role, in the order in which they came."""
    rows = work.all("SELECT * FROM people WHERE role = ? AND merged_into IS NULL ORDER BY created_at, id", role)
    return [_person(row) for row in rows]


def save(work: Work, person: Person, now: Instant) -> None:
    """Write a person; the instant of their coming is kept."""
    work.execute(
        "INSERT INTO people (id, name, role, timezone, language, source, merged_into, created_at)"
        " VALUES (?,?,?,?,?,?,?,?) ON CONFLICT (id) DO UPDATE SET name = excluded.name, role = excluded.role,"
        " timezone = excluded.timezone, language = excluded.language, source = excluded.source",
        (person.id, person.name, person.role, person.timezone, person.language, person.source, None, now),
    )


def link(work: Work, identity: Identity, person: UserId, source: Source, now: Instant) -> None:
    """Tie an account to a person, whoever had it before."""
    work.execute(
        "INSERT INTO identities (platform, scope, native, person, source, created_at) VALUES (?,?,?,?,?,?)"
        " ON CONFLICT (platform, scope, native) DO UPDATE SET person = excluded.person, source = excluded.source",
        (identity.platform, identity.scope, identity.native, person, source, now),
    )


def unlink_missing(work: Work, keep: Iterable[Identity]) -> None:
    """Take away accounts that the configuration gave and no longer names."""
    kept = {(one.platform, one.scope, one.native) for one in keep}
    for row in work.all("SELECT platform, scope, native FROM identities WHERE source = 'config'"):
        if tuple(row) not in kept:
            work.execute("DELETE FROM identities WHERE platform = ? AND scope = ? AND native = ?", tuple(row))


def identities(work: Work, person: UserId) -> list[Identity]:
    """List the accounts of a person."""
    rows = work.all(
        "SELECT platform, scope, native FROM identities WHERE person = ? ORDER BY created_at, platform", person
    )
    return [Identity(platform=row["platform"], scope=row["scope"], native=row["native"]) for row in rows]


def remember_talk(work: Work, person: UserId, conversation: ConversationKey, now: Instant) -> None:
    """Note where a person last wrote to us directly."""
    work.execute(
        "INSERT INTO talks (person, conversation, body, last_at) VALUES (?,?,?,?)"
        " ON CONFLICT (person, conversation) DO UPDATE SET last_at = excluded.last_at",
        (person, str(conversation), codec.dump(conversation), now),
    )


def talks(work: Work, person: UserId) -> list[ConversationKey]:
    """List the direct talks of a person, the latest first."""
    rows = work.all("SELECT body FROM talks WHERE person = ? ORDER BY last_at DESC", person)
    return [codec.load(ConversationKey, row["body"]) for row in rows]


def add_code(
    work: Work, *, digest: bytes, kind: str, role: Role, name: str | None, now: Instant, expires_at: Instant
) -> None:
    """Store a pairing code by its keyed hash."""
    work.execute(
        "INSERT INTO codes (hash, kind, role, name, created_at, expires_at) VALUES (?,?,?,?,?,?)",
        (digest, kind, role, name, now, expires_at),
    )


def open_codes(work: Work, now: Instant) -> list[Row]:
    """List the codes that still count."""
    return work.all("SELECT * FROM codes WHERE used_at IS NULL AND expires_at > ?", now)


def use_code(work: Work, code: int, identity: Identity, now: Instant) -> bool:
    """Spend a code; False when somebody else was first."""
    row = work.one(
        "UPDATE codes SET used_at = ?, used_by = ? WHERE id = ? AND used_at IS NULL RETURNING id",
        *(now, str(identity), code),
    )
    return row is not None


def drop_codes(work: Work, kind: str) -> None:
    """Void the unused codes of a kind."""
    work.execute("DELETE FROM codes WHERE kind = ? AND used_at IS NULL", (kind,))


def add_attempt(work: Work, identity: Identity, *, known: bool, now: Instant) -> None:
    """Count a wrong code against an account; attempts older than a day are forgotten."""
    work.execute("DELETE FROM attempts WHERE at < ?", (now - 86400,))
    work.execute("INSERT INTO attempts VALUES (?,?,?,?)", (str(identity), identity.platform, int(known), now))


def attempts(work: Work, identity: Identity, since: Instant) -> int:
    """Count the wrong codes of an account since an instant."""
    row = work.one("SELECT COUNT(*) AS n FROM attempts WHERE identity = ? AND at > ?", str(identity), since)
    return int(row["n"]) if row else 0


def strangers_attempts(work: Work, platform: str, since: Instant) -> int:
    """Count the wrong codes of all unknown accounts of a platform since an instant."""
    row = work.one("SELECT COUNT(*) AS n FROM attempts WHERE platform = ? AND known = 0 AND at > ?", platform, since)
    return int(row["n"]) if row else 0
