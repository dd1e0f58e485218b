"""The calendar of the house: plain words in, instants out."""

from gateway.domain.ids import Instant
from gateway.domain.jobs import Plan


class WallCalendar:
    """Keeps wall clock and zone, and computes instants from them anew each time.

    What it takes is imported when it is first asked: a house without jobs never pays for it.
    """

    def read(self, phrase: str, *, zone: str, now: Instant) -> Plan:
        """Read plain words or cron; raises NotUnderstood."""
        from cron.grammar import read  # noqa: PLC0415  # see above
        from cron.rule import dump  # noqa: PLC0415

        reading = read(phrase, zone=zone, now=now)
        schedule = reading.schedule
        return Plan(
            text=dump(schedule),
            zone=schedule.zone,
            clocked=schedule.clocked,
            single=schedule.single,
            zoned=reading.zoned,
            times=schedule.times,
            assumed=reading.assumed,
        )

    def upcoming(self, plan: str, after: Instant, count: int) -> list[Instant]:
        """List the next instants later than one."""
        from cron.fires import following  # noqa: PLC0415  # see above
        from cron.rule import load  # noqa: PLC0415

        return following(load(plan), after, count)

    def words(self, plan: str) -> str:
        """Say in words how a plan was read."""
        from cron.describe import words  # noqa: PLC0415  # see above
        from cron.rule import load  # noqa: PLC0415

        return words(load(plan))

    def moved(self, plan: str, zone: str) -> str:
        """Keep the wall clock of a plan and change its zone."""
        from cron.rule import dump, load  # noqa: PLC0415  # see above

        return dump(load(plan).moved(zone))

    def zones(self, told: str, now: Instant) -> list[str]:
        """List zones that may be meant by what a platform tells: a name, or an offset."""
        from cron.zones import zones_like  # noqa: PLC0415  # see above

        return zones_like(told, now)

    def zone(self, word: str) -> str | None:
        """Give the proper name of a zone."""
        from cron.zones import zone_named  # noqa: PLC0415  # see above

        return zone_named(word)
