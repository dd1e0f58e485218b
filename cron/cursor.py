"""A place in a phrase: takes words one after the other, and says which one was not understood."""

import difflib
from datetime import datetime
from typing import NoReturn

from cron.words import NUMBERS, SHORT_UNITS, UNITS, Token, tokens, unit, vocabulary
from gateway.domain.errors import NotUnderstood

Span = tuple[int, int, int]  # seconds, days, months


class Cursor:
    """Reads a phrase from left to right; `soft` is set where a date was named by a weekday or not at all."""

    def __init__(self, phrase: str) -> None:
        self.phrase = phrase
        self.all = tokens(phrase)
        self.place = 0
        self.soft = True
        self.assumed: list[tuple[str, str]] = []

    @property
    def token(self) -> Token:
        """The word that comes next."""
        return self.all[self.place]

    def ahead(self, steps: int = 1) -> Token:
        """Look further ahead."""
        return self.all[min(self.place + steps, len(self.all) - 1)]

    def next(self) -> Token:
        """Take the word that comes next."""
        token = self.token
        self.place = min(self.place + 1, len(self.all) - 1)
        return token

    def take(self, *words: str) -> bool:
        """Take the next word if it is one of these."""
        if self.token.kind == "word" and self.token.text in words:
            self.place += 1
            return True
        return False

    def take_all(self, *words: str) -> bool:
        """Take these words in this order, or none."""
        if [token.text for token in self.all[self.place : self.place + len(words)]] != list(words):
            return False
        self.place += len(words)
        return True

    def skip(self, *words: str) -> None:
        """Take as many of these words as there are."""
        while self.take(*words):
            continue

    def comma(self) -> bool:
        """Take "," or "and" or both."""
        start = self.place
        while self.token.kind == "comma" or self.token.text in ("and", "or"):
            self.place += 1
        return self.place > start

    def count(self, token: Token | None = None) -> int | None:
        """Read a number in digits or in a word; takes it unless a token is given."""
        looked = token or self.token
        value = int(looked.text) if looked.kind == "number" else NUMBERS.get(looked.text)
        if value is not None and token is None:
            self.place += 1
        return value

    def spans(self) -> list[Span]:
        """Read durations: "20 minutes", "1h 30m", "an hour and a half", "half an hour"; none found: empty."""
        found: list[Span] = []
        while True:
            start = self.place
            if found:
                self.comma()
            span = self._span()
            if span is None:
                self.place = start
                return found
            found.append(span)

    def stamp(self) -> datetime | None:
        """Take an ISO date with a time; raises NotUnderstood for one that does not exist."""
        if self.token.kind != "stamp":
            return None
        raw = self.next().text.upper().replace(" ", "T")
        date, _, time = raw.partition("T")
        try:
            return datetime.fromisoformat(f"{date}T{time if time[1:2].isdigit() else f'0{time}'}")
        except ValueError:
            raise NotUnderstood("date", word=raw) from None

    def assume(self, what: str, taken: str) -> None:
        """Note what the phrase left open."""
        self.assumed.append((what, taken))

    def end(self) -> None:
        """Make sure that everything was read."""
        self.skip("please")
        if self.token.kind != "end":
            self.fail()

    def fail(self) -> NoReturn:
        """Point at the word that comes next, with the nearest phrase that could be meant."""
        token = self.token
        if token.kind == "end":
            raise NotUnderstood("more", word=self.all[-2].raw if len(self.all) > 1 else "")
        near = difflib.get_close_matches(token.text, vocabulary(), n=1, cutoff=0.7)
        better = f"{self.phrase[: token.at]}{near[0]}{self.phrase[token.at + len(token.raw) :]}" if near else ""
        if near and near[0] == token.text:
            better = ""
        raise NotUnderstood("word", word=token.raw, place=token.at + 1, nearest=better.strip())

    def _span(self) -> Span | None:
        if self.token.kind == "span":
            text = self.next().text.replace(" ", "")
            digits = text.rstrip("abcdefghijklmnopqrstuvwxyz")
            return _times(float(digits), SHORT_UNITS[text[len(digits) :]])
        if self.take_all("half", "an", "hour") or self.take_all("half", "hour"):
            return 1800, 0, 0
        if self.take_all("quarter", "of", "an", "hour") or self.take_all("quarter", "hour"):
            return 900, 0, 0
        if self.take_all("a", "half") or self.take_all("a", "quarter", "of", "an", "hour"):
            return (1800, 0, 0) if self.all[self.place - 1].text == "half" else (900, 0, 0)
        count = self.count(self.token)
        name = unit(self.ahead().text) if count is not None else None
        if name is None or count is None:
            return None
        self.place += 2
        return _times(count, name)


def _times(count: float, name: str) -> Span | None:
    seconds, days, months = UNITS[name]
    if days and count != int(count):
        return None
    return int(seconds * count), int(days * count), int(months * count)
