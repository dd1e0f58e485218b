from bench.prefix import compare


def test_a_request_that_begins_with_the_one_before_keeps_all_of_it():
    found = compare([b"abcd", b"abcdefgh", b"abcdefghij"])

    assert found["kept.least"] == 1.0
    assert found["new.median"] == 0.35
    assert found["bytes.last"] == 10


def test_one_changed_byte_early_on_shows():
    assert compare([b"abcd", b"axcd"])["kept.least"] == 0.25
