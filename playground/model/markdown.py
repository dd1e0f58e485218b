"""Long markdown of an exact length, with what is hard to split: fences, lists, tables, emphasis."""

_BLOCKS = (
    "## Part {n}\n\nSome *slanted*, **strong** and ***both***, with `code` and a [link](https://example.org/{n}).\n\n",
    "```python\ndef step_{n}(value: int) -> int:\n    return value + {n}  # stays whole\n```\n\n",
    "- one\n- two of {n}\n  - nested, with **weight**\n- three\n\n",
    "| key | value |\n|---|---|\n| n | {n} |\n| square | {square} |\n\n",
    "> A quote of two lines,\n> number {n}, with ünïcödé, 日本語 and 👩‍👩‍👧‍👦.\n\n",
    "1. first\n2. second\n3. third of {n}\n\n",
)


def long_text(size: int, opening: str) -> str:
    """Return markdown of exactly `size` characters that begins with the opening."""
    parts = [opening, "\n\n"]
    length = len(opening) + 2
    number = 0
    while length < size:
        block = _BLOCKS[number % len(_BLOCKS)].format(n=number + 1, square=(number + 1) ** 2)
        parts.append(block)
        length += len(block)
        number += 1
    return "".join(parts)[:size]
