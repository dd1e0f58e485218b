"""Who is admitted is written in one place: the configuration wins over every chat, and no tool reaches it."""

import json
from pathlib import Path

import pytest

from playground.model import answers
from playground.model.answers import ToolCall
from playground.telegram.client import Phone
from tests.harness.house import House, running
from tests.harness.looks import says
from tests.integration.people.desk import OWNER, buttons, known, link_code

BOB = {"name": "Bob", "role": "user", "identities": ["telegram:12"]}
ACCESS = {"unknown": "pair", "people": [OWNER, BOB]}
WRITTEN = "SELECT id, name, role, source, merged_into FROM people ORDER BY id"
ACCOUNTS = "SELECT platform, native, person, source FROM identities ORDER BY platform, native"


async def written(house: House) -> list[tuple[object, ...]]:
    """Hand out who is admitted, and by what."""
    return [tuple(row) for sql in (WRITTEN, ACCOUNTS) for row in await house.rows(sql)]


@pytest.mark.requirement("B130")
async def test_what_the_configuration_says_of_somebody_no_chat_changes(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann, bob = await known(house), await known(house, "Bob", 12)
        before = await written(house)
        owner_code = (await house.operate("pair.new", role="owner"))["code"]
        bob.send(f"/pair {owner_code}")
        await bob.wait_for(says("written in my configuration"))
        bob.send(f"/pair {(await house.operate('pair.new', role='admin'))['code']}")
        await bob.wait_for(says("written in my configuration"))
        for words in ("/unpair telegram", "/unpair telegram:12"):
            bob.send(words)
            await bob.wait_for(says(""))
        bob.send(f"/pair {await link_code(ann)}")
        await bob.wait_for(says("my configuration"))
        await asked_about_a_stranger(house, ann, bob)
        assert [one for one in await written(house) if one in before] == before
        assert len(await house.rows("SELECT 1 FROM people WHERE role IN ('owner', 'admin')")) == 1
        cid = house.phone("Cid", user_id=14)
        cid.send(f"/pair {owner_code}")  # what was refused has not spent it
        await cid.wait_for(says("owner"))


async def asked_about_a_stranger(house: House, ann: Phone, bob: Phone) -> None:
    """Let somebody without the right try to let a stranger in, by the very data of the button."""
    stranger = house.phone("Eve", user_id=66)
    stranger.send("hello")
    question = await ann.wait_for(says("Eve (telegram:66)"), after=0)
    bob.send(buttons(question)["Admit as user"])
    await bob.wait_for(says("not yours to answer"))
    bob.send("/invite admin Eve")
    await bob.wait_for(says("needs the role admin"))


@pytest.mark.requirement("B126")
@pytest.mark.parametrize(
    "path", ["{home}/state.db", "../../../../state.db", "../../../../gateway.json", "link/state.db"]
)
async def test_no_tool_writes_who_is_admitted(tmp_path: Path, path: str) -> None:
    async with running(tmp_path, {"access": ACCESS, "agent": {"tools": ["files"]}}) as house:
        bob = await known(house, "Bob", 12)
        before = await written(house)
        configured = (house.root / "gateway.json").read_bytes()
        (row,) = await house.rows("SELECT person FROM identities WHERE native = '12'")
        workspace = house.root / "agents" / "main" / "people" / row["person"] / "workspace"
        workspace.mkdir(parents=True, exist_ok=True)
        (workspace / "link").symlink_to(house.root)
        arguments = json.dumps({"path": path.format(home=house.root), "content": "Bob is the owner"})
        house.model.when("rise", answers.text("tried"))
        house.model.when("rise", answers.tools(ToolCall(name="write_file", arguments=arguments)), times=1)
        bob.send("rise")
        await bob.answer("tried")
        told = [str(line["content"]) for line in house.prompts()[-1] if line["role"] == "tool"]
        assert len(told) == 1
        assert "written" not in told[0]
        assert await written(house) == before
        assert (house.root / "gateway.json").read_bytes() == configured
        await house.stop()
        await house.start()
        bob.send("/whoami")
        await bob.wait_for(says("with the role user"))
