"""The control API refuses whoever is not a program of this machine that was given the token."""

import aiohttp
import pytest
from aiohttp.test_utils import make_mocked_request

from playground.guard import guard, host_name, is_loopback, refusal
from playground.telegram import Emulator


def token(emulator: Emulator) -> dict[str, str]:
    return {"X-Playground-Token": emulator.control_token}


async def status(session: aiohttp.ClientSession, emulator: Emulator, headers: dict[str, str]) -> int:
    async with session.get(f"{emulator.control_url}world", headers=headers) as response:
        return response.status


async def test_the_token_opens_the_door(session: aiohttp.ClientSession, emulator: Emulator) -> None:
    assert await status(session, emulator, token(emulator)) == 200


async def test_no_token_and_a_wrong_token_are_refused(session: aiohttp.ClientSession, emulator: Emulator) -> None:
    assert await status(session, emulator, {}) == 403
    assert await status(session, emulator, {"X-Playground-Token": "x" * 32}) == 403
    assert await status(session, emulator, {"X-Playground-Token": emulator.token}) == 403


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "10.0.0.1", ""])
async def test_a_foreign_host_is_refused(session: aiohttp.ClientSession, emulator: Emulator, host: str) -> None:
    assert await status(session, emulator, {**token(emulator), "Host": host}) == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://{host}"])
async def test_a_foreign_origin_is_refused(session: aiohttp.ClientSession, emulator: Emulator, origin: str) -> None:
    host = emulator.url.removeprefix("http://")
    assert await status(session, emulator, {**token(emulator), "Origin": origin.format(host=host)}) == 403


async def test_our_own_origin_is_let_in(session: aiohttp.ClientSession, emulator: Emulator) -> None:
    assert await status(session, emulator, {**token(emulator), "Origin": emulator.url}) == 200


async def test_a_page_we_serve_elsewhere_is_let_in_when_named(session: aiohttp.ClientSession) -> None:
    page = "http://127.0.0.1:4"
    emulator = Emulator(origins=[page])
    await emulator.start()
    headers = {**token(emulator), "Origin": page, "Sec-Fetch-Site": "cross-site"}
    assert await status(session, emulator, headers) == 200
    await emulator.stop()


async def test_a_cross_site_request_is_refused(session: aiohttp.ClientSession, emulator: Emulator) -> None:
    assert await status(session, emulator, {**token(emulator), "Sec-Fetch-Site": "cross-site"}) == 403
    assert await status(session, emulator, {**token(emulator), "Sec-Fetch-Site": "same-origin"}) == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
async def test_a_body_that_is_not_json_is_refused(
    session: aiohttp.ClientSession, emulator: Emulator, kind: str
) -> None:
    headers = {**token(emulator), "Content-Type": kind}
    url = f"{emulator.control_url}create_user"
    async with session.post(url, data=b'{"first_name": "Eve"}', headers=headers) as response:
        assert response.status == 403
    assert all(user.first_name != "Eve" for user in emulator.world.users.values())


async def test_a_refusal_comes_before_anything_is_done(session: aiohttp.ClientSession, emulator: Emulator) -> None:
    async with session.post(f"{emulator.control_url}create_user", json={"first_name": "Eve"}) as response:
        assert response.status == 403
    assert all(user.first_name != "Eve" for user in emulator.world.users.values())


async def test_each_start_makes_another_token(emulator: Emulator) -> None:
    assert Emulator().control_token != emulator.control_token


async def test_an_open_path_needs_no_token_but_keeps_the_other_rules(session: aiohttp.ClientSession) -> None:
    async def page(_request: aiohttp.web.Request) -> aiohttp.web.Response:
        return aiohttp.web.Response(text="page")

    app = aiohttp.web.Application(middlewares=[guard("secret", open_paths=["/"])])
    app.router.add_get("/", page)
    app.router.add_get("/data", page)
    runner = aiohttp.web.AppRunner(app)
    await runner.setup()
    await aiohttp.web.TCPSite(runner, "127.0.0.1", 0).start()
    base = f"http://127.0.0.1:{runner.addresses[0][1]}"
    seen = []
    for path, headers in (("/", {}), ("/data", {}), ("/", {"Host": "evil.example"})):
        async with session.get(base + path, headers=headers) as response:
            seen.append(response.status)
    await runner.cleanup()
    assert seen == [200, 403, 403]


def test_a_program_of_another_machine_is_refused_even_with_the_token() -> None:
    headers = {"Host": "127.0.0.1", "X-Playground-Token": "secret"}
    request = make_mocked_request("GET", "/", headers=headers).clone(remote="127.0.0.1")
    assert refusal(request, "secret", (), ()) is None
    assert refusal(request.clone(remote="10.0.0.1"), "secret", (), ()) == "only for programs on this machine"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("LOCALHOST", True), ("0.0.0.0", False), ("", False)],  # noqa: S104  # the names are only judged
)
def test_only_loopback_names_count_as_this_machine(name: str, expected: bool) -> None:
    assert is_loopback(name) is expected


def test_the_name_is_taken_out_of_a_host_header() -> None:
    assert [host_name(host) for host in ("[::1]:80", "[::1]", "localhost:80", "localhost")] == [
        "::1", "::1", "localhost", "localhost",
    ]  # fmt: skip
