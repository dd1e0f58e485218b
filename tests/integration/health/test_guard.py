"""Loopback is not a login: what the web server wants to see before it says anything."""

import asyncio
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from aiohttp.test_utils import make_mocked_request

from gateway.web.guard import Guard
from tests.harness.house import running
from tests.integration.health.conftest import BOUND, Browser, free_port, served

pytestmark = pytest.mark.requirement("C8.4")
CLOSED = ("/", "/status.json", "/nothing", "/login", "/metrics/")


async def test_all_but_health_and_metrics_needs_the_token(browser: Browser) -> None:
    for path in CLOSED:
        assert (await browser.get(path)).status == 401, path
        assert (await browser.get(path, Authorization="Bearer wrong")).status == 401, path
    assert (await browser.with_token("/status.json")).status == 200
    assert "<h1>dragoman" in (await browser.with_token("/")).text
    assert (await browser.with_token("/nothing")).status == 404


async def test_the_token_is_made_once_and_is_its_owners_only(browser: Browser) -> None:
    made = browser.token
    assert len(made) >= 40
    assert stat.S_IMODE((browser.house.root / "http-token").stat().st_mode) == 0o600
    await browser.house.stop()
    await browser.house.start()
    assert browser.token == made


async def test_a_token_of_the_configuration_counts_instead(tmp_path: Path) -> None:
    async with served(tmp_path, {"http": {"token": "a-token-of-my-own"}}) as browser:
        assert (await browser.get("/", Authorization="Bearer a-token-of-my-own")).status == 200
        assert not (tmp_path / "http-token").exists()


async def test_a_foreign_host_is_refused_everywhere(browser: Browser) -> None:
    for path in ("/healthz", "/metrics", "/"):
        for host in ("evil.example", "127.0.0.1.evil.example", "10.0.0.1", "[::ffff:10.0.0.1]:80", "localhost@evil"):
            assert (await browser.with_token(path, Host=host)).status == 403, (path, host)
        for host in ("localhost", f"LOCALHOST:{browser.port}", "[::1]", "127.0.0.9"):
            assert (await browser.with_token(path, Host=host)).status == 200, (path, host)


async def test_the_public_url_is_a_host_of_ours(tmp_path: Path) -> None:
    async with served(tmp_path, {"http": {"public_url": "https://bot.example.org"}}) as browser:
        assert (await browser.get("/healthz", Host="bot.example.org")).status == 200
        assert (await browser.get("/healthz", Host="example.org")).status == 403


async def test_the_dashboards_address_lets_in_once(browser: Browser) -> None:
    address = (await browser.house.ask("dashboard"))["result"]["address"]
    first = await browser.get(address)
    assert (first.status, first.headers["Location"]) == (303, "/")
    cookie = first.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert (await browser.get(address)).status == 403
    assert (await browser.get("/", Cookie=cookie.split(";")[0])).status == 200
    assert browser.token not in cookie


async def test_a_log_out_makes_the_cookie_worthless_and_only_our_page_may_do_it(browser: Browser) -> None:
    address = (await browser.house.ask("dashboard"))["result"]["address"]
    cookie = (await browser.get(address)).headers["Set-Cookie"].split(";")[0]
    for origin in ("https://evil.example", "null", f"http://127.0.0.1:{browser.port + 1}"):
        assert (await browser.get("/logout", "POST", Cookie=cookie, Origin=origin)).status == 403
    assert (await browser.get("/logout", "POST", Cookie=cookie)).status == 403
    ours = f"http://127.0.0.1:{browser.port}"
    assert (await browser.get("/logout", "POST", Cookie=cookie, Origin=ours)).status == 200
    assert (await browser.get("/", Cookie=cookie)).status == 401


async def test_streams_and_sockets_are_held_to_our_origin_too(browser: Browser) -> None:
    ours = f"http://127.0.0.1:{browser.port}"
    for headers in ({"Upgrade": "websocket", "Connection": "Upgrade"}, {"Accept": "text/event-stream"}):
        assert (await browser.with_token("/", Origin="https://evil.example", **headers)).status == 403
        assert (await browser.with_token("/", Origin=ours, **headers)).status == 200


async def test_answers_may_be_framed_kept_and_sniffed_by_nobody(browser: Browser) -> None:
    headers = (await browser.with_token("/")).headers
    assert headers["Cache-Control"] == "no-store"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "aiohttp" not in headers["Server"]


def test_a_code_is_too_old_after_sixty_seconds() -> None:
    now = [0.0]
    guard = Guard(token="t", public_url=None, trusted_proxies=(), clock=lambda: now[0])
    early, late = guard.code(), guard.code()
    now[0] = 59.0
    assert guard.redeem(early) is not None
    now[0] = 60.0
    assert guard.redeem(late) is None
    assert guard.redeem("made-up") is None


@pytest.mark.parametrize(
    ("remote", "trusted", "host"),
    [
        ("127.0.0.1", (), "127.0.0.1:1"),
        ("10.1.2.3", ("127.0.0.1",), "127.0.0.1:1"),
        ("127.0.0.1", ("127.0.0.0/8",), "bot.example.org"),
        ("10.1.2.3", ("127.0.0.1", "10.0.0.0/8"), "bot.example.org"),
    ],
)
def test_forwarded_headers_count_only_from_a_trusted_proxy(remote: str, trusted: tuple[str, ...], host: str) -> None:
    headers = {"Host": "127.0.0.1:1", "X-Forwarded-Host": "bot.example.org", "X-Forwarded-Proto": "https"}
    request = make_mocked_request("GET", "/", headers=headers).clone(remote=remote)
    caller = Guard(token="t", public_url=None, trusted_proxies=trusted).caller(request)
    assert (caller.host, caller.scheme) == (host, "https" if host.startswith("bot") else "http")


@pytest.mark.requirement("C8.5")
async def test_a_taken_port_stops_nothing_is_told_and_taken_later(tmp_path: Path) -> None:
    port = free_port()
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        async with running(tmp_path, {"http": {"port": port}}) as house:
            assert house.app is not None
            house.app.front.again = 0.05
            await house.until(lambda: house.app and house.app.front.trouble)
            ann = house.phone()
            ann.send("echo still here")
            await ann.answer("still here")
            problems = (await house.ask("status"))["result"]["problems"]
            assert [line for line in problems if str(port) in line]
            assert not (await house.ask("dashboard"))["ok"]
            other.close()
            async with asyncio.timeout(BOUND):
                await house.app.front.up.wait()
            problems = (await house.ask("status"))["result"]["problems"]
            assert not [line for line in problems if str(port) in line]


def test_the_server_is_imported_only_where_it_is_wanted() -> None:
    code = "import sys, gateway.app; sys.exit(sum(name in sys.modules for name in ('aiohttp.web', 'gateway.web.http')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
