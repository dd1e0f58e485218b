"""What people try so that a mail counts as somebody else's, or so that machines answer each other."""

import pytest

from adapters.email.parse import Mailbox, read

BOX = Mailbox(address="bot@bench.test", aliases=("bot+*@bench.test",), authserv_ids=("mx.bench.test",))
ID = "Authentication-Results: mx.bench.test"
STAMP = f"{ID}; dmarc=pass header.from=ex.org\r\n"


def judged(sender: str, *, stamp: str = STAMP, more: str = "") -> str:
    """Judge a mail of somebody who claims to be Alice; `alice` if it counts as hers."""
    mail = f"{stamp}From: {sender}\r\nTo: bot@bench.test\r\nSubject: hi\r\n{more}\r\nHello\r\n"
    reading = read(mail.encode(), BOX)
    hers = reading.action == "process" and reading.sender == "alice@ex.org"
    return "alice" if hers else reading.action if reading.action != "process" else "somebody else"


@pytest.mark.parametrize(
    "sender",
    [
        "alice@ex.org (Alice)",
        '"Alice, of X" <alice@ex.org>',
        "ALICE@EX.ORG",
        "Alice\r\n <alice@ex.org>",
        "alice@ex.org.",
        '"a <attacker@evil.test>" <alice@ex.org>',
        "(x <attacker@evil.test>) alice@ex.org",
        "=?utf-8?q?A=0D=0ABcc:_x?= <alice@ex.org>",
    ],
)
def test_one_plain_mailbox_is_its_sender_however_it_is_dressed(sender: str) -> None:
    assert judged(sender) == "alice"


@pytest.mark.parametrize(
    "sender",
    [
        "",
        "alice@ex.org <attacker@evil.test>",
        "<attacker@evil.test> alice@ex.org",
        "<alice@ex.org> <attacker@evil.test>",
        "alice@ex.org, bob@corp.test",
        "alice@ex.org,",
        "alice@ex.org;",
        "Friends: alice@ex.org;",
        "<@evil.test:alice@ex.org>",
        "<<alice@ex.org>>",
        "(x alice@ex.org",
        "mailto:alice@ex.org",
        '"alice@ex.org"@evil.test',
        "alice\\@ex.org@evil.test",
        "alice@ex.org\0@evil.test",
        "alice%ex.org@evil.test",
        "alice@[127.0.0.1]",
        "alice@\r\n ex.org",
        "alice@\u0435x.org",
        "=?utf-8?q?alice=40ex.org?=",
        "=?utf-8?B?ImFsaWNlQGV4Lm9yZyIgPGFsaWNlQGV4Lm9yZz4s?= <attacker@evil.test>",
        '"alice@ex.org via list" <attacker@evil.test>',
    ],
)
def test_everything_crooked_is_refused(sender: str) -> None:
    assert judged(sender) == "reject"


@pytest.mark.parametrize("second", ["From: attacker@evil.test\r\n", "From : attacker@evil.test\r\n"])
def test_two_senders_are_none(second: str) -> None:
    assert judged("alice@ex.org", more=second) == "reject"


@pytest.mark.parametrize(
    "results",
    [
        "dkim=pass header.d=ex.org; spf=fail smtp.mailfrom=x@y.test",
        "dkim=pass header.d=mail.ex.org",
        "dkim=neutral header.d=ex.org; dkim=pass header.i=@ex.org",
        "spf=pass smtp.mailfrom=b@bounce.ex.org; dkim=fail header.d=ex.org",
        "dmarc=none header.from=ex.org; dkim=pass header.d=ex.org",
        "dmarc=pass (p=none dis=none) header.from=ex.org policy.dmarc=none",
        "DMARC = PASS HEADER.FROM = EX.ORG",
        "dmarc=pass header.from=alice@ex.org.",
        "x" * 19_000 + "; dmarc=pass header.from=ex.org",
    ],
)
def test_what_our_server_confirms_counts(results: str) -> None:
    assert judged("alice@ex.org", stamp=f"{ID}; {results}\r\n") == "alice"


@pytest.mark.parametrize(
    "results",
    [
        "none",
        "dmarc=pass header.from=evil.test",
        "dmarc=pass smtp.from=ex.org",
        "dmarc=fail header.from=ex.org; dkim=pass header.d=ex.org",
        "dmarc=permerror header.from=ex.org; dkim=pass header.d=ex.org",
        "dmarc=bestguesspass header.from=ex.org",
        "dmarc=pass header.from=ex.org; dmarc=pass header.from=evil.test",
        "dmarc=fail (dmarc=pass header.from=ex.org) header.from=ex.org",
        'dmarc=fail reason="x; dmarc=pass header.from=ex.org" header.from=ex.org',
        "dkim=pass header.d=org",
        "spf=pass smtp.helo=ex.org",
        "spf=pass smtp.mailfrom=bounce@evil.test",
        "spf=pass smtp.mailfrom=ex.org=x@evil.test",
        'spf=pass smtp.mailfrom="x@ex.org"@evil.test',
        'spf=pass smtp.mailfrom=x="ex.org"@evil.test',
        'spf=pass smtp.mailfrom="; dmarc=pass header.from=ex.org "@evil.test',
    ],
)
def test_what_a_stranger_writes_into_the_results_counts_for_nothing(results: str) -> None:
    assert judged("alice@ex.org", stamp=f"{ID}; {results}\r\n") == "reject"


@pytest.mark.parametrize(
    "stamp",
    [
        "ARC-Authentication-Results: i=1; mx.bench.test; dmarc=pass header.from=ex.org\r\n",
        "Authentication-Results: (mx.bench.test) evil.test; dmarc=pass header.from=ex.org\r\n",
        "Authentication-Results: mx.bench.test.evil.test; dmarc=pass header.from=ex.org\r\n",
        "Authentication-Results: spf=pass smtp.mailfrom=ex.org; dmarc=pass header.from=ex.org\r\n",
        f"{ID}\r\n{STAMP}",
        f"{ID}; dmarc=fail header.from=ex.org\r\n{STAMP}",
    ],
)
def test_only_the_topmost_results_of_our_own_server_are_read(stamp: str) -> None:
    assert judged("alice@ex.org", stamp=stamp) == "reject"


@pytest.mark.parametrize(
    "header",
    [
        "X-Loop: bot+x@bench.test",
        "X-Autogenerated: Reply",
        "X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent",
        "X-Auto-Response-Suppress: DR, OOF, AutoReply",
        "Auto-Submitted: auto-replied; owner-email=x",
        "Precedence: auto_reply",
        "Return-Path: < >",
    ],
)
@pytest.mark.requirement("B243")
def test_machines_are_known_by_any_of_their_marks(header: str) -> None:
    assert judged("alice@ex.org", more=f"{header}\r\n") == "ignore"
