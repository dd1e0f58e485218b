"""The stand-in's whole mind: pure rules from a request to an answer, the same for the same messages."""

import re
from collections.abc import Callable, Iterable, Sequence

from playground.model.answers import Answer, Pace, ToolCall
from playground.model.markdown import long_text
from playground.model.transcript import Message, Opened, offered, opened, pictures_of, text_of

_HEADER = re.compile(r"\A\[[^\]\n]*\][ \t]*\n?")
_USE = re.compile(r"^(then )?use (\w+)[ \t]*(\{.*\})?[ \t]*$", re.MULTILINE | re.IGNORECASE)
_COUNT = re.compile(r"\bcount to (\d{1,5})\b", re.IGNORECASE)
_ECHO = re.compile(r"^echo[ \t]+(.+)", re.MULTILINE | re.IGNORECASE | re.DOTALL)
_LONG = re.compile(r"\blong (\d{1,7})\b", re.IGNORECASE)
_THINK = re.compile(r"^think(?:[ \t]+(\d{1,4}(?:\.\d+)?))?\b", re.MULTILINE | re.IGNORECASE)
_SLOWLY = re.compile(r"^slow(?:ly)?\b", re.MULTILINE | re.IGNORECASE)
_TIME = re.compile(r"\b(what time|what'?s the time|the time|what date|the date|what day|today's date)\b", re.IGNORECASE)
_HELLO = re.compile(r"^(hi|hello|hey|ciao|hallo|good (morning|evening|day))\b", re.IGNORECASE)

PICTURE = 1000  # tokens that one counts as
_SELF = "I am dragoman's stand-in model: fixed rules, no understanding, no network"
_HINT = "Try `what time is it?`, `count to 10`, `echo …`, `long 3000`, `think 5` or `use TOOL {json}`."


def answer(messages: Sequence[Message], tools: object) -> Answer:
    """Return the stand-in's answer to these messages with these tools on offer."""
    turn = opened(messages)
    texts = [_HEADER.sub("", text) for text in turn.texts]
    asked = "\n".join(texts).strip()
    calls = _due(zip(texts, turn.came, strict=True), turn.rounds, offered(tools))
    if not turn.rounds and not calls and not _USE.search(asked) and _TIME.search(asked):
        calls = tuple(call for call in (ToolCall(name="current_time"),) if call.name in offered(tools))
    if calls:
        return Answer(calls=calls)
    if turn.results:
        return _say(f"{_report(turn)} You asked: “{asked}”. ({_SELF}.)")
    for pattern, reply in _REPLIES:
        found = pattern.search(asked)
        if found:
            return reply(found, asked)
    if turn.pictures:
        return _say(f"I was shown {len(turn.pictures)}: {'; '.join(turn.pictures)}. You wrote: “{asked}”. {_SELF}.")
    return _say(f"You wrote: “{asked}”. {_SELF}. {_HINT}")


def _due(texts: Iterable[tuple[str, int]], done: int, names: Sequence[str]) -> tuple[ToolCall, ...]:
    """Return the calls of this round: what joins later has its first round where it joined."""
    rounds = [(came + n, calls) for text, came in texts for n, calls in enumerate(_rounds(text))]
    return tuple(call for at, calls in rounds if at == done for call in calls if call.name in names)


def _rounds(asked: str) -> list[list[ToolCall]]:
    rounds: list[list[ToolCall]] = []
    for then, name, arguments in _USE.findall(asked):
        call = ToolCall(name=name, arguments=arguments or "{}")
        if then or not rounds:
            rounds.append([call])
        else:
            rounds[-1].append(call)
    return rounds


def _report(turn: Opened) -> str:
    return " ".join(f"{name} says: {result.strip()}." for name, result in turn.results)


def _say(text: str) -> Answer:
    return Answer(chunks=words(text))


def words(text: str) -> tuple[str, ...]:
    """Cut a text into words, each with the white space after it, as a model streams them."""
    return tuple(re.findall(r"\s*\S+\s*", text)) or (text,)


def _hello(_: re.Match[str], asked: str) -> Answer:
    return _say(f"Hello! You wrote: “{asked}”. {_SELF}. {_HINT}")


def _count(found: re.Match[str], _: str) -> Answer:
    last = int(found[1])
    return Answer(
        chunks=tuple(f"{n}, " if n < last else f"{n}" for n in range(1, last + 1)),
        pace=Pace(between=0.05, chunks=last),
    )


def _echo(found: re.Match[str], _: str) -> Answer:
    return _say(found[1])


def _long(found: re.Match[str], asked: str) -> Answer:
    return _say(long_text(int(found[1]), f"You wrote: “{asked}”. {_SELF}."))


def _think(found: re.Match[str], asked: str) -> Answer:
    seconds = float(found[1] or 2)
    text = f"I waited {seconds:g} s, as you asked: “{asked}”. {_SELF}."
    return Answer(chunks=words(text), pace=Pace(first=seconds, between=0.05, chunks=len(text)))


def _slowly(_: re.Match[str], asked: str) -> Answer:
    text = f"Word by word: “{asked}”. {_SELF}."
    return Answer(chunks=words(text), pace=Pace(between=0.3, chunks=len(text)))


_REPLIES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str], Answer]], ...] = (
    (_ECHO, _echo),
    (_COUNT, _count),
    (_LONG, _long),
    (_THINK, _think),
    (_SLOWLY, _slowly),
    (_HELLO, _hello),
)


def tokens(messages: Sequence[Message], reply: Answer) -> tuple[int, int, int]:
    """Return made-up but steady usage: input, the part of it that was asked before, and output tokens."""
    contents = [message.get("content") for message in messages]
    sizes = [len(text_of(one)) + 16 + 4 * PICTURE * len(pictures_of(one)) for one in contents]
    known = 0
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].get("role") == "assistant":
            known = sum(sizes[:index])
            break
    said = sum(map(len, reply.chunks)) + sum(len(call.arguments) + len(call.name) for call in reply.calls)
    return sum(sizes) // 4 + 1, known // 4, said // 4 + 1
