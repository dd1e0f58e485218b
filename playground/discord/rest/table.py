"""Which call is answered by what: method and path to a name and a handler."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from playground.discord.rest import answers, messages, places
from playground.discord.rest.request import Handler


class Route(NamedTuple):
    """One kind of call; `open` ones carry their right in the path instead of the bot's token."""

    method: str
    pattern: re.Pattern[str]
    name: str
    handler: Handler
    open: bool = False


def _route(method: str, path: str, name: str, handler: Handler, *, free: bool = False) -> Route:
    pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path))
    return Route(method, pattern, name, handler, free)


_CHANNEL = "/channels/{channel}"
_MESSAGE = "/channels/{channel}/messages/{message}"
_ORIGINAL = "/webhooks/{application}/{token}/messages/@original"
ROUTES: tuple[Route, ...] = (
    _route("GET", "/users/@me", "GET me", places.me),
    _route("GET", "/(?:oauth2/)?applications/@me", "GET application", places.application),
    _route("GET", "/gateway(?:/bot)?", "GET gateway", places.gateway),
    _route("DELETE", "/users/@me/guilds/{guild}", "DELETE guild", places.leave),
    _route("POST", "/users/@me/channels", "POST direct", places.open_direct),
    _route("GET", _CHANNEL, "GET channel", places.channel),
    _route("GET", f"{_CHANNEL}/messages", "GET messages", messages.history),
    _route("POST", f"{_CHANNEL}/messages", "POST messages", messages.create),
    _route("GET", _MESSAGE, "GET message", messages.one),
    _route("PATCH", _MESSAGE, "PATCH message", messages.edit),
    _route("DELETE", _MESSAGE, "DELETE message", messages.delete),
    _route("PUT", f"{_MESSAGE}/reactions/{{emoji}}/@me", "PUT reaction", messages.react),
    _route("DELETE", f"{_MESSAGE}/reactions/{{emoji}}/@me", "DELETE reaction", messages.unreact),
    _route("POST", f"{_CHANNEL}/typing", "POST typing", messages.typing),
    _route("POST", f"{_MESSAGE}/threads", "POST thread", places.thread_from),
    _route("POST", f"{_CHANNEL}/threads", "POST thread", places.threads),
    _route("GET", "/applications/{application}/commands", "GET commands", places.get_commands),
    _route("PUT", "/applications/{application}/commands", "PUT commands", places.put_commands),
    _route("GET", "/applications/{application}/guilds/{guild}/commands", "GET commands", places.get_commands),
    _route("PUT", "/applications/{application}/guilds/{guild}/commands", "PUT commands", places.put_commands),
    _route("POST", "/interactions/{interaction}/{token}/callback", "POST callback", answers.callback, free=True),
    _route("GET", _ORIGINAL, "GET original", answers.original, free=True),
    _route("PATCH", _ORIGINAL, "PATCH original", answers.edit_original, free=True),
    _route("DELETE", _ORIGINAL, "DELETE original", answers.delete_original, free=True),
    _route("POST", "/webhooks/{application}/{token}", "POST follow-up", answers.follow_up, free=True),
)


def find(method: str, path: str) -> tuple[Route, Mapping[str, str]] | None:
    """Find the route of a call and the parts of its path."""
    for route in ROUTES:
        if route.method == method and (match := route.pattern.fullmatch(path)):
            return route, match.groupdict()
    return None
