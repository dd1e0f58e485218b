"""Every language says everything that English says, with the same gaps to fill and the same words to type."""

import re
from string import Formatter

import pytest

from gateway.texts import LANGUAGES, say
from gateway.texts.model import SENTENCES as MODEL

ENGLISH = LANGUAGES["en"]
OTHERS = [name for name in LANGUAGES if name != "en"]
TYPED = re.compile(r"(?<![\w/])/[a-z]+|dragoman [a-z]+")  # commands in a sentence


def gaps(sentence: str) -> list[str]:
    """List what a sentence leaves to be filled in, however often."""
    return sorted({f"{name}:{spec}" if spec else name for _, name, spec, _ in Formatter().parse(sentence) if name})


def typed(sentence: str) -> set[str]:
    """Name the commands that a sentence shows."""
    return set(TYPED.findall(sentence))


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_every_sentence_and_no_other(language: str) -> None:
    table = LANGUAGES[language]
    missing = [f'  "{key}": "{said}"' for key, said in ENGLISH.items() if not table.get(key)]
    gone = sorted(set(table) - set(ENGLISH))
    assert not missing, (
        f"gateway/texts/{language}.py (or {language}_….py) lacks {len(missing)} sentence(s) that English has; "
        f"translate them there, as in each of {', '.join(OTHERS)}:\n" + "\n".join(missing)
    )
    assert not gone, f"gateway/texts/{language}.py has what English has no more; take it out: {', '.join(gone)}"


@pytest.mark.parametrize("language", OTHERS)
def test_a_sentence_has_the_same_gaps_and_the_same_commands_in_every_language(language: str) -> None:
    table = LANGUAGES[language]
    both = [(key, said, table[key]) for key, said in ENGLISH.items() if key in table]
    wrong = [
        f"  {key}: English fills in {gaps(said)}, this {gaps(other)}"
        for key, said, other in both
        if gaps(said) != gaps(other)
    ]
    wrong += [
        f"  {key}: English shows {sorted(typed(said))}, this {sorted(typed(other))}"
        for key, said, other in both
        if typed(said) != typed(other)
    ]
    assert not wrong, f"gateway/texts/{language}.py differs from English:\n" + "\n".join(wrong)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_stands_on_a_button_is_short_and_differs_from_its_neighbours(language: str) -> None:
    labels = {key: said for key, said in LANGUAGES[language].items() if key.startswith("choice.")}
    assert not {key: said for key, said in labels.items() if len(said) > 40}
    kinds = {key.rsplit(".", 1)[0] for key in labels if key.count(".") == 2}
    for kind in kinds:
        words = [said for key, said in labels.items() if key.startswith(f"{kind}.")]
        assert len(set(words)) == len(words), kind


def test_no_sentence_for_people_is_one_for_the_model() -> None:
    assert not set(MODEL) & set(ENGLISH)
    assert say("cut_off", "de") == say("cut_off")


def test_a_dialect_speaks_its_language_and_a_stranger_english() -> None:
    assert say("stopped", "pt-BR") == say("stopped", "pt") == "Parado."
    assert say("stopped", "DE") == "Angehalten."
    assert say("stopped", "xx") == say("stopped", None) == "Stopped."


def test_a_sentence_that_nobody_wrote_is_an_error() -> None:
    with pytest.raises(KeyError):
        say("no such sentence", "de")
