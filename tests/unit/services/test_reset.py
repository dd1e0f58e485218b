"""When a session ends by itself: the rules as pure functions, over any instants and zones."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.domain.ids import ConversationKey, Kind
from gateway.services.talks.reset import Differing, Life, Policies, Policy, boundary_after, due, end, held

DAY = 86400.0
ZONES = ("UTC", "Europe/Rome", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe", "Asia/Kathmandu")
DAILY = Policy("daily_boundary", 24, notice=True)
BOTH = Policy("idle_or_daily", 6, notice=True)
INSTANTS = st.floats(min_value=1.5e9, max_value=2.0e9, allow_nan=False)
TIMES = st.sampled_from(("00:00", "01:30", "02:00", "02:30", "03:00", "04:00", "23:59"))
POLICIES = st.builds(
    Policy,
    type=st.sampled_from(("idle_timeout", "daily_boundary", "idle_or_daily", "manual")),
    idle_hours=st.floats(min_value=0.1, max_value=100),
    notice=st.booleans(),
    at=TIMES,
)


def whole(opened: float, active: float) -> Life:
    """Make a life that nobody asked to keep."""
    return Life(opened, active)


LIVES = st.builds(lambda opened, talked: whole(opened, opened + talked), INSTANTS, st.floats(0, 3 * DAY))


def at(zone: str, text: str, fold: int = 0) -> float:
    """Read a local time."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).timestamp()


@pytest.mark.requirement("C2.11", "B109")
@pytest.mark.parametrize(
    ("zone", "active", "received", "why"),
    [
        ("Asia/Shanghai", "2026-03-01T22:00", "2026-03-02T03:59", None),
        ("Asia/Shanghai", "2026-03-01T22:00", "2026-03-02T04:00", "daily"),
        ("Asia/Shanghai", "2026-03-02T05:00", "2026-03-02T23:00", None),  # past noon of the server, no boundary here
        ("Europe/Rome", "2026-03-01T22:00", "2026-03-02T03:59", None),
        ("Europe/Rome", "2026-03-01T22:00", "2026-03-02T04:01", "daily"),
        ("Europe/Rome", "2026-03-01T03:50", "2026-03-01T04:01", None),  # in the middle of a talk
        ("Europe/Rome", "2026-03-01T03:50", "2026-03-01T04:05", "daily"),
    ],
)
def test_a_new_day_begins_in_the_zone_of_the_person_and_never_inside_a_talk(
    zone: str, active: str, received: str, why: str | None
) -> None:
    lived = whole(at(zone, active), at(zone, active))
    assert due(DAILY, lived, zone, at(zone, received)) == why


@pytest.mark.requirement("B105")
def test_a_boundary_that_was_held_off_ends_the_talk_at_its_first_quarter_of_an_hour_of_quiet() -> None:
    zone, opened = "Europe/Rome", at("Europe/Rome", "2026-03-01T03:00")
    active = at(zone, "2026-03-01T04:20")  # a talk that went on over four o'clock
    assert held(DAILY, whole(opened, active), zone, active + 60)
    assert due(DAILY, whole(opened, active), zone, active + 899) is None
    assert due(DAILY, whole(opened, active), zone, active + 900) == "daily"
    assert due(DAILY, whole(active, active), zone, active + 900) is None  # begun after the boundary


@pytest.mark.requirement("B110", "B111")
@pytest.mark.parametrize(
    ("time", "evening", "boundary"),
    [
        ("02:30", "2026-03-28T22:00", "2026-03-29T03:30+02:00"),  # it is skipped: one hour later by the clocks
        ("04:00", "2026-03-28T22:00", "2026-03-29T04:00+02:00"),
        ("02:30", "2026-10-24T22:00", "2026-10-25T02:30+02:00"),  # it comes twice: the first
        ("04:00", "2026-10-24T22:00", "2026-10-25T04:00+01:00"),
    ],
)
def test_there_is_one_boundary_in_the_night_in_which_clocks_change(time: str, evening: str, boundary: str) -> None:
    zone, wanted = "Europe/Rome", datetime.fromisoformat(boundary).timestamp()
    active = at(zone, evening)
    assert boundary_after(time, zone, active) == wanted
    policy = DAILY._replace(at=time)
    assert due(policy, whole(active, active), zone, wanted - 1) is None
    assert due(policy, whole(active, active), zone, wanted) == "daily"
    assert boundary_after(time, zone, wanted) - wanted > 20 * 3600  # in the overlap it doesn't come again


@given(INSTANTS, TIMES, st.sampled_from(ZONES))
def test_boundaries_come_once_a_day_and_show_the_time_that_was_asked_for(instant: float, time: str, zone: str) -> None:
    first = boundary_after(time, zone, instant)
    second = boundary_after(time, zone, first)
    assert instant < first < second
    assert 22 * 3600 <= second - first <= 26 * 3600
    assert first - instant <= 26 * 3600
    shown = f"{datetime.fromtimestamp(first, ZoneInfo(zone)):%H:%M}"
    skipped = (
        datetime.fromtimestamp(first, ZoneInfo(zone)).utcoffset()
        != datetime.fromtimestamp(first - 7200, ZoneInfo(zone)).utcoffset()
    )
    assert shown == time or skipped


@pytest.mark.requirement("C2.11", "C6.6")
@given(POLICIES, LIVES, st.floats(0, 3 * DAY), st.floats(0, DAY), st.sampled_from(ZONES))
def test_a_session_that_is_over_stays_over_and_one_that_goes_on_was_never_over(
    policy: Policy, lived: Life, silent: float, later: float, zone: str
) -> None:
    received = lived.last_active + silent
    why = due(policy, lived, zone, received)
    if why is not None:
        assert due(policy, lived, zone, received + later) == why
    else:
        assert due(policy, lived, zone, received - min(later, silent)) is None
    last = end(policy, lived, zone)
    assert (last is None) == (policy.type == "manual")
    assert (why is not None) == (last is not None and received >= last.at)


@given(POLICIES, INSTANTS, st.floats(0, 3 * DAY), st.sampled_from(ZONES))
def test_a_message_within_a_few_minutes_of_the_last_one_never_finds_a_new_session(
    policy: Policy, opened: float, talked: float, zone: str
) -> None:
    policy = policy._replace(idle_hours=max(policy.idle_hours, 0.5))
    lived = whole(opened, opened + talked)
    assert due(policy, lived, zone, lived.last_active + 899) is None
    assert due(policy, lived, zone, lived.last_active - 5000) is None  # one that was under way for long


@given(INSTANTS, st.floats(0, 3 * DAY), st.floats(0, 3 * DAY), st.sampled_from(ZONES))
def test_with_both_rules_the_first_one_counts(opened: float, talked: float, silent: float, zone: str) -> None:
    lived = whole(opened, opened + talked)
    received = lived.last_active + silent
    single = [due(BOTH._replace(type=one), lived, zone, received) for one in ("idle_timeout", "daily_boundary")]
    assert (due(BOTH, lived, zone, received) is None) == (single == [None, None])


def test_a_session_that_was_kept_goes_on_over_the_boundary_that_it_was_kept_for_and_no_other() -> None:
    zone = "Europe/Rome"
    opened, asked = at(zone, "2026-03-01T22:00"), at(zone, "2026-03-02T03:50")
    kept = Life(opened, asked, kept_until=at(zone, "2026-03-02T04:00"))
    assert due(DAILY, kept, zone, at(zone, "2026-03-02T12:00")) is None
    assert due(DAILY, kept, zone, at(zone, "2026-03-03T04:00")) == "daily"


def test_exceptions_say_only_what_differs_and_those_of_a_platform_win() -> None:
    usual = Policy("idle_or_daily", 24, notice=False, at="05:00", warn_minutes=10)
    rules = Policies(
        usual,
        {"email": Differing(type="manual"), "slack": Differing(idle_hours=1.0)},
        {"group": Differing(idle_hours=4.0, notice=True)},
    )

    def where(platform: str, kind: Kind, thread: str | None = None) -> Policy:
        return rules.of(ConversationKey(platform=platform, account="1", chat="2", kind=kind, thread=thread))

    assert where("telegram", "direct") == usual
    assert where("email", "direct") == usual._replace(type="manual")
    assert where("telegram", "group") == usual._replace(idle_hours=4.0, notice=True)
    assert where("slack", "group") == usual._replace(idle_hours=1.0, notice=True)
    assert where("telegram", "group", "7") == usual  # a thread is a kind of its own
