"""parse_mode MarkdownV2: text to entities, with the server's complaints and the byte offsets it names."""

from dataclasses import dataclass

from playground.telegram.errors import ApiError, bad_request
from playground.telegram.links import Link, read_link
from playground.telegram.utf16 import units
from playground.telegram.world import Entity

RESERVED = frozenset("_*[]()~`>#+-=|{}.!\n")
NAMES = {
    "bold": "Bold", "italic": "Italic", "underline": "Underline", "strikethrough": "Strikethrough",
    "spoiler": "Spoiler", "code": "Code", "pre": "Pre", "text_link": "TextUrl", "custom_emoji": "CustomEmoji",
    "blockquote": "BlockQuote", "expandable_blockquote": "ExpandableBlockQuote",
}  # fmt: skip
# Longer marks first: `__` is an underline wherever it can be one.
MARKS = (
    ("**>", "expandable_blockquote"),
    ("```", "pre"),
    ("__", "underline"),
    ("||", "spoiler"),
    ("![", "custom_emoji"),
    ("_", "italic"),
    ("*", "bold"),
    ("~", "strikethrough"),
    ("[", "text_link"),
    ("`", "code"),
)
ENDS = {
    "bold": "*", "italic": "_", "underline": "__", "strikethrough": "~", "spoiler": "||", "code": "`",
    "pre": "```", "text_link": "]", "custom_emoji": "]",
}  # fmt: skip
QUOTES = frozenset({"blockquote", "expandable_blockquote"})


@dataclass(slots=True, kw_only=True)
class Open:
    """An entity that has begun: where in the source (characters) and where in the result (UTF-16 units)."""

    kind: str
    source: int
    start: int
    letters: int
    language: str = ""


class MarkdownParser:
    """Reads one text; `parse` gives the clean text and its entities."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.place = 0
        self.out: list[str] = []
        self.length = 0
        self.open: list[Open] = []
        self.found: list[Entity] = []

    def parse(self) -> tuple[str, list[Entity]]:
        """Walk through the source; raises 400 where the server would."""
        while self.place < len(self.source):
            self.step()
        if self.open and self.open[-1].kind in QUOTES:
            self.finish(self.open.pop())
        if self.open:
            raise self.unfinished(self.open[-1])
        return "".join(self.out), self.found

    def step(self) -> None:
        """Take the next character or mark."""
        source, place = self.source, self.place
        letter = source[place]
        if letter == "\\" and place + 1 < len(source) and 0 < ord(source[place + 1]) <= 126:
            self.emit(source[place + 1])
            self.place += 2
            return
        top = self.open[-1].kind if self.open else ""
        special = letter == "`" if top in {"code", "pre"} else letter in RESERVED
        if not special:
            self.emit(letter)
            self.place += 1
        elif letter == "\n":
            self.end_line()
        elif not self.close(top):
            self.begin()

    def emit(self, text: str) -> None:
        """Add text to the result."""
        self.out.append(text)
        self.length += units(text)

    def quote(self) -> Open | None:
        """Give the block quote that is open."""
        return next((entity for entity in self.open if entity.kind in QUOTES), None)

    def end_line(self) -> None:
        """Go on to the next line, which continues the quote, ends it, or begins one."""
        quote = self.quote()
        follows = self.source.startswith(">", self.place + 1)
        if quote is not None and not follows:
            if self.open[-1] is not quote:
                raise self.unfinished(self.open[-1])
            self.emit("\n")
            self.finish(self.open.pop(), trailing=1)
            self.place += 1
            return
        self.emit("\n")
        self.place += 1
        if quote is not None:
            self.place += 1

    def at_line_start(self) -> bool:
        """Tell whether a block quote may begin here."""
        return self.quote() is None and (self.place == 0 or self.source[self.place - 1] == "\n")

    def close(self, top: str) -> bool:
        """End the innermost entity if its mark stands here."""
        source, place = self.source, self.place
        if top == "expandable_blockquote" and source.startswith("||", place) and self.ends_line(place + 2):
            self.place += 2
            self.finish(self.open.pop())
            return True
        mark = ENDS.get(top, "")
        if not mark or not source.startswith(mark, place):
            return False
        if top == "italic" and source.startswith("__", place):
            return False
        entity = self.open.pop()
        self.place += len(mark)
        if top == "text_link":
            self.finish_link(entity)
        elif top == "custom_emoji":
            self.finish_emoji(entity)
        else:
            self.finish(entity)
        return True

    def ends_line(self, place: int) -> bool:
        """Tell whether a line ends at a place."""
        return place == len(self.source) or self.source[place] == "\n"

    def begin(self) -> None:
        """Begin the entity whose mark stands here."""
        place = self.place
        if self.source[place] == ">" and self.at_line_start():
            self.push("blockquote", 1)
            return
        for mark, kind in MARKS:
            if not self.source.startswith(mark, place):
                continue
            if kind == "expandable_blockquote" and not self.at_line_start():
                continue
            self.push(kind, len(mark))
            if kind == "pre":
                self.read_language()
            return
        letter = self.source[place]
        raise problem(f"Character '{letter}' is reserved and must be escaped with the preceding '\\'")

    def push(self, kind: str, width: int) -> None:
        """Remember what has begun."""
        self.open.append(Open(kind=kind, source=self.place, start=self.length, letters=len(self.out)))
        self.place += width

    def read_language(self) -> None:
        """Read the language of a code block and drop the line break after it."""
        source, start = self.source, self.place
        end = start
        while end < len(source) and not source[end].isspace() and source[end] != "`":
            end += 1
        if end != start and end < len(source) and source[end] != "`":
            self.open[-1].language = source[start:end]
            self.place = end
        if source.startswith(("\r\n", "\n\r"), self.place):
            self.place += 2
        elif source.startswith(("\n", "\r"), self.place):
            self.place += 1

    def finish(self, entity: Open, *, trailing: int = 0, link: Link | None = None, emoji: str = "") -> None:
        """Record an entity, unless it is empty."""
        length = self.length - entity.start
        if length <= trailing:
            return
        self.found.append(
            Entity(
                type="text_mention" if link and link.user else entity.kind,
                offset=entity.start,
                length=length,
                language=entity.language,
                url=link.url if link else "",
                user=link.user if link else 0,
                custom_emoji_id=emoji,
            )
        )

    def address(self, what: str) -> str | None:
        """Read `(…)` behind a link's text; nothing when there is none."""
        if not self.source.startswith("(", self.place):
            return None
        self.place += 1
        start = self.place
        letters: list[str] = []
        while self.place < len(self.source) and self.source[self.place] != ")":
            if self.source[self.place] == "\\" and self.place + 1 < len(self.source):
                self.place += 1
            letters.append(self.source[self.place])
            self.place += 1
        if self.place == len(self.source):
            raise problem(f"Can't find end of {what} at byte offset {self.bytes_before(start)}")
        self.place += 1
        return "".join(letters)

    def finish_link(self, entity: Open) -> None:
        """End a link; its text stands in for a missing address; one that can't be a link is plain text."""
        address = self.address("a URL")
        if address is None:
            address = "".join(self.out[entity.letters :])
        link = read_link(address)
        if not link.problem:
            self.finish(entity, link=link)

    def finish_emoji(self, entity: Open) -> None:
        """End a custom emoji."""
        address = self.address("a custom emoji URL")
        if address is None or not address.startswith("tg://emoji?id="):
            raise problem("Custom emoji entity must contain a tg://emoji URL")
        self.finish(entity, emoji=address.removeprefix("tg://emoji?id="))

    def bytes_before(self, place: int) -> int:
        """Count the UTF-8 bytes before a place in the source."""
        return len(self.source[:place].encode())

    def unfinished(self, entity: Open) -> ApiError:
        """Say which entity has no end."""
        name = "PreCode" if entity.language else NAMES[entity.kind]
        return problem(f"Can't find end of {name} entity at byte offset {self.bytes_before(entity.source)}")


def problem(words: str) -> ApiError:
    """Make the error of a text that can't be parsed."""
    return bad_request(f"can't parse entities: {words}")
