"""Who may use the page's server: only the page that was opened with the token of this start, on this machine."""

import re
from pathlib import Path

import pytest

import playground.page
from playground.page.server import FILES, HEADERS
from tests.integration.playground_page.conftest import Stage

CALLS = [
    ("GET", "/api/stream"),
    ("GET", "/api/apps/telegram/files/any"),
    ("POST", "/api/apps/telegram/say"),
    ("POST", "/api/daemon/kill"),
    ("POST", "/api/trouble/clear"),
]
FOREIGN = [
    {"Host": "playground.example"},
    {"Host": "127.0.0.1.nip.example:80"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Sec-Fetch-Site": "cross-site"},
]
FOLDER = Path(playground.page.__file__).parent


async def status(stage: Stage, method: str, path: str, headers: dict[str, str], body: bytes | None = None) -> int:
    async with stage.client.request(method, stage.base + path, headers=headers, data=body) as response:
        return response.status


@pytest.mark.requirement("C1.9", "C8.1")
@pytest.mark.parametrize(("method", "path"), CALLS)
async def test_a_call_without_the_token_or_with_another_is_refused(stage: Stage, method: str, path: str) -> None:
    json = {"Content-Type": "application/json"}
    assert await status(stage, method, path, json) == 403
    assert await status(stage, method, path, json | {"X-Playground-Token": "guess"}) == 403
    assert await status(stage, method, path, json | {"X-Playground-Token": ""}) == 403


@pytest.mark.requirement("C8.1", "B143")
@pytest.mark.parametrize("foreign", FOREIGN, ids=str)
@pytest.mark.parametrize(("method", "path"), CALLS)
async def test_a_foreign_page_is_refused_even_with_the_token(
    stage: Stage, method: str, path: str, foreign: dict[str, str]
) -> None:
    headers = {"X-Playground-Token": stage.page.token, "Content-Type": "application/json"}
    assert await status(stage, method, path, headers | foreign) == 403


@pytest.mark.requirement("C8.1")
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
async def test_a_body_that_is_not_json_is_refused(stage: Stage, kind: str) -> None:
    headers = {"X-Playground-Token": stage.page.token, "Content-Type": kind}
    for method, path in CALLS:
        if method == "POST":
            assert await status(stage, method, path, headers, b'{"user": 1}') == 403


@pytest.mark.requirement("C1.9")
async def test_the_page_itself_loads_without_the_token(stage: Stage) -> None:
    for path in FILES:
        async with stage.client.get(stage.base + path) as response:
            assert response.status == 200
            assert {name: response.headers[name] for name in HEADERS} == HEADERS


@pytest.mark.requirement("C8.1")
@pytest.mark.parametrize("foreign", FOREIGN, ids=str)
async def test_the_page_itself_is_refused_to_foreigners(stage: Stage, foreign: dict[str, str]) -> None:
    assert await status(stage, "GET", "/", foreign) == 403


@pytest.mark.requirement("C8.1")
async def test_the_page_is_served_on_loopback_only(stage: Stage) -> None:
    assert stage.page.runner is not None
    assert [address[0] for address in stage.page.runner.addresses] == ["127.0.0.1"]


async def test_the_token_is_in_no_file_of_the_page_and_in_no_answer(stage: Stage) -> None:
    for path in FILES:
        async with stage.client.get(stage.base + path) as response:
            assert stage.page.token not in await response.text()


async def test_a_body_that_is_no_object_is_an_error_and_breaks_nothing(stage: Stage) -> None:
    headers = {"X-Playground-Token": stage.page.token, "Content-Type": "application/json"}
    for body in (b"[]", b"{", b"null", b"\xff"):
        assert await status(stage, "POST", "/api/apps/telegram/say", headers, body) == 400
    assert await status(stage, "POST", "/api/apps/telegram/no_such_act", headers) == 404
    assert await status(stage, "POST", "/api/apps/no_such_app/say", headers) == 404
    assert await status(stage, "POST", "/api/daemon/no_such_act", headers) == 404
    assert await status(stage, "POST", "/api/trouble/no_such_trouble", headers) == 404


def test_the_page_writes_text_as_text_and_loads_nothing_from_elsewhere() -> None:
    for name, _ in FILES.values():
        text = (FOLDER / name).read_text(encoding="utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text), (
            name
        )
        assert not re.search(r"""(src|href|url\(|from|fetch\()\s*=?\s*["'(]?https?://""", text), name
