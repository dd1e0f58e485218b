"""The emulator as the real library sees it: slack_bolt's own Socket Mode client hears events and answers them."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable

import aiohttp
import pytest
from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from playground.guard import TOKEN_HEADER
from playground.slack import Emulator, Person

Say = Callable[[str], Awaitable[object]]


@pytest.fixture
async def emulator() -> AsyncIterator[Emulator]:
    emulator = Emulator()
    emulator.hub.ack_seconds = 0.1
    emulator.hub.retries = (0.0, 0.1, 0.1)
    await emulator.start()
    yield emulator
    await emulator.stop()


@pytest.fixture
def client(emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> AsyncWebClient:
    for name in ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    return AsyncWebClient(token=emulator.bot_token, base_url=emulator.url)


async def test_bolt_hears_a_message_over_its_own_socket_and_answers_it(
    emulator: Emulator, client: AsyncWebClient
) -> None:
    ann = Person.new(emulator, "Ann")
    app = AsyncApp(client=client)

    async def echo(message: dict[str, str], say: Say) -> None:
        await say(f"you said {message['text']}")

    app.message("")(echo)
    handler = AsyncSocketModeHandler(app, emulator.app_token)
    await handler.connect_async()
    try:
        await ann.until(lambda: len(emulator.hub.connections) == 1)
        ann.say("hello")
        await ann.answer("you said hello")
        await ann.until(lambda: emulator.hub.envelopes[0].acked)
    finally:
        await handler.close_async()


async def test_an_event_comes_four_times_and_a_command_once_if_nobody_acknowledges(emulator: Emulator) -> None:
    ann = Person.new(emulator, "Ann")
    async with aiohttp.ClientSession() as session, session.ws_connect(emulator.hub.ticket()) as socket:
        assert (await socket.receive_json())["type"] == "hello"
        ann.say("hello")
        emulator.people.slash(ann.user, ann.chat, "help")
        told = [await socket.receive_json(timeout=5) for _ in range(5)]
    events = [one for one in told if one["type"] == "events_api"]
    assert [one["retry_attempt"] for one in events] == [0, 1, 2, 3]
    assert len({one["payload"]["event_id"] for one in events}) == 1
    assert len({one["envelope_id"] for one in events}) == 4
    assert [one["type"] for one in told].count("slash_commands") == 1


async def test_a_ticket_is_good_once_and_an_expired_one_never(emulator: Emulator) -> None:
    ticket = emulator.hub.ticket()
    emulator.hub.stale_tickets = 1
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(ticket):
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await session.ws_connect(ticket)
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(emulator.hub.ticket())


@pytest.mark.parametrize(
    ("method", "arguments", "code"),
    [
        ("chat.postMessage", {"channel": "C404", "text": "x"}, "channel_not_found"),
        ("chat.postMessage", {"channel": "DM", "text": " "}, "no_text"),
        ("chat.postMessage", {"channel": "DM", "text": "x", "blocks": [{"type": "odd"}]}, "invalid_blocks"),
        ("chat.postMessage", {"channel": "DM", "text": "x", "metadata": {"a": 1}}, "invalid_metadata_format"),
        ("chat.update", {"channel": "DM", "ts": "1.1", "text": "x"}, "message_not_found"),
        ("reactions.add", {"channel": "DM", "timestamp": "1.1", "name": "eyes"}, "message_not_found"),
        ("nonsense.method", {}, "unknown_method"),
    ],
)
async def test_what_slack_refuses_is_refused_in_its_words(
    emulator: Emulator, client: AsyncWebClient, method: str, arguments: dict[str, object], code: str
) -> None:
    ann = Person.new(emulator, "Ann")
    given = {key: ann.chat if value == "DM" else value for key, value in arguments.items()}
    with pytest.raises(SlackApiError) as refused:
        await client.api_call(method, json=given)
    assert refused.value.response["error"] == code


async def test_lengths_scopes_and_rates_are_kept(emulator: Emulator, client: AsyncWebClient) -> None:
    ann = Person.new(emulator, "Ann")
    posted = await client.chat_postMessage(channel=ann.chat, text="x" * 40_001)
    assert posted["warning"] == "message_truncated"
    for call, code in (
        (client.chat_update(channel=ann.chat, ts=posted["ts"], text="x" * 4_001), "msg_too_long"),
        (client.chat_update(channel=ann.chat, ts=ann.say("mine"), text="x"), "cant_update_message"),
    ):
        with pytest.raises(SlackApiError) as refused:
            await call
        assert refused.value.response["error"] == code
    emulator.world.scopes.discard("users:read")
    with pytest.raises(SlackApiError) as refused:
        await client.users_info(user=ann.user)
    assert (refused.value.response["error"], refused.value.response["needed"]) == ("missing_scope", "users:read")
    emulator.rates.limits["chat.postMessage"] = (1, 60.0)
    await client.chat_postMessage(channel=ann.chat, text="one")
    with pytest.raises(SlackApiError) as refused:
        await client.chat_postMessage(channel=ann.chat, text="two")
    assert refused.value.response.status_code == 429
    assert int(refused.value.response.headers["Retry-After"]) > 0


async def test_a_json_body_is_seen_by_writing_methods_only(emulator: Emulator, client: AsyncWebClient) -> None:
    ann = Person.new(emulator, "Ann")
    with pytest.raises(SlackApiError):
        await client.api_call("conversations.history", json={"channel": ann.chat})
    assert (await client.conversations_history(channel=ann.chat))["messages"] == []


async def test_pages_of_a_history_are_newest_first_and_complete(emulator: Emulator, client: AsyncWebClient) -> None:
    ann = Person.new(emulator, "Ann")
    for n in range(5):
        ann.say(f"word {n}")
    found: list[str] = []
    cursor = ""
    while True:
        page = await client.conversations_history(channel=ann.chat, limit=2, cursor=cursor or None)
        found += [message["text"] for message in page["messages"]]
        cursor = page["response_metadata"]["next_cursor"]
        if not cursor:
            break
    assert found == [f"word {n}" for n in reversed(range(5))]


async def test_the_control_api_acts_for_a_person_and_needs_its_token(emulator: Emulator) -> None:
    headers = {TOKEN_HEADER: emulator.control_token}
    async with aiohttp.ClientSession(emulator.control_url, headers=headers) as session:
        user = (await (await session.post("create_user", json={"name": "Bob"})).json())["result"]
        chat = (await (await session.post("open_dm", json={"user": user["id"]})).json())["result"]
        said = await session.post("send_text", json={"user": user["id"], "chat": chat["id"], "text": "hello"})
        assert (await said.json())["result"]["text"] == "hello"
        shown = await (await session.get(f"chats/{chat['id']}/messages")).json()
        assert [message["text"] for message in shown["messages"]] == ["hello"]
        waiting = asyncio.create_task(wait_for_event(session))
        await asyncio.sleep(0)
        emulator.say(user["id"], chat["id"], "again")
        assert (await waiting)["events"]
        assert (await session.post("nonsense", json={})).status == 404
    async with aiohttp.ClientSession(emulator.control_url) as session:
        assert (await session.get("world")).status == 403


async def wait_for_event(session: aiohttp.ClientSession) -> dict[str, object]:
    """Wait for the next event."""
    newest = (await (await session.get("events")).json())["last"]
    found: dict[str, object] = await (await session.get("events", params={"after": newest - 1})).json()
    return found


async def test_it_runs_alone_and_says_where() -> None:

    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "playground.slack", stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    said = json.loads(await asyncio.wait_for(process.stdout.readline(), 20))
    client = AsyncWebClient(token=said["bot_token"], base_url=said["url"])
    client.proxy = None
    assert (await client.auth_test())["ok"]
    process.terminate()
    assert await process.wait() == 0
