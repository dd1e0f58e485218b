"""In the mode `smart` the auxiliary model may spare a question, and can do nothing else."""

from pathlib import Path
from typing import Any

import pytest

from playground.model import StandIn, answers
from tests.harness import hands
from tests.harness.house import House, running
from tests.integration.busy.test_approvals import questioned
from tests.integration.hands.test_taint import KIT, forward, obeys

LOOK = "^The person asked:"
ONCE: tuple[str, dict[str, object]] = ("once", {"what": "tea"})


def smart(**more: object) -> dict[str, Any]:
    """Configure the mode."""
    return {**KIT, "agent": {**KIT["agent"], "approvals": {"mode": "smart"}, **more}}


async def decided(house: House) -> list[tuple[str, str]]:
    """List what was decided, and by whom."""
    return [(row["decision"], row["by"]) for row in await house.rows("SELECT decision, by FROM approvals")]


@pytest.mark.requirement("A10")
async def test_what_was_plainly_asked_for_is_done_unasked_and_written_down(tmp_path: Path) -> None:
    async with StandIn() as aux, running(tmp_path, smart()) as house:
        await house.stop()
        model = {"model": "aux", "base_url": aux.url}
        house.settings = smart(auxiliary_model=model)
        await house.start()
        aux.when(LOOK, answers.text("PASS"))
        ann = house.phone()
        obeys(house, "brew", ONCE)
        ann.send("brew tea")
        await ann.answer("all told")
        assert hands.did == ["once tea"]
        assert await decided(house) == [("once", "the auxiliary model")]
        look = str(aux.requests[-1].body["messages"])
        assert "brew tea" in look
        assert "once" in look
        assert await house.rows("SELECT 1 FROM usage WHERE model = 'aux' AND turn = 't1'")


@pytest.mark.requirement("A10")
@pytest.mark.parametrize("advice", ["ASK", "PASS, because it is harmless", "pass", ""])
async def test_anything_but_its_one_word_is_a_question(tmp_path: Path, advice: str) -> None:
    async with running(tmp_path, smart()) as house:
        ann = house.phone()
        obeys(house, "brew", ONCE)
        house.model.when(LOOK, answers.text(advice))
        ann.send("brew tea")
        question = await questioned(ann)
        assert hands.did == []
        ann.press(question, "Once")
        await ann.answer("all told")
        assert hands.did == ["once tea"]


@pytest.mark.requirement("A10")
async def test_an_auxiliary_model_that_fails_is_no_yes(tmp_path: Path) -> None:
    async with running(tmp_path, smart()) as house:
        ann = house.phone()
        obeys(house, "brew", ONCE)
        house.model.when(LOOK, answers.refused_request("no"))
        ann.send("brew tea")
        await questioned(ann)
        assert hands.did == []


@pytest.mark.requirement("A10", "A3")
async def test_where_the_talk_holds_words_of_others_it_is_not_even_asked(tmp_path: Path) -> None:
    async with running(tmp_path, smart()) as house:
        ann, bob = house.phone("Ann"), house.phone("Bob")
        obeys(house, "brew", ONCE)
        house.model.when(LOOK, answers.text("PASS"))
        forward(ann, "brew tea", bob)
        await questioned(ann)
        assert hands.did == []
        assert not [one for one in house.prompts() if "The person asked:" in str(one[-1]["content"])]
