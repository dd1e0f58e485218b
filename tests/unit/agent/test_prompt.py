"""The system text: pure, complete, in order, the same bytes for the same inputs."""

from collections.abc import Mapping

import pytest

from agent.prompt import Layers, system_text
from agent.types import ToolSchema

TOOL = ToolSchema(name="t", description="d", parameters={})


def test_equal_inputs_give_equal_bytes_whatever_their_order():
    one = Layers(name="D", identity="I am.", tools=[TOOL], hints={"telegram": "a", "slack": "b"})
    two = Layers(name="D", identity="I am.\n\n", tools=[TOOL], hints={"slack": "b", "telegram": "a\n"})
    assert system_text(one).encode() == system_text(two).encode()


@pytest.mark.requirement("S1", "S2")
def test_the_layers_stand_in_their_order():
    text = system_text(
        Layers(
            name="D",
            identity="I am a lighthouse.",
            tools=[TOOL],
            skills=[("brew", "makes tea")],
            files=[("AGENTS.md", "Run the tests.\n")],
            memory="## USER.md: who\n- Likes tea.",
            hints={"slack": "No tables."},
        )
    )
    wanted = ("I am a lighthouse.\n", "# How you", "# Tools", "- brew: makes tea", "## AGENTS.md\nRun", "- Likes tea.")
    places = [text.index(part) for part in (*wanted, "- slack: No tables.")]
    assert places == sorted(places)
    assert places[0] == 0


@pytest.mark.parametrize("hints", [{}])
def test_without_an_identity_the_name_stands_in_and_what_is_not_there_is_not_mentioned(hints: Mapping[str, str]):
    text = system_text(Layers(name="Dragoman", identity=" \n", hints=hints))
    assert "You are Dragoman" in text
    assert text.count("\n# ") == 1
