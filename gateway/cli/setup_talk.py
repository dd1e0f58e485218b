"""Who answers the questions of set-up: a person at this terminal, or nobody, with flags instead."""

import getpass
from collections.abc import Sequence

from gateway.cli.failing import WRONG_USE, Stop
from gateway.cli.output import say
from gateway.masking import Masker
from gateway.setup.draft import Back, Missing

BACK = "<"


class TerminalTalk:
    """Asks a person; `<` goes a step back, secrets are not shown."""

    asks = True

    def __init__(self, masker: Masker) -> None:
        self._masker = masker

    def say(self, text: str = "") -> None:
        """Tell something, without any secret that was typed."""
        say(self._masker.mask(text))

    def ask(self, question: str, *, default: str = "", flag: str = "") -> str:  # noqa: ARG002  # for scripts
        """Ask for a line until there is one; raises Back."""
        hint = f" [{default}]" if default else ""
        while True:
            typed = _line(self._masker.mask(f"{question}{hint}: ")).strip()
            if typed == BACK:
                raise Back
            if typed or default:
                return typed or default

    def secret(self, question: str, *, flag: str = "") -> str:  # noqa: ARG002  # for scripts
        """Ask for a line that is not shown, "" for just Enter; raises Back."""
        try:
            typed = getpass.getpass(self._masker.mask(f"{question} (not shown): ")).strip()
        except EOFError as error:
            raise _ended() from error
        if typed == BACK:
            raise Back
        return typed

    def choose(self, question: str, choices: Sequence[tuple[str, str]], *, default: str, flag: str = "") -> str:
        """Show what there is and ask for one, by number or word; raises Back."""
        words = [word for word, _ in choices]
        for number, (word, title) in enumerate(choices, 1):
            self.say(f"  {number}  {word:<11} {title}")
        while True:
            typed = self.ask(question, default=default, flag=flag).casefold()
            if typed.isdecimal() and 1 <= int(typed) <= len(words):
                return words[int(typed) - 1]
            if typed in words:
                return typed
            self.say(f"Write a number from 1 to {len(words)}, one of the words, or {BACK} to go back.")


class NoTalk:
    """Nobody is there: what no flag tells stays as it is, or is an error that names the flag."""

    asks = False

    def __init__(self, masker: Masker) -> None:
        self._masker = masker

    def say(self, text: str = "") -> None:
        """Tell something, without any secret."""
        say(self._masker.mask(text.lstrip("\n")))

    def ask(self, question: str, *, default: str = "", flag: str = "") -> str:
        """Take the default; raises Missing where there is none."""
        if default:
            return default
        message = f"{question.strip()}: say it with {flag}"
        raise Missing(message)

    def secret(self, question: str, *, flag: str = "") -> str:
        """Raise Missing, which names the flag."""
        message = f"{question.strip()}: say it with {flag}, or in the environment"
        raise Missing(message)

    def choose(self, question: str, choices: Sequence[tuple[str, str]], *, default: str, flag: str = "") -> str:  # noqa: ARG002  # nobody reads them
        """Take the default."""
        return default


def _line(question: str) -> str:
    try:
        return input(question)
    except EOFError as error:
        raise _ended() from error


def _ended() -> Stop:
    say()
    message = "the input ended; nothing was written"
    return Stop(message, code=WRONG_USE)
