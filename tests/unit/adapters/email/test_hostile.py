"""Whatever bytes come, a mail is judged in bounded time and memory, and nothing is raised."""

import resource
import string
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.email import charsets, content, html, mime, quotes, sender
from adapters.email.parse import Mailbox, message, read
from tests.unit.adapters.email.test_cases import CASES, FOLDER

BOX = Mailbox(address="bot@bench.test", authserv_ids=("mx.bench.test",), require_authenticated=False)
TO = b"From: Ann <ann@ex.org>\r\nTo: bot@bench.test\r\n"
HTML = TO + b"Content-Type: text/html; charset=utf-8\r\n\r\n"
QUICK = settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
SECONDS, MEGABYTES = 5.0, 200

HOSTILE = {
    "20,000 nested divs": HTML + b"<div>" * 20_000 + b"deep question?" + b"</div>" * 20_000,
    "200,000 nested divs": HTML + b"<div>" * 200_000 + b"deep question?",
    "1.5 MB of open tags": HTML + b"<b <i" * 300_000,
    "nested lists": HTML + b"<ul><li>" * 60_000 + b"x",
    "nested tables": HTML + b"<table><tr><td>" * 40_000 + b"x",
    "open fonts": HTML + b"".join(b"<font size=%d>" % n for n in range(20_000)) + b"<p>x" * 20_000,
    "many attributes": HTML + b"<a " + b" ".join(b"a%d=1" % n for n in range(100_000)) + b">x",
    "comments": HTML + b"<!--" * 200_000,
    "entities": HTML + b"&amp;" * 200_000,
    "header flood": b"X-Flood: 1\r\n" * 100_000 + TO + b"\r\nhi",
    "one long header": b"X-Long: " + b"a" * 5_000_000 + b"\r\n" + TO + b"\r\nhi",
    "folded for ever": b"X-Long: a\r\n" + b" b\r\n" * 200_000 + TO + b"\r\nhi",
    "recipients": b"From: ann@ex.org\r\nTo: " + b"<a@b.c>, " * 200_000 + b"\r\n\r\nhi",
    "comments in From": b"From: " + b"(" * 100_000 + b"ann@ex.org\r\nTo: bot@bench.test\r\n\r\nhi",
    "results": TO + b"Authentication-Results: mx.bench.test; " + b"dkim=pass header.d=a.b; " * 100_000 + b"\r\n\r\nhi",
    "references": TO + b"References: " + b"<a@b> " * 200_000 + b"\r\n\r\nhi",
    "unclosed references": TO + b"References: " + b"<" * 500_000 + b"\r\n\r\nhi",
    "encoded words": TO + b"Subject: " + b"=?utf-8?q?a?= " * 100_000 + b"\r\n\r\nhi",
    "half encoded words": TO + b"Subject: " + b"=?a?b?" * 100_000 + b"\r\n\r\nhi",
    "parameters": TO + b"Content-Type: text/plain; " + b'a="b"; ' * 100_000 + b"\r\n\r\nhi",
    "unclosed quotes": TO + b'Content-Type: text/plain; a="' + b"\\" * 200_000 + b"\r\n\r\nhi",
    "parts": TO + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\nx\r\n" * 50_000,
    "nested mails": TO + b"Content-Type: message/rfc822\r\n\r\n" * 2_000,
    "quotes": TO + b"\r\n" + b">" * 2_000_000,
    "quoted lines": TO + b"In-Reply-To: <a@b>\r\n\r\n" + b"> x\r\ny\r\n" * 100_000,
    "headers as text": TO + b"\r\n" + b"From: a@b\r\nSubject: x\r\n" * 50_000,
    "one long line": TO + b"\r\n" + b"x" * 5_000_000,
    "flowed": TO + b"Content-Type: text/plain; format=flowed\r\n\r\n" + b"a \r\n" * 300_000,
    "base64 of nothing": TO + b"Content-Transfer-Encoding: base64\r\n\r\n" + b"=" * 3_000_000,
    "a signed text without end": TO + b"\r\n" + b"-----BEGIN PGP SIGNED MESSAGE-----\r\n" * 20_000,
    "equal signs": TO + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + b"= " * 1_000_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_mail_costs_little_time_and_memory(name: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    reading = read(HOSTILE[name], BOX)
    content.files(mime.read(HOSTILE[name]))
    assert time.process_time() - began < SECONDS
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < MEGABYTES
    assert len(reading.text) <= BOX.max_text_chars + 200
    assert message(reading, BOX, remote="1/1", received_at=0.0).key


@given(raw=st.binary(max_size=2_000))
@QUICK
def test_any_bytes_are_judged(raw: bytes) -> None:
    reading = read(raw, BOX)
    assert reading.reason
    message(reading, BOX, remote="1/1", received_at=0.0)


LINE = st.sampled_from(
    [
        b"From: Ann <ann@ex.org>", b"From: =?utf-8?q?a=0d=0a?= <ann@ex.org>", b"From:", b"To: bot@bench.test", b"Cc: (",
        b"Content-Type: multipart/mixed; boundary=\"b\"", b"Content-Type: multipart/alternative; boundary=b",
        b"Content-Type: text/html; charset=\"utf-16\"", b"Content-Type: message/rfc822",
        b"Content-Type: text/plain; x*",
        b"Content-Type: text/plain; name*0*=''%; name*1=\"", b"Content-Disposition: attachment; filename*=''%ff",
        b"Content-Transfer-Encoding: base64", b"Content-Transfer-Encoding: quoted-printable", b"--b", b"--b--", b"",
        b"<blockquote type=cite><p>x", b"=?iso-2022-jp?b?GyRC?=", b"> quoted", b"On 1.1.2025 x wrote:", b"\xff\xfe\x00",
        b"Message-ID: <[a@b]>", b"References: <a@b> <", b"Date: Mon, 99 Foo 20255", b"Subject: =?utf-8?b?/////w==?=",
        b" x",
    ]
)  # fmt: skip


@given(lines=st.lists(st.one_of(LINE, st.binary(max_size=60)), max_size=40))
@QUICK
def test_anything_that_resembles_a_mail_is_judged(lines: list[bytes]) -> None:
    reading = read(b"\r\n".join(lines), BOX)
    message(reading, BOX, remote="1/1", received_at=0.0)


@given(name=st.sampled_from(sorted(CASES)), cut=st.integers(0, 3_000), noise=st.binary(max_size=8))
@QUICK
def test_a_real_mail_with_a_wound_is_judged(name: str, cut: int, noise: bytes) -> None:
    raw = (FOLDER / name).read_bytes()[:20_000]
    read(raw[:cut] + noise + raw[cut + len(noise) :], BOX)


@given(text=st.text(max_size=400), subject=st.text(max_size=20), said=st.text(max_size=40), replying=st.booleans())
@QUICK
def test_something_is_left_of_every_text_that_says_something(
    text: str, subject: str, said: str, replying: bool
) -> None:
    clean = charsets.clean(text)
    found = quotes.request_of(clean, subject=subject, replying=replying, own=("bot@bench.test",), said=said)
    assert any(map(str.isalnum, found)) == any(map(str.isalnum, clean.replace(html.QUOTED, "")))


@given(raw=st.text(alphabet=string.printable, max_size=120))
@QUICK
def test_any_from_header_names_one_plain_mailbox_or_nobody(raw: str) -> None:
    try:
        one = sender.mailbox(raw)
    except sender.NoSender:
        return
    assert one.address.count("@") == 1
    assert one.address == sender.plain_address(one.address)
    assert raw.casefold().count("@") >= 1


@given(data=st.binary(max_size=200), declared=st.text(max_size=20))
@QUICK
def test_any_charset_gives_a_text(data: bytes, declared: str) -> None:
    assert isinstance(charsets.decode(data, declared), str)


@given(source=st.text(alphabet="<>/abdiv p\"'=&;!-\n", max_size=300))
@QUICK
def test_any_html_gives_a_text(source: str) -> None:
    assert isinstance(html.text_of(source), str)


LONG_WORDS = ("a", "a.", "a@", '\\"', '"a" ', "(", "x=", "=?u?q?a?= ", "\\ ", "<a@b>")
LONG_TEXTS = ("On 1.1.2025 a@b.c wrote:\n> x\n", "-- \n", "--\n", "> a\n\nb\n", "From: a@b.c\nTo: x\nDate: 1.1.2025\n")


@pytest.mark.parametrize("header", ["From", "To", "Cc", "Authentication-Results", "References", "Content-Type"])
@pytest.mark.parametrize("word", LONG_WORDS)
def test_no_header_however_long_and_crooked_takes_long(header: str, word: str) -> None:
    began = time.process_time()
    for end in ("", ": <a@ex.org>"):
        read(f"{header}: {word * (40_000 // len(word))}{end}\r\n".encode() + TO + b"\r\nhi", BOX)
    assert time.process_time() - began < SECONDS


@pytest.mark.parametrize("text", LONG_TEXTS)
def test_no_text_however_much_it_resembles_quotations_takes_long(text: str) -> None:
    began = time.process_time()
    for lines in (9_000, 200_000):
        read(TO + b"In-Reply-To: <a@b>\r\n\r\n" + (text * (lines // text.count("\n"))).encode(), BOX)
    assert time.process_time() - began < SECONDS
