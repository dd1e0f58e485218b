"""Looking changes nothing and tells everything: state, sessions, lives of messages, rows as they change."""

import json
from dataclasses import replace
from functools import partial

import pytest

from gateway.domain.errors import GiveUp
from gateway.domain.ids import Identity, UserId
from gateway.domain.jobs import Job
from gateway.domain.messages import InboundMessage
from gateway.domain.people import Person
from gateway.services.operations import OPERATIONS
from gateway.store import audit, jobs, people
from gateway.store.sqlite import Work
from tests.integration.operations.conftest import NOW, TALK, Daemon, Line, Store

Json = dict[str, object]


async def life(store: Store) -> int:
    await store.session("t1")
    number = await store.inbox("k1", "when does it leave?", turn="t1", state="done")
    await store.outbox("t1/0", "at nine", turn="t1", state="done")
    await store.post("t1/0", "t1")
    return number


async def drop(store: Store, sender: str) -> None:
    message = InboundMessage(
        key=f"d{sender}",
        kind="text",
        conversation=TALK,
        received_at=NOW,
        sender=Identity(platform="telegram", native=sender),
        text="a secret of a stranger",
    )
    await store.do(lambda work: audit.add_drop(work, message, "stranger", NOW - 5))


@pytest.mark.requirement("C3.2")
async def test_why_tells_the_whole_life_of_a_message(store: Store) -> None:
    number = await life(store)
    (told,) = await store.ask("why", id=number)
    assert (told["verdict"], told["rule"], told["person_name"]) == ("talk", "known person", "Ann")
    assert (told["received_at"], told["stored_at"], told["finished_at"]) == (NOW - 20, NOW - 19, NOW - 9)
    assert told["turn"]["tokens"] == {"input": 10, "cached": 4, "output": 5}
    assert told["turn"]["session"]["title"] == "Trains"
    assert [step["role"] for step in told["turn"]["steps"]] == ["user", "assistant"]
    (delivery,) = told["deliveries"]
    assert (delivery["text"], delivery["posted_as"], delivery["posted_at"]) == ("at nine", "telegram/1/7#99", NOW - 13)


@pytest.mark.requirement("C3.11")
async def test_what_was_said_is_found_among_everybodys_words_or_ones(store: Store) -> None:
    await life(store)
    (line,) = await store.ask("sessions.search", query="when")
    assert (line["session"], line["title"], line["role"]) == ("s-1", "Trains", "user")
    assert await store.ask("sessions.search", query="when", person="u1") == [line]
    await store.do(lambda work: people.save(work, Person(id=UserId("bob"), name="Bob", role="user"), NOW))
    assert await store.ask("sessions.search", query="when", person="bob") == []
    assert await store.ask("sessions.search", query="arrive") == []
    with pytest.raises(GiveUp, match="people list"):
        await store.ask("sessions.search", query="when", person="nobody")


async def test_why_shows_the_reply_to_a_command_and_the_apology_for_what_was_parked(store: Store) -> None:
    number = await store.inbox("k1", "/help", state="dead")
    for key in ("reply/k1/0", f"parked/{number}/0", "reply/k10/0", "reply/k1x/0", f"parked/{number}0/0"):
        await store.outbox(key, key)
    (told,) = await store.ask("why", id=number)
    assert [each["text"] for each in told["deliveries"]] == ["reply/k1/0", f"parked/{number}/0"]


@pytest.mark.requirement("C3.2", "C5.3")
async def test_why_last_may_be_a_message_that_was_refused_and_tells_no_text(store: Store) -> None:
    await life(store)
    await drop(store, "8")
    (told,) = await store.ask("why", last=True)
    assert (told["verdict"], told["rule"], told["sender"]) == ("drop", "stranger", "telegram:8")
    assert "secret" not in json.dumps(told)


async def test_why_finds_what_one_account_sent_since_an_instant(store: Store) -> None:
    number = await life(store)
    await drop(store, "8")
    assert [one["id"] for one in await store.ask("why", **{"from": "telegram:7"})] == [number]
    assert [one["rule"] for one in await store.ask("why", **{"from": "telegram:8"})] == ["stranger"]
    assert await store.ask("why", **{"from": "telegram:7", "since": NOW}) == []
    with pytest.raises(GiveUp, match="not an identity"):
        await store.ask("why", **{"from": "ann"})
    with pytest.raises(GiveUp, match="no message 99"):
        await store.ask("why", id=99)


@pytest.mark.requirement("C3.1")
async def test_status_of_a_healthy_daemon_has_no_problems(store: Store) -> None:
    await life(store)
    status: Json = await store.ask("status")
    assert status["problems"] == []
    assert status["platforms"] == [
        {
            "name": "telegram",
            "account": "telegram/1",
            "state": "up",
            "since": NOW - 60,
            "heard_at": NOW - 3,
            "inbound_age": 3.0,
            "trouble": "",
        }
    ]
    assert status["not_yet"] == ["cron: no jobs are scheduled"]


async def test_status_names_every_problem(store: Store) -> None:
    await store.inbox("k1", "x", state="dead")
    await store.outbox("o1", "x", state="unknown")
    await store.do(lambda work: audit.open_incident(work, "model", "outage", NOW))
    store.live = Daemon(lines=(Line(state="degraded", trouble="no answer for 130 s"),))
    status: Json = await store.ask("status")
    assert status["problems"] == [
        "model: outage",
        "telegram is degraded: no answer for 130 s",
        "1 inbox rows are dead (it failed): `dragoman inbox list` shows them",
        "1 outbox rows are unknown (telegram:7: it failed): `dragoman outbox list` shows them",
    ]


async def test_status_tells_the_latest_reasons_why_rows_were_given_up_and_counts_the_others(store: Store) -> None:
    rows = [await store.outbox(f"o{n}", "x", state="dead") for n in range(7)]
    for n, row in enumerate(rows):
        await store.do(partial(store_why, row=row, why=f"reason {max(n - 2, 0)}"))
    status: Json = await store.ask("status")
    assert [problem.partition(": `")[0] for problem in status["problems"] if "outbox" in problem] == [
        "1 outbox rows are dead (telegram:7: reason 4)",
        "1 outbox rows are dead (telegram:7: reason 3)",
        "1 outbox rows are dead (telegram:7: reason 2)",
        "4 more outbox rows are dead",
    ]


def store_why(work: Work, row: int, why: str) -> None:
    """Give a row its reason."""
    work.execute("UPDATE items SET why = ? WHERE id = ?", (why, row))


@pytest.mark.requirement("C3.1")
async def test_status_shows_lanes_in_work_and_how_long_the_oldest_row_waits(store: Store) -> None:
    await store.session("t1", state="open")
    await store.inbox("k1", "x", turn="t1")
    await store.do(
        lambda work: work.execute("INSERT INTO lanes (queue, lane, owner) VALUES ('inbox', 'user:u1', 'b1')")
    )
    status: Json = await store.ask("status")
    assert status["lanes"] == [{"queue": "inbox", "lane": "user:u1", "turn": "t1", "turn_opened_at": NOW - 18}]
    assert status["queues"]["inbox"] == {"ready": 1, "dead": 0, "unknown": 0, "oldest_seconds": 19.0}


async def test_without_a_daemon_status_says_so(store: Store) -> None:
    store.live = None
    status: Json = await store.ask("status")
    assert status["daemon"] is None
    assert status["problems"] == ["the daemon is not running"]


async def test_sessions_are_listed_with_what_they_used_and_shown_by_the_beginning_of_their_id(store: Store) -> None:
    await life(store)
    (listed,) = await store.ask("sessions.list")
    assert (listed["title"], listed["person_name"], listed["turns"], listed["output_tokens"]) == ("Trains", "Ann", 1, 5)
    shown: Json = await store.ask("sessions.show", id="s")
    assert [step["content"] for step in shown["steps"]] == ["when?", "at nine"]
    for wrong in ("x", ""):
        with pytest.raises(GiveUp, match="no session"):
            await store.ask("sessions.show", id=wrong)


async def test_closed_sessions_are_listed_on_demand(store: Store) -> None:
    await life(store)
    await store.do(lambda work: work.execute("UPDATE sessions SET closed_at = 1, closed_by = 'new'"))
    assert await store.ask("sessions.list") == []
    assert len(await store.ask("sessions.list", closed=True)) == 1


async def test_rows_hands_over_everything_once_and_then_what_is_new(store: Store) -> None:
    await life(store)
    first: dict[str, list[Json]] = await store.ask("rows")
    assert [len(first[name]) for name in ("inbox", "outbox", "steps", "turns")] == [1, 1, 2, 1]
    seen = {
        "inbox": first["inbox"][-1]["id"],
        "outbox": first["outbox"][-1]["id"],
        "steps": first["steps"][-1]["seq"],
        "at": first["at"],
    }
    waits = await store.inbox("k2", "and back?")
    then: dict[str, list[Json]] = await store.ask("rows", **seen)
    assert [row["id"] for row in then["inbox"]] == [waits]
    assert [len(then[name]) for name in ("outbox", "steps", "turns")] == [0, 0, 0]
    seen["inbox"] = waits
    again: dict[str, list[Json]] = await store.ask("rows", **seen)
    assert [row["state"] for row in again["inbox"]] == ["ready"]


async def test_looking_changes_nothing(store: Store) -> None:
    number = await life(store)
    await store.inbox("k2", "waits")
    paused = Job(
        id="J-1", person=UserId("u1"), name="bell", what="ring", phrase="daily", plan="", zone="UTC", role="user",
        conversation=TALK, state="paused",
    )  # fmt: skip
    await store.do(lambda work: jobs.save(work, paused))
    before = [
        [tuple(row) for row in await store.db.read(f"SELECT * FROM {table}")] for table in ("items", "turns", "audit")
    ]
    args: dict[str, Json] = {
        "inbox.show": {"id": number},
        "outbox.show": {"id": number + 1},
        "sessions.show": {"id": "s"},
        "people.show": {"person": "Ann"},
        "jobs.show": {"id": "J-1"},
        "memory.show": {"who": "Ann"},
    }
    looks = [name for name in OPERATIONS if name.split(".")[-1] in {"list", "show", "status", "why", "rows"}]
    assert len(looks) == 16
    for name in looks:
        json.dumps(await store.ask(name, **args.get(name, {})))
    after = [
        [tuple(row) for row in await store.db.read(f"SELECT * FROM {table}")] for table in ("items", "turns", "audit")
    ]
    assert before == after


async def test_a_line_that_never_heard_anything_has_no_age(store: Store) -> None:
    store.live = replace(Daemon(), lines=(Line(heard_at=None, state="starting"),))
    status: Json = await store.ask("status")
    assert status["platforms"][0]["inbound_age"] is None
    assert status["problems"] == ["telegram is starting"]
