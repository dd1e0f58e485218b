"""Setting up a mailbox: servers and password, tried live, and one mail of its owner that shows what to believe."""

import asyncio
import json
import re
import secrets
import socket
import time
from dataclasses import dataclass

from adapters.email import mime, sender, smtp
from adapters.email.account import Server
from adapters.email.wire import Connection
from gateway.accounts import email as made
from gateway.config.accounts import JsonObject
from gateway.config.email import EmailAccount
from gateway.config.platform import Account
from gateway.config.types import is_loopback
from gateway.domain.errors import DragomanError, GiveUp, Misconfigured
from gateway.setup import accounts
from gateway.setup.draft import Draft, Talk, Wishes
from gateway.setup.findings import Finding, note, ok, wrong
from gateway.setup.trying import Again, attempt

PLATFORM = "email"
VARIABLE = "MAIL_PASSWORD"  # of the account `main`
WAIT_SECONDS = 600.0
MOST_BYTES = 2_000_000
MEND = "dragoman setup email"
SECURITY = {993: "tls", 465: "tls", 143: "starttls", 587: "starttls", 25: "starttls"}
# Where the servers of a domain are, if they are not where their names say.
KNOWN = {
    "gmail.com": ("imap.gmail.com:993", "smtp.gmail.com:465"),
    "googlemail.com": ("imap.gmail.com:993", "smtp.gmail.com:465"),
    "fastmail.com": ("imap.fastmail.com:993", "smtp.fastmail.com:465"),
    "icloud.com": ("imap.mail.me.com:993", "smtp.mail.me.com:587"),
    "yahoo.com": ("imap.mail.yahoo.com:993", "smtp.mail.yahoo.com:465"),
    "gmx.net": ("imap.gmx.net:993", "mail.gmx.net:465"),
}
HOW = (
    "\nE-mail: the agent needs a mailbox of its own, read by IMAP and answered by SMTP. Gmail, iCloud and others want\n"
    "an app password; Outlook and Microsoft 365 want OAuth: docs/how-to/email.md says how."
)
NOTHING = (
    "Your mail server stamped nothing that vouches for the sender (no Authentication-Results with a pass for\n"
    "{domain}). Until it does, every mail is dropped: docs/how-to/email.md says how Postfix is taught to.\n"
    "Only where nobody else can hand mail to this server, set require_authenticated_sender to false."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamped:
    """What a server wrote on a mail: the names under which it vouches for the sender, and all that it said."""

    names: tuple[str, ...]
    said: tuple[str, ...]
    sender: str


async def examine(name: str, account: Account) -> tuple[list[Finding], float | None]:
    """Look for what keeps a mailbox from being read or answered."""
    if not isinstance(account, EmailAccount):
        raise AssertionError("the table is by platform")  # noqa: TRY004  # nobody handed it in
    tokens = made.tokens_of(account)
    found: list[Finding] = []
    try:
        folder = await _look(made.imap(account, tokens), account.folder)
        found.append(ok(name, f"{account.address} can be read ({folder})"))
    except DragomanError as failed:
        found.append(wrong(name, str(failed), MEND))
    try:
        await smtp.check(made.smtp(account, tokens))
        found.append(ok(name, f"{account.smtp.host} takes mail of {account.address}"))
    except DragomanError as failed:
        found.append(wrong(name, str(failed), MEND))
    if account.believes_nobody:
        found.append(wrong(name, "authserv_id is not set, so every mail is dropped", MEND))
    elif not account.require_authenticated_sender:
        found.append(note(name, "senders are believed without proof: anybody may write in anybody's name", MEND))
    return found, None


async def _look(server: Server, folder: str) -> str:
    connection = Connection(server)
    try:
        opened = await connection.open(folder)
        return f"{'it is pushed' if connection.pushes else 'it is looked at now and then'}; next number {opened.next}"
    finally:
        connection.close()


def email_step(talk: Talk, draft: Draft, wishes: Wishes) -> None:
    """Ask until both servers take the password, are kept unseen, or no mailbox is wanted; raises Back."""
    account = accounts.find(draft, PLATFORM, wishes.account)
    if talk.asks:
        talk.say(HOW)
    while True:
        address = _address(talk, wishes, account)
        if not address:
            return
        chosen = _servers(talk, wishes, account, address)
        password = _password(talk, draft, wishes, account)
        if not password and "oauth" not in account:
            return
        servers = {key: _server(chosen[key], address, password, account) for key in chosen}
        try:
            if wishes.test and password:
                attempt(talk, "Logging in to both servers", lambda s=servers: asyncio.run(_try(s)))  # type: ignore[misc]
        except Again:
            continue
        _keep(draft, wishes, account, {"address": address, **chosen}, password)
        if talk.asks and wishes.test and password:
            _learn(talk, draft, wishes, servers["imap"])
        return


def _address(talk: Talk, wishes: Wishes, account: JsonObject) -> str:
    before = str(account.get("address") or "")
    if wishes.address is not None:
        return _sound(wishes.address)
    if not talk.asks:
        return before or _sound(talk.ask("Address", flag="--address"))
    while True:
        typed = talk.ask("The agent's own address" + ("" if before else "; Enter: no mail for now"), default=before)
        if not typed:
            return ""
        try:
            return _sound(typed)
        except GiveUp as unsound:
            talk.say(f"{unsound}.")


def _sound(address: str) -> str:
    found = sender.plain_address(address)
    if found is None:
        raise GiveUp(f"{address!r} is no mail address; write it as name@example.org")
    return found


def _servers(talk: Talk, wishes: Wishes, account: JsonObject, address: str) -> dict[str, JsonObject]:
    """Choose the servers: flags, what is there, what is known of the domain, or what somebody types."""
    domain = address.rpartition("@")[2]
    usual = dict(zip(("imap", "smtp"), KNOWN.get(domain, (f"imap.{domain}:993", f"smtp.{domain}:465")), strict=True))
    chosen: dict[str, JsonObject] = {}
    for key, given in (("imap", wishes.imap), ("smtp", wishes.smtp)):
        before = account.get(key)
        known = dict(before) if isinstance(before, dict) else {}
        shown = f"{known['host']}:{known['port']}" if "host" in known and "port" in known else usual[key]
        typed = given
        while True:
            if typed is None:
                typed = talk.ask(f"{key.upper()} server, as host:port", default=shown, flag=f"--{key}")
            try:
                chosen[key] = {**known, **_place(typed)}
                break
            except GiveUp as unsound:
                if not talk.asks:
                    raise
                talk.say(f"{unsound}.")
                typed = None
    return chosen


def _place(text: str) -> JsonObject:
    """Read `host:port`; the port says which security is meant, on loopback none is needed."""
    found = re.fullmatch(r"([A-Za-z0-9.-]{1,253}|\[[0-9a-f:]+\]):([0-9]{1,5})", text.strip())
    if found is None or not 0 < int(found[2]) < 65_536:
        raise GiveUp(f"{text!r} is no server; write it as imap.example.org:993")
    host, port = found[1].strip("[]"), int(found[2])
    security = SECURITY.get(port) or ("none" if is_loopback(host) else "tls")
    return {"host": host, "port": port, "security": security}


def _password(talk: Talk, draft: Draft, wishes: Wishes, account: JsonObject) -> str:
    if wishes.token is not None:
        return draft.hide(wishes.token)
    imap = account.get("imap")
    before = imap.get("password") if isinstance(imap, dict) else None
    known = draft.value(before) or draft.known(accounts.variable(VARIABLE, wishes.account))
    if not talk.asks:
        return known or ("" if "oauth" in account else talk.secret("Password", flag="--token-file"))
    keep = "; Enter keeps the one that is there" if known else "; Enter: no mail for now"
    return draft.hide(talk.secret(f"The mailbox's password{keep}", flag="--token-file")) or known


def _server(place: JsonObject, address: str, password: str, account: JsonObject) -> Server:
    ca_file = account.get("ca_file")
    security = str(place["security"])
    return Server(
        host=str(place["host"]),
        port=int(str(place["port"])),
        security="none" if security == "none" else "starttls" if security == "starttls" else "tls",
        username=str(place.get("username") or address),
        password=password,
        ca_file=str(ca_file) if ca_file else None,
    )


async def _try(servers: dict[str, Server]) -> str:
    try:
        told = await _look(servers["imap"], "INBOX")
        await smtp.check(servers["smtp"])
    except Misconfigured as refused:  # what is being entered is no configuration yet
        raise GiveUp(str(refused)) from None
    return told


def _keep(draft: Draft, wishes: Wishes, account: JsonObject, chosen: JsonObject, password: str) -> None:
    name = accounts.variable(VARIABLE, wishes.account)
    for key in ("imap", "smtp"):
        place = chosen[key]
        if isinstance(place, dict) and password:
            place["password"] = draft.keep(name, password, place.get("password"))
    account.update(chosen)
    if wishes.authserv_id is not None:
        account["authserv_id"] = wishes.authserv_id
    if account.get("enabled") is False:
        account["enabled"] = True
    accounts.put(draft, PLATFORM, wishes.account, account)


def _learn(talk: Talk, draft: Draft, wishes: Wishes, server: Server) -> None:
    """Have the owner write one mail, show what their server stamped, and write down whom to believe."""
    account = accounts.find(draft, PLATFORM, wishes.account)
    own = talk.ask("\nYour own address, from which you write to the agent; Enter: later")
    person = sender.plain_address(own) if own else None
    if person is None:
        talk.say("`dragoman setup email` goes on from here; until then nobody is believed and every mail is dropped.")
        return
    word = f"dragoman-{secrets.token_hex(3)}"
    talk.say(f"Write a mail from {person} to {account['address']} with the subject: {word}")
    found = attempt(talk, "Waiting for it", lambda: asyncio.run(wait_for(server, person, word)))
    if found is None:
        return
    talk.say("Your mail server stamped:")
    for line in found.said or ("nothing",):
        talk.say(f"  {line}")
    if not found.names:
        talk.say(NOTHING.format(domain=person.rpartition("@")[2]))
        return
    account["authserv_id"] = found.names[0]
    accounts.put(draft, PLATFORM, wishes.account, account)
    talk.say(f"From now on “{found.names[0]}” is believed, and {person} is you.")
    introduce(draft, person)


async def wait_for(server: Server, person: str, word: str, seconds: float = WAIT_SECONDS) -> Stamped:
    """Wait for a mail from somebody with a word in its subject; raises GiveUp when none comes."""
    connection = Connection(server)
    try:
        behind = (await connection.open("INBOX")).next - 1
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for uid in [one for one in await connection.search(f"{behind + 1}:*") if one > behind]:
                behind = uid
                stored = await connection.look(uid)
                raw = await connection.body(uid, stored.size, MOST_BYTES) if stored is not None else None
                if raw is not None and (found := read(raw, person, word)) is not None:
                    return found
            if connection.pushes:
                await connection.idle(5.0)
            else:
                await asyncio.sleep(2.0)
    finally:
        connection.close()
    raise GiveUp(f"no mail from {person} with {word} in its subject came within {seconds / 60:.0f} minutes")


def read(raw: bytes, person: str, word: str) -> Stamped | None:
    """Read what a server stamped on the mail that was asked for; None for any other mail."""
    mail = mime.read(raw)
    try:
        author = sender.author(mail.all("from"))
    except sender.NoSender:
        return None
    if author.address != person or word not in mail.text("subject"):
        return None
    values = mail.all("authentication-results")
    names = []
    for value in values:
        told = sender.results(value)
        name = (told[0] or sender.NAMELESS) if told is not None else ""
        if name and name not in names and sender.vouched(values, author.domain, [name]) is None:
            names.append(name)
    return Stamped(names=tuple(names), said=tuple(value[:300] for value in values[:5]), sender=author.address)


def introduce(draft: Draft, address: str) -> None:
    """Add an address to the owner of the configuration; whoever has it already keeps it."""
    access = draft.section("access")
    listed = access.get("people")
    people = [dict(one) for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    identity = f"email:{address}"
    if f'"{identity}"' in json.dumps(people, ensure_ascii=False):
        return
    owner = next((person for person in people if person.get("role") == "owner"), None)
    if owner is None:
        owner = {"name": address.partition("@")[0].capitalize() or socket.gethostname(), "role": "owner"}
        people.append(owner)
    before = owner.get("identities")
    owner["identities"] = [*(before if isinstance(before, list) else []), identity]
    access["people"] = list(people)
