"""Shows a talk on a terminal: answers grow in place, and a line can be edited while they come."""

import readline
import sys
import threading
from collections.abc import Mapping

from rich.console import Console, RenderableType
from rich.live import Live
from rich.markdown import Markdown
from rich.text import Text

from gateway.cli.output import clean, plain
from gateway.cli.screen import Seen

PROMPT = "> "
Event = Mapping[str, object]


class TerminalScreen:
    """Answers grow in place while they are made; what comes during typing appears above the line being typed."""

    def __init__(self) -> None:
        self._console = Console(highlight=False, color_system=None if plain() else "auto")
        self._lock = threading.RLock()
        self._seen = Seen()
        self._drafts: dict[str, str] = {}
        self._live: Live | None = None
        self._typing = False

    def show(self, event: Event) -> None:
        """Show a message, an edit or a deletion."""
        ref, text = str(event["ref"]), clean(event.get("text"))
        with self._lock:
            if event.get("event") == "delete":
                self._drafts.pop(ref, None)
            elif event.get("draft"):
                self._drafts[ref] = text
            else:
                self._drafts.pop(ref, None)
                if self._seen.fresh(ref, text):
                    self._print(self._rendered(text), dim=event.get("what") == "notice")
            self._draw()

    def note(self, text: str) -> None:
        """Say something about the talk itself."""
        with self._lock:
            self._print(Text(f"({clean(text)})"), dim=True)

    def read(self) -> str | None:
        """Wait for a line, None at the end or at Ctrl-C."""
        with self._lock:
            self.rest()
            self._typing = True
        try:
            return input(PROMPT)
        except (EOFError, KeyboardInterrupt):
            print()
            return None
        finally:
            self._typing = False

    def rest(self) -> None:
        """Take the moving part off the screen."""
        with self._lock:
            if self._live is not None:
                self._live.stop()
                self._live = None

    def _print(self, what: RenderableType, *, dim: bool = False) -> None:
        self.rest()
        if self._typing:
            sys.stdout.write("\r\x1b[K")
        self._console.print(what, style="dim" if dim else None)
        if self._typing:
            sys.stdout.write(PROMPT + readline.get_line_buffer())
            sys.stdout.flush()

    def _draw(self) -> None:
        """Show what is being made, unless somebody is typing."""
        if self._typing or not self._drafts:
            self.rest()
            return
        made = self._rendered("\n\n".join(text or "…" for text in self._drafts.values()))
        if self._live is None:
            self._live = Live(made, console=self._console, transient=True, refresh_per_second=12)
            self._live.start()
        else:
            self._live.update(made)

    def _rendered(self, text: str) -> RenderableType:
        return Markdown(with_breaks(text), hyperlinks=False)


def with_breaks(text: str) -> str:
    """Keep the line ends of CommonMark, as chats do; code keeps them anyway."""
    lines, fenced = [], False
    for each in text.split("\n"):
        fenced ^= each.lstrip().startswith(("```", "~~~"))
        lines.append(each if fenced or not each.strip() else f"{each}  ")
    return "\n".join(lines)
