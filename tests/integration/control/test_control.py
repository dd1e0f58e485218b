"""The control socket answers its own user in bounded lines, and nothing asked there can stop the daemon."""

import asyncio
import json
import os
import socket
import stat
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from gateway.domain.errors import GiveUp, Misconfigured
from gateway.web import control
from gateway.web.control import Connection, ControlServer

Reply = dict[str, object]


async def perform(name: str, args: Mapping[str, object]) -> object:
    """Run the operations of these tests."""
    if name == "echo":
        return dict(args)
    if name == "hang":
        await asyncio.Event().wait()
    if name == "fault":
        return 1 / 0
    if name == "chat":
        return {"name": args["name"]}
    if name == "chat.wake":
        return None
    message = f"there is no operation {name}"
    raise GiveUp(message)


async def shout(name: str, connection: Connection) -> None:
    """Serve a terminal that gets everything back in capitals."""
    while (event := await connection.receive()) is not None:
        await connection.send({"event": "message", "text": f"{name}: {str(event['line']).upper()}"})


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ControlServer]:
    server = ControlServer(tmp_path / "control.sock", perform, shout)
    await server.start()
    yield server
    await server.close()


async def ask(path: Path, *lines: bytes) -> list[Reply]:
    reader, writer = await asyncio.open_unix_connection(path)
    writer.write(b"".join(lines))
    writer.write_eof()
    async with asyncio.timeout(5):
        replies = (await reader.read()).splitlines()
    writer.close()
    await writer.wait_closed()
    return [json.loads(reply) for reply in replies]


def request(op: str, **args: object) -> bytes:
    return json.dumps({"op": op, "args": args}).encode() + b"\n"


async def test_each_request_gets_one_reply_in_order(server: ControlServer) -> None:
    replies = await ask(server.path, request("echo", word="one"), request("nothing"), request("echo", word="two"))
    assert replies == [
        {"ok": True, "result": {"word": "one"}},
        {"ok": False, "error": "there is no operation nothing"},
        {"ok": True, "result": {"word": "two"}},
    ]


@pytest.mark.requirement("C1.6")
async def test_the_socket_belongs_to_its_user_alone(server: ControlServer) -> None:
    assert stat.S_IMODE(server.path.stat().st_mode) == 0o600


@pytest.mark.requirement("C1.6")
async def test_another_user_is_refused(server: ControlServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "peer_uid", lambda _: os.getuid() + 1)
    assert await ask(server.path, request("echo")) == [
        {"ok": False, "error": "only the user who runs the daemon may ask"}
    ]


def test_the_kernel_names_the_peer(tmp_path: Path) -> None:
    listening = control.bind(tmp_path / "s")
    listening.listen()
    with listening, socket.socket(socket.AF_UNIX) as client:
        client.connect(str(tmp_path / "s"))
        accepted, _ = listening.accept()
        with accepted:
            assert control.peer_uid(accepted) == os.getuid()


@pytest.mark.parametrize("line", [b"nonsense\n", b"[1]\n", b'{"op": 7}\n', b'{"op": "echo", "args": []}\n', b"\xff\n"])
async def test_what_is_no_request_is_answered_with_what_one_is(server: ControlServer, line: bytes) -> None:
    (reply,) = await ask(server.path, line)
    assert reply["ok"] is False
    assert await ask(server.path, request("echo")) == [{"ok": True, "result": {}}]


async def test_a_line_without_an_end_is_cut_off(server: ControlServer) -> None:
    (reply,) = await ask(server.path, b"x" * (control.MAX_LINE + 2))
    assert "longer than" in str(reply["error"])


async def test_an_operation_that_hangs_is_given_up(server: ControlServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "DEADLINE_SECONDS", 0.05)
    (reply,) = await ask(server.path, request("hang"))
    assert "took longer" in str(reply["error"])


async def test_a_fault_in_an_operation_ends_that_connection_and_nothing_else(server: ControlServer) -> None:
    complaints: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context["exception"]))
    assert await ask(server.path, request("fault")) == []
    assert await ask(server.path, request("echo")) == [{"ok": True, "result": {}}]
    assert [type(complaint) for complaint in complaints] == [ZeroDivisionError]


async def test_a_silent_peer_is_hung_up_on(server: ControlServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "IDLE_SECONDS", 0.05)
    reader, writer = await asyncio.open_unix_connection(server.path)
    async with asyncio.timeout(5):
        assert await reader.read() == b""
    writer.close()


async def test_a_chat_turns_the_connection_into_a_talk(server: ControlServer) -> None:
    replies = await ask(server.path, request("chat", name="ann"), b'{"line": "hello"}\n')
    assert replies == [{"ok": True, "result": {"name": "ann"}}, {"event": "message", "text": "ann: HELLO"}]


async def test_more_peers_than_allowed_are_turned_away(server: ControlServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "MAX_PEERS", 0)
    (reply,) = await ask(server.path, request("echo"))
    assert "already" in str(reply["error"])


async def test_the_socket_of_a_dead_process_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    server = ControlServer(path, perform, shout)
    await server.start()
    assert await ask(path, request("echo")) == [{"ok": True, "result": {}}]
    await server.close()
    assert not path.exists()


async def test_a_file_in_the_way_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "control.sock").write_text("mine")
    with pytest.raises(Misconfigured, match="in its way"):
        await ControlServer(tmp_path / "control.sock", perform, shout).start()
    assert (tmp_path / "control.sock").read_text() == "mine"


async def test_closing_ends_every_connection(tmp_path: Path) -> None:
    server = ControlServer(tmp_path / "control.sock", perform, shout)
    await server.start()
    reader, writer = await asyncio.open_unix_connection(server.path)
    writer.write(request("chat", name="ann"))
    await reader.readline()
    async with asyncio.timeout(5):
        await server.close()
        assert await reader.read() == b""
    writer.close()
