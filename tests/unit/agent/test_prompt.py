"""The system text: pure, complete, the same bytes for the same inputs."""

from agent.prompt import system_text
from agent.types import ToolSchema

TOOL = ToolSchema(name="t", description="d", parameters={})


def test_equal_inputs_give_equal_bytes_whatever_their_order():
    one = system_text(name="D", identity="I am.", tools=[TOOL], hints={"telegram": "a", "slack": "b"})
    two = system_text(name="D", identity="I am.\n\n", tools=[TOOL], hints={"slack": "b", "telegram": "a\n"})
    assert one.encode() == two.encode()


def test_identity_comes_first_and_every_platform_has_its_hint():
    text = system_text(name="D", identity="I am a lighthouse.", tools=[TOOL], hints={"slack": "No tables."})
    assert text.startswith("I am a lighthouse.\n")
    assert "- slack: No tables." in text
    assert "# Tools" in text


def test_without_an_identity_the_name_stands_in_and_what_is_not_there_is_not_mentioned():
    text = system_text(name="Dragoman", identity=" \n", tools=[], hints={})
    assert "You are Dragoman" in text
    assert "# Tools" not in text
    assert "# Platforms" not in text
