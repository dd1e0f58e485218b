"""From raw envelopes to messages: names for ids, one key for both events of a mention, nobody for what is no person."""

from dataclasses import replace

import pytest

from adapters.slack import emoji, parse
from adapters.slack.content import plain
from adapters.slack.parse import Myself, View
from gateway.domain.messages import InboundMessage

ME = Myself(team="T1", user="U0", bot="B0")
VIEW = View(me=ME, names={"U2": "Zoë"}, now=1000.0)


def event(**fields: object) -> dict[str, object]:
    base = {"type": "message", "channel": "C1", "user": "U2", "text": "hi", "ts": "10.000001", "team": "T1"}
    return {"event_id": "Ev1", "event": {**base, **fields}}


def read(**fields: object) -> InboundMessage:
    (message,) = parse.parse("events_api", event(**fields), VIEW)
    return message


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"),
        ("<@U2> and <@U9|ann> and <@U8>", "@Zoë and @ann and @U8"),
        ("<#C1|general> <#C2>", "#general #C2"),
        ("<https://a.b/c> <https://a.b|a.b> <https://a.b|docs>", "https://a.b/c https://a.b docs (https://a.b)"),
        ("<mailto:a@b.c|a@b.c>", "a@b.c"),
        ("<!here> <!subteam^S1|@team> <!date^1^{date}|today>", "@here @team today"),
        ("1 < 2 <unfinished", "1 < 2 <unfinished"),
    ],
)
def test_text_is_read_as_a_person_sees_it(raw: str, shown: str) -> None:
    assert plain(raw, {"U2": "Zoë"}) == shown


@pytest.mark.requirement("B001")
def test_both_events_of_a_mention_have_one_key_and_its_text_decides_for_whom_it_is() -> None:
    message = read(text="<@U0> what now?")
    mention = read(type="app_mention", text="<@U0> what now?")
    assert message.key == mention.key == "slack/T1.U0/C1/10.000001"
    assert (message.text, message.addressed) == ("what now?", True)
    assert not read(type="app_mention", text="about <@U3>").addressed
    assert read(text="as <@U0> said").text == "as @U0 said"


@pytest.mark.parametrize(
    "fields",
    [{"bot_id": "B9"}, {"user": "USLACKBOT"}, {"user": "", "subtype": "bot_message", "username": "Ann"}],
)
def test_what_is_no_person_has_no_sender(fields: dict[str, object]) -> None:
    assert read(**fields).sender is None


@pytest.mark.parametrize(
    "fields",
    [
        {"user": "U0"},
        {"bot_id": "B0"},
        {"subtype": "channel_topic"},
        {"subtype": "message_changed", "message": {"user": "U2", "text": "hi", "ts": "1.0"}},
        {"subtype": "message_deleted", "deleted_ts": "1.0", "previous_message": {"user": "U0"}},
        {"type": "reaction_removed"},
    ],
)
def test_what_says_nothing_to_us_makes_no_message(fields: dict[str, object]) -> None:
    assert parse.parse("events_api", event(**fields), VIEW) == ()


@pytest.mark.requirement("B119", "B134")
def test_a_person_is_known_by_workspace_and_id_also_one_from_another_workspace() -> None:
    assert str(read().sender) == "slack:T1/U2"
    assert str(read(user_team="T7").sender) == "slack:T7/U2"
    assert str(read(username="slack:T1/U0").sender) == "slack:T1/U2"


@pytest.mark.parametrize(
    "payload",
    [7, {}, {"event": 1}, event(ts="soon"), event(text=5), event(channel=""), event(files="x")],
)
def test_what_is_malformed_is_kept_as_it_is(payload: object) -> None:
    (message,) = parse.parse("events_api", payload, VIEW)
    assert message.kind == "unreadable"
    assert message.raw


def test_past_and_present_are_the_same_message() -> None:
    history = {"type": "message", "user": "U2", "text": "hi", "ts": "10.000001", "team": "T1"}
    assert parse.past(history, "C1", VIEW) == parse.parse("events_api", event(), VIEW)


def test_reactions_have_their_emoji_and_their_name_back() -> None:
    assert (emoji.sign("thumbsup"), emoji.sign("wave::skin-tone-3"), emoji.sign("party_parrot")) == (
        "👍",
        "👋",
        ":party_parrot:",
    )
    assert (emoji.name_of("❤️"), emoji.name_of(":party_parrot:"), emoji.name_of("🦄")) == (
        "heart",
        "party_parrot",
        None,
    )


def test_the_zone_of_a_profile_comes_along_as_a_proposal() -> None:
    view = replace(VIEW, zones={"U501": "Asia/Tokyo"})
    payload = {"trigger_id": "1", "channel_id": "D1", "user_id": "U501", "text": "schedule at 9: x"}
    (message,) = parse.parse("slash_commands", payload, view)
    assert message.zone == "Asia/Tokyo"
