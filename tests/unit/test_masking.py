"""No secret that is known, and none that looks like one, leaves the process in a text."""

import base64
import json
import time
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gateway.masking import MASK, Masker, mask_shapes

SECRETS = st.text(st.characters(exclude_categories=["Cs", "Zs", "Zl", "Zp", "Cc"]), min_size=8, max_size=40)
WRITERS = (
    str,
    repr,
    lambda text: repr(text.encode()),
    json.dumps,
    lambda text: json.dumps({"k": [text]}, ensure_ascii=False),
    lambda text: json.dumps({"event": repr({"k": text})}),
    lambda text: repr(json.dumps([text])),
    lambda text: "?x=" + quote(text, safe=""),
    lambda text: "?x=" + quote_plus(text),
)


@pytest.mark.requirement("C9.2", "B153")
@given(SECRETS)
def test_a_known_secret_is_found_however_a_renderer_writes_it(secret: str) -> None:
    assume(MASK not in secret and not set(secret) <= {"*"})
    masker = Masker([secret])
    for write in WRITERS:
        line = f"before {write(secret)} after"
        masked = masker.mask(line)
        assert MASK in masked
        assert secret not in masked
        assert write(secret) not in masked
        assert masked.startswith("before ")
        assert masked.endswith(" after")


@pytest.mark.requirement("C9.2")
@given(st.binary(max_size=20), st.from_regex(r"[A-Za-z0-9!#%]{10,30}", fullmatch=True), st.binary(max_size=9))
def test_a_known_secret_is_found_inside_base64(before: bytes, secret: str, after: bytes) -> None:
    coded = base64.b64encode(before + secret.encode() + after).decode()
    masked = Masker([secret]).mask(f"sent {coded} to server")
    assert MASK in masked
    kept = masked.removeprefix("sent ").removesuffix(" to server").split(MASK)
    assert sum(map(len, kept)) <= len(coded) - len(secret)


def test_the_secret_half_of_a_pair_and_the_lines_of_a_key_file_are_secrets_too() -> None:
    masker = Masker(["12:abcdefghijklmnopq", "-----BEGIN KEY-----\nAAAABBBBCCCCDDDDEEEE\nshort\n-----END KEY-----"])
    assert masker.mask("half abcdefghijklmnopq, line AAAABBBBCCCCDDDDEEEE") == f"half {MASK}, line {MASK}"
    assert masker.mask("-----BEGIN KEY----- short") == "-----BEGIN KEY----- short"


def test_the_longest_secret_goes_first() -> None:
    assert Masker(["secret-one", "secret-one-and-two"]).mask("<secret-one-and-two>") == f"<{MASK}>"


def test_secrets_can_be_learnt_later_and_tiny_ones_black_out_nothing() -> None:
    masker = Masker(["a", ""])
    assert masker.mask("a banana hunter22") == "a banana hunter22"
    masker.add(["hunter22"])
    assert masker.mask("a banana hunter22") == f"a banana {MASK}"


TELEGRAM = "123456789:AAF-abcdefghijklmnopqrstuvwxyz_12345"


@pytest.mark.requirement("C9.2", "B153")
@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (f"POST https://api.telegram.org/bot{TELEGRAM}/getMe", f"POST https://api.telegram.org/bot{MASK}/getMe"),
        (f"/file/bot{TELEGRAM}/photos/1.jpg", f"/file/bot{MASK}/photos/1.jpg"),
        ("Authorization: Bearer abc.def-123", f"Authorization: Bearer {MASK}"),
        ("authorization=Bot abcdef", f"authorization=Bot {MASK}"),
        ("{'Authorization': 'Bearer abcdef', 'A': 'b'}", f"{{'Authorization': 'Bearer {MASK}', 'A': 'b'}}"),
        ("{'Authorization': 'plainvalue', 'A': 'b'}", f"{{'Authorization': '{MASK}', 'A': 'b'}}"),
        (r"{\"Authorization\": \"Basic dXNlcjpwYXNz\"}", rf"{{\"Authorization\": \"Basic {MASK}\"}}"),
        ("(b'Authorization', b'Bearer abcdef')", f"(b'Authorization', b'Bearer {MASK}')"),
        ("sent Bearer abcdefghijk now", f"sent Bearer {MASK} now"),
        ("AUTH PLAIN AGJvdABodW50ZXIy", f"AUTH PLAIN {MASK}"),
        ("key sk-proj-abcdefghij0123456789.", f"key {MASK}."),
        ("xoxb-1234567890-abcdefghij", MASK),
        ("xoxe.xoxp-1-abcdefghij", MASK),
        ("xapp-1-A0-12345-abcdef", MASK),
        ("MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs-abc", MASK),
        ("password=hunter2&x=1", f"password={MASK}&x=1"),
        ('{"api_key": "abc", "b": 1}', f'{{"api_key": "{MASK}", "b": 1}}'),
        ("{'client_secret': 'abc'}", f"{{'client_secret': '{MASK}'}}"),
        ("token: abc", f"token: {MASK}"),
        ("https://slack.com/api/?token=abc&x=1", f"https://slack.com/api/?token={MASK}&x=1"),
        ("proxy http://ann:hunter2@proxy:3128/", f"proxy http://ann:{MASK}@proxy:3128/"),
        ("your code is ABCD-EFGH.", f"your code is {MASK}."),
        ("/pair abcdefgh", f"/pair {MASK}"),
        ("/start@a_bot ABCDEFGH", f"/start@a_bot {MASK}"),
        ("https://t.me/bot?start=ABCDEFGH", f"https://t.me/bot?start={MASK}"),
    ],
)
def test_what_has_the_shape_of_a_secret_is_masked(text: str, masked: str) -> None:
    assert mask_shapes(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        '{"timestamp": "2026-11-30T21:48:37.884095Z", "level": "info", "event": "answered", "seconds": 0.25}',
        "prompt_tokens=512 completion_tokens=10 max_tokens: 4096",
        "telegram:-1001234567890/42 turn 01J5-abcd-ef01",
        "key=telegram/123456/789/12 lane user:ann",
        "api_key=None token: null password: ",
        "http://127.0.0.1:8460/healthz",
        "mail to ann@example.org about a basic thing",
        "2026-11-30 UTF-8 ISO-8859-1 v1.2.3",
        "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    ],
)
def test_ordinary_lines_stay_as_they_are(text: str) -> None:
    assert mask_shapes(text) == text


@pytest.mark.parametrize("piece", ["1", "a", "token", "a.b-c_d", "a://", "Bearer ", "AAAA-", "auth ", "/pair ", '\\"'])
def test_long_lines_cost_time_in_proportion(piece: str) -> None:
    line = piece * (200_000 // len(piece))
    begin = time.process_time()
    Masker(["some-secret"]).mask(line)
    assert time.process_time() - begin < 2
