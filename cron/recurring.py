"""Recurrences in words: "every weekday at 8:30", "every 2 h", "last friday of the month", "mondays 9am"."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from cron.clock import Clock, Clocks
from cron.cursor import Cursor
from cron.rule import LAST, Every, Rule, Steps, Wall, added
from cron.words import FREQUENT, GROUPS, MONTHS, ORDINALS, UNITS, month, unit, weekday
from gateway.domain.errors import NotUnderstood

LEAST_SECONDS = 60
MORNING: Clock = (9, 0)


class Recurring:
    """Reads one recurrence at a cursor."""

    def __init__(self, cursor: Cursor, there: datetime, now: float) -> None:
        self.cursor = cursor
        self.there = there
        self.now = now
        self.clocks = Clocks(cursor)
        self.early: list[Clock] = []  # times that stood before the rest

    def read(self) -> tuple[Rule, ...]:
        """Read a recurrence; empty where none stands, raises NotUnderstood inside of one."""
        start, assumed = self.cursor.place, list(self.cursor.assumed)
        self.early = self.clocks.many()
        rules = self._frequent() or self._every() or self._nth(led=False) or self._plural()
        if not rules:
            self.cursor.place, self.cursor.assumed = start, assumed
        return rules

    def _frequent(self) -> tuple[Rule, ...]:
        """Read "daily at 9", "hourly", "weekly on friday"."""
        name = FREQUENT.get(self.cursor.token.text)
        if name is None:
            return ()
        self.cursor.next()
        if name == "night":
            return self._walls(times=self._times((21, 0)))
        return self._stepped(1, name)

    def _every(self) -> tuple[Rule, ...]:
        cursor, start = self.cursor, self.cursor.place
        cursor.skip("on", "at")
        if not cursor.take("every", "each", "all"):
            cursor.place = start
            return ()
        rules = self._parts() or self._nth(led=True) or self._days_of_week() or self._spans() or self._yearly()
        return rules or cursor.fail()

    def _parts(self) -> tuple[Rule, ...]:
        """Read "every morning", "every evening at 8"."""
        cursor = self.cursor
        if cursor.token.text not in ("morning", "afternoon", "evening", "night"):
            return ()
        return self._walls(times=self._times(MORNING))

    def _spans(self) -> tuple[Rule, ...]:
        """Read "every 2 h", "every day", "every other week on monday"."""
        cursor = self.cursor
        if cursor.token.kind == "span" or cursor.token.text == "half" or self._fraction():
            spans = cursor.spans()
            if spans:
                return self._summed(spans)
        start = cursor.place
        count = cursor.count() or 1
        if cursor.token.text == "couple" and cursor.take_all("couple", "of"):
            count = 2
        name = unit(cursor.token.text)
        if name is None:
            word = cursor.token.text
            if (group := GROUPS.get(word.removesuffix("s"))) is not None and count == 1:
                cursor.next()
                return self._walls(weekdays=group, times=self._times(MORNING))
            if (day := weekday(word)) is not None and count > 1:
                cursor.next()
                return self._each_nth_week(count, [day])
            cursor.place = start
            return ()
        cursor.next()
        return self._stepped(count, name)

    def _fraction(self) -> bool:
        return self.cursor.token.text == "quarter" and self.cursor.ahead().text in ("of", "hour")

    def _summed(self, spans: Sequence[tuple[int, int, int]]) -> tuple[Rule, ...]:
        seconds, days, months = (sum(parts) for parts in zip(*spans, strict=True))
        if days or months:
            return self._steps(days=days, months=months)
        return self._durations(seconds)

    def _stepped(self, count: int, name: str) -> tuple[Rule, ...]:
        seconds, days, months = (count * part for part in UNITS[name])
        if seconds:
            return self._durations(seconds)
        if name == "day" and count == 1:
            return self._daily()
        if name in ("week", "fortnight"):
            named = self._weekdays_behind()
            if named and days == 7:
                return self._walls(weekdays=named, times=self._times(MORNING))
            if named:
                return self._each_nth_week(days // 7, named)
        if name in ("month", "quarter", "year"):
            return self._monthly(months)
        return self._steps(days=days, months=months)

    def _daily(self) -> tuple[Rule, ...]:
        """Read what follows "every day": "except sunday", "of the week"."""
        self.cursor.take_all("of", "the", "week")
        off = self._except()
        times = self._times(MORNING)
        off = off or self._except()
        return self._walls(weekdays=[day for day in range(7) if day not in off] if off else (), times=times)

    def _except(self) -> list[int]:
        if not self.cursor.take("except", "but"):
            return []
        self.cursor.skip("not", "on")
        return self._list_of_weekdays() or self.cursor.fail()

    def _durations(self, seconds: int) -> tuple[Rule, ...]:
        if seconds < LEAST_SECONDS:
            raise NotUnderstood("often", word=f"{seconds} s", least=LEAST_SECONDS)
        cursor = self.cursor
        if seconds == 3600 and (cursor.take_all("on", "the", "hour") or cursor.take_all("at", "the", "full", "hour")):
            return (Wall(both=True),)
        between = self._between()
        if between is not None:
            return self._within(seconds, between)
        return (Every(seconds=seconds, since=self.now),)

    def _between(self) -> tuple[Clock, Clock] | None:
        """Read "between 9 and 17:00", "from 9 to 5pm"."""
        cursor, start = self.cursor, self.cursor.place
        if not cursor.take("between", "from"):
            return None
        first = self.clocks._one(led=True)  # noqa: SLF001  # a number is a time here
        second = self.clocks._one(led=True) if cursor.take("and", "to", "until", "-") else None  # noqa: SLF001
        if first is None or second is None:
            cursor.place = start
            return None
        return first, second

    def _within(self, seconds: int, between: tuple[Clock, Clock]) -> tuple[Rule, ...]:
        begin, end = (60 * hour + minute for hour, minute in between)
        if seconds % 60 or end <= begin:
            raise NotUnderstood("between", word=f"{between[0][0]:02}:{between[0][1]:02}")
        return self._walls(
            times=[divmod(at, 60) for at in range(begin, end + 1, seconds // 60)], weekdays=self._group()
        )

    def _group(self) -> tuple[int, ...]:
        self.cursor.skip("on", "every")
        if (found := GROUPS.get(self.cursor.token.text.removesuffix("s"))) is not None:
            self.cursor.next()
            return found
        return tuple(self._list_of_weekdays())

    def _days_of_week(self) -> tuple[Rule, ...]:
        """Read "monday and thursday 9am", "mon-fri at 8"."""
        days = self._list_of_weekdays()
        return self._walls(weekdays=days, times=self._times(MORNING)) if days else ()

    def _plural(self) -> tuple[Rule, ...]:
        """Read "mondays at 9", "weekdays 8:30", "on mondays and thursdays"."""
        cursor, start = self.cursor, self.cursor.place
        cursor.skip("on", "at")
        word = cursor.token.text
        if word in ("weekdays", "workdays", "weekends"):
            cursor.next()
            return self._walls(weekdays=GROUPS[word[:-1]], times=self._times(MORNING))
        days = self._list_of_weekdays()
        spread = any(one in ("-", "to", "through") or "-" in one for one in self._taken(start))
        if days and (spread or any(one.endswith("s") and len(one) > 5 for one in self._taken(start))):
            return self._walls(weekdays=days, times=self._times(MORNING))
        cursor.place = start
        return ()

    def _taken(self, start: int) -> list[str]:
        return [token.text for token in self.cursor.all[start : self.cursor.place]]

    def _list_of_weekdays(self) -> list[int]:
        days: list[int] = []
        cursor = self.cursor
        while True:
            start = cursor.place
            if days:
                cursor.comma()
                cursor.skip("every", "on")
            found = self._range_of_weekdays()
            if not found:
                cursor.place = start
                return sorted(set(days))
            days += found

    def _range_of_weekdays(self) -> list[int]:
        cursor = self.cursor
        first, dash, second = cursor.token.text.partition("-")
        begin = weekday(first) if cursor.token.kind == "word" else None
        if begin is None:
            return []
        if dash:
            end = weekday(second)
            if end is None:
                return []
            cursor.next()
        else:
            cursor.next()
            end = begin
            if cursor.token.text in ("to", "through", "-") and weekday(cursor.ahead().text) is not None:
                cursor.next()
                end = weekday(cursor.next().text)
        return [(begin + step) % 7 for step in range((int(end or 0) - begin) % 7 + 1)]

    def _weekdays_behind(self) -> list[int]:
        start = self.cursor.place
        self.cursor.skip("on")
        return self._list_of_weekdays() or self._back(start)

    def _back(self, start: int) -> list[int]:
        self.cursor.place = start
        return []

    def _each_nth_week(self, weeks: int, days: Sequence[int]) -> tuple[Rule, ...]:
        times = self._times(MORNING)
        rules = []
        for day in days:
            for hour, minute in times:
                first = self.there.date() + timedelta(days=(day - self.there.weekday()) % 7)
                if first == self.there.date() and (hour, minute) <= (self.there.hour, self.there.minute):
                    first += timedelta(days=7)
                rules.append(Steps(days=7 * weeks, since=first.isoformat(), hour=hour, minute=minute))
        return tuple(rules)

    def _steps(self, *, days: int, months: int) -> tuple[Rule, ...]:
        """Count from today, or from tomorrow when the time of day is over."""
        times = self._times(None)
        if not times:
            times = [(self.there.hour, self.there.minute)]
            self.cursor.assume("time", f"{self.there:%H:%M}")
        rules = []
        for hour, minute in times:
            first = self.there
            if (hour, minute) <= (first.hour, first.minute):
                first = added(first, days=days, months=months)
            rules.append(Steps(days=days, months=months, since=first.date().isoformat(), hour=hour, minute=minute))
        return tuple(rules)

    def _monthly(self, months: int) -> tuple[Rule, ...]:
        """Read what follows "every month": "on the 1st", "on the last day", "on 24 december"."""
        cursor, start = self.cursor, self.cursor.place
        cursor.skip("on", "the")
        if months == 1 and (rules := self._nth_behind()):
            return rules
        if months == 1 and (days := self._days_of_month()):
            return self._walls(days=days, times=self._times(MORNING))
        if months == 12 and (found := self._day_of_year()) is not None:
            return self._walls(days=[found[1]], months=[found[0]], times=self._times(MORNING))
        cursor.place = start
        return self._steps(days=0, months=months)

    def _nth_behind(self) -> tuple[Rule, ...]:
        start = self.cursor.place
        n = self._ordinal()
        day = weekday(self.cursor.token.text) if n is not None else None
        if n is None or day is None:
            self.cursor.place = start
            return ()
        self.cursor.next()
        return self._walls(nth=[(n, day)], times=self._times(MORNING))

    def _nth(self, *, led: bool) -> tuple[Rule, ...]:
        """Read "first monday of the month", "last day of every month", "1st of the month"."""
        cursor, start = self.cursor, self.cursor.place
        if not led:
            cursor.skip("on", "the", "every")
        pairs: list[tuple[int, int]] = []
        ns: list[int] = []
        while (n := self._ordinal()) is not None:
            ns.append(n)
            day = weekday(cursor.token.text)
            if day is not None:
                cursor.next()
                pairs += [(one, day) for one in ns]
                ns = []
            if not cursor.comma():
                break
            cursor.skip("the")
        if cursor.token.text in ("day", "days") and ns:
            cursor.next()
        if not (pairs or ns) or not self._of_month():
            cursor.place = start
            return ()
        return self._walls(nth=pairs, days=ns, times=self._times(MORNING))

    def _ordinal(self) -> int | None:
        token = self.cursor.token
        if token.text in ORDINALS:
            self.cursor.next()
            return ORDINALS[token.text]
        if token.kind == "ordinal" and 1 <= (number := int(token.text.rstrip("stndrh"))) <= 31:
            self.cursor.next()
            return number
        return None

    def _of_month(self) -> bool:
        cursor = self.cursor
        cursor.skip("of", "in", "the", "each", "every", "a")
        if cursor.take("month", "months"):
            return True
        return cursor.all[cursor.place - 1].text in ("every", "each") and unit(cursor.token.text) == "month"

    def _days_of_month(self) -> list[int]:
        days: list[int] = []
        cursor = self.cursor
        while True:
            start = cursor.place
            if days:
                cursor.comma()
                cursor.skip("the", "on")
            n = self._ordinal()
            if n is None and cursor.token.kind == "number" and cursor.all[cursor.place - 1].text in ("the", "day"):
                n = int(cursor.next().text)
            if n is None:
                cursor.place = start
                return days
            cursor.take("day")
            days.append(n)

    def _day_of_year(self) -> tuple[int, int] | None:
        cursor, start = self.cursor, self.cursor.place
        first, second = cursor.token, cursor.ahead()
        for name, number in ((first, second), (second, first)):
            found = month(name.text) if name.kind == "word" else None
            if found is not None and number.kind in ("number", "ordinal"):
                cursor.place += 2
                return found, int(number.text.rstrip("stndrh"))
        cursor.place = start
        return None

    def _yearly(self) -> tuple[Rule, ...]:
        """Read "every 24 december", "every january", "every 1st"."""
        if (found := self._day_of_year()) is not None:
            return self._walls(days=[found[1]], months=[found[0]], times=self._times(MORNING))
        number = month(self.cursor.token.text) if self.cursor.token.text in MONTHS else None
        if number is not None:
            self.cursor.next()
            self.cursor.assume("day", "1")
            return self._walls(days=[1], months=[number], times=self._times(MORNING))
        if self.cursor.token.kind == "ordinal" and (days := self._days_of_month()):
            return self._walls(days=days, times=self._times(MORNING))
        return ()

    def _times(self, default: Clock | None) -> list[Clock]:
        """Give the times of day, wherever they stand; what is assumed is noted."""
        times = self.early or self.clocks.many()
        if not times and default is not None:
            self.cursor.assume("time", f"{default[0]:02}:{default[1]:02}")
            return [default]
        return times

    def _walls(
        self,
        *,
        times: Sequence[Clock],
        weekdays: Sequence[int] = (),
        days: Sequence[int] = (),
        months: Sequence[int] = (),
        nth: Sequence[tuple[int, int]] = (),
    ) -> tuple[Rule, ...]:
        """Make rules of times of day; those of one minute share one."""
        if any(not 1 <= day <= 31 and day != LAST for day in days) or any(n > 5 for n, _ in nth):
            raise NotUnderstood("date", word=", ".join(map(str, [*days, *(n for n, _ in nth)])))
        by_minute: dict[int, list[int]] = {}
        for hour, minute in times:
            by_minute.setdefault(minute, []).append(hour)
        return tuple(
            Wall(
                minutes=(minute,),
                hours=tuple(sorted(hours)),
                weekdays=tuple(sorted(weekdays)),
                days=tuple(days),
                months=tuple(months),
                nth=tuple(nth),
            )
            for minute, hours in sorted(by_minute.items())
        )
