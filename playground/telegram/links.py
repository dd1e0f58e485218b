"""Which addresses Telegram takes for a link, and which links name a user."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

USER = re.compile(r"tg:(?://)?user\?id=(\d{1,19})\Z", re.IGNORECASE)
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
SCHEMES = frozenset({"http", "https", "tg", "ton", "tonsite"})
HOST = re.compile(r"[^\s<>\"'()\[\]{}|\\^`]+\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """An address as it is stored, or the user it names, or why it is none."""

    url: str = ""
    user: int = 0
    problem: str = ""


def read_link(address: str) -> Link:
    """Check an address the way the server does before it stores it."""
    address = address.strip()
    match = USER.match(address)
    if match:
        return Link(user=int(match.group(1)))
    scheme = SCHEME.match(address)
    if scheme and scheme.group(1).lower() in {"tg", "ton"}:
        return Link(url=address)
    if "://" not in address:
        # `host:port/path` has no scheme; `mailto:…` and `javascript:…` have a foreign one.
        if scheme and not address[scheme.end() :][:1].isdigit():
            return Link(problem="Unsupported URL protocol")
        address = f"http://{address}"
    elif not scheme or scheme.group(1).lower() not in SCHEMES:
        return Link(problem="Unsupported URL protocol")
    return read_web_link(address)


def read_web_link(address: str) -> Link:
    """Check the host of a web address."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return Link(problem="Wrong HTTP URL")
    if "." not in host.strip(".") or not HOST.match(host) or any(letter.isspace() for letter in address):
        return Link(problem="Wrong HTTP URL")
    return Link(url=address if parts.path or parts.query or parts.fragment else f"{address}/")
