"""The workspace holds: nothing outside it is read or written, whatever the names say and whoever renames things."""

import ctypes
import json
import os
import socket
import threading
from pathlib import Path

import pytest

from agent.tools.base import ToolContext
from agent.tools.files import files_tools
from agent.tools.workspace import DEPTH, FILE_BYTES, Workspace
from agent.types import ToolError
from playground.model import answers
from playground.model.answers import ToolCall
from tests.harness.house import House, running

HIDDEN = "what nobody may read"
TOOLS = {tool.name: tool for tool in files_tools()}
USERS = {"access": {"unknown": "open", "open_role": "user"}}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Make a workspace with a secret beside it."""
    (tmp_path / "secret.txt").write_text(HIDDEN)
    root = tmp_path / "workspace"
    root.mkdir()
    (root / "notes").mkdir()
    (root / "notes" / "today.md").write_text("milk\neggs\nMilk again\n")
    return root


async def use(place: Path, name: str, **arguments: object) -> str:
    context = ToolContext(role="user", timezone="UTC", now=lambda: 0.0, workspace=place)
    return (await TOOLS[name].run(json.dumps(arguments), context)).content


async def test_files_are_written_read_changed_listed_and_found(place: Path) -> None:
    assert (
        await use(place, "write_file", path="a/b/new.txt", content="one\ntwo\nthree")
        == "written: a/b/new.txt, 13 bytes"
    )
    assert await use(place, "read_file", path="a/b/new.txt") == "one\ntwo\nthree"
    assert await use(place, "read_file", path="./a//b/new.txt", first_line=2, lines=1) == "two\n[lines 2 to 2 of 3]"
    await use(place, "edit_file", path="a/b/new.txt", old="two", new="2")
    assert await use(place, "list_files") == "a/\na/b/\na/b/new.txt (11 bytes)\nnotes/\nnotes/today.md (21 bytes)"
    assert await use(place, "search_files", words="MILK") == "notes/today.md:1: milk\nnotes/today.md:3: Milk again"
    assert await use(place, "search_files", words="two", names="*.md") == "(nothing found)"


async def test_an_edit_needs_exactly_one_passage(place: Path) -> None:
    for old in ("ilk", "bread", ""):
        with pytest.raises(ToolError, match="exactly once"):
            await use(place, "edit_file", path="notes/today.md", old=old, new="x")


async def test_a_workspace_that_is_not_there_yet_is_empty_and_made_for_its_owner_only(tmp_path: Path) -> None:
    root = tmp_path / "people" / "p1" / "workspace"
    assert await use(root, "list_files") == "(the workspace is empty)"
    assert await use(root, "search_files", words="x") == "(nothing found)"
    await use(root, "write_file", path="x", content="y")
    assert root.stat().st_mode & 0o077 == 0
    assert (root / "x").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt",
        "notes/../../secret.txt",
        "notes/..",
        "..",
        "",
        ".",
        "/etc/passwd",
        "//etc/passwd",
        "~/.ssh/id_rsa",
        "~root/x",
        "\\\\server\\share",
        "\uff0e\uff0e/secret.txt",  # full-width dots
        "\u2025/secret.txt",  # a two-dot leader, which becomes ..
        "..\uff0fsecret.txt",  # full-width slash
        "notes\uff3c..\uff3csecret.txt",
        ". ./secret.txt/../x\0",
        "notes/today.md\0.txt",
        "notes\n/x",
        "a\u202etxt.exe",
        "n" * 256,
        "ä" * 128,
        "/".join("d" * (DEPTH + 2)),
        "/proc/self/environ",
        "proc/../../../proc/self/environ",
        ".unfinished-1",
    ],
)
@pytest.mark.parametrize("name", ["read_file", "write_file", "edit_file"])
async def test_no_name_leads_out(place: Path, path: str, name: str) -> None:
    more = {"read_file": {}, "write_file": {"content": "x"}, "edit_file": {"old": "a", "new": "b"}}[name]
    before = sorted(str(one) for one in place.parent.rglob("*"))
    with pytest.raises(ToolError):
        await use(place, name, path=path, **more)
    assert sorted(str(one) for one in place.parent.rglob("*")) == before
    assert (place.parent / "secret.txt").read_text() == HIDDEN


@pytest.mark.parametrize("path", ["*", "notes/*", "$HOME", "${HOME}/x", "`id`", "$(id)", "%2e%2e%2fsecret.txt", "-rf"])
async def test_signs_of_a_shell_are_names_and_nothing_else(place: Path, path: str) -> None:
    await use(place, "write_file", path=path, content="plain")
    assert (place / path).read_text() == "plain"
    assert await use(place, "read_file", path=path) == "plain"


@pytest.mark.requirement("A1")
async def test_links_are_neither_followed_nor_listed_nor_searched(place: Path) -> None:
    (place / "link").symlink_to("../secret.txt")
    (place / "absolute").symlink_to(place.parent / "secret.txt")
    (place / "out").symlink_to("..")
    (place / "inside").symlink_to("notes/today.md")
    for path in ("link", "absolute", "out/secret.txt", "inside"):
        with pytest.raises(ToolError, match="link"):
            await use(place, "read_file", path=path)
        with pytest.raises(ToolError, match="link"):
            await use(place, "write_file", path=path, content="x")
        with pytest.raises(ToolError, match="link"):
            await use(place, "edit_file", path=path, old="milk", new="x")
    assert HIDDEN not in await use(place, "search_files", words="nobody")
    assert "out" not in await use(place, "list_files")
    with pytest.raises(ToolError):
        await use(place, "list_files", folder="out")
    assert (place.parent / "secret.txt").read_text() == HIDDEN


async def test_a_second_name_of_a_file_outside_is_not_touched(place: Path) -> None:
    os.link(place.parent / "secret.txt", place / "hard")
    for name, more in (("read_file", {}), ("write_file", {"content": "x"}), ("edit_file", {"old": "a", "new": "b"})):
        with pytest.raises(ToolError, match="second name"):
            await use(place, name, path="hard", **more)
    assert await use(place, "search_files", words="nobody") == "(nothing found)"
    assert (place.parent / "secret.txt").read_text() == HIDDEN


async def test_pipes_sockets_and_devices_are_no_files_and_hold_nobody_up(place: Path) -> None:
    os.mkfifo(place / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.fspath(place / "s"))
        for path in ("pipe", "s"):
            with pytest.raises(ToolError):
                await use(place, "read_file", path=path)
            with pytest.raises(ToolError):
                await use(place, "write_file", path=path, content="x")


async def test_a_workspace_that_is_itself_a_link_is_not_entered(place: Path) -> None:
    fake = place.parent / "fake"
    fake.symlink_to("..")
    with pytest.raises(ToolError, match="link"):
        await use(fake, "list_files")


def test_a_folder_that_is_swapped_for_a_link_while_it_is_walked_leads_nowhere(place: Path) -> None:
    outside = place.parent / "outside"
    (outside / "deep").mkdir(parents=True)
    (outside / "deep" / "f").write_text(HIDDEN)
    (place / "d" / "deep").mkdir(parents=True)
    (place / "d" / "deep" / "f").write_text("ours")
    (place / "other").symlink_to(outside)
    ended = threading.Event()

    exchange = ctypes.CDLL(None, use_errno=True).renameat2  # both names at once, so that each is always there

    def swap() -> None:
        one, other = os.fsencode(place / "d"), os.fsencode(place / "other")
        while not ended.is_set():
            exchange(-100, one, -100, other, 2)

    swapper = threading.Thread(target=swap)
    swapper.start()
    seen: set[str] = set()
    try:
        for n in range(1500):
            try:
                seen.add(Workspace(place).read("d/deep/f", 100).decode())
                if n % 5 == 0:
                    Workspace(place).write("d/deep/g", b"ours")
            except ToolError:
                seen.add("refused")
    finally:
        ended.set()
        swapper.join()
    assert seen <= {"ours", "refused"}
    assert "ours" in seen
    assert sorted(one.name for one in (outside / "deep").iterdir()) == ["f"]


async def test_what_is_too_much_is_refused_and_nothing_half_written_stays(place: Path) -> None:
    with pytest.raises(ToolError, match="KiB"):
        await use(place, "write_file", path="big", content="x" * (FILE_BYTES + 1))
    (place / "blob").write_bytes(b"a\0b")
    with pytest.raises(ToolError, match="not a text"):
        await use(place, "read_file", path="blob")
    with pytest.raises(ToolError, match="folder"):
        await use(place, "write_file", path="notes", content="x")
    assert not [one for one in place.rglob("*") if one.name.startswith(".unfinished-")]


async def test_no_error_holds_a_path_of_ours(place: Path) -> None:
    for path in ("missing", "notes", "notes/today.md/x", "../x"):
        with pytest.raises(ToolError) as caught:
            await use(place, "read_file", path=path)
        assert str(place.parent) not in str(caught.value)


def calls(house: House, name: str, **arguments: object) -> None:
    """Let the model call a tool and then say it is done."""
    house.model.when("please", answers.text("all told"))
    house.model.when("please", answers.tools(ToolCall(name=name, arguments=json.dumps(arguments))), times=1)


@pytest.mark.requirement("A1", "C5.18")
async def test_everybody_has_a_workspace_of_their_own_and_guests_have_none(tmp_path: Path) -> None:
    async with running(tmp_path, USERS) as house:
        ann, bob = house.phone("Ann"), house.phone("Bob")
        calls(house, "write_file", path="diary.txt", content="Ann was here")
        ann.send("please")
        await ann.answer("all told")
        calls(house, "read_file", path="diary.txt")
        bob.send("please")
        await bob.answer("all told")
        assert "no such file" in house.prompts()[-1][-1]["content"]
        files = list((tmp_path / "agents" / "main" / "people").glob("*/workspace/diary.txt"))
        assert [one.read_text() for one in files] == ["Ann was here"]
    (tmp_path / "guests").mkdir()
    async with running(tmp_path / "guests", {"access": {"open_role": "guest"}}) as house:
        calls(house, "write_file", path="diary.txt", content="x")
        cay = house.phone("Cay")
        cay.send("please")
        await cay.answer("all told")
        assert "not allowed" in house.prompts()[-1][-1]["content"]
        offered = [one["function"]["name"] for one in house.model.requests[0].body["tools"]]
        assert offered == ["current_time"]
        assert not (tmp_path / "guests" / "agents" / "main" / "people").exists()
