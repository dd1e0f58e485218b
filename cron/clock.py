"""Times of day in words: "8:30", "9pm", "at noon", "8 in the evening", "at 9"."""

import re

from cron.cursor import Cursor
from cron.words import CLOCK, PARTS
from gateway.domain.errors import NotUnderstood

Clock = tuple[int, int]
_TIME = re.compile(r"(\d{1,2})(?:[:h](\d{2}))?\s?(?:([ap])\.?m\.?|h|o'clock)?")
_HOUR = re.compile(r"\d{1,2}h")
_AFTER_NOON = ("afternoon", "evening", "night", "tonight")


class Clocks:
    """Reads times of day at a cursor."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor

    def one(self) -> Clock | None:
        """Read one time, with or without "at"; None where none stands."""
        cursor, start = self.cursor, self.cursor.place
        cursor.skip("the", "in", "during")
        led = cursor.take("at", "by", "around", "@") or cursor.place > start
        clock = self._one(led=led and cursor.all[cursor.place - 1].text in ("at", "by", "around", "@"))
        if clock is None:
            cursor.place = start
        return clock

    def many(self) -> list[Clock]:
        """Read times joined by commas and "and"; empty where none stands."""
        clocks: list[Clock] = []
        while True:
            start = self.cursor.place
            joined = not clocks or self.cursor.comma()
            clock = (self.one() if not clocks else self.one() or self._one(led=True)) if joined else None
            if clock is None:
                self.cursor.place = start
                return sorted(set(clocks))
            clocks.append(clock)

    def _one(self, *, led: bool) -> Clock | None:
        cursor, text = self.cursor, self.cursor.token.text
        if text in CLOCK:
            return CLOCK[cursor.next().text]
        if text in PARTS and text != "tonight":
            return self._of_day()
        if cursor.token.kind == "time" or (led and cursor.token.kind == "span" and _HOUR.fullmatch(text)):
            return self._part(_read(cursor.next().text))
        return self._bare(int(cursor.next().text)) if led and cursor.token.kind == "number" else None

    def _of_day(self) -> Clock:
        """Read "morning", "evening at 8"."""
        cursor = self.cursor
        clock = PARTS[cursor.next().text]
        inner = self.one() if cursor.token.text in ("at", "around") or cursor.token.kind == "time" else None
        if inner is not None:
            cursor.assumed = [one for one in cursor.assumed if one[0] != "hour"]
            return (inner[0] + 12, inner[1]) if clock[0] >= 12 and inner[0] < 12 else inner
        cursor.assume("part", f"{clock[0]:02}:{clock[1]:02}")
        return clock

    def _bare(self, hour: int) -> Clock | None:
        if hour > 24:
            raise NotUnderstood("time", word=str(hour))
        clock = self._part((hour % 24, 0))
        if clock == (hour % 24, 0) and 1 <= hour < 12 and self.cursor.all[self.cursor.place - 1].text.isdecimal():
            self.cursor.assume("hour", f"{hour:02}:00")
        return clock

    def _part(self, clock: Clock) -> Clock:
        """Read "in the evening" or "tonight" behind a time."""
        start = self.cursor.place
        self.cursor.skip("in", "at", "the")
        word = self.cursor.token.text
        if word in PARTS and word != "tonight":
            self.cursor.place += 1
            return _shifted(clock, word)
        self.cursor.place = start
        return clock


def _shifted(clock: Clock, part: str) -> Clock:
    if part in _AFTER_NOON and clock[0] < 12 and not (part == "night" and clock[0] < 6):
        return clock[0] + 12, clock[1]
    return clock


def _read(text: str) -> Clock:
    match = _TIME.fullmatch(text)
    if match is None:
        raise NotUnderstood("time", word=text)
    hour, minute = int(match[1]), int(match[2] or 0)
    if match[3]:
        if not 1 <= hour <= 12:
            raise NotUnderstood("time", word=text)
        hour = hour % 12 + (12 if match[3] == "p" else 0)
    if hour == 24 and not minute:
        hour = 0
    if hour > 23 or minute > 59:
        raise NotUnderstood("time", word=text)
    return hour, minute
