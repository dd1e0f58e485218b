"""What is no request: mail that machines made, our own mail, and mail that is not meant for us (pure).

Promise: nothing that is ignored here is ever answered, not even with an error.
"""

import re
from typing import Final

from adapters.email import charsets, sender
from adapters.email.mime import Mail, leaves

MOST_HOPS: Final = 50  # Received headers; a mail that went round has more
OWN_ID: Final = "dragoman."  # our Message-IDs begin so
_LISTS: Final = (
    "list-id",
    "list-unsubscribe",
    "list-post",
    "list-help",
    "list-owner",
    "list-archive",
    "list-subscribe",
    "mailing-list",
    "x-mailing-list",
    "x-mailinglist",
    "x-google-group-id",
)
_AUTORESPONDERS: Final = (
    "x-autoreply",
    "x-autorespond",
    "x-autoresponse",
    "x-auto-reply",
    "x-autoreply-from",
    "x-mail-autoreply",
    "x-vacation",
    "x-cron-env",
    "x-failed-recipients",
    "x-mdn-reference",
    "x-ms-exchange-inbox-rules-loop",
)
_DAEMONS: Final = frozenset(
    {"mailer-daemon", "postmaster", "mail-daemon", "mdaemon", "majordomo", "listserv", "bounce"}
)
_AWAY: Final = re.compile(
    r"\s*(automatic reply|auto[- ]?reply|autoreply|auto[- ]?response|out of (the )?office( reply| autoreply)?"
    r"|automatische antwort|abwesenheitsnotiz|abwesenheit|réponse automatique|absence du bureau"
    r"|respuesta automática|fuera de la oficina|risposta automatica|fuori sede|resposta automática"
    r"|automatisch antwoord|afwezigheidsbericht|automatiskt svar|autosvar|automaattinen vastaus"
    r"|autoodpowiedź|автоответ|автоматический ответ|自動応答|自动回复|自動回覆)\s*[:：]",
    re.IGNORECASE,
)
_SUPPRESS: Final = frozenset({"all", "oof", "autoreply"})
_PRECEDENCE: Final = frozenset({"bulk", "junk", "list", "auto_reply", "auto-reply"})
_REPORTS: Final = ("message/delivery-status", "message/disposition-notification", "message/global-delivery-status")
_CALENDAR: Final = frozenset({"reply", "counter", "declinecounter", "refresh", "cancel"})


def reason(mail: Mail) -> str | None:
    """Say why a mail was made by a machine; None if a person may have written it."""
    return _by_headers(mail) or _by_kind(mail)


def _by_headers(mail: Mail) -> str | None:
    submitted = charsets.one_line(mail.first("auto-submitted")).partition(";")[0].strip().casefold()
    precedence = mail.first("precedence").strip().casefold()
    wishes = {word.strip().casefold() for word in mail.first("x-auto-response-suppress").split(",")}
    named = {key for key, _ in mail.headers}
    answering = next((name for name in _AUTORESPONDERS if name in named), "")
    judged = (
        (submitted not in ("", "no"), f"it is automatic mail (Auto-Submitted: {submitted[:40]})"),
        (not named.isdisjoint(_LISTS), "it came by a mailing list"),
        (precedence in _PRECEDENCE, f"it is automatic mail (Precedence: {precedence[:40]})"),
        (bool(answering), f"it is an automatic reply ({answering})"),
        (bool(wishes & _SUPPRESS), "its sender wants no automatic answer (X-Auto-Response-Suppress)"),
        (bool(_AWAY.match(mail.text("subject"))), "its subject is that of an automatic reply"),
        (len(mail.all("received")) > MOST_HOPS, f"it went through more than {MOST_HOPS} servers: a loop"),
    )
    return next((why for applies, why in judged if applies), None)


def _by_kind(mail: Mail) -> str | None:
    path = mail.first("return-path").strip()
    if re.fullmatch(r"<\s*>", path):
        return "it is a bounce or a notice (its envelope names no sender)"
    if mail.mime == "multipart/report" or mail.mime in _REPORTS:
        kind = mail.params.get("report-type", "").casefold()
        return "it is a receipt" if "disposition" in kind else "it is a delivery report"
    local = _from(mail)[0]
    if local in _DAEMONS or local.startswith(("bounce-", "bounces+", "bounces-")):
        return "it comes from a mail server"
    for part in leaves(mail.root):
        if part.mime in _REPORTS:
            return "it is a report of a mail server"
        if part.mime == "text/calendar" and _method(part.params.get("method", ""), part.data) in _CALENDAR:
            return "it is a calendar's answer"
    return None


def loop(mail: Mail, own: tuple[str, ...]) -> str | None:
    """Say why a mail is one of ours that came back; None if it is not."""
    local, domain = _from(mail)
    if local and sender.ours(f"{local}@{domain}", own):
        return "it comes from an address of our own"
    mine = message_id(mail.first("message-id"))
    if mine.startswith(f"<{OWN_ID}") and any(mine.endswith(f"@{one.rpartition('@')[2].casefold()}>") for one in own):
        return "it is a mail of our own"
    return None


def message_id(raw: str) -> str:
    """Read a Message-ID leniently, in one form that is safe in a header; "" where there is none."""
    found = re.search(r"<([^<>\x00-\x1f\x7f]{1,500})>", raw) or re.fullmatch(
        r"\s*([^\s<>]{3,500}@[^\s<>]{1,200})\s*", raw
    )
    if found is None:
        return ""
    inner = "".join(found[1].split())
    return f"<{inner}>" if inner.isascii() and inner.isprintable() else ""


def _from(mail: Mail) -> tuple[str, str]:
    try:
        one = sender.author(mail.all("from"))
    except sender.NoSender:
        found = [address for value in mail.all("from") for address in sender.addresses(value)]
        local, _, domain = found[0].rpartition("@") if found else ("", "", "")
        return local, domain
    local, _, domain = one.address.rpartition("@")
    return local, domain


def _method(declared: str, data: bytes) -> str:
    if declared:
        return declared.strip().casefold()
    found = re.search(rb"(?mi)^METHOD:\s*([A-Z]+)", data[:20_000])
    return found[1].decode("ascii").casefold() if found else ""
