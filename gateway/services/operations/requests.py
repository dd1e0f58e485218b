"""What waits at the door, for whoever runs the machine: strangers' requests, open codes, groups."""

from gateway.domain.errors import GiveUp
from gateway.domain.ids import ConversationKey, UserId
from gateway.domain.messages import InboundMessage
from gateway.domain.people import Account, Role
from gateway.domain.work import Admitted, Route
from gateway.services.commands import groups as leaving
from gateway.services.commands import requests
from gateway.services.operations.base import Asked, Json, flag, words
from gateway.services.people import pairing
from gateway.store import audit, codec, groups, lanes, offers, people
from gateway.store.sqlite import Work

BY = UserId("the command line")


async def listed(asked: Asked) -> Json:
    """List requests that wait, by the id that `approve` understands, and codes that still count, by number."""

    def look(work: Work) -> Json:
        waiting = [
            {"id": one.id, "who": one.subject, "about": one.about, "at": one.created_at, "expires_at": one.expires_at}
            for one in offers.waiting(work, asked.now, requests.KIND)
        ]
        codes = [
            {"id": f"C-{row['id']}", "kind": row["kind"], "role": row["role"], "name": row["name"],
             "at": row["created_at"], "expires_at": row["expires_at"]}
            for row in people.open_codes(work, asked.now)
        ]  # fmt: skip
        return {"requests": waiting, "codes": codes}

    return await asked.db.write(look)


async def approve(asked: Asked) -> Json:
    """Let a stranger in with a role."""
    role = words(asked.args, "role", "user")
    if role not in ("guest", "user", "admin"):
        message = f"{role!r} is no role to let a stranger in with; there are guest, user, admin"
        raise GiveUp(message)
    return await asked.db.write(lambda work: _decide(work, asked, role))  # type: ignore[arg-type]  # checked above


async def deny(asked: Asked) -> Json:
    """Refuse a stranger for a day, or with `block` for good."""
    word: Role | None = "blocked" if flag(asked.args, "block") else None
    return await asked.db.write(lambda work: _decide(work, asked, word))


async def revoke(asked: Asked) -> Json:
    """Void a code that nobody has used yet, by its number."""
    number = words(asked.args, "id").upper().removeprefix("C-")

    def void(work: Work) -> Json:
        gone = number.isdigit() and people.drop_code(work, int(number))
        if not gone:
            message = f"there is no unused code C-{number}; `dragoman pair list` shows them"
            raise GiveUp(message)
        audit.add(work, "code revoked", f"C-{number}", BY, asked.now)
        return {"id": f"C-{number}"}

    return await asked.db.write(void)


async def groups_listed(asked: Asked) -> list[Json]:
    """List the groups in which we speak, from where that is, and those that wait for an owner's word."""
    rules = asked.live.rules.policy.groups if asked.live is not None else {}

    def look(work: Work) -> list[Json]:
        chat = [{"group": row["address"], "role": row["role"], "source": "chat"} for row in groups.listed(work)]
        asks = [
            {"group": one.subject, "role": "-", "source": f"waits: {one.id}"}
            for one in offers.waiting(work, asked.now, leaving.KIND)
        ]
        return [*chat, *asks]

    written: list[Json] = [{"group": name, "role": rule.role, "source": "config"} for name, rule in rules.items()]
    return written + await asked.db.write(look)


async def group_allowed(asked: Asked) -> Json:
    """Speak in a group when mentioned."""
    address = _address(asked)

    def allow(work: Work) -> Json:
        groups.allow(work, address, title="", role="guest", by=BY, now=asked.now)
        _settle(work, address, "allow", asked)
        return {"group": address}

    return await asked.db.write(allow)


async def group_left(asked: Asked) -> Json:
    """Leave a group that we were added to or that was allowed in a chat."""
    address = _address(asked)

    def leave(work: Work) -> Json:
        place = _settle(work, address, "leave", asked)
        if place is None:
            if not groups.forbid(work, address):
                message = f"I know of no group {address}, or only the configuration does"
                raise GiveUp(message)
            return {"group": address, "left": False}
        leaving.leave(work, place, key=f"{address}/{asked.now}", now=asked.now)
        return {"group": address, "left": True}

    return await asked.db.write(leave)


def _decide(work: Work, asked: Asked, role: Role | None) -> Json:
    offer = offers.get(work, words(asked.args, "id").upper())
    if offer is None or offer.kind != requests.KIND:
        message = "there is no such request; `dragoman pair list` shows what waits"
        raise GiveUp(message)
    if not offers.decide(work, offer.id, role or "deny", BY, asked.now):
        message = f"{offer.id} was decided already, or its hour is over"
        raise GiveUp(message)
    audit.add(work, "decided", offer.id, f"{offer.subject}: {role or 'deny'} by {BY}", asked.now)
    if role is None:
        return {"id": offer.id, "who": offer.subject, "role": None}
    account = codec.load(Account, offer.body)
    known = people.by_identity(work, account.identity)
    if known is not None and known.source != "open":
        message = f"{offer.subject} belongs to {known.name} meanwhile"
        raise GiveUp(message)
    person = pairing.let_in(work, account.identity, name=account.name, role=role, now=asked.now)
    people.remember_talk(work, person.id, account.conversation, asked.now, account.identity)
    if role != "blocked":
        _welcome(work, offer.id, account, asked.now)
    return {"id": offer.id, "who": offer.subject, "role": role}


def _welcome(work: Work, offer: str, account: Account, now: float) -> None:
    """Let the daemon greet somebody who was let in: only it can split and send."""
    lane = f"{lanes.BESIDE}pair:{account.identity}"
    message = InboundMessage(
        key=f"welcome/{offer}",
        kind="note",
        conversation=account.conversation,
        received_at=now,
        sender=account.identity,
    )
    lanes.put(
        work,
        "inbox",
        key=message.key,
        lane=lane,
        account=account.conversation.mailbox,
        body=codec.dump(Admitted(message=message, route=Route(kind="pair", rule="welcome", lane=lane, talk=lane))),
        now=now,
        rule="welcome",
    )


def _address(asked: Asked) -> str:
    address = words(asked.args, "group")
    if ":" not in address:
        message = f"{address!r} is no group such as telegram:-1001234"
        raise GiveUp(message)
    return address


def _settle(work: Work, address: str, word: str, asked: Asked) -> ConversationKey | None:
    """Decide what waits for an owner's word about a group; gives the place we were added to, if we ever were."""
    found = offers.about(work, leaving.KIND, address)
    for offer in found:
        offers.decide(work, offer.id, word, BY, asked.now)
    return codec.load(ConversationKey, found[0].body) if found else None
