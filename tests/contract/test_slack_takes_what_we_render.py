"""Our rendering against the emulator's reading of Slack's rules, written apart from it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack import render
from gateway.domain.ids import ConversationKey
from gateway.domain.messages import Choice, OutboundMessage, Part
from playground.slack import blocks as layout
from playground.slack.methods.chat import LONGEST_UPDATE
from tests.unit.adapters.text.markdown import documents, squeezed, thorough

TALK = ConversationKey(platform="slack", account="T.U", chat="D1", kind="direct")
NASTY = [
    "*",
    "> ",
    "`" * 40,
    "```\n" + "`" * 2500,
    "<!channel> <@U123> <!subteam^S1>",
    "&" * 4096,
    "😀" * 4096,
    "_*~|" * 900,
    "\n".join(["> x"] * 1250),
    "> quote\n>\n> ```py\n> code\n> ```\n> after",
    "[" * 300 + "](https://example.org)",
    "[x](https://example.org/" + "a" * 4000 + ")",
    "# " * 400,
    "**a**b*c*d " * 500,
    "| a | b |\n|---|--:|\n| 1 | 😀 |",
    "https://example.org/a?b=c&d=<e>",
]


def parts(text: str, *choices: Choice) -> tuple[Part, ...]:
    return render.split(OutboundMessage(key="k", conversation=TALK, text=text, choices=choices))


def take(part: Part) -> None:
    for one in (part, render.dated(part, 0.0)):
        for plain in (False, True):
            body = render.payload(one, plain=plain)
            assert len(str(body["text"])) <= LONGEST_UPDATE
            assert "<" not in str(body["text"])
            blocks = layout.check(body["blocks"])
            assert layout.pings(blocks) == []


@pytest.mark.requirement("B075", "B078", "B079", "B081")
@thorough
@given(st.one_of(documents, st.sampled_from(NASTY)))
def test_slack_takes_every_part_of_any_text_and_nobody_is_rung_up(source: str) -> None:
    for part in parts(source):
        take(part)
        shown = layout.shown(render.payload(part)["blocks"])  # type: ignore[arg-type]
        assert squeezed(shown) == squeezed(part.text)
    sketch = render.sketch(source)
    if sketch.text:
        take(sketch)


@pytest.mark.requirement("B077")
def test_buttons_of_any_length_and_number_are_taken() -> None:
    choices = tuple(Choice(label="Yes" * 50, data=f"{n}") for n in range(40))
    for text in ("", "Shall I?", "word " * 3000):
        for part in parts(text, *choices):
            take(part)
