"""How far guessing codes gets: the numbers of the page on people, by simulation."""

from collections.abc import Iterator

import pytest

from gateway.domain.ids import ConversationKey, Identity, UserId
from gateway.domain.people import Account, Person
from gateway.services.people import pairing
from gateway.store import people
from gateway.store.sqlite import Work
from tests.unit.store.rows import empty

HOUR = 3600.0
ANN = Person(id=UserId("u1"), name="Ann", role="owner", source="code")
TALK = ConversationKey(platform="telegram", account="1", chat="1", kind="direct")
ACCOUNT = Account(identity=Identity(platform="telegram", native="1"), name="Ann", conversation=TALK)


@pytest.fixture
def work() -> Iterator[Work]:
    """A store that knows Ann."""
    connection = empty()
    work = connection.cursor(Work)
    people.save(work, ANN, 0.0)
    people.link(work, ACCOUNT.identity, ANN.id, "code", 0.0)
    yield work
    connection.close()


def link_code(work: Work, now: float) -> str:
    """Make a code that joins an account to Ann."""
    return pairing.new_code(work, kind="link", role="guest", name=None, now=now, person=ANN.id, account=ACCOUNT)


def guess(work: Work, who: int, code: str, now: float) -> object:
    """Try a code as a stranger."""
    return pairing.examine(work, Identity(platform="telegram", native=str(who)), pairing.seal(work, code), now)


@pytest.mark.requirement("B123", "C5.8")
def test_one_account_gets_five_guesses_then_one_an_hour(work: Work) -> None:
    tried = 0
    for minute in range(24 * 60):
        answer = guess(work, 7, "AAAA-AAAA", minute * 60.0)
        tried += answer == "pair.wrong"
        if answer == "pair.locked":
            assert guess(work, 7, link_code(work, minute * 60.0), minute * 60.0) == "pair.locked"
    assert tried == 5 + 23  # five at once, then the first of each further hour


@pytest.mark.requirement("C5.15")
def test_a_thousand_strangers_get_two_hundred_guesses_an_hour_and_right_ones_tell_nothing_then(work: Work) -> None:
    tried = 0
    for n in range(1000):
        tried += guess(work, 1000 + n, "AAAA-AAAA", n * 1.0) == "pair.wrong"
    assert tried == pairing.CROWD
    code = link_code(work, 1001.0)
    assert guess(work, 5000, code, 1001.0) == "pair.crowd"
    assert guess(work, 5001, "BBBB-BBBB", 1001.0) == "pair.crowd"


@pytest.mark.requirement("C5.15")
def test_the_second_lock_lets_known_accounts_and_invitations_pass_and_ends(work: Work) -> None:
    for n in range(pairing.CROWD):
        guess(work, 1000 + n, "AAAA-AAAA", 0.0)
    invitation = pairing.new_code(work, kind="invite", role="user", name=None, now=1.0)
    assert not isinstance(guess(work, 5000, invitation, 1.0), str)
    owner = pairing.new_code(work, kind="owner", role="owner", name=None, now=1.0)
    assert not isinstance(guess(work, 5001, owner, 1.0), str)
    assert not isinstance(guess(work, 1, link_code(work, 1.0), 1.0), str)  # Ann herself
    assert not isinstance(guess(work, 5002, link_code(work, HOUR + 1), HOUR + 1), str)
