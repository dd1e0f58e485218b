"""The adapter answers for every power of the house's ports, before it is connected."""

import pytest

from adapters.telegram.adapter import TelegramAdapter
from gateway.domain.ports import Addressing, Commanding, Deleting, Editing, Fetching, Reacting, Typing

POWERS = [Editing, Deleting, Typing, Reacting, Fetching, Commanding, Addressing]


@pytest.mark.parametrize("power", POWERS, ids=lambda power: power.__name__)
def test_it_has_the_power(power: type) -> None:
    assert isinstance(TelegramAdapter(token="1:x"), power)


def test_it_knows_its_limits_and_not_yet_its_account() -> None:
    adapter = TelegramAdapter(token="1:x")
    assert adapter.account is None
    assert (adapter.limits.max_units, adapter.limits.unit, adapter.limits.repeat) == (4096, "utf16", "edit")
    assert "1:x" not in repr(adapter)
