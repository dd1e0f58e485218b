"""Who may call a control API: only a program on this machine that was given the token of this start."""

import hmac
from collections.abc import Collection
from ipaddress import ip_address

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler, Middleware

TOKEN_HEADER = "X-Playground-Token"  # noqa: S105  # the header's name, not a secret
SAFE_METHODS = frozenset({hdrs.METH_GET, hdrs.METH_HEAD})


def guard(token: str, *, open_paths: Collection[str] = (), origins: Collection[str] = ()) -> Middleware:
    """Answer 403 to what is not ours; `open_paths` need no token, `origins` are pages we serve."""

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        reason = refusal(request, token, open_paths, origins)
        if reason:
            return web.json_response({"ok": False, "error": reason}, status=403)
        return await handler(request)

    return check


def refusal(request: web.Request, token: str, open_paths: Collection[str], origins: Collection[str]) -> str | None:
    """Say why a request is refused, or nothing when it may pass."""
    foreign = foreign_host(request) or foreign_page(request, origins)
    if foreign:
        return foreign
    if request.method not in SAFE_METHODS and request.body_exists and request.content_type != "application/json":
        return "the body must be application/json"
    if request.path in open_paths and request.method in SAFE_METHODS:
        return None
    given = request.headers.get(TOKEN_HEADER, "")
    if not hmac.compare_digest(given.encode(), token.encode()):
        return f"the header {TOKEN_HEADER} must carry the token of this start"
    return None


def foreign_host(request: web.Request) -> str | None:
    """Say why a request did not come over loopback to a loopback name, or nothing when it did."""
    if not is_loopback(request.remote or ""):
        return "only for programs on this machine"
    if not is_loopback(host_name(request.headers.get(hdrs.HOST, ""))):
        return "foreign Host"
    return None


def foreign_page(request: web.Request, origins: Collection[str]) -> str | None:
    """Say why the page that sent a request is not ours, or nothing when it is or no page sent it."""
    origin = request.headers.get(hdrs.ORIGIN)
    if origin is not None and origin not in origins:
        same = f"{request.scheme}://{request.headers.get(hdrs.HOST, '')}"
        if origin != same:
            return "foreign Origin"
    if request.headers.get("Sec-Fetch-Site", "none") == "cross-site" and origin not in origins:
        return "cross-site request"
    return None


def host_name(host: str) -> str:
    """Take the name out of a Host header, without its port and brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def is_loopback(name: str) -> bool:
    """Tell whether a name or address is this machine and nothing else."""
    if name.lower() == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
