"""Codes that bring people in: made by the owner, redeemed in a direct talk, once.

Promise: codes are stored as keyed hashes only, also where somebody sent one, and compared in constant time; after
five wrong ones an account is refused for an hour, the right code included; every outcome is an audit row.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence

from gateway.domain.ids import Identity, Instant, UserId
from gateway.domain.people import RANK, Account, Person, Role
from gateway.store import audit, codec, meta, people
from gateway.store.sqlite import Row, Work

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
LENGTH = 8
OWNER_SECONDS = 3600.0
INVITE_SECONDS = 86400.0
LINK_SECONDS = 600.0
SECONDS = {"owner": OWNER_SECONDS, "invite": INVITE_SECONDS, "link": LINK_SECONDS, "request": LINK_SECONDS}
LINKS = ("link", "request")  # join accounts
CROWD = 200  # wrong codes of a platform's unknown accounts within an hour, then none of them joins anything
TRIES = 5  # wrong codes of one account within a day, then each further one
LOCK_SECONDS = 3600.0
DAY = 86400.0
NO_OWNER_SECONDS = 3600.0  # between two notices to one stranger
_TOLD = "no owner, told"
_SHOWN = re.compile(r"(?<![A-Z0-9])(?=([A-Z2-9]{4}[- ]?[A-Z2-9]{4})(?![A-Z0-9]))", re.IGNORECASE)


def new_code(
    work: Work,
    *,
    kind: str,
    role: Role,
    name: str | None,
    now: Instant,
    person: UserId | None = None,
    account: Account | None = None,
) -> str:
    """Make a code, shown as ABCD-EFGH; one of an owner, and one that joins an account, voids the one before."""
    body = codec.dump(account) if account is not None else ""
    if kind == "owner":
        people.drop_codes(work, kind)
    elif kind in LINKS:
        people.drop_codes(work, kind, person=person, body=body if kind == "request" else None)
    code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
    people.add_code(
        work,
        digest=_digest(work, code),
        kind=kind,
        role=role,
        name=name,
        now=now,
        expires_at=now + SECONDS[kind],
        person=person,
        body=body,
    )
    audit.add(work, "code made", kind, role, now)
    return f"{code[:4]}-{code[4:]}"


def tell_no_owner(work: Work, stranger: Identity | None, now: Instant) -> bool:
    """Whether a stranger is to hear now that nobody owns us; True notes that they were told."""
    if no_owner_told(work, stranger, now):
        return False
    audit.add(work, _TOLD, str(stranger), "", now)
    return True


def no_owner_told(work: Work, stranger: Identity | None, now: Instant) -> bool:
    """Whether a stranger has heard within the hour that nobody owns us."""
    told = audit.latest(work, _TOLD, str(stranger))
    return told is not None and now - told < NO_OWNER_SECONDS


def seal(work: Work, text: str) -> str:
    """Hash what somebody sent as a code, so that nothing stores it as it is; empty when it has not the form of one."""
    code = normalise(text)
    return "" if code is None else _digest(work, code).hex()


def normalise(text: str) -> str | None:
    """Read a code as people type it, None when it has not the form of one."""
    code = text.replace("-", "").replace(" ", "").upper()
    return code if len(code) == LENGTH and all(sign in ALPHABET for sign in code) else None


def examine(work: Work, identity: Identity, sealed: str, now: Instant) -> Row | str:
    """Look a sealed code up for an account; hands out its row, unspent, or the key of the sentence that refuses it."""
    known = people.by_identity(work, identity)
    lately = people.attempts(work, identity, now - LOCK_SECONDS)
    if lately and people.attempts(work, identity, now - DAY) >= TRIES:
        audit.add(work, "code refused", str(identity), "locked", now)
        return "pair.locked"
    row = _find(people.open_codes(work, now), sealed)
    crowd = known is None and people.strangers_attempts(work, identity.platform, now - LOCK_SECONDS) >= CROWD
    if row is None:
        people.add_attempt(work, identity, known=known is not None, now=now)
    if crowd and (row is None or row["kind"] in LINKS):  # one answer for both, or it would tell which code is right
        audit.add(work, "code refused", str(identity), "platform locked", now)
        return "pair.crowd"
    if row is None:
        audit.add(work, "code refused", str(identity), "wrong", now)
        return "pair.wrong"
    return row


def redeem(work: Work, identity: Identity, name: str, sealed: str, now: Instant) -> tuple[str, Person | None]:
    """Try a sealed code that lets somebody in; returns the key of the sentence to say and whom it made or raised."""
    row = examine(work, identity, sealed, now)
    return (row, None) if isinstance(row, str) else admit(work, identity, name, row, now)


def admit(work: Work, identity: Identity, name: str, row: Row, now: Instant) -> tuple[str, Person | None]:
    """Spend a code that lets somebody in; returns the key of the sentence to say and whom it made or raised."""
    known = people.by_identity(work, identity)
    if known is not None and known.source != "open" and RANK[known.role] >= RANK[row["role"]]:
        return "pair.known", known
    if fixed(known):
        return "pair.configured", known
    if not people.use_code(work, row["id"], identity, now):
        return "pair.wrong", None
    person = _admit(work, known, identity, name=row["name"] or name, role=row["role"], now=now)
    audit.add(work, "code used", str(identity), f"{row['kind']}: {person.id} is {person.role}", now)
    return ("pair.raised" if known is not None and known.source != "open" else "pair.welcome"), person


def fixed(person: Person | None) -> bool:
    """Whether only the configuration says who somebody is: no code, button, join or command changes it."""
    return person is not None and person.source == "config"


def burn(work: Work, text: str, now: Instant) -> None:
    """Void every code in a text that others read."""
    rows = people.open_codes(work, now)
    for shown in _SHOWN.findall(text) if rows else ():
        row = _find(rows, seal(work, shown))
        if row is not None and people.use_code(work, row["id"], Identity(platform="group", native="burnt"), now):
            audit.add(work, "code burnt", row["kind"], "shown in a group", now)


def claim_terminal(work: Work, identity: Identity, name: str, now: Instant) -> Person:
    """Make the terminal's user the owner of a home that has none, or another account of the owner it has."""
    owners = people.having_role(work, "owner")
    if owners:
        people.link(work, identity, owners[0].id, "terminal", now)
        return owners[0]
    return _admit(work, people.by_identity(work, identity), identity, name=name, role="owner", now=now)


def let_in(work: Work, identity: Identity, *, name: str, role: Role, now: Instant) -> Person:
    """Make a person of an account, or give the one who has it a role."""
    return _admit(work, people.by_identity(work, identity), identity, name=name, role=role, now=now)


def _admit(work: Work, known: Person | None, identity: Identity, *, name: str, role: Role, now: Instant) -> Person:
    person = Person(
        id=known.id if known else new_id(),
        name=known.name if known else (name or identity.native),
        role=role,
        timezone=known.timezone if known else None,
        language=known.language if known else None,
        source="config" if known and known.source == "config" else "code",
    )
    people.save(work, person, now)
    work.ring("people")
    if known is None:
        people.link(work, identity, person.id, "code", now)
    return person


def new_id() -> UserId:
    """Mint an id for a person."""
    return UserId(f"u{secrets.token_hex(5)}")


def _find(rows: Sequence[Row], sealed: str) -> Row | None:
    """Compare with every open code, so that the time it takes tells nothing."""
    found = None
    for row in rows:
        if hmac.compare_digest(row["hash"].hex(), sealed):
            found = row
    return found


def _digest(work: Work, code: str) -> bytes:
    key = meta.secret(work, "code key")
    return hmac.digest(key, code.encode(), hashlib.sha256)
