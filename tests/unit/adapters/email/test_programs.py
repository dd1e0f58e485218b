"""What mail programs put around an answer, in many languages, is cut; what only looks so is kept."""

import pytest

from adapters.email.parse import Mailbox, read

BOX = Mailbox(
    address="bot@bench.test", aliases=("bot+*@bench.test",), authserv_ids=("mx.bench.test",), names=("Bench Assistant",)
)
HEAD = (
    "Authentication-Results: mx.bench.test; dmarc=pass header.from=ex.org\r\n"
    "From: alice@ex.org\r\nTo: bot@bench.test\r\n"
)
REPLY = "Subject: Re: Report\r\nIn-Reply-To: <r77@bench.test>\r\n"
FRESH = "Subject: Something\r\n"
QUOTED = "\n\n> The report is ready. Shall I send it?\n>\n> -- \n> Bench Assistant\n"


def asked(body: str, *, head: str = REPLY, kind: str = "text/plain") -> str:
    """Read what a mail asks."""
    mail = f"{HEAD}{head}Content-Type: {kind}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{body}"
    reading = read(mail.encode(), BOX)
    assert reading.action == "process"
    return reading.text


@pytest.mark.parametrize(
    "introduction",
    [
        "On Mon, Mar 3, 2025 at 9:00 AM Bench Assistant <bot@bench.test> wrote:",
        "On Mon, Mar 3, 2025 at 9:00 AM Bench Assistant With A Long Name <\nbot@bench.test> wrote:",
        "On 3/3/25 9:00 AM, Bench Assistant wrote:",
        "Le lun. 3 mars 2025 à 09:00, Bench Assistant <bot@bench.test> a écrit\u00a0:",
        "El lun, 3 mar 2025 a las 9:00, Bench Assistant (<bot@bench.test>)\nescribió:",
        "Em seg., 3 de mar. de 2025 às 09:00, Bench Assistant <bot@bench.test>\nescreveu:",
        "Il giorno lun 3 mar 2025 alle ore 09:00 Bench Assistant <bot@bench.test>\nha scritto:",
        "Op ma 3 mrt 2025 om 09:00 schreef Bench Assistant <bot@bench.test>:",
        "Am 03.03.25 um 09:00 schrieb Bench Assistant:",
        "Bench Assistant <bot@bench.test> 于2025年3月3日周一 09:00写道：",
        "Bench Assistant <bot@bench.test> 於 2025年3月3日 週一 上午9:00寫道：",
        "2025년 3월 3일 (월) 오전 9:00, Bench Assistant <bot@bench.test>님이 작성:",
        "pon., 3 mar 2025 o 09:00 Bench Assistant <bot@bench.test> napisał(a):",
        "Den mån 3 mars 2025 kl 09:00 skrev Bench Assistant <bot@bench.test>:",
        "Bench Assistant <bot@bench.test>, 3 Mar 2025 Pzt, 09:00 tarihinde şunu yazdı:",
        "في الاثنين، 3 مارس 2025 في 9:00 ص تمت كتابة ما يلي بواسطة Bench Assistant <bot@bench.test>:",
        "пн, 3 бер. 2025 р. о 09:00 Bench Assistant <bot@bench.test> пише:",
        "po 3. 3. 2025 v 9:00 odesílatel Bench Assistant <bot@bench.test> napsal:",
        "सोम, 3 मार्च 2025 को 9:00 am बजे को Bench Assistant <bot@bench.test> ने लिखा:",
        "Vào Th 2, 3 thg 3, 2025 vào lúc 09:00 Bench Assistant <bot@bench.test> đã viết:",
        "---- On Mon, 03 Mar 2025 09:00:00 +0100 Bench Assistant <bot@bench.test> wrote ----",
    ],
)
def test_an_introduction_is_known_by_what_it_says_in_any_language(introduction: str) -> None:
    assert asked(f"Yes, please.\n\n{introduction}{QUOTED}") == "Yes, please."


@pytest.mark.parametrize(
    "fields",
    [
        ("De :", "Envoyé : lundi 3 mars 2025 09:00", "À :", "Objet :"),
        ("De:", "Enviado el: lunes, 3 de marzo de 2025 9:00", "Para:", "Asunto:"),
        ("Da:", "Inviato: lunedì 3 marzo 2025 09:00", "A:", "Oggetto:"),
        ("От:", "Отправлено: 3 марта 2025 г. 9:00", "Кому:", "Тема:"),
        ("Od:", "Wysłane: poniedziałek, 3 marca 2025 09:00", "Do:", "Temat:"),
        ("*From:*", "*Sent:* Monday, March 3, 2025 9:00 AM", "*To:*", "*Subject:*"),
    ],
)
def test_outlooks_header_is_known_without_a_line_above_it(fields: tuple[str, str, str, str]) -> None:
    sender, sent, to, subject = fields
    block = f"{sender} Bench Assistant <bot@bench.test>\n{sent}\n{to} Alice\n{subject} Report\n\nThe report is ready.\n"
    assert asked(f"Yes.\n\n{block}") == "Yes."


@pytest.mark.parametrize(
    "text",
    [
        "My boss wrote:\nplease answer by Friday\n\nWhat should I say?",
        "Please book:\n\nFrom: Paris\nTo: Berlin\nDate: Friday\nSubject: holiday\n\nand tell me the price",
        "Here is a list\n--\nmilk\n--\nbread\n\nWhat is missing?",
        "Here is a list\n--\nmilk\n\nWhat is missing?",
        "Why does this fail?\n\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-foo\n+bar\n\nThanks",
        "Translate:\n\n> Guten Tag\n> Herr Meier\n\ninto French.",
        "On 3 March 2025 the server wrote:\n\nERROR disk full\n\nWhat to do?",
    ],
)
@pytest.mark.parametrize("head", [FRESH, REPLY])
def test_what_only_looks_like_a_quotation_or_a_signature_is_kept(text: str, head: str) -> None:
    assert asked(text, head=head) == text


@pytest.mark.parametrize(
    "markup",
    [
        '<div id="ydp1yahoo_quoted_123" class="ydp1yahoo_quoted"><div>On Monday, Bench wrote:</div>Report</div>',
        '<div class="protonmail_quote">On Monday, Bench wrote:<blockquote type="cite">Report</blockquote></div>',
        '<div id="mail-editor-reference-message-container"><div>Bench</div>Report</div>',
        '<blockquote type="cite"><div>On 3 Mar 2025, Bench wrote:</div>Report</blockquote>',
        '<div class="gmail_quote gmail_quote_container"><div class="gmail_attr">On Monday</div>Report</div>',
        '<hr><div id="x_divRplyFwdMsg"><b>From:</b> Bench</div><div>Report</div>',
        '<div class="zmail_extra">---- On Monday wrote ----<blockquote>Report</blockquote></div>',
    ],
)
def test_programs_show_by_their_markup_what_they_quote(markup: str) -> None:
    assert asked(f"<div>Yes.</div>{markup}", kind="text/html") == "Yes."


def test_what_a_style_sheet_hides_is_not_read_but_what_it_hides_on_phones_is() -> None:
    sheet = "<style>/* x */ p.dark, #gone {display:none} @media (max-width:9px) {.wide {display:none}}</style>"
    body = '<p class="dark">SECRET</p><p id="gone">SECRET</p><p class="wide">Book it.</p>'
    assert asked(sheet + body, kind="text/html") == "Book it."
