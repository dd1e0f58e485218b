"""The web is fetched from public addresses only, whatever an address looks like and wherever it leads."""

import asyncio
import ipaddress
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from agent.types import ToolError
from agent.web import fetching
from agent.web.fetching import fetch
from agent.web.guard import GuardedResolver, allowed, connector, public

PRIVATE = [
    "http://127.0.0.1/",
    "http://127.1/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://2130706433/",
    "http://0/",
    "http://0.0.0.0/",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://[::]/",
    "http://[fe80::1]/",
    "http://[fe80::1%25eth0]/",
    "http://[fc00::1]/",
    "http://[fec0::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[64:ff9b:1::a00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[2002:a9fe:a9fe::1]/",
    "http://[2001:db8::5efe:7f00:1]/",
    "http://[2001:0:0:0:0:0:80ff:fffe]/",
    "http://224.0.0.1/",
    "http://255.255.255.255/",
    "http://[ff02::1]/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://x.localhost/",
    "http://printer.local/",
    "http://router.lan/",
    "http://metadata.google.internal/",
    "http://intranet/",
    "http://\u2460\u2461\u2466.0.0.1/",
    "http://127\u30020\u30020\u30021/",
    "http://example.org:22/",
    "http://example.org:6379/",
    "http://ann:word@example.org/",
    "file:///etc/passwd",
    "gopher://example.org/",
    "ftp://example.org/",
    "javascript:alert(1)",
    "data:text/html,x",
    "//example.org/",
    "example.org",
    "http://",
    "http:///x",
    "http://example.org\n.evil.example/",
    "http://example.org/ x",
    "http://example.org/" + "a" * 3000,
]


@pytest.mark.requirement("A2")
@pytest.mark.parametrize("address", PRIVATE)
async def test_what_is_not_public_is_refused_before_anything_is_connected(address: str) -> None:
    with pytest.raises(ToolError):
        await fetch(address)


@pytest.mark.parametrize(
    "address", ["https://example.org/a?b=c#d", "http://93.184.216.34/", "http://[2606:2800:220::1]/"]
)
def test_public_addresses_are_taken(address: str) -> None:
    assert str(allowed(address)) == address.partition("#")[0]


def test_numbers_are_judged_whatever_they_are_wrapped_in() -> None:
    for text in ("8.8.8.8", "2606:4700::1111", "64:ff9b::808:808", "2002:808:808::1", "::ffff:8.8.8.8"):
        assert public(ipaddress.ip_address(text)), text
    for text in ("198.18.0.1", "192.0.2.1", "203.0.113.9", "240.0.0.1", "2001:db8::1", "::8.8.8.8", "fe80::1%1"):
        assert not public(ipaddress.ip_address(text)), text


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def site(**pages: Handler) -> AsyncIterator[str]:
    """Serve pages on loopback."""
    app = web.Application()
    for name, handler in pages.items():
        app.router.add_get(f"/{name}", handler)
    runner = web.AppRunner(app)
    await runner.setup()
    port = web.TCPSite(runner, "127.0.0.1", 0)
    await port.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def near(_: object) -> bool:
    """Let tests reach loopback."""
    return True


def html(text: str, **more: str) -> Handler:
    """Make a page."""

    async def handle(_: web.Request) -> web.Response:
        return web.Response(text=text, content_type="text/html", headers=more)

    return handle


def leads_to(where: str) -> Handler:
    """Make a redirect."""

    async def handle(_: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": where})

    return handle


async def test_a_page_comes_as_text_without_what_is_hidden_in_it() -> None:
    page = """<html><head><title> A  page </title><script>evil()</script></head><body><h1>Hello</h1>
    <p>One <b>two</b></p><p hidden>secret orders</p><div style="display:none">obey me</div>
    <span style="font-size:0">tiny orders</span><span style="opacity: 0.0">clear</span>
    <div aria-hidden="true">unheard</div><!-- remarks --><noscript>nay</noscript><template>t</template>
    <ul><li>first<li>second</ul><a href="/next#part">on</a><a href="javascript:x()">no</a>
    <a href="http://other.example/?q=1">there</a></body></html>"""
    async with site(p=html(page)) as base:
        found = await fetch(f"{base}/p", judge=near)
        assert found.title == "A page"
        for words in ("secret orders", "obey me", "tiny orders", "clear", "unheard", "remarks", "evil", "nay"):
            assert words not in found.text
        assert found.text.splitlines()[0] == "Hello"
        assert "One two" in found.text
        assert "- first" in found.text
        assert found.links == (f"{base}/next", "http://other.example/?q=1")


async def test_redirects_are_judged_like_first_addresses() -> None:
    def only_the_first(address: object) -> bool:
        return str(address) == "127.0.0.1"

    async def inner(_: web.Request) -> web.Response:
        raise AssertionError("must not be reached")

    async with site(secret=inner) as other:
        port = other.rpartition(":")[2]
        goals = (
            f"http://127.0.0.2:{port}/secret",
            "file:///etc/passwd",
            "http://localhost/",
            "http://169.254.169.254/",
        )
        for goal in goals:
            async with site(start=leads_to(goal)) as base:
                with pytest.raises(ToolError, match="leads on"):
                    await fetch(f"{base}/start", judge=only_the_first)


async def test_a_loop_of_redirects_ends() -> None:
    async with site(a=leads_to("/a")) as base:
        with pytest.raises(ToolError, match="more than"):
            await fetch(f"{base}/a", judge=near)


async def test_what_is_too_long_is_cut_and_what_is_no_text_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "BYTES", 1000)

    async def picture(_: web.Request) -> web.Response:
        return web.Response(body=b"\x89PNG", content_type="image/png")

    async def wrong(_: web.Request) -> web.Response:
        return web.Response(status=500, text="x")

    async def packed(_: web.Request) -> web.Response:
        made = web.Response(text="z" * 5_000_000)
        made.enable_compression(web.ContentCoding.gzip)
        return made

    async with site(long=html("x" * 5000), picture=picture, wrong=wrong, packed=packed) as base:
        found = await fetch(f"{base}/long", judge=near)
        assert (len(found.text), found.cut) == (1000, True)
        assert len((await fetch(f"{base}/packed", judge=near)).text) == 1000
        with pytest.raises(ToolError, match="image/png"):
            await fetch(f"{base}/picture", judge=near)
        with pytest.raises(ToolError, match="500"):
            await fetch(f"{base}/wrong", judge=near)


async def test_a_slow_page_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "SECONDS", 0.2)
    gate = asyncio.Event()

    async def slow(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/plain"})
        await response.prepare(request)
        await response.write(b"one")
        await gate.wait()
        return response

    async with site(slow=slow) as base:
        with pytest.raises(ToolError, match="no answer"):
            await fetch(f"{base}/slow", judge=near)
        gate.set()


async def test_nothing_of_ours_goes_along() -> None:
    seen: list[dict[str, str]] = []

    async def look(request: web.Request) -> web.Response:
        seen.append(dict(request.headers))
        return web.Response(text="x", headers={"Set-Cookie": "a=b"})

    async with site(look=look, on=leads_to("/look")) as base:
        await fetch(f"{base}/on", judge=near)
        await fetch(f"{base}/look", judge=near)
    assert all({"Cookie", "Referer", "Authorization"}.isdisjoint(headers) for headers in seen)


async def test_a_name_is_resolved_once_and_every_number_of_it_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    numbers = [["93.184.216.34", "10.0.0.1"], ["127.0.0.1"]]

    async def lookup(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in numbers[0]]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", lookup)
    for _ in range(2):
        with pytest.raises(ToolError, match="not public"):
            await fetch("http://mixed.example/")
        numbers.pop(0) if len(numbers) > 1 else None
    assert asked == ["mixed.example", "mixed.example"]


async def test_a_name_that_changes_its_number_meanwhile_gains_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number that was judged is the number that is connected to: a second look-up would lead inside."""
    answers = [["93.184.216.34"], ["127.0.0.1"]]
    connected: list[str] = []

    async def lookup(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        now = answers.pop(0) if len(answers) > 1 else answers[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in now]

    async def connect(_: object, where: tuple[str, int]) -> None:
        connected.append(where[0])
        raise OSError("no network here")

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(loop, "getaddrinfo", lookup)
    monkeypatch.setattr(loop, "sock_connect", connect)
    with pytest.raises(ToolError, match="cannot be reached"):
        await fetch("http://rebind.example/")
    assert connected == ["93.184.216.34"]


async def test_a_host_that_is_a_number_is_judged_at_the_socket_too() -> None:
    holder = connector()
    try:
        assert isinstance(holder._resolver, GuardedResolver)
        make = holder._socket_factory
        assert make is not None
        with pytest.raises(ToolError):
            make((socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 80)))
    finally:
        await holder.close()
