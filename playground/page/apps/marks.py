"""Text with marks, as Discord has it, as plain text with entities, which is what the page draws."""

import re
from dataclasses import dataclass, field

MARK = re.compile(
    r"(?s)```(?:(?P<language>\w+)\n)?(?P<pre>.*?)```|`(?P<code>[^`\n]+)`|\*\*\*(?P<both>.+?)\*\*\*|\*\*(?P<bold>.+?)\*\*"
    r"|__(?P<underline>.+?)__|~~(?P<strikethrough>.+?)~~|\|\|(?P<spoiler>.+?)\|\||(?<![\w*])\*(?P<italic>[^*\s][^*]*?)\*"
    r"|(?<!\w)_(?P<italic2>[^_\s][^_]*?)_(?!\w)|<(?P<url>https?://[^>\s]+)>|\\(?P<escaped>[^\w\s])"
)
LITERAL = frozenset({"pre", "code", "url", "escaped"})


def units(text: str) -> int:
    """Count as JavaScript does."""
    return len(text.encode("utf-16-le")) // 2


@dataclass(slots=True)
class Marked:
    """Text that grows, and where its entities are."""

    text: str = ""
    entities: list[dict[str, object]] = field(default_factory=list)

    def add(self, text: str, *kinds: str, **more: object) -> None:
        """Append text that has these kinds."""
        for kind in kinds:
            self.entities.append({"type": kind, "offset": units(self.text), "length": units(text), **more})
        self.text += text

    def read(self, source: str) -> None:
        """Append text with marks."""
        at = 0
        for found in MARK.finditer(source):
            self.text += source[at : found.start()]
            at = found.end()
            kind = found.lastgroup or ""
            inside = found[kind]
            if kind in LITERAL:
                kinds = () if kind == "escaped" else (kind,)
                self.add(inside, *kinds, **({"language": found["language"]} if found["language"] else {}))
                continue
            begin = len(self.entities)
            start = units(self.text)
            self.read(inside)
            length = units(self.text) - start
            for name in ("bold", "italic") if kind == "both" else (kind.rstrip("2"),):
                self.entities.insert(begin, {"type": name, "offset": start, "length": length})
        self.text += source[at:]
