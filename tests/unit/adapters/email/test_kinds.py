"""Kinds of mail beside the cases: charsets, structure, who is meant, what is encrypted, what machines send."""

import pytest

from adapters.email.parse import Mailbox, read

BOX = Mailbox(
    address="bot@bench.test", aliases=("bot+*@bench.test",), authserv_ids=("mx.bench.test",), names=("Dragoman",)
)
STAMP = b"Authentication-Results: mx.bench.test; dmarc=pass header.from=ex.org\r\nFrom: Alice <alice@ex.org>\r\n"
TO = STAMP + b"To: bot@bench.test\r\n"
PLAIN = b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
HTML = b"In-Reply-To: <a@b>\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"


@pytest.mark.parametrize(
    ("declared", "written", "text"),
    [
        ("gb2312", "gbk", "朱镕基"),
        ("us-ascii", "utf-8", "Grüße"),
        ("iso-8859-1", "cp1252", "“hi” €"),
        ("koi8-r", "koi8-r", "привет"),
        ("shift_jis", "cp932", "①日本"),
        ("euc-jp", "euc-jp", "日本"),
        ("utf-16", "utf-16", "hello"),
        ("big5", "big5", "你好"),
    ],
)
@pytest.mark.parametrize("encoding", ["8bit", "base64", "quoted-printable"])
def test_text_is_read_as_it_was_meant(declared: str, written: str, text: str, encoding: str) -> None:
    from base64 import b64encode  # noqa: PLC0415

    data = text.encode(written)
    if encoding == "8bit" and declared == "utf-16":
        return  # no mail server would carry it
    body = {
        "8bit": data,
        "base64": b64encode(data),
        "quoted-printable": b"".join(b"=%02X" % byte for byte in data),
    }[encoding]
    head = f"Content-Type: text/plain; charset={declared}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n".encode()
    assert read(TO + head + body, BOX).text == text


FLOWED = b"Content-Type: text/plain; format=flowed\r\n\r\nThis is a \r\nlong line.\r\n"
ALTERNATIVE = (
    b"Content-Type: multipart/alternative; boundary=b\r\n\r\n"
    b"--b\r\nContent-Type: text/plain\r\n\r\n%s\r\n--b\r\nContent-Type: text/html\r\n\r\n%s\r\n--b--\r\n"
)
OUTLOOK = (
    b'<p class="MsoNormal">Yes, please.</p><div style="border:none;border-top:solid #E1E1E1 1.0pt">'
    b"<p><b>From:</b> Bench</p></div><p>The report is ready.</p>"
)
OUTLOOK_WEB = (
    b'<div>Yes.</div><div id="x_appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Bench</div><div>Done</div>'
)
THUNDERBIRD = (
    b'<div class="moz-cite-prefix">On 03/03/2025, Bench wrote:<br></div>'
    b'<blockquote type="cite">The report</blockquote><p>Yes, to all.</p>'
)
HIDDEN = b'<p>Hi</p><span style="font-size:0px">IGNORE</span><!-- secret --><div hidden>x</div>'
SIGNED = (
    b"-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\nSigned.\r\n-----BEGIN PGP SIGNATURE-----\r\n\r\nabc\r\n"
)
REQUESTS = {
    "flowed": (FLOWED, "This is a long line."),
    "a blank plain part": (ALTERNATIVE % (b" ", b"<p>Real</p>"), "Real"),
    "a blank HTML part": (ALTERNATIVE % (b"Real", b"<p> </p>"), "Real"),
    "no boundary": (b"Content-Type: multipart/mixed\r\n\r\n--b\r\n\r\nhello there\r\n--b--\r\n", "hello there"),
    "signed in the text": (PLAIN + SIGNED, "Signed."),
    "Outlook": (HTML + OUTLOOK, "Yes, please."),
    "Outlook on the web": (HTML + OUTLOOK_WEB, "Yes."),
    "Thunderbird": (HTML + THUNDERBIRD, "Yes, to all."),
    "hidden words": (HTML + HIDDEN, "Hi"),
    "no type at all": (b"\r\nhi", "hi"),
    "crooked ids and copies": (b"Message-ID: <[abc]@ex.org>\r\nCc: (c) Team: a@b.c, (x;\r\n" + PLAIN + b"hi", "hi"),
    "Reply-To": (b"Reply-To: eve@evil.test\r\n" + PLAIN + b"hi", "hi"),
}


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_is_read_whatever_wrote_it(name: str) -> None:
    raw, text = REQUESTS[name]
    reading = read(TO + raw, BOX)
    assert (reading.action, reading.sender, reading.text) == ("process", "alice@ex.org", text)


REPORT = (
    b"Content-Type: multipart/report; report-type=disposition-notification; boundary=b\r\n\r\n--b\r\n\r\nx\r\n--b--\r\n"
)
CALENDAR = b"Content-Type: text/calendar; method=%s\r\n\r\nBEGIN:VCALENDAR\r\n"
SEALED = b"Content-Type: application/pkcs7-mime; smime-type=enveloped-data\r\n\r\nMIAG\r\n"
PGP = (
    b"Content-Type: multipart/encrypted; boundary=b\r\n\r\n--b\r\nContent-Type: application/pgp-encrypted\r\n\r\n1\r\n"
)
OTHERS = {
    "two authors": (TO + b"From: bob@corp.test\r\n" + PLAIN + b"hi", "reject"),
    "S/MIME": (TO + SEALED, "notice"),
    "PGP/MIME": (TO + PGP, "notice"),
    "a receipt": (TO + REPORT, "ignore"),
    "a calendar's answer": (TO + CALENDAR % b"REPLY", "ignore"),
    "no envelope sender": (b"Return-Path: <>\r\n" + TO + PLAIN + b"bounce", "ignore"),
    "a list": (TO + b"List-Id: <x.ex.org>\r\n" + PLAIN + b"hi", "ignore"),
    "automatic": (TO + b"Auto-Submitted: auto-generated (x)\r\n" + PLAIN + b"hi", "ignore"),
    "bulk": (TO + b"Precedence: Bulk\r\n" + PLAIN + b"hi", "ignore"),
    "an alias of ours": (STAMP.replace(b"alice@ex.org", b"BOT+x@bench.test") + PLAIN + b"hi", "ignore"),
    "only in Cc": (STAMP + b"To: bob@corp.test\r\nCc: bot@bench.test\r\n" + PLAIN + b"Bob, what now?", "ignore"),
    "Cc, by name": (STAMP + b"To: bob@corp.test\r\nCc: bot@bench.test\r\n" + PLAIN + b"Dragoman, book it.", "process"),
    "Cc, by address": (STAMP + b"To: b@c.test\r\nCc: bot@bench.test\r\n" + PLAIN + b"bot@bench.test: go", "process"),
    "Cc, nobody in To": (STAMP + b"To: all:;\r\nCc: bot@bench.test\r\n" + PLAIN + b"hi", "process"),
    "only in Bcc": (STAMP + b"To: bob@corp.test\r\n" + PLAIN + b"hi", "ignore"),
}


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.requirement("B146", "B243")
def test_other_mail_is_what_it_is(name: str) -> None:
    raw, action = OTHERS[name]
    assert read(raw, BOX).action == action


def test_names_of_files_lead_nowhere_and_are_each_others_no_twins() -> None:
    files = (b'"../../etc/passwd"', b'"C:\\\\a\\\\con.txt"', b'"passwd"', b'".hidden"', b'"a\\x00b\\u202egpj.exe"')
    parts = b"".join(
        b"--b\r\nContent-Type: application/x\r\nContent-Disposition: attachment; filename=%s\r\n\r\nx\r\n" % one
        for one in files
    )
    raw = TO + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhi\r\n" + parts + b"--b--\r\n"
    names = [file.name for file in read(raw, BOX).files]
    assert names[:4] == ["passwd", "_con.txt", "passwd (2)", "hidden"]
    assert len(set(names)) == len(files)
    assert not any(sign in name for name in names for sign in "/\\\0\u202e")
