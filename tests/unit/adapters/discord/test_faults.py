"""What to do next after a failure."""

import pytest

from adapters.discord.buckets import Buckets
from adapters.discord.faults import Refused, broken, closed, judge
from gateway.domain.errors import Misconfigured, Retry, Unsure


@pytest.mark.parametrize(
    ("status", "code", "repeatable", "kind"),
    [
        (401, 0, True, Misconfigured),
        (302, 0, True, Misconfigured),
        (502, 0, True, Retry),
        (502, 0, False, Unsure),
        (403, 50013, False, Refused),
        (404, 10003, True, Refused),
        (400, 50035, False, Refused),
    ],
)
def test_an_answer_is_judged_by_what_to_do_next(status: int, code: int, *, repeatable: bool, kind: type) -> None:
    assert type(judge("POST x", status, code, "words", repeatable=repeatable)) is kind


def test_a_call_that_was_never_written_was_surely_not_made() -> None:
    assert type(broken("x", "gone", begun=False, repeatable=False)) is Retry
    assert type(broken("x", "gone", begun=True, repeatable=False)) is Unsure
    assert type(broken("x", "gone", begun=True, repeatable=True)) is Retry


@pytest.mark.parametrize("code", [4004, 4010, 4011, 4012, 4013, 4014])
def test_close_codes_that_do_not_pass_are_for_a_human(code: int) -> None:
    assert isinstance(closed(code), Misconfigured)


def test_a_bucket_that_is_empty_says_for_how_long_and_others_go_on() -> None:
    now = [100.0]
    buckets = Buckets(lambda: now[0])
    headers = {"X-RateLimit-Bucket": "b", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "2.5"}
    buckets.note("POST a", "1", headers)
    assert buckets.wait("POST a", "1") == (2.5, False)
    assert buckets.wait("POST a", "2") == (0.0, False)
    buckets.note("PATCH b", "1", {**headers, "X-RateLimit-Remaining": "1"})
    assert buckets.wait("PATCH b", "1") == (2.5, False)  # the same bucket by another call
    now[0] += 3
    assert buckets.wait("POST a", "1") == (0.0, False)
    buckets.close("x", "", 5, everywhere=True)
    assert buckets.wait("GET z", "9") == (5.0, True)
