"""Who wrote a mail: one plain mailbox that our own server vouches for, or nobody."""

import pytest

from adapters.email.sender import NoSender, mailbox, ours, results, vouched

OURS = ("mx.bench.test",)
MAILBOXES = {
    "ann@ex.org": "ann@ex.org",
    "Ann <ann@ex.org>": "ann@ex.org",
    '"Example, Ann" <Ann@EX.org>': "ann@ex.org",
    "ann@ex.org (Ann)": "ann@ex.org",
    "=?utf-8?Q?Al=0D=0ABcc:_v2=40evil.test?= <ann@ex.org>": "ann@ex.org",
    '"trusted@ex.org" <attacker@evil.test>': "attacker@evil.test",
    "=?utf-8?B?InRydXN0ZWRAZXgub3JnLCI=?= <attacker@evil.test>": "attacker@evil.test",
    "ann@xn--e1afmkfd.test": "ann@пример.test",
}
NOBODY = [
    "", "Ann", "trusted@ex.org <attacker@evil.test>", "trusted@ex.org, attacker@evil.test", "Staff: trusted@ex.org;",
    '"trusted@ex.org"@evil.test', "<trusted@ex.org> <attacker@evil.test>", "Ann <trusted@ex.org> x@evil.test",
    "<@evil.test:trusted@ex.org>", "trusted@ex.org@evil.test", "trusted@ex.org\x00@evil.test", "(trusted@ex.org",
    "Ann <trusted@ex.org", "trusted@[127.0.0.1]", "trusted @ex.org", "trusted@ex..org", "undisclosed-recipients:;",
]  # fmt: skip
STAMP = "mx.bench.test; dmarc=pass header.from=ex.org"


@pytest.mark.parametrize("raw", MAILBOXES)
def test_one_mailbox_is_read_whatever_stands_around_it(raw: str) -> None:
    assert mailbox(raw).address == MAILBOXES[raw]


@pytest.mark.parametrize("raw", NOBODY)
@pytest.mark.requirement("B146")
def test_anything_more_less_or_crooked_is_nobody(raw: str) -> None:
    with pytest.raises(NoSender):
        mailbox(raw)


GOOD = {
    "dmarc": [STAMP],
    "version, case, comments": ["MX.Bench.Test 1 ; (c) DMARC = Pass (p=reject)\n header.from = EX.ORG"],
    "dkim of the domain": ["mx.bench.test; dkim=pass header.d=ex.org"],
    "dkim by identity": ["mx.bench.test; dkim=pass header.i=@ex.org"],
    "one of two signatures": ["mx.bench.test; dkim=fail header.d=ex.org; dkim=pass header.d=mail.ex.org"],
    "spf of a subdomain": ["mx.bench.test; dmarc=none; spf=pass smtp.mailfrom=bounces@out.ex.org"],
    "others above ours": ["other.test; dmarc=fail header.from=ex.org", STAMP],
    "a reason in quotes": [
        'mx.bench.test; spf=fail reason="x; dkim=fail" smtp.mailfrom=a.b; dkim=pass header.d=ex.org'
    ],
}
BAD = {
    "nothing": [],
    "fails on top of a forged pass": ["mx.bench.test; dmarc=fail header.from=ex.org", STAMP],
    "another server": ["mx.bench.test.evil.test; dmarc=pass header.from=ex.org"],
    "a server that begins alike": ["mx.bench.tester; dmarc=pass header.from=ex.org"],
    "another domain": ["mx.bench.test; dmarc=pass header.from=evil.test"],
    "a domain that ends alike": ["mx.bench.test; dkim=pass header.d=notex.org"],
    "a country": ["mx.bench.test; dkim=pass header.d=org"],
    "dmarc without a domain": ["mx.bench.test; dmarc=pass"],
    "two verdicts": ["mx.bench.test; dmarc=pass header.from=ex.org; dmarc=fail header.from=ex.org"],
    "dmarc failed though spf passed": ["mx.bench.test; dmarc=fail; spf=pass smtp.mailfrom=ex.org"],
    "pass in a comment": ["mx.bench.test; dmarc=fail (dmarc=pass header.from=ex.org) header.from=ex.org"],
    "pass in a reason": ['mx.bench.test; spf=fail reason="; dmarc=pass header.from=ex.org"'],
    "our name in a comment": ["(mx.bench.test;) evil.test; dmarc=pass header.from=ex.org"],
    "the greeting only": ["mx.bench.test; spf=pass smtp.helo=ex.org"],
    "no results": ["mx.bench.test; none"],
    "an unclosed comment": ["mx.bench.test; dmarc=pass (header.from=ex.org"],
}


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.requirement("B146", "B147", "C5.19")
def test_our_servers_word_counts(name: str) -> None:
    assert vouched(GOOD[name], "ex.org", OURS) is None


@pytest.mark.parametrize("name", BAD)
@pytest.mark.requirement("B146", "B147", "C5.19")
def test_nothing_else_does(name: str) -> None:
    assert vouched(BAD[name], "ex.org", OURS)


def test_nobody_is_aligned_with_a_place_where_strangers_register() -> None:
    stamp = ["mx.bench.test; dkim=pass header.d=evil.co.uk"]
    assert vouched(stamp, "co.uk", OURS)
    assert vouched(["mx.bench.test; dkim=pass header.d=evil.github.io"], "github.io", OURS)


def test_a_server_that_writes_no_name_is_meant_by_a_dash_only() -> None:
    stamp = ["spf=pass smtp.mailfrom=ex.org; dmarc=pass header.from=ex.org"]
    assert vouched(stamp, "ex.org", OURS)
    assert vouched(stamp, "ex.org", ("-",)) is None
    assert vouched(["evil.test; dmarc=pass header.from=ex.org"], "ex.org", ("-",))


@pytest.mark.parametrize("raw", ["", "(", ")", '"'])
def test_what_makes_no_sense_says_nothing(raw: str) -> None:
    assert results(raw) is None


def test_own_addresses_are_known_in_any_case_and_with_any_tag() -> None:
    own = ("Bot@bench.test", "bot+*@bench.test")
    assert ours("bot@bench.test", own)
    assert ours("bot+news@bench.test", own)
    assert not ours("robot@bench.test", own)
    assert not ours("bot@bench.test.evil.test", own)
