"""Documents for property tests: pieces of markdown put together at random, and any text at all."""

import os

from hypothesis import settings
from hypothesis import strategies as st

thorough = settings(deadline=None, max_examples=10_000 if os.environ.get("SOAK") == "1" else 150)

PIECES = [
    *("*", "**", "***", "_", "__", "~~", "`", "``", "```", "```py\n", "~~~", "\n", "\n\n", " ", "  \n", "\\"),
    *("[", "]", "(", "](", "](http://a.b/c)", "](./x)", "![", "<b>", "<http://x.y>", "&amp;", "> ", "- ", "1. ", "# "),
    *(
        "| a | b |\n|---|---|\n",
        "|",
        "---\n",
        "===\n",
        "    ",
        "\t",
        "word",
        "snake_case",
        "2*3*4",
        "__init__",
        "0",
        ".",
    ),
    *("$", "$$", "\\[", "\\(", "\\)", "\\]", "[x]: http://a.b\n", "[ ] ", "[x]", "mailto:a@b.c", "tg://user?id=1"),
    *("\u200b", "\u200d", "\u202e", "\u200f", "\ufeff", "\x00", "\ud83d", "\ude00", "\r", "\u2028", "\u2800", "\u030a"),
    *(
        "😀",
        "👩\u200d👩\u200d👧",
        "🇩🇪",
        "👍🏽",
        "❤\ufe0f",
        "e\u0301",
        "日本語",
        "。",
        "한",
        "क्षि",
        "http://localhost:1/",
        "!",
    ),
]

documents = st.one_of(
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=60).map("".join),
    st.text(st.characters(), max_size=80),  # lone surrogates included
)


def squeezed(text: str) -> str:
    """The text without its white space, to compare what must not be lost."""
    return "".join(text.split())
