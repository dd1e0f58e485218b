"""Text as Discord shows it."""

import pytest

from adapters.discord import render
from gateway.domain.ids import ConversationKey
from gateway.domain.messages import Attachment, Choice, OutboundMessage

TALK = ConversationKey(platform="discord", account="1", chat="2", kind="direct")


def written(text: str) -> str:
    parts = render.split(OutboundMessage(key="k", conversation=TALK, text=text))
    return "\n---\n".join(part.markup or part.text for part in parts)


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("plain words", "plain words"),
        ("**bold _both_** ~~gone~~ *it*", "**bold _both_** ~~gone~~ _it_"),
        ("un*believ*able", "un\\*believ\\*able"),
        ("*italic **and bold***", "_italic **and bold**_"),
        ("# Title", "**Title**"),
        ("a_b_c 2 * 3 * 4", "a\\_b\\_c 2 \\* 3 \\* 4"),
        ("`co*de` and ``a`b``", "`co*de` and ``a`b``"),
        ("```py\nx = '*'\n```", "```py\nx = '*'\n```"),
        ("> quoted *x*\n> on", "> quoted _x_\n> on"),
        ("[label](https://example.org/q)", "[label](https://example.org/q)"),
        ("[x](javascript:alert(1))", "\\[x\\](javascript:alert(1))"),
        ("https://example.org/a_b_c", "https://example.org/a_b_c"),
        ("<@123> <@&4> <:x:1> </a:1>", "\\<@123> \\<@&4> \\<:x:1> \\</a:1>"),
        ("@everyone and @here", "@\u200beveryone and @\u200bhere"),
        ("||hidden||", "\\|\\|hidden\\|\\|"),
        ("\\# no title", "\\# no title"),
    ],
)
def test_commonmark_becomes_discords_markdown(source: str, shown: str) -> None:
    assert written(source) == shown


@pytest.mark.requirement("B078")
def test_a_fence_that_is_cut_is_closed_and_opened_again() -> None:
    code = "\n".join(f"line {n:04d}" for n in range(500))
    parts = written(f"```py\n{code}\n```").split("\n---\n")
    assert len(parts) > 2
    assert all(part.startswith("```py\n") and part.endswith("\n```") for part in parts)
    assert all(len(part) <= 2000 for part in parts)


def test_the_preview_is_the_beginning_of_the_answer() -> None:
    text = "word **bold** " * 400
    first = render.split(OutboundMessage(key="k", conversation=TALK, text=text))[0]
    assert render.sketch(text) == first


def test_buttons_stand_five_to_a_row_under_the_last_part_and_none_is_refused() -> None:
    choices = tuple(Choice(label=f"Choice {n}", data=f"c{n}") for n in range(7))
    rows = render.buttons((*choices, choices[0], Choice(label="long", data="x" * 101)))
    assert [len(row["components"]) for row in rows] == [5, 2]  # type: ignore[arg-type]
    parts = render.split(OutboundMessage(key="k", conversation=TALK, text="x " * 2000, choices=choices))
    assert [bool(part.choices) for part in parts] == [False, False, True]


def test_files_go_together_while_they_are_few_and_small() -> None:
    files = tuple(Attachment(kind="document", name=f"{n}", size=4 * 1024 * 1024) for n in range(5))
    parts = render.split(OutboundMessage(key="k", conversation=TALK, attachments=files))
    assert [len(part.attachments) for part in parts] == [2, 2, 1]
