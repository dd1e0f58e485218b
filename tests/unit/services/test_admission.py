"""The one function that decides, over every combination of what it may be asked."""

from itertools import product
from typing import get_args

import pytest

from gateway.domain.ids import ConversationKey, Identity, UserId
from gateway.domain.messages import InboundKind, InboundMessage
from gateway.domain.people import RANK, Person, Role
from gateway.services.admission import Facts, GroupRule, Policy, Unknown, Verdict, decide, effective
from gateway.services.commands.handler import WORDS
from gateway.services.commands.parse import parse

ANN = Identity(platform="telegram", native="1")
EVENTS = ("text", "edit", "delete", "button", "reaction", "join")
PEOPLE = ("nobody", "stranger", "let in", "blocked", "guest", "user", "admin", "owner")
GROUPS = {
    "unlisted": None,
    "listed": GroupRule(free=False, role="guest", overhear=0),
    "free": GroupRule(free=True, role="user", overhear=0),
    "overhearing": GroupRule(free=False, role="guest", overhear=5),
}
SAID = {"words": "hello", "command": "/new", "code": "/pair ABCD-EFGH"}


def decided(
    kind: InboundKind,
    *,
    who: str = "user",
    unknown: Unknown = "pair",
    open_role: Role = "guest",
    group: str | None = None,
    thread: str | None = None,
    addressed: bool = True,
    text: str = "hello",
    owner: bool = True,
    platform: str = "telegram",
) -> Verdict:
    """Ask for one case; `group` None is a direct talk."""
    place = ConversationKey(
        platform=platform, account="7", chat="1", kind="group" if group else "direct", thread=thread
    )
    message = InboundMessage(
        key="k",
        kind=kind,
        conversation=place,
        received_at=0.0,
        sender=None if who == "nobody" else ANN,
        text=text,
        choice=text if kind == "button" else None,
        addressed=addressed,
    )
    role: Role = "user" if who == "let in" else who  # type: ignore[assignment]  # a role by its name
    known = who not in ("nobody", "stranger")
    person = Person(id=UserId("u1"), name="Ann", role=role, source="open" if who == "let in" else "code")
    policy = Policy(unknown, open_role, {})
    spoken = parse(text, WORDS) if kind in ("text", "button", "command") else None
    facts = Facts(
        message=message,
        person=effective(person, policy) if known else None,
        group=GROUPS[group] if group else None,
        spoken=spoken,
        owner_exists=owner,
    )
    return decide(facts, policy)


ALL = [
    dict(zip(("kind", "who", "unknown", "group", "thread", "addressed", "text", "owner"), one, strict=True))
    for one in product(
        EVENTS, PEOPLE, get_args(Unknown), (None, *GROUPS), (None, "5"), (True, False), SAID.values(), (True, False)
    )
]


@pytest.mark.requirement("C5.1", "C5.2")
def test_nobody_and_the_blocked_get_nothing_whatever_happens() -> None:
    """Ids that stand for many have no sender here, whatever else is said about them."""
    for case in ALL:
        if case["who"] in ("nobody", "blocked"):
            assert decided(**case).kind == "drop", case  # type: ignore[arg-type]


@pytest.mark.requirement("C5.1", "C5.11", "B089", "B135")
def test_an_unlisted_group_gets_nothing_under_every_policy() -> None:
    for case in ALL:
        if case["group"] == "unlisted":
            assert decided(**case).kind == "drop", case  # type: ignore[arg-type]


@pytest.mark.requirement("C5.1", "C5.10")
def test_in_a_group_nobody_has_more_than_its_entry_gives_whoever_they_are() -> None:
    for case in ALL:
        if case["group"] in ("listed", "free", "overhearing"):
            verdict = decided(**case)  # type: ignore[arg-type]
            assert RANK[verdict.role] <= RANK[GROUPS[case["group"]].role], case  # type: ignore[union-attr,index]
            assert verdict.kind != "pair", case  # codes are for direct talks


@pytest.mark.requirement("C5.1", "C5.10")
def test_in_a_listed_group_a_stranger_and_a_known_person_are_treated_alike() -> None:
    for case in ALL:
        if case["group"] in ("listed", "free", "overhearing") and case["who"] == "stranger":
            assert decided(**case) == decided(**{**case, "who": "admin"}), case  # type: ignore[arg-type]


@pytest.mark.requirement("C5.12", "B089")
def test_in_a_group_that_wants_a_mention_unaddressed_words_start_nothing() -> None:
    for case in ALL:
        if case["group"] in ("listed", "overhearing") and not case["addressed"] and case["kind"] != "button":
            assert decided(**case).kind in ("drop", "overhear"), case  # type: ignore[arg-type]


@pytest.mark.requirement("C5.9", "B135")
def test_strangers_are_served_with_the_word_open_only_and_with_its_role() -> None:
    for case in ALL:
        if case["group"] is None and case["who"] == "stranger":
            verdict = decided(**case)  # type: ignore[arg-type]
            if case["unknown"] == "open":
                assert verdict.role in ("guest", "blocked"), case
            else:
                assert verdict.kind in ("drop", "pair"), case


@pytest.mark.requirement("C5.6")
def test_a_code_in_a_direct_talk_is_tried_under_every_policy() -> None:
    for unknown, who, owner in product(get_args(Unknown), ("stranger", "let in", "user", "owner"), (True, False)):
        for text in ("/pair ABCD-EFGH", "/start ABCD-EFGH"):
            verdict = decided("text", who=who, unknown=unknown, text=text, owner=owner)
            assert (verdict.kind, verdict.rule) == ("pair", "code")


@pytest.mark.requirement("C5.9")
def test_only_with_pair_and_without_an_owner_a_stranger_hears_how_one_comes() -> None:
    asked = {
        (unknown, owner): decided("text", who="stranger", unknown=unknown, owner=owner).rule
        for unknown, owner in product(get_args(Unknown), (True, False))
    }
    assert [case for case, rule in asked.items() if rule == "no owner yet"] == [("pair", False)]
    assert decided("reaction", who="stranger", owner=False).kind == "drop"


@pytest.mark.requirement("C5.1", "C5.15")
def test_strangers_ask_with_pair_only_directly_in_words_when_somebody_can_answer_and_never_by_mail() -> None:
    for case in ALL:
        if case["who"] == "stranger" and case["text"] != SAID["code"]:
            verdict = decided(**case)  # type: ignore[arg-type]
            direct = case["group"] is None and case["kind"] == "text"
            asks = direct and case["unknown"] == "pair" and bool(case["owner"])
            assert (verdict.rule == "request") == asks, case
            for platform in ("discord", "slack", "email"):
                elsewhere = decided(**case, platform=platform)  # type: ignore[arg-type]
                answered = verdict.rule in ("request", "no owner yet")
                assert elsewhere == (
                    Verdict("drop", "blocked", "stranger") if answered and platform == "email" else verdict
                )


@pytest.mark.requirement("C5.17")
def test_only_being_added_to_an_unlisted_group_is_asked_about_and_only_when_somebody_can_answer() -> None:
    for who, group, owner, text in product(PEOPLE, (None, *GROUPS), (True, False), ("added", "removed", "blocked")):
        verdict = decided("join", who=who, group=group, owner=owner, text=text)
        asked = text == "added" and group == "unlisted" and owner and who != "blocked"
        assert verdict.kind == ("pair" if asked else "drop"), (who, group, owner, text)


@pytest.mark.requirement("B017")
def test_neither_edits_nor_deletions_nor_reactions_are_ever_commands() -> None:
    for case in ALL:
        if case["kind"] in ("edit", "delete", "reaction", "join"):
            assert decided(**case).kind not in ("command", "pair"), case  # type: ignore[arg-type]


@pytest.mark.requirement("C5.13")
@pytest.mark.parametrize(("who", "group", "role"), [("admin", None, "admin"), ("admin", "free", "user")])
def test_a_topic_has_the_rights_of_the_talk_it_belongs_to(who: str, group: str | None, role: Role) -> None:
    assert decided("text", who=who, group=group, thread="5").role == role
    assert decided("text", who=who, group=group).role == role


@pytest.mark.requirement("C5.9")
def test_whoever_was_let_in_by_the_open_door_is_a_stranger_once_it_is_shut() -> None:
    assert decided("text", who="let in", unknown="open", open_role="user").role == "user"
    assert decided("text", who="let in", unknown="open", open_role="guest").role == "guest"
    assert decided("text", who="let in", unknown="ignore").rule == "stranger"


@pytest.mark.requirement("C4.2")
def test_a_command_for_another_bot_is_nothing_to_us() -> None:
    assert decided("text", group="free", text="/stop@other_bot").rule == "another bot's command"


def test_known_people_talk_and_command_with_their_own_role() -> None:
    for who in ("guest", "user", "admin", "owner"):
        assert decided("text", who=who) == Verdict("talk", who, "known person")  # type: ignore[arg-type]
        assert decided("text", who=who, text="/new").kind == "command"
        assert decided("button", who=who, text="/new").kind == "command"
        assert decided("button", who=who, text="x").kind == "drop"
        assert decided("reaction", who=who).kind == "overhear"
        assert decided("join", who=who).kind == "drop"
