"""Which addresses a tool may fetch: public ones over http and https, decided on the number that is connected to.

Promise: a name is resolved once, every number it has must be public, and the connection goes to those numbers only.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Callable
from typing import TypeAlias

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from agent.types import ToolError

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
LONGEST = 2_000  # characters of an address
_NAT64 = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("64:ff9b:1::/48"))
_SIX_TO_FOUR = ipaddress.IPv6Network("2002::/16")
_COMPATIBLE = ipaddress.IPv6Network("::/96")  # an IPv4 address in the last 32 bits, long out of use
_ISATAP = 0x5EFE  # in the third quarter of an address that carries an IPv4 one
_SHARED = ipaddress.IPv4Network("100.64.0.0/10")
_PORTS = range(1, 65536)
_OUR_PORTS = frozenset({22, 23, 25, 110, 143, 465, 587, 993, 995, 3306, 5432, 6379, 11211, 27017})  # no web is there
_LOCAL_NAMES = (
    "localhost",
    "local",
    "internal",
    "lan",
    "home",
    "corp",
    "intranet",
    "home.arpa",
    "onion",
    "localdomain",
)


def allowed(text: str, judge: Callable[[Address], bool] | None = None) -> URL:
    """Read an address that may be tried at all; raises ToolError, which says why not."""
    judge = judge or public
    if len(text) > LONGEST or not text.isprintable() or " " in text:
        raise ToolError("this is not an address: too long, or with signs that no address has")
    try:
        url = URL(text)
        port = url.port
    except ValueError:
        raise ToolError("this is not an address") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise ToolError("only full http and https addresses are fetched")
    if url.user is not None or url.password is not None:
        raise ToolError("an address with a name or a password in it is not fetched")
    if port not in _PORTS or port in _OUR_PORTS:
        raise ToolError(f"nothing is fetched from port {port}")
    host = url.host.rstrip(".").casefold()
    if any(host == name or host.endswith(f".{name}") for name in _LOCAL_NAMES):
        raise ToolError("this name stands for something in your own network, which is not fetched")
    number = _number(host)
    if number is not None and not judge(number):
        raise ToolError("this address is not a public one")
    if number is None and "." not in host:
        raise ToolError("this name stands for something in your own network, which is not fetched")
    return url.with_fragment(None)


def public(address: Address) -> bool:
    """Whether a number belongs to the internet at large, whatever it is wrapped in."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.scope_id is not None:
            return False
        inner = _inside(address)
        if inner is not None:
            return address not in _COMPATIBLE and public(inner)
        return address.is_global and not address.is_multicast and not address.is_site_local
    return address.is_global and not address.is_multicast and not address.is_reserved and address not in _SHARED


def _inside(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Find the IPv4 address that an IPv6 one leads to, by any of the ways there are."""
    low = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _SIX_TO_FOUR:
        return ipaddress.IPv4Address(int(address) >> 80 & 0xFFFFFFFF)
    if address.teredo is not None:
        return address.teredo[1]
    if any(address in network for network in _NAT64) or address in _COMPATIBLE:
        return low
    return low if int(address) >> 32 & 0xFFFF == _ISATAP else None


def _number(host: str) -> Address | None:
    """Read a host that is a number, in every way in which a C library reads one: 127.1, 0x7f000001, 0177.0.0.1."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass_on = host
    try:
        return ipaddress.IPv4Address(socket.inet_aton(pass_on))
    except OSError:
        return None


class GuardedResolver(AbstractResolver):
    """Resolves a name, and hands out its numbers only if every one of them is public."""

    def __init__(self, judge: Callable[[Address], bool] = public) -> None:
        self._judge = judge

    async def resolve(self, host: str, port: int = 0, family: int = socket.AF_UNSPEC) -> list[ResolveResult]:
        """Return the numbers to connect to; raises OSError for a name that has none, ToolError for a private one."""
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, family=family)
        results = []
        for kind, _, protocol, _, where in found:
            number = str(where[0])
            if not self._judge(ipaddress.ip_address(number)):
                raise ToolError("this name leads to an address that is not public")
            results.append(
                ResolveResult(
                    hostname=host,
                    host=number,
                    port=int(where[1]),
                    family=kind,
                    proto=protocol,
                    flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
                )
            )
        return results

    async def close(self) -> None:
        """Nothing is held."""


def connector(judge: Callable[[Address], bool] = public) -> aiohttp.TCPConnector:
    """Make what opens connections to judged numbers only; nothing is cached, so each connection is judged anew."""
    return aiohttp.TCPConnector(
        resolver=GuardedResolver(judge), use_dns_cache=False, force_close=True, socket_factory=_socket(judge)
    )


def _socket(judge: Callable[[Address], bool]) -> Callable[[aiohttp.AddrInfoType], socket.socket]:
    """Judge once more at the socket: a host that is a number never meets the resolver."""

    def make(info: aiohttp.AddrInfoType) -> socket.socket:
        family, kind, protocol, _, where = info
        if not judge(ipaddress.ip_address(str(where[0]))):
            raise ToolError("this address is not a public one")
        return socket.socket(family, kind, protocol)

    return make
