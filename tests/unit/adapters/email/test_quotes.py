"""What a person wrote now is told apart from what they quote, in many languages, and never lost."""

import pytest

from adapters.email.quotes import request_of

OWN = ("bot@bench.test", "Bench Assistant")
QUOTE = "> The report is ready.\n> Shall I send it to the whole team?\n"
HEADER = "{}\n\nThe report is ready.\n"

ANSWERS = {
    "English": ("Yes.", "On Mon, Mar 3, 2025 at 10:02 AM Bench Assistant <bot@bench.test> wrote:\n\n" + QUOTE),
    "English, wrapped": (
        "Yes.",
        "On Mon, Mar 3, 2025 at 10:02 AM Bench Assistant <\nbot@bench.test> wrote:\n\n" + QUOTE,
    ),
    "French": ("Oui.", "Le lun. 3 mars 2025 à 10:02, Bench Assistant <bot@bench.test> a écrit\xa0:\n\n" + QUOTE),
    "Spanish": ("Sí.", "El lun, 3 mar 2025 a las 10:02, Bench Assistant (<bot@bench.test>)\nescribió:\n\n" + QUOTE),
    "Portuguese": ("Sim.", "Em seg., 3 de mar. de 2025 às 10:02, Bench <bot@bench.test> escreveu:\n\n" + QUOTE),
    "Dutch": ("Ja.", "Op ma 3 mrt 2025 om 10:02 schreef Bench Assistant <bot@bench.test>:\n\n" + QUOTE),
    "Chinese": ("好的。", "Bench Assistant <bot@bench.test> 于2025年3月3日周一 10:02写道：\n\n" + QUOTE),
    "Korean": ("네.", "2025년 3월 3일 (월) 오전 10:02, Bench Assistant <bot@bench.test>님이 작성:\n\n" + QUOTE),
    "a telephone": (
        "Yes",
        "Sent from my iPhone\n\n> On 3 Mar 2025, at 10:02, Bench <bot@bench.test> wrote:\n> \n> Done\n",
    ),
    "nothing before the quote": ("Yes.", QUOTE),
    "Outlook in Spanish": (
        "Sí.",
        "De: Bench <bot@bench.test>\nEnviado el: lunes, 3 de marzo\nPara: Ann <ann@ex.org>\nAsunto: Report\n\nReady.",
    ),
    "Outlook in French": (
        "Oui.",
        "________________\nDe : Bench <bot@bench.test>\nEnvoyé : lundi\nÀ : Ann <ann@ex.org>\nObjet : Report\n\nPrêt.",
    ),
    "Outlook's own line": ("Ja.", "-----Ursprüngliche Nachricht-----\nVon: Bench\n\nFertig."),
    "no marks at all": ("Yes.", "On 3 Mar 2025 10:02, Bench Assistant <bot@bench.test> wrote:\nThe report is ready."),
}
WHOLE = {
    "somebody wrote": "My colleague wrote:\n\nplease check the logs\n\nCan you do it?",
    "somebody wrote at a time": "On Monday at 10:02 Bob wrote:\nthe server is down\nWhat do I do?",
    "a journey": "Book a train.\n\nFrom: Paris\nTo: Rome\nDate: 3 March\n\nThanks",
    "a header as the request": "From: Paris\nTo: Rome\nDate: 3 March\nSubject: trip\nBook it please",
    "a prompt in the middle": "See this:\n\n> rm -rf x\n\nWhat does it do?",
    "only a quote": QUOTE.strip(),
    "a diff": "--- a/x.py\n+++ b/x.py\n-- count\n> 5 rows\n\nThanks",
    "a sentence that begins as a sign-off": "The parcel:\n\nSent from the warehouse yesterday",
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_quoted_mail_and_what_introduces_it_are_cut(name: str) -> None:
    request, rest = ANSWERS[name]
    assert request_of(f"{request}\n\n{rest}", subject="Re: Report", replying=True, own=OWN) == request


@pytest.mark.parametrize("name", WHOLE)
def test_what_only_looks_like_a_quotation_stays(name: str) -> None:
    assert request_of(WHOLE[name], subject="Re: Report", replying=True, own=OWN) == WHOLE[name]


def test_an_answer_below_the_quote_is_the_request() -> None:
    text = f"On 03/03/2025 10:02, Bench Assistant wrote:\n{QUOTE}\nYes.\n\n-- \nAnn\n"
    assert request_of(text, subject="Re: Report", replying=True, own=OWN) == "Yes."


def test_answers_between_quoted_lines_keep_them_for_they_are_what_the_answers_mean() -> None:
    text = "On 03/03/2025 10:02, Bench Assistant wrote:\n> Ready.\nGreat.\n> Send it?\nOnly to Bob.\n"
    found = request_of(text, subject="Re: Report", replying=True, own=OWN)
    assert found == "> Ready.\nGreat.\n> Send it?\nOnly to Bob."


def test_a_question_about_quoted_lines_keeps_them() -> None:
    text = "Please translate:\n\n> Guten Tag\n> Wie geht es?"
    assert request_of(text, subject="Question", replying=False, own=OWN) == text


def test_a_forwarded_mail_is_the_content() -> None:
    text = "FYI\n\nBegin forwarded message:\n\n> From: Carol <c@d.e>\n> We offer 12 crates.\n\n--\nCarol"
    assert request_of(text, subject="Offer", replying=False, own=OWN) == text


def test_lines_that_we_said_are_known_without_any_introduction() -> None:
    text = "> The report is ready.\nSend it, please.\n"
    assert request_of(text, subject="x", replying=True, own=OWN, said="The report is ready.") == "Send it, please."
