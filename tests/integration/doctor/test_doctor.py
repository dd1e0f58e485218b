"""Each thing that is wrong is found and named with the command that mends it; nothing secret is shown."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from playground.telegram.client import Phone
from tests.integration.setup.conftest import KEY, Desk


async def findings(desk: Desk, *words: str) -> tuple[int, dict[str, Any]]:
    """Ask the doctor, and sort what it found by area; the worst of each area counts."""
    ended = await desk.dragoman("doctor", "--json", *words)
    order = ["ok", "note", "wrong"]
    found: dict[str, Any] = {}
    for one in ended.json["findings"]:
        if one["area"] not in found or order.index(one["state"]) > order.index(found[one["area"]]["state"]):
            found[one["area"]] = one
    assert all(one["mend"] for one in found.values() if one["state"] == "wrong")
    assert ended.json["ok"] == (ended.code == 0)
    for secret in (KEY, desk.telegram.token.partition(":")[2]):
        assert secret not in ended.out + ended.err
    return ended.code, found


def change(desk: Desk, **settings: object) -> None:
    path = desk.home / "gateway.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **settings}))


@pytest.mark.requirement("C3.9", "B090")
async def test_a_sound_installation_is_called_sound_and_the_privacy_mode_is_explained(desk: Desk) -> None:
    await desk.setup()
    async with desk.dragoman.running():
        code, found = await findings(desk)
        assert code == 0, found
        assert {
            "configuration",
            "permissions",
            "disk",
            "daemon",
            "database",
            "model",
            "clock",
            "versions",
        } <= found.keys()
        assert "python-telegram-bot" in found["versions"]["text"]
        assert found["telegram"]["state"] == "note"
        assert "privacy mode" in found["telegram"]["text"]
        assert "/setprivacy" in found["telegram"]["mend"]
        shown = await desk.dragoman("doctor")
        assert (shown.code, shown.err) == (0, "")
        assert "✓ telegram: the token is that of @ann_helper_bot" in shown.out
        assert shown.out.endswith("\nNothing is wrong.\n")


@pytest.mark.requirement("C3.9", "C4.12")
async def test_a_paused_account_is_noted_with_the_word_that_lets_it_go_on(desk: Desk) -> None:
    await desk.setup()
    async with desk.dragoman.running():
        pass
    with closing(sqlite3.connect(desk.home / "state.db")) as store, store:
        store.execute("INSERT INTO pauses VALUES ('telegram', 1)")
    async with desk.dragoman.running():
        ended = await desk.dragoman("doctor", "--json")
        (paused,) = [one for one in ended.json["findings"] if "telegram is paused" in one["text"]]
        assert paused["state"] == "note"
        assert "/platforms resume telegram" in paused["mend"]
        assert "telegram paused" in (await desk.dragoman("status")).out.replace("  ", " ")


@pytest.mark.requirement("C3.9", "C1.2")
async def test_it_needs_no_home_and_makes_none(desk: Desk) -> None:
    code, found = await findings(desk)
    assert code == 1
    assert found["configuration"]["mend"] == found["home"]["mend"] == "dragoman setup"
    assert not desk.home.exists()


@pytest.mark.requirement("C3.9")
async def test_credentials_that_are_refused_are_found(desk: Desk) -> None:
    await desk.setup()
    wrong = "sk-canary-Nope0123456789"
    (desk.home / ".env").write_text(f"MODEL_API_KEY={wrong}\nTELEGRAM_BOT_TOKEN=7000000009:{'C' * 35}\n")
    code, found = await findings(desk)
    assert code == 1
    assert "the key was refused (401" in found["model"]["text"]
    assert "Telegram does not know this token" in found["telegram"]["text"]
    assert found["telegram"]["mend"] == "dragoman setup telegram"
    assert wrong not in str(found)
    assert "CCCC" not in str(found)
    assert (await findings(desk, "--offline"))[0] == 0


@pytest.mark.requirement("C3.9")
async def test_a_configuration_that_is_wrong_does_not_hide_the_rest(desk: Desk) -> None:
    await desk.setup()
    change(desk, busi="steer")
    code, found = await findings(desk)
    assert code == 1
    assert "busi" in found["configuration"]["text"]
    assert found["configuration"]["mend"] == "dragoman check"
    assert found["disk"]["state"] == "ok"


@pytest.mark.requirement("C3.9", "C1.1")
async def test_files_that_others_can_read_are_named_with_the_command_that_closes_them(desk: Desk) -> None:
    await desk.setup()
    (desk.home / ".env").chmod(0o644)
    code, found = await findings(desk, "--offline")
    assert code == 1
    assert found["permissions"]["mend"] == f"chmod 600 {desk.home}/.env"
    (desk.home / ".env").chmod(0o600)
    desk.home.chmod(0o755)
    assert (await findings(desk, "--offline"))[1]["permissions"]["mend"] == f"chmod 700 {desk.home}"


@pytest.mark.requirement("C3.9")
async def test_a_damaged_store_is_found(desk: Desk) -> None:
    await desk.setup()
    (desk.home / "state.db").write_bytes(b"this is no database, and longer than a header" * 40)
    code, found = await findings(desk, "--offline")
    assert code == 1
    assert "cannot be read as our database" in found["database"]["text"]


@pytest.mark.requirement("B230")
async def test_looking_at_a_running_daemon_leaves_the_locks_of_its_store(desk: Desk) -> None:
    await desk.setup()
    async with desk.dragoman.running() as daemon:
        before = locks(daemon.pid)
        assert before
        await findings(desk, "--offline")
        assert locks(daemon.pid) == before


def locks(pid: int) -> list[str]:
    """The locks that a process holds for as long as it works: on its home, and on byte 128 of the WAL's index.

    All others of SQLite come and go with each commit (sqlite.org/walformat.html).
    """
    held = [line.split()[1:] for line in Path("/proc/locks").read_text().splitlines() if f" {pid} " in line]
    return sorted(" ".join(lock) for lock in held if lock[0] == "FLOCK" or lock[-2:] == ["128", "128"])


@pytest.mark.requirement("C3.9")
async def test_a_platform_that_is_down_is_a_finding_of_the_daemon_and_of_its_own(desk: Desk) -> None:
    await desk.setup()
    change(desk, platforms={"telegram": {"token": "${TELEGRAM_BOT_TOKEN}", "base_url": "http://127.0.0.1:1"}})
    code, found = await findings(desk)
    assert code == 1
    assert "nothing listens at 127.0.0.1:1" in found["telegram"]["text"]


@pytest.mark.requirement("C3.9")
async def test_a_live_look_posts_to_the_owner_only_after_a_yes(desk: Desk) -> None:
    await desk.setup()
    code = (await desk.dragoman("pair", "new", "--role", "owner", "--json")).json["code"]
    nobody = await desk.dragoman("doctor", "--live", "--yes")
    assert nobody.code == 1
    assert "write to me there first" in nobody.out
    phone = Phone.new(desk.telegram, "Ann Secretname")
    async with desk.dragoman.running():
        phone.send(f"/start {code}")
        await phone.wait_for(lambda message: "owner" in message.body.text)
        last = phone.newest()
        asked = await desk.dragoman("doctor", "--live")
        assert "Nothing was posted." in asked.out
        assert phone.from_bot(after=last) == []
        ended = await desk.dragoman("doctor", "--live", "--yes")
    assert ended.code == 0, ended.out
    texts = [message.body.text for message in phone.from_bot(after=last)]
    assert any("dragoman doctor --live" in text for text in texts)
    assert "This was “…” and was edited into this." in texts
    report = ended.out.partition("```")[2]
    for word in ("send", "edit", "buttons", "file", "4,096 emoji", "delete"):
        assert word in report
    assert report.count(" ok") == 6
    for secret in (KEY, desk.telegram.token.partition(":")[2], str(phone.user_id), "Secretname", "ann_helper_bot"):
        assert secret not in report
