"""What somebody is asked to choose: answered by a button or in words, by whom it was put to, once, in time."""

from pathlib import Path

import pytest

from gateway.domain.messages import OutboundMessage
from gateway.domain.offers import Offer
from gateway.services import offers as asking
from gateway.services.commands import deciders
from gateway.services.commands.context import Context
from gateway.services.commands.deciding import Decision, Outcome
from gateway.store import people
from gateway.store.sqlite import Work
from playground.telegram.client import Phone
from tests.harness.house import House, running
from tests.harness.looks import says

PEOPLE = {
    "unknown": "ignore",
    "people": [
        {"name": "Ann", "role": "user", "identities": ["telegram:11"]},
        {"name": "Bob", "role": "user", "identities": ["telegram:12"]},
        {"name": "Cid", "role": "admin", "identities": ["telegram:13"]},
    ],
    "groups": [{"conversation": "telegram:-100500", "mention": "free"}],
}
WORDS = ("yes", "no", "maybe")


def decide(_work: Work, decision: Decision, _context: Context) -> Outcome:
    """Take any answer but one, which decides nothing."""
    return Outcome(f"{decision.by.name} said {decision.word}.", final=decision.word != "maybe")


@pytest.fixture(autouse=True)
def kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be a kind of offer that does nothing."""
    monkeypatch.setitem(deciders.DECIDERS, "test", decide)  # type: ignore[arg-type]  # the table is a dict


def words(key: str, /, *_: object, **__: object) -> str:
    """Stand in for sentences of a kind that no person ever sees."""
    return key


async def offered(house: House, phone: Phone, *, least: str | None = None, seconds: float = 300.0) -> Offer:
    """Put a question to whoever has this phone, in the chat that is open on it."""
    assert house.app is not None
    app = house.app

    def put(work: Work) -> Offer:
        offer = asking.make(
            work,
            "T",
            kind="test",
            subject="s",
            about="a test",
            words=WORDS,
            now=house.clock(),
            seconds=seconds,
            person=next(p.id for p in people.having_role(work, "user") if p.name == "Ann"),
            least=least,  # type: ignore[arg-type]  # a role by its name
        )
        talk = next(iter(people.talks(work, offer.person or offer.id)))  # type: ignore[arg-type]
        message = OutboundMessage(
            key=f"ask/{offer.id}", conversation=talk, text="Well?", choices=asking.choices(offer, WORDS)
        )
        app.handlers["outbox"].post(work, message, what="notice")  # type: ignore[attr-defined]
        return offer

    phone.send("echo hello")
    await phone.answer("hello")
    return await app.db.write(put)


async def test_a_button_answers_once_and_says_afterwards_what_was_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "say", words)
    async with running(tmp_path, {"access": PEOPLE}) as house:
        ann = house.phone("Ann", user_id=11)
        offer = await offered(house, ann)
        question = await ann.wait_for(says("Well?"))
        ann.press(question, f"/choose {offer.id} maybe")
        await ann.answer("Ann said maybe.")
        ann.press(question, f"/choose {offer.id} yes")
        await ann.answer("Ann said yes.")
        ann.press(question, f"/choose {offer.id} no")
        await ann.answer(f"{offer.id} has been answered already: yes, by Ann.")


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("/approve {id}", "said yes"),
        ("/approve", "said yes"),
        ("/deny {id}", "said no"),
        ("/deny", "said no"),
        ("/approve {lower} no", "said no"),
        ("/choose {id} no", "said no"),
        ("/approve {id} perhaps", "can be answered with: yes, no, maybe"),
        ("/approve T-AAAA", "There is nothing called T-AAAA"),
    ],
)
async def test_words_do_what_buttons_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, answer: str
) -> None:
    monkeypatch.setattr(asking, "say", words)
    async with running(tmp_path, {"access": PEOPLE}) as house:
        ann = house.phone("Ann", user_id=11)
        offer = await offered(house, ann)
        await ann.wait_for(says("Well?"))
        ann.send(typed.format(id=offer.id, lower=offer.id.lower()))
        await ann.wait_for(says(answer))


@pytest.mark.requirement("B138")
async def test_only_whom_it_was_put_to_or_somebody_of_the_role_it_names_may_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "say", words)
    async with running(tmp_path, {"access": PEOPLE}) as house:
        ann, bob, cid = (house.phone(name, user_id=n) for name, n in (("Ann", 11), ("Bob", 12), ("Cid", 13)))
        offer = await offered(house, ann, least="admin")
        bob.send(f"/approve {offer.id}")
        await bob.answer(f"{offer.id} is not yours to answer.")
        bob.send("/approve")
        await bob.answer("Nothing waits for your answer.")
        (refused,) = await house.rows("SELECT * FROM audit WHERE kind = 'decision refused'")
        assert refused["subject"] == offer.id
        cid.send(f"/deny {offer.id}")
        await cid.answer("Cid said no.")
        ann.send(f"/approve {offer.id}")
        await ann.answer(f"{offer.id} has been answered already: no, by Cid.")


@pytest.mark.requirement("B142")
async def test_a_question_outlives_a_restart_and_ends_at_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "say", words)
    async with running(tmp_path, {"access": PEOPLE}) as house:
        ann = house.phone("Ann", user_id=11)
        first = await offered(house, ann)
        second = await offered(house, ann)
        await ann.wait_for(says("Well?"))
        await house.stop()
        await house.start()
        ann.send("/approve")
        listed = await ann.wait_for(says("These wait for your answer"))
        assert {first.id, second.id} <= set(listed.body.text.replace(":", " ").split())
        ann.send(f"/approve {first.id}")
        await ann.answer("Ann said yes.")
        house.jump(301)
        ann.send(f"/approve {second.id}")
        await ann.answer(f"{second.id} has expired; nothing was done.")


async def test_of_two_answers_at_once_one_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "say", words)
    async with running(tmp_path, {"access": PEOPLE}) as house:
        ann, cid = house.phone("Ann", user_id=11), house.phone("Cid", user_id=13)
        offer = await offered(house, ann, least="admin")
        question = await ann.wait_for(says("Well?"))
        ann.press(question, f"/choose {offer.id} yes")
        cid.send(f"/deny {offer.id}")
        await ann.wait_for(says("."))
        await cid.wait_for(says("."))
        await house.quiet()
        decided = await house.rows("SELECT * FROM audit WHERE kind = 'decided'")
        (row,) = await house.rows("SELECT decision FROM offers")
        assert len(decided) == 1
        assert row["decision"] in ("yes", "no")
