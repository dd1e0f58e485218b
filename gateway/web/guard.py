"""Who may ask what of the web server: Host, Origin, token or cookie, and whose forwarded headers count.

Promise: loopback is not a login; a page of somebody else's can neither read nor do anything through a browser.
"""

import hashlib
import hmac
import ipaddress
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from aiohttp import web

from gateway.domain.ports import Clock

OPEN = frozenset({"/healthz", "/readyz", "/metrics"})
COOKIE = "dragoman"
CODE_SECONDS = 60.0
COOKIE_SECONDS = 12 * 3600
MOST_COOKIES = 32
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Where a request comes from and under which name it was sent, proxies that we trust taken off."""

    scheme: str
    host: str  # as in the Host header, with its port

    @property
    def origin(self) -> str:
        """The origin that a page of ours has for this caller."""
        return f"{self.scheme}://{self.host}".lower()


@dataclass(slots=True, kw_only=True)
class Guard:
    """Decides about each request, and keeps the codes and cookies that were given out."""

    token: str
    public_url: str | None
    trusted_proxies: Sequence[str]
    clock: Clock = time.monotonic
    _codes: dict[bytes, float] = field(default_factory=dict)
    _cookies: dict[bytes, float] = field(default_factory=dict)

    def code(self) -> str:
        """Make a code that logs in once, within 60 s."""
        return self._give(self._codes, CODE_SECONDS)

    def redeem(self, code: str) -> str | None:
        """Take a code back for a cookie; None when it is unknown, used or too old."""
        until = self._codes.pop(_digest(code), 0.0)
        return self._give(self._cookies, COOKIE_SECONDS) if until > self.clock() else None

    def forget(self, request: web.Request) -> None:
        """Make the cookie of a request worthless."""
        self._cookies.pop(_digest(request.cookies.get(COOKIE, "")), None)

    def refusal(self, request: web.Request) -> web.Response | None:
        """Say why a request is refused; None lets it in."""
        caller = self.caller(request)
        if not self._ours(caller.host):
            return _no(403, "this Host is not served; set http.public_url to the address you use")
        if not self._origin_fits(request, caller):
            return _no(403, "a page of another origin may not do this")
        if request.path in OPEN or request.match_info.route.name == "login":
            return None
        if self._known(request):
            return None
        headers = {"WWW-Authenticate": 'Bearer realm="dragoman"'}
        return _no(401, "`dragoman dashboard` prints an address that lets you in; programs send the token", headers)

    def caller(self, request: web.Request) -> Caller:
        """Read scheme and host; X-Forwarded-* count only from a proxy that is trusted."""
        scheme, host = request.scheme, request.headers.get("Host", "")
        if self._trusted(request.remote):
            scheme = _first(request, "X-Forwarded-Proto") or scheme
            host = _first(request, "X-Forwarded-Host") or host
        return Caller(scheme=scheme, host=host)

    def _give(self, kept: dict[bytes, float], lifetime: float) -> str:
        now, made = self.clock(), secrets.token_urlsafe(32)
        for old in [digest for digest, until in kept.items() if until <= now]:
            del kept[old]
        while len(kept) >= MOST_COOKIES:
            del kept[next(iter(kept))]
        kept[_digest(made)] = now + lifetime
        return made

    def _trusted(self, remote: str | None) -> bool:
        if not remote:
            return False
        address = ipaddress.ip_address(remote.partition("%")[0])
        return any(address in ipaddress.ip_network(network, strict=False) for network in self.trusted_proxies)

    def _ours(self, host: str) -> bool:
        name = _name(host)
        return name is not None and (_loopback(name) or (self.public_url is not None and name == self._public_name()))

    def _public_name(self) -> str | None:
        return urlsplit(self.public_url or "").hostname

    def _origin_fits(self, request: web.Request, caller: Caller) -> bool:
        """Hold unsafe methods, WebSocket and SSE to our own origin; programs without one need the token itself."""
        streams = "websocket" in request.headers.get("Upgrade", "").lower()
        streams = streams or "text/event-stream" in request.headers.get("Accept", "")
        if request.method in SAFE and not streams:
            return True
        origin = request.headers.get("Origin")
        if origin is None:
            return self._bears_token(request)
        public = urlsplit(self.public_url or "")
        return origin.lower() in {caller.origin, f"{public.scheme}://{public.netloc}".lower()}

    def _known(self, request: web.Request) -> bool:
        cookie = request.cookies.get(COOKIE, "")
        return self._bears_token(request) or self._cookies.get(_digest(cookie), 0.0) > self.clock()

    def _bears_token(self, request: web.Request) -> bool:
        kind, _, given = request.headers.get("Authorization", "").partition(" ")
        return kind.lower() == "bearer" and hmac.compare_digest(_digest(given.strip()), _digest(self.token))


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()


def _first(request: web.Request, header: str) -> str:
    return request.headers.get(header, "").partition(",")[0].strip()


def _name(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _loopback(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def _no(status: int, why: str, headers: dict[str, str] | None = None) -> web.Response:
    return web.Response(status=status, text=f"{why}\n", headers=headers)
