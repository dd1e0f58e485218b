"""Shows a talk in a pipe: plain final texts."""

import os
import sys
from collections.abc import Mapping
from io import TextIOWrapper

from gateway.cli.failing import Stop
from gateway.cli.output import clean

REMEMBERED = 500  # messages whose repeats are recognised
Event = Mapping[str, object]


class Seen:
    """The final messages that were shown, so that one that comes again is not shown again."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def fresh(self, ref: str, text: str) -> bool:
        """Note a message; False when it was shown like this before."""
        known = self._texts.get(ref) == text
        self._texts[ref] = text
        while len(self._texts) > REMEMBERED:
            del self._texts[next(iter(self._texts))]
        return not known


class PipeScreen:
    """Final texts on stdout, remarks on stderr."""

    def __init__(self) -> None:
        self._seen = Seen()
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # one bad byte must not end a talk

    def show(self, event: Event) -> None:
        """Print a message when it is complete; raises Stop when nobody reads any more."""
        text = clean(event.get("text"))
        if event.get("event") != "delete" and not event.get("draft") and self._seen.fresh(str(event["ref"]), text):
            try:
                print(text, flush=True)
            except BrokenPipeError as error:
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is still in the buffer
                message = "nobody reads the answers any more"
                raise Stop(message) from error

    def note(self, text: str) -> None:
        """Say something about the talk itself."""
        print(f"dragoman: {clean(text)}", file=sys.stderr, flush=True)

    def read(self) -> str | None:
        """Wait for a line, None at the end."""
        line = sys.stdin.readline()
        return line.rstrip("\n") if line else None

    def rest(self) -> None:
        """Nothing is left on the screen of a pipe."""
