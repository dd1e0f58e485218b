"""The state file: a restarted emulator knows its chats, its ids, its files and what was not confirmed."""

import json
from pathlib import Path

from playground.telegram import Emulator, Phone
from tests.integration.playground_telegram.api import Bot


async def lived(path: Path, session) -> tuple[Emulator, Phone]:
    """An emulator in which something has happened."""
    emulator = Emulator(state=path)
    await emulator.start()
    ann = Phone.new(emulator, "Ann", username="ann")
    bot = Bot(session, emulator.url, emulator.token)
    ann.send("first")
    ann.send_file("document", b"content", name="a.txt")
    first = (await bot("getUpdates"))[0]
    await bot("getUpdates", offset=first["update_id"] + 1, allowed_updates=["message", "message_reaction"])
    sent = await bot("sendMessage", chat_id=ann.user_id, text="*hi*", parse_mode="MarkdownV2")
    await bot("editMessageText", chat_id=ann.user_id, message_id=sent["message_id"], text="bye")
    await bot("setMyCommands", commands=[{"command": "help", "description": "helps"}])
    return emulator, ann


async def test_a_restart_keeps_everything_that_matters(tmp_path: Path, session) -> None:
    before, ann = await lived(tmp_path / "telegram.json", session)
    await before.stop()
    after = Emulator(state=tmp_path / "telegram.json")
    await after.start()
    bot = Bot(session, after.url, after.token)
    assert after.token == before.token
    assert after.control_token != before.control_token
    phone = Phone(after, ann.user_id)
    assert [message.body.text for message in phone.messages()] == ["first", "", "bye"]
    assert len(phone.from_bot()[0].versions) == 2
    waiting = await bot("getUpdates")
    assert [update["message"]["document"]["file_name"] for update in waiting] == ["a.txt"]
    path = (await bot("getFile", file_id=waiting[0]["message"]["document"]["file_id"]))["file_path"]
    async with session.get(f"{after.url}/file/bot{after.token}/{path}") as response:
        assert await response.read() == b"content"
    assert (await bot("getMyCommands"))[0]["command"] == "help"
    assert phone.send("second").id == phone.from_bot()[0].id + 1
    phone.react(phone.from_bot()[0], "👍")
    kinds = [key for update in await bot("getUpdates") for key in update if key != "update_id"]
    assert kinds == ["message", "message", "message_reaction"]
    await after.stop()


async def test_after_an_unclean_end_no_id_is_given_twice(tmp_path: Path, session) -> None:
    path = tmp_path / "telegram.json"
    before, ann = await lived(path, session)
    before.keeper.write(clean=False)
    snapshot = path.read_bytes()
    lost = ann.send("lost with the crash")
    number = before.core.updates.next_id
    await before.stop()
    path.write_bytes(snapshot)
    after = Emulator(state=path)
    assert Phone(after, ann.user_id).send("later").id > lost.id
    assert after.core.updates.waiting[-1].id >= number


async def test_the_file_is_written_soon_after_a_change_and_whole(tmp_path: Path, session) -> None:
    path = tmp_path / "deep" / "telegram.json"
    emulator, ann = await lived(path, session)
    emulator.keeper.look()
    stored = json.loads(path.read_text())
    assert stored["clean"] is False
    assert str(ann.user_id) in stored["world"]["chats"]
    assert [file.name for file in path.parent.iterdir()] == ["telegram.json"]
    await emulator.stop()
    assert json.loads(path.read_text())["clean"] is True
