"""The clock is judged by what servers tell."""

import pytest

from gateway.setup.credentials import clock


@pytest.mark.requirement("C3.9")
@pytest.mark.parametrize(
    ("skews", "state"),
    [([], "note"), ([0.4], "ok"), ([-15.0, 15.0, 15.0], "note"), ([300.0, 299.0, 0.0], "wrong"), ([-300.0], "wrong")],
)
def test_a_clock_that_is_off_is_found_and_one_server_alone_is_not_believed(skews: list[float], state: str) -> None:
    found = clock(skews)
    assert found.state == state
    assert ("ahead" in found.text) == (bool(skews) and state != "ok" and sorted(skews)[len(skews) // 2] > 0)
