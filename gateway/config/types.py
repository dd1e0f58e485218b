"""The kinds of values that keys hold: zones, times, addresses, identities; each refuses the impossible."""

import ipaddress
import re
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, StringConstraints
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from gateway.config.errors import nearest


class Section(BaseModel):
    """An object of gateway.json: frozen, strict, and closed to unknown keys."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", hide_input_in_errors=True)


def impossible(message: str, hint: str = "", kind: str = "impossible") -> PydanticCustomError:
    """Make the error for a value: a sentence that doesn't repeat it (it may be a secret), and a way out."""
    return PydanticCustomError(kind, "{message}", {"message": message, "hint": hint})


@lru_cache(maxsize=256)
def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        near = nearest(name, available_timezones())
        hint = f"did you mean {near}?" if near else "use a name like Europe/Rome"
        raise impossible("is not a known time zone", hint) from None
    return name


def _clock(text: str) -> str:
    if not re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", text):
        raise impossible("is not a time of day", 'write it as HH:MM, from "00:00" to "23:59"')
    return text


def is_loopback(host: str) -> bool:
    """Tell whether a host name or address can only be this machine."""
    if host.casefold().rstrip(".") == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _host(text: str) -> str:
    if re.search(r"[\s/@?#]", text) or "://" in text:
        raise impossible("is not a host", "write only the name or address, without scheme, port or path")
    if ":" in text:
        try:
            ipaddress.ip_address(text)
        except ValueError:
            raise impossible("is not a host", "the port has a key of its own") from None
    return text


def _url(text: str, schemes: tuple[str, ...]) -> str:
    wanted = " or ".join(f"{scheme}://" for scheme in schemes)
    if re.search(r"\s", text):
        raise impossible("is not an address: it holds white space")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise impossible("is not an address", f"it begins with {wanted}") from None
    if parts.scheme not in schemes or not parts.hostname:
        raise impossible("is not an address that can be used here", f"it begins with {wanted}")
    if port == 0:
        raise impossible("names port 0", "ports go from 1 to 65535")
    return text


def _base_url(text: str) -> str:
    _url(text, ("https", "http"))
    if re.search(r"[?#]", text):
        raise impossible("can't hold ? or #", "paths are appended to it")
    return text.rstrip("/")


def _http_url(text: str) -> str:
    return _url(text, ("https", "http"))


def _secret_url(secret: SecretStr) -> SecretStr:
    _url(secret.get_secret_value(), ("https", "http"))
    return secret


def _ws_url(text: str) -> str:
    return _url(text, ("wss", "ws"))


def _proxy_url(text: str) -> str:
    return _url(text, ("http", "https", "socks5"))


_CROWDS = frozenset({"777000", "1087968824", "136817688"})
_IDENTITIES = {
    "telegram": (r"[1-9][0-9]{0,18}", "telegram:123456789 (the number, never the @name)"),
    "discord": (r"[1-9][0-9]{0,19}", "discord:112233445566778899 (the number, never the name)"),
    "slack": (r"[TE][A-Z0-9]+/[UW][A-Z0-9]+", "slack:T0123ABCD/U0123ABCD (workspace and member id)"),
    "email": (r"[^\s@<>,;:\"]+@[^\s@<>,;:\"]+", "email:ann@example.org"),
    "terminal": (r"[^\s:/@]+", "terminal:ann"),
}
_CONVERSATIONS = {
    "telegram": (r"-[1-9][0-9]{0,18}", "telegram:-1001234567890 (ids of groups are negative)"),
    "discord": (r"[1-9][0-9]{0,19}", "discord:112233445566778899 (the id of the channel, or of the whole server)"),
    "slack": (r"([TE][A-Z0-9]+/)?[CGD][A-Z0-9]+", "slack:C0123ABCD or slack:T0123ABCD/C0123ABCD"),
}


def _shaped(text: str, shapes: dict[str, tuple[str, str]], what: str) -> tuple[str, str]:
    platform, colon, native = text.partition(":")
    if not colon:
        raise impossible(f"is not {what}", f"write it as platform:id, for example {shapes['telegram'][1]}")
    if platform not in shapes:
        near = nearest(platform, shapes)
        known = ", ".join(shapes)
        raise impossible(
            f"is not {what}: no platform has that name", f"did you mean {near}:…?" if near else f"use {known}"
        )
    pattern, example = shapes[platform]
    if not re.fullmatch(pattern, native):
        raise impossible(f"is not {what} on {platform}", f"it looks like {example}")
    return platform, native


def _identity(text: str) -> str:
    platform, native = _shaped(text, _IDENTITIES, "an identity")
    if platform == "telegram" and native in _CROWDS:
        raise impossible("stands for many senders on Telegram and can't be one person")
    return f"email:{native.casefold()}" if platform == "email" else text


def _conversation(text: str) -> str:
    _shaped(text, _CONVERSATIONS, "a group conversation")
    return text


def _network(text: str) -> str:
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise impossible("is not an address or network", "write it as 10.0.0.7 or 10.0.0.0/8") from None
    return text


def _email_address(text: str) -> str:
    if not re.fullmatch(_IDENTITIES["email"][0], text):
        raise impossible("is not a mail address", "write it as name@example.org, without a display name")
    return text


def _token(secret: SecretStr) -> SecretStr:
    if re.search(r"\s", secret.get_secret_value()):
        raise impossible("holds white space", "copy it again without spaces and line breaks")
    return secret


def _existing_file(text: str) -> str:
    path = Path(text).expanduser()
    if not path.is_absolute():
        raise impossible("is not an absolute path")
    if not path.is_file():
        raise impossible("does not exist or is not a file", kind="needs")
    return str(path)


Text: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Zone: TypeAlias = Annotated[str, AfterValidator(_zone)]
Clock: TypeAlias = Annotated[str, AfterValidator(_clock)]
Host: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=255), AfterValidator(_host)]
Port: TypeAlias = Annotated[int, Field(ge=1, le=65535)]
PortOrNone: TypeAlias = Annotated[int, Field(ge=0, le=65535)]
BaseUrl: TypeAlias = Annotated[str, AfterValidator(_base_url)]
HttpUrl: TypeAlias = Annotated[str, AfterValidator(_http_url)]
SecretUrl: TypeAlias = Annotated[SecretStr, Field(min_length=1), AfterValidator(_secret_url)]
WsUrl: TypeAlias = Annotated[str, AfterValidator(_ws_url)]
ProxyUrl: TypeAlias = Annotated[str, AfterValidator(_proxy_url)]
Network: TypeAlias = Annotated[str, AfterValidator(_network)]
MailAddress: TypeAlias = Annotated[str, AfterValidator(_email_address)]
FilePath: TypeAlias = Annotated[str, AfterValidator(_existing_file)]
IdentityText: TypeAlias = Annotated[str, AfterValidator(_identity)]
ConversationText: TypeAlias = Annotated[str, AfterValidator(_conversation)]
Language: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")]
HIDDEN: Final[JsonDict] = {"writeOnly": True}  # marks a text that is as good as a secret, in the schema and here
Secret: TypeAlias = Annotated[SecretStr, Field(min_length=1)]
Token: TypeAlias = Annotated[SecretStr, Field(min_length=1), AfterValidator(_token)]
Seconds: TypeAlias = Annotated[float, Field(gt=0, le=31_536_000)]
Hours: TypeAlias = Annotated[float, Field(gt=0, le=87_600)]
Days: TypeAlias = Annotated[float, Field(gt=0, le=36_500)]
WorkingRole: TypeAlias = Literal["owner", "admin", "user", "guest"]
ModestRole: TypeAlias = Literal["user", "guest"]
PlatformName: TypeAlias = Literal["telegram", "discord", "slack", "email"]
