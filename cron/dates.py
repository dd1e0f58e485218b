"""Days in words: "tomorrow", "next monday", "24 december", "2026-12-24", and how far an `until` reaches."""

import calendar
import re
from datetime import date, datetime, time, timedelta

from cron.clock import Clocks
from cron.cursor import Cursor
from cron.rule import added
from cron.words import month, unit, weekday
from gateway.domain.errors import NotUnderstood

_NUMERIC = re.compile(r"(?:(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})[./](\d{1,2})(?:[./](\d{4}))?\.?)")


class Dates:
    """Reads days at a cursor, as seen from a wall time."""

    def __init__(self, cursor: Cursor, there: datetime) -> None:
        self.cursor = cursor
        self.there = there

    def day(self) -> date | None:
        """Read one day; None where none stands. `cursor.soft` stays set where any later one would do as well."""
        cursor, start, today = self.cursor, self.cursor.place, self.there.date()
        cursor.skip("on", "the", "this", "coming")
        if cursor.take("today", "tonight"):
            cursor.soft = False
            if cursor.all[cursor.place - 1].text == "tonight":
                return self._tonight()
            return today
        if cursor.take("yesterday"):
            cursor.soft = False
            return today - timedelta(days=1)
        if cursor.take("tomorrow"):
            cursor.soft = False
            return today + timedelta(days=1)
        if cursor.take_all("day", "after", "tomorrow"):
            cursor.soft = False
            return today + timedelta(days=2)
        found = self._numeric() or self._weekday() or self._named() or self._next_unit()
        if found is None:
            cursor.place = start
        return found

    def until(self) -> datetime:
        """Read the end of a schedule: a day counts to its last minute."""
        if (stamp := self.cursor.stamp()) is not None:
            return stamp.replace(tzinfo=None)
        self.cursor.take_all("the", "end", "of")
        name = self.cursor.token.text
        number, ahead = month(name), self.cursor.ahead()
        if number is not None and (ahead.kind == "end" or _year(ahead.text)):
            self.cursor.next()
            year = int(self.cursor.next().text) if self.cursor.token.kind == "number" else self._year_of(number)
            last = calendar.monthrange(year, number)[1]
            return datetime.combine(date(year, number, last), time(23, 59))
        day = self.day()
        if day is None:
            self.cursor.fail()
        clock = Clocks(self.cursor).one() or (23, 59)
        return datetime.combine(day, time(*clock))

    def _tonight(self) -> date:
        """Read the rest of "tonight at 8": an hour of the morning means the evening."""
        token, ahead = self.cursor.token, self.cursor.ahead()
        number = ahead if token.text in ("at", "around") else token
        if number.kind == "number" and int(number.text) < 12:
            place = self.cursor.all.index(number)
            hour = str(int(number.text) + 12)
            self.cursor.all[place] = type(number)(kind="number", text=hour, raw=number.raw, at=number.at)
            self.cursor.all.insert(place, type(number)(kind="word", text="at", raw="", at=number.at))
            if token.text in ("at", "around"):
                del self.cursor.all[place - 1]
        elif token.kind == "end":
            self.cursor.all.insert(-1, type(token)(kind="time", text="20:00", raw="", at=token.at))
            self.cursor.assume("part", "20:00")
        return self.there.date()

    def _numeric(self) -> date | None:
        cursor = self.cursor
        if cursor.token.kind != "date":
            return None
        raw = cursor.next().raw
        match = _NUMERIC.fullmatch(raw)
        if match is None:
            raise NotUnderstood("date", word=raw)
        cursor.soft = False
        if match[1]:
            return _date(int(match[1]), int(match[2]), int(match[3]), raw)
        first, second = int(match[4]), int(match[5])
        if "/" in raw and first <= 12 and second <= 12 and first != second:
            raise NotUnderstood("either", word=raw)
        if "/" in raw and second > 12:
            first, second = second, first
        if match[6]:
            return _date(int(match[6]), second, first, raw)
        return self._coming(second, first, raw)

    def _weekday(self) -> date | None:
        cursor, start = self.cursor, self.cursor.place
        later = cursor.take("next")
        number = weekday(cursor.token.text) if cursor.token.kind == "word" else None
        if number is None:
            cursor.place = start
            return None
        cursor.next()
        ahead = (number - self.there.weekday()) % 7
        if later and not ahead:
            ahead = 7
        cursor.soft = not later
        return self.there.date() + timedelta(days=ahead)

    def _named(self) -> date | None:
        """Read "24 december 2026", "december 24th", "the 24th"."""
        cursor, start = self.cursor, self.cursor.place
        number = self._day_number()
        if number is not None:
            cursor.take("of")
            name = month(cursor.token.text) if cursor.token.kind == "word" else None
            if name is not None:
                cursor.next()
                return self._with_year(name, number)
            if cursor.all[cursor.place - 1].kind == "ordinal" or cursor.all[cursor.place - 2].kind == "ordinal":
                cursor.soft = False
                return self._monthly(number)
            cursor.place = start
            return None
        name = month(cursor.token.text) if cursor.token.kind == "word" else None
        if name is None:
            return None
        cursor.next()
        cursor.skip("the")
        number = self._day_number()
        if number is None:
            cursor.place = start
            return None
        return self._with_year(name, number)

    def _next_unit(self) -> date | None:
        """Read "next week", "next month"."""
        cursor = self.cursor
        if cursor.token.text != "next" or (name := unit(cursor.ahead().text)) is None:
            return None
        if name not in ("week", "month", "year"):
            return None
        cursor.place += 2
        cursor.soft = False
        step = {"week": {"days": 7}, "month": {"months": 1}, "year": {"months": 12}}[name]
        return added(self.there, **step).date()

    def _day_number(self) -> int | None:
        token = self.cursor.token
        if token.kind not in ("number", "ordinal"):
            return None
        number = int(token.text.rstrip("stndrh"))
        if not 1 <= number <= 31:
            return None
        self.cursor.next()
        return number

    def _with_year(self, number: int, day: int) -> date:
        cursor = self.cursor
        cursor.soft = False
        start = cursor.place
        cursor.comma()
        if cursor.token.kind == "number" and _year(cursor.token.text):
            return _date(int(cursor.next().text), number, day, f"{day}")
        cursor.place = start
        return self._coming(number, day, f"{day}")

    def _coming(self, number: int, day: int, raw: str) -> date:
        """Give the next such day of a year, today included."""
        for year in range(self.there.year, self.there.year + 9):
            if day <= calendar.monthrange(year, number if 1 <= number <= 12 else 1)[1]:
                found = _date(year, number, day, raw)
                if found >= self.there.date():
                    return found
        raise NotUnderstood("date", word=raw)

    def _monthly(self, day: int) -> date:
        """Give the next such day of a month, today included."""
        wall = self.there.replace(day=1)
        for months in range(12):
            first = added(wall, months=months)
            if day <= calendar.monthrange(first.year, first.month)[1]:
                found = first.date().replace(day=day)
                if found >= self.there.date():
                    return found
        raise NotUnderstood("date", word=str(day))

    def _year_of(self, number: int) -> int:
        return self.there.year + (1 if number < self.there.month else 0)


def _year(text: str) -> bool:
    return text.isdecimal() and 2000 <= int(text) <= 2999


def _date(year: int, number: int, day: int, raw: str) -> date:
    try:
        return date(year, number, day)
    except ValueError:
        raise NotUnderstood("date", word=raw) from None
