"""Codes that bring people in: made by the owner, redeemed in a direct talk, once.

Promise: codes are stored as keyed hashes and compared in constant time; after five wrong ones an account is
refused for an hour, the right code included; every outcome is an audit row.
"""

import hashlib
import hmac
import secrets

from gateway.domain.ids import Identity, Instant, UserId
from gateway.domain.people import RANK, Person, Role
from gateway.store import audit, meta, people
from gateway.store.sqlite import Row, Work

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
LENGTH = 8
OWNER_SECONDS = 3600.0
INVITE_SECONDS = 86400.0
TRIES = 5
LOCK_SECONDS = 3600.0
NO_OWNER_SECONDS = 3600.0  # between two notices to one stranger


def new_code(work: Work, *, kind: str, role: Role, name: str | None, now: Instant) -> str:
    """Make a code, shown as ABCD-EFGH; a new owner's code voids the one before."""
    if kind == "owner":
        people.drop_codes(work, "owner")
    code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
    seconds = OWNER_SECONDS if kind == "owner" else INVITE_SECONDS
    digest = _digest(work, code)
    people.add_code(work, digest=digest, kind=kind, role=role, name=name, now=now, expires_at=now + seconds)
    audit.add(work, "code made", kind, role, now)
    return f"{code[:4]}-{code[4:]}"


def no_owner_key(stranger: Identity | None, now: Instant) -> str:
    """Name the notice that a stranger gets once an hour while there is no owner."""
    return f"notice/no-owner/{stranger}/{int(now // NO_OWNER_SECONDS)}"


def normalise(text: str) -> str | None:
    """Read a code as people type it, None when it has not the form of one."""
    code = text.replace("-", "").replace(" ", "").upper()
    return code if len(code) == LENGTH and all(sign in ALPHABET for sign in code) else None


def redeem(work: Work, identity: Identity, name: str, text: str, now: Instant) -> tuple[str, Person | None]:
    """Try a code for an account; returns the key of the sentence to say and the person it made or raised."""
    known = people.by_identity(work, identity)
    if people.attempts(work, identity, now - LOCK_SECONDS) >= TRIES:
        audit.add(work, "code refused", str(identity), "locked", now)
        return "pair.locked", None
    row = _find(work, text, now)
    if row is None:
        people.add_attempt(work, identity, known=known is not None, now=now)
        audit.add(work, "code refused", str(identity), "wrong", now)
        return "pair.wrong", None
    if known is not None and known.source != "open" and RANK[known.role] >= RANK[row["role"]]:
        return "pair.known", known
    if not people.use_code(work, row["id"], identity, now):
        return "pair.wrong", None
    person = _admit(work, known, identity, name=row["name"] or name, role=row["role"], now=now)
    audit.add(work, "code used", str(identity), f"{row['kind']}: {person.id} is {person.role}", now)
    return ("pair.raised" if known is not None and known.source != "open" else "pair.welcome"), person


def burn(work: Work, text: str, now: Instant) -> bool:
    """Void a code that was shown where others read it; False when it was none."""
    row = _find(work, text, now)
    if row is None:
        return False
    burnt = people.use_code(work, row["id"], Identity(platform="group", native="burnt"), now)
    audit.add(work, "code burnt", row["kind"], "shown in a group", now)
    return burnt


def claim_terminal(work: Work, identity: Identity, name: str, now: Instant) -> Person:
    """Make the terminal's user the owner of a home that has none, or another account of the owner it has."""
    owners = people.having_role(work, "owner")
    if owners:
        people.link(work, identity, owners[0].id, "terminal", now)
        return owners[0]
    return _admit(work, people.by_identity(work, identity), identity, name=name, role="owner", now=now)


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


def _find(work: Work, text: str, now: Instant) -> Row | None:
    """Compare with every open code, so that the time it takes tells nothing."""
    code = normalise(text)
    if code is None:
        return None
    digest, found = _digest(work, code), None
    for row in people.open_codes(work, now):
        if hmac.compare_digest(row["hash"], digest):
            found = row
    return found


def _digest(work: Work, code: str) -> bytes:
    key = meta.secret(work, "code key")
    return hmac.digest(key, code.encode(), hashlib.sha256)
