"""Every promise has its test, and every test names a promise that exists."""

import os

import pytest

from tests.house.requirements import PLANNED, manifest, marks, rows, unknown_ids, without_test
from tests.house.sources import Source


def test_every_row_that_says_tested_has_a_test() -> None:
    assert not without_test("tested")


def test_every_mark_names_a_row_of_the_page() -> None:
    assert not unknown_ids()


@pytest.mark.skipif(os.environ.get("STRICT_REQUIREMENTS") != "1", reason="asked for with STRICT_REQUIREMENTS=1")
def test_nothing_is_left_planned() -> None:
    assert not [f"{row.id}: {row.what}" for row in rows() if row.status == PLANNED]


def test_the_page_holds_every_reported_failure() -> None:
    assert sum(row.id.startswith("B") for row in rows()) == 185


def test_an_id_that_stands_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        manifest("| B001 | one | tested |\n| B001 | other | tested |\n")


def test_a_status_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="perhaps"):
        manifest("| B001 | one | perhaps |\n")


def test_marks_are_found_and_a_computed_one_is_no_id() -> None:
    text = '@pytest.mark.requirement("B001", "C1.1")\n@pytest.mark.requirement(name)\ndef test(): ...\n'
    assert [name for name, _ in marks(Source(path="tests/a.py", text=text))] == ["B001", "C1.1", ""]
