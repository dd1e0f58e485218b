"""Parked and unknown rows are listed, tried again and dropped by hand, each time with a note of who did what."""

import pytest

from gateway.domain.errors import GiveUp
from gateway.domain.messages import Delivery
from gateway.store import codec, lanes
from tests.integration.operations.conftest import NOW, Store


async def column(store: Store, name: str, number: int) -> object:
    return (await store.db.read(f"SELECT {name} AS x FROM items WHERE id = ?", (number,)))[0]["x"]


async def test_a_listing_shows_what_is_not_done_the_latest_first(store: Store) -> None:
    one = await store.inbox("k1", "first")
    await store.inbox("k2", "second", state="done")
    three = await store.inbox("k3", "third", state="dead")
    await store.outbox("o1", "out")
    found = await store.ask("inbox.list")
    assert [(row["id"], row["state"], row["text"]) for row in found] == [
        (three, "dead", "third"),
        (one, "ready", "first"),
    ]
    assert {row["id"] for row in await store.ask("inbox.list", state="dead")} == {three}
    assert len(await store.ask("inbox.list", state="all")) == 3
    assert len(await store.ask("inbox.list", state="all", limit=1)) == 1


async def test_rows_that_expired_wait_for_nobody(store: Store) -> None:
    number = await store.outbox("o1", "queued")
    await store.do(lambda work: lanes.finish(work, [number], state="dead", why="expired", now=NOW))
    assert await store.ask("outbox.list") == []
    assert (await store.ask("status"))["queues"]["outbox"]["dead"] == 0


async def test_a_row_says_who_said_what_where(store: Store) -> None:
    number = await store.inbox("k1", "hello")
    row = await store.ask("inbox.show", id=number)
    assert row["sender"] == "telegram:7"
    assert row["conversation"] == "telegram/1/7"
    assert row["text"] == "hello"


async def test_a_body_that_retention_emptied_is_still_listed(store: Store) -> None:
    number = await store.inbox("k1", "hello", state="dead")
    await store.do(lambda work: work.execute("UPDATE items SET body = '' WHERE id = ?", (number,)))
    (row,) = await store.ask("inbox.list")
    assert row["text"] == ""
    with pytest.raises(GiveUp, match="retention"):
        await store.ask("inbox.retry", id=number)


@pytest.mark.requirement("C3.3")
async def test_a_parked_message_tried_again_is_as_new_and_its_turn_is_open(store: Store) -> None:
    await store.session("t1", state="parked")
    await store.do(lambda work: work.execute("UPDATE turns SET draft = 'what holds the apology'"))
    number = await store.inbox("k1", "hello", turn="t1", state="dead")
    mate = await store.inbox("k2", "there", turn="t1", state="dead")
    other = await store.inbox("k3", "else", state="dead")
    assert (await store.ask("inbox.retry", id=number))["ids"] == [number, mate]
    for each in (number, mate):
        assert (await column(store, "state", each), await column(store, "failures", each)) == ("ready", 0)
    assert await column(store, "state", other) == "dead"
    assert tuple((await store.db.read("SELECT state, draft FROM turns"))[0]) == ("open", None)
    (audit,) = await store.db.read("SELECT kind, subject FROM audit")
    assert tuple(audit) == ("retry", f"inbox/{number}")


async def test_a_dead_part_tried_again_takes_the_rest_of_its_answer_along(store: Store) -> None:
    await store.session("t1")
    parts = [await store.outbox(f"t1/{n}", f"part {n}", turn="t1", state="dead") for n in range(3)]
    assert (await store.ask("outbox.retry", id=parts[1]))["ids"] == parts[1:]
    assert await column(store, "state", parts[0]) == "dead"


@pytest.mark.requirement("B034", "C3.3", "C7.5")
async def test_what_may_have_been_seen_is_sent_again_with_a_mark_and_only_by_hand(store: Store) -> None:
    number = await store.outbox("o1", "hello", state="unknown")
    for _ in range(2):
        await store.ask("outbox.retry", id=number)
        delivery = codec.load(Delivery, str(await column(store, "body", number)))
        assert delivery.part.text == "(sent again by hand) hello"
        assert delivery.part.markup == ""
        await store.do(lambda work: lanes.finish(work, [number], state="unknown", why="again", now=NOW))


async def test_what_is_ready_or_done_or_missing_is_not_tried_again(store: Store) -> None:
    ready, done = await store.inbox("k1", "x"), await store.inbox("k2", "x", state="done")
    for number, why in ((ready, "is ready"), (done, "is done"), (99, "no inbox row 99")):
        with pytest.raises(GiveUp, match=why):
            await store.ask("inbox.retry", id=number)


async def test_what_cannot_be_read_is_not_tried_again(store: Store) -> None:
    number = await store.inbox("k1", "x", state="dead")
    await store.do(lambda work: work.execute("UPDATE items SET rule = 'unreadable'"))
    with pytest.raises(GiveUp, match="could not be read"):
        await store.ask("inbox.retry", id=number)


@pytest.mark.requirement("C3.3")
async def test_a_dropped_row_is_done_with_its_turn_and_says_so(store: Store) -> None:
    await store.session("t1", state="open")
    number = await store.inbox("k1", "hello", turn="t1")
    await store.ask("inbox.drop", id=number)
    assert (await column(store, "state", number), await column(store, "why", number)) == ("done", "dropped by hand")
    assert (await store.db.read("SELECT state FROM turns"))[0]["state"] == "stopped"
    assert (await store.db.read("SELECT kind FROM audit"))[0]["kind"] == "drop"
    with pytest.raises(GiveUp, match="done already"):
        await store.ask("inbox.drop", id=number)


async def test_a_row_in_a_workers_hands_is_not_dropped_but_the_next_one_is(store: Store) -> None:
    first, second = await store.outbox("o1", "one"), await store.outbox("o2", "two")
    await store.do(
        lambda work: work.execute("INSERT INTO lanes (queue, lane, owner) VALUES ('outbox', 'telegram/1/7', 'b')")
    )
    with pytest.raises(GiveUp, match="worked on now"):
        await store.ask("outbox.drop", id=first)
    await store.ask("outbox.drop", id=second)
    store.live = None  # the lease of a dead daemon means nothing
    await store.ask("outbox.drop", id=first)


async def test_what_is_asked_wrongly_is_refused_with_a_sentence(store: Store) -> None:
    for name, args in (
        ("inbox.list", {"state": "lost"}),
        ("inbox.list", {"limit": 10**9}),
        ("inbox.show", {}),
        ("inbox.show", {"id": "7"}),
        ("inbox.show", {"id": True}),
        ("nothing", {}),
    ):
        with pytest.raises(GiveUp):
            await store.ask(name, **args)
