"""People, their accounts, where they talk to us, and the codes that bring them in."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from gateway.domain.ids import ConversationKey, Identity, Instant, UserId
from gateway.domain.messages import InboundMessage
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
        home=codec.load(ConversationKey, row["home"]) if row["home"] else None,
        quiet=row["quiet"],
        plain=bool(row["plain"]),
        voice=bool(row["voice"]),
    )


def get(work: Work, person: UserId) -> Person | None:
    """Find a person by id, following whoever they were joined into."""
    row = work.one("SELECT * FROM people WHERE id = ?", person)
    while row is not None and row["merged_into"] is not None:
        row = work.one("SELECT * FROM people WHERE id = ?", row["merged_into"])
    return None if row is None else _person(row)


def everybody(work: Work) -> list[Person]:
    """List all people who stand for themselves."""
    return [_person(row) for row in work.all("SELECT * FROM people WHERE merged_into IS NULL ORDER BY name")]


def by_identity(work: Work, identity: Identity) -> Person | None:
    """Find the person an account belongs to."""
    row = work.one(
        "SELECT person FROM identities WHERE platform = ? AND scope = ? AND native = ?",
        *(identity.platform, identity.scope, identity.native),
    )
    return None if row is None else get(work, row["person"])


def still(work: Work, message: InboundMessage, person: Person | None) -> bool:
    """Whether the account that wrote a direct message belongs to a person now as it did when they were admitted.

    What a job writes has no sender: there the talk has to be theirs.
    """
    if person is None or message.conversation.kind != "direct":
        return True
    if message.kind == "fire":
        return any(one.mailbox == message.conversation.mailbox and one.chat == message.conversation.chat
                   for one in talks(work, person.id))  # fmt: skip
    if message.sender is None:
        return True
    owner = by_identity(work, message.sender)
    return owner is not None and owner.id == person.id


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


def selves(work: Work, person: UserId) -> list[UserId]:
    """List a person's id and those of whoever was joined into them: rows keep the id under which they were written."""
    found, fresh = [person], [person]
    while fresh:
        rows = [row for one in fresh for row in work.all("SELECT id FROM people WHERE merged_into = ?", one)]
        fresh = [row["id"] for row in rows if row["id"] not in found]
        found += fresh
    return found


def is_configured(work: Work, identity: Identity) -> bool:
    """Whether an account is written in the configuration."""
    row = work.one(
        "SELECT source FROM identities WHERE platform = ? AND scope = ? AND native = ?",
        *(identity.platform, identity.scope, identity.native),
    )
    return row is not None and row["source"] == "config"


def remember_talk(
    work: Work, person: UserId, conversation: ConversationKey, now: Instant, identity: Identity | None = None
) -> None:
    """Note where a person last wrote to us directly, and with which account."""
    work.execute(
        "INSERT INTO talks (person, conversation, body, last_at, identity) VALUES (?,?,?,?,?)"
        " ON CONFLICT (person, conversation) DO UPDATE SET last_at = excluded.last_at, identity = excluded.identity",
        (person, str(conversation), codec.dump(conversation), now, str(identity or "")),
    )


def talks(work: Work, person: UserId) -> list[ConversationKey]:
    """List the direct talks of a person, the latest first; a talk goes with its account, whoever has that now."""
    accounts = [str(one) for one in identities(work, person)]
    me = selves(work, person)
    rows = work.all(
        f"SELECT body, MAX(last_at) AS at FROM talks WHERE identity IN ({_marks(accounts)})"
        f" OR (identity = '' AND person IN ({_marks(me)})) GROUP BY conversation ORDER BY at DESC",
        *(*accounts, *me),
    )
    return [codec.load(ConversationKey, row["body"]) for row in rows]


def own_talk(work: Work, person: UserId, conversation: ConversationKey) -> ConversationKey | None:
    """Say where something for a person may go that was meant for a conversation: a group, or a direct talk of theirs.

    An account that was taken off them takes its talk along; then it is their home, or where they wrote last.
    """
    if conversation.kind == "group":
        return conversation
    mine = talks(work, person)
    whole = get(work, person)
    wanted = (conversation, replace(conversation, thread=None), whole.home if whole else None)
    return next((one for one in wanted if one in mine), mine[0] if mine else None)


def _marks(values: Collection[str]) -> str:
    return ",".join("?" * len(values))


def add_code(
    work: Work,
    *,
    digest: bytes,
    kind: str,
    role: Role,
    name: str | None,
    now: Instant,
    expires_at: Instant,
    person: UserId | None = None,
    body: str = "",
) -> None:
    """Store a pairing code by its keyed hash."""
    work.execute(
        "INSERT INTO codes (hash, kind, role, name, created_at, expires_at, person, body) VALUES (?,?,?,?,?,?,?,?)",
        (digest, kind, role, name, now, expires_at, person, body),
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


def drop_codes(work: Work, kind: str, *, person: UserId | None = None, body: str | None = None) -> None:
    """Void the unused codes of a kind, all of them or those of one person or account."""
    work.execute(
        "DELETE FROM codes WHERE kind = ? AND used_at IS NULL"
        " AND (? IS NULL OR person = ?) AND (? IS NULL OR body = ?)",
        (kind, person, person, body, body),
    )


def drop_code(work: Work, code: int) -> bool:
    """Void one unused code; False when there is none of this number."""
    return work.one("DELETE FROM codes WHERE id = ? AND used_at IS NULL RETURNING id", code) is not None


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
