"""Who may use the machine speaks as the owner; codes let others in."""

import pytest

from gateway.domain.errors import GiveUp
from gateway.domain.ids import ConversationKey, Identity, UserId
from gateway.domain.messages import Delivery, InboundMessage, Part
from gateway.domain.people import Person
from gateway.domain.work import Admitted, Route
from gateway.services.people import pairing
from gateway.store import codec, lanes, people
from tests.integration.operations.conftest import NOW, Store

TALK = ConversationKey(platform="terminal", account="local", chat="root", kind="direct")


async def add(store: Store, name: str, role: str) -> None:
    person = Person(id=UserId(f"u-{name}"), name=name, role=role)  # type: ignore[arg-type]  # a role by name
    await store.do(lambda work: people.save(work, person, NOW))


@pytest.mark.requirement("C5.5")
async def test_on_a_home_without_owner_the_terminal_is_nobody_until_it_claims(store: Store) -> None:
    assert await store.ask("chat.who", name="root") == {"name": "root", "person": None, "role": None, "owner": False}
    assert await store.ask("owner.claim", name="root") == {"name": "root", "person": "root", "role": "owner"}
    who = {"name": "root", "person": "root", "role": "owner", "owner": True}
    assert await store.ask("chat.who", name="root") == who
    with pytest.raises(GiveUp, match="an owner already"):
        await store.ask("owner.claim", name="bob")


@pytest.mark.requirement("C3.7")
async def test_the_machines_user_speaks_as_the_owner_who_came_from_elsewhere(store: Store) -> None:
    await add(store, "Ann", "owner")
    assert (await store.ask("chat", name="root"))["person"] == "Ann"
    (ann,) = await store.ask("people.list")
    assert ann["identities"] == ["terminal:root"]


async def test_as_another_person_by_name_and_never_as_a_stranger(store: Store) -> None:
    await add(store, "Ann", "owner")
    await add(store, "Bob", "guest")
    assert (await store.ask("chat", name="bob", other=True))["role"] == "guest"
    with pytest.raises(GiveUp, match="nobody called 'eve'"):
        await store.ask("chat", name="eve", other=True)
    await add(store, "bOB", "user")
    with pytest.raises(GiveUp, match="more than one"):
        await store.ask("chat", name="BOB", other=True)


@pytest.mark.parametrize("name", ["", " ann", "a\nb", "x" * 65, 7])
async def test_names_are_short_and_printable(store: Store, name: object) -> None:
    with pytest.raises(GiveUp):
        await store.ask("chat", name=name)


async def test_a_new_terminal_is_shown_what_waited_for_it(store: Store) -> None:
    delivery = Delivery(key="o", conversation=TALK, part=Part(text="late"), repeat="edit")

    def put(work: lanes.Work) -> None:
        lanes.put(
            work, "outbox", key="o", lane=str(TALK), account="terminal/local", body=codec.dump(delivery), now=NOW,
            not_before=NOW + 60,
        )  # fmt: skip
        message = InboundMessage(key="k", kind="text", conversation=TALK, received_at=NOW, text="hi")
        body = codec.dump(Admitted(message=message, route=Route(kind="talk", rule="known person")))
        lanes.put(work, "inbox", key="k", lane="user:u1", account="terminal/local", body=body, now=NOW)

    await store.do(put)
    assert await store.ask("chat.waiting", name="root") == {"inbox": 1, "outbox": 1}
    assert await store.ask("chat.waiting", name="bob") == {"inbox": 0, "outbox": 0}
    await store.ask("chat.wake", name="bob")
    assert (await store.db.read("SELECT not_before FROM items WHERE key = 'o'"))[0][0] == NOW + 60
    await store.ask("chat.wake", name="root")
    assert (await store.db.read("SELECT not_before FROM items WHERE key = 'o'"))[0][0] == 0


async def test_a_code_comes_with_the_links_that_hand_it_over_and_is_good(store: Store) -> None:
    made = await store.ask("pair.new", role="owner")
    code = str(made["code"])
    assert made["links"] == [f"https://t.me/bot?start={code}"]
    who = Identity(platform="telegram", native="7")
    key, person = await store.db.write(lambda work: pairing.redeem(work, who, "Ann", pairing.seal(work, code), NOW))
    assert (key, person and person.role) == ("pair.welcome", "owner")


async def test_nobody_is_invited_to_be_blocked(store: Store) -> None:
    for role in ("blocked", "king"):
        with pytest.raises(GiveUp, match="no role to invite with"):
            await store.ask("pair.new", role=role)


async def test_people_are_listed_with_their_accounts(store: Store) -> None:
    await store.session("t1")
    (ann,) = await store.ask("people.list")
    assert (ann["name"], ann["role"], ann["identities"]) == ("Ann", "user", ["telegram:7"])
