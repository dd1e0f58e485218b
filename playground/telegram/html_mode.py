"""parse_mode HTML: text to entities, with the server's complaints and the byte offsets it names."""

import re
from dataclasses import dataclass
from html import unescape

from playground.telegram.links import read_link
from playground.telegram.markdown_mode import problem
from playground.telegram.utf16 import units
from playground.telegram.world import Entity

TAGS = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
    "s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "span": "spoiler",
    "tg-spoiler": "spoiler", "tg-emoji": "custom_emoji", "a": "text_link", "code": "code", "pre": "pre",
    "blockquote": "blockquote",
}  # fmt: skip
# The only named references the server knows; others stay as they stand.
REFERENCE = re.compile(r"&(?:lt|gt|amp|quot|#\d{1,7}|#x[0-9a-fA-F]{1,6});?")
NAME = re.compile(r"[^\s>=/]*")
ATTRIBUTE = re.compile(r"\s*([^\s=>/\"']*)")
VALUE = re.compile(r"\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([A-Za-z0-9.-]+)(?=[\s>]))")


@dataclass(slots=True, kw_only=True)
class OpenTag:
    """A start tag that waits for its end."""

    name: str
    argument: str
    start: int
    letters: int


class HtmlParser:
    """Reads one text; `parse` gives the clean text and its entities."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.place = 0
        self.out: list[str] = []
        self.length = 0
        self.open: list[OpenTag] = []
        self.found: list[Entity] = []

    def parse(self) -> tuple[str, list[Entity]]:
        """Walk through the source; raises 400 where the server would."""
        while self.place < len(self.source):
            end = self.source.find("<", self.place)
            if end != self.place:
                self.emit(decode(self.source[self.place : end if end > 0 else None]))
                self.place = end if end > 0 else len(self.source)
            elif self.source.startswith("</", self.place):
                self.end_tag()
            else:
                self.start_tag()
        if self.open:
            raise problem(f'Can\'t find end tag corresponding to start tag "{self.open[-1].name}"')
        return "".join(self.out), self.found

    def emit(self, text: str) -> None:
        """Add text to the result."""
        self.out.append(text)
        self.length += units(text)

    def here(self, place: int) -> str:
        """Name a place as the server does."""
        return f"at byte offset {len(self.source[:place].encode())}"

    def start_tag(self) -> None:
        """Read a start tag with its attributes."""
        begin = self.place
        match = NAME.match(self.source, begin + 1)
        name = match.group().lower() if match else ""
        self.place = begin + 1 + len(name)
        if self.place >= len(self.source):
            raise problem(f"Unclosed start tag {self.here(begin)}")
        if name not in TAGS:
            raise problem(f'Unsupported start tag "{name}" {self.here(begin)}')
        argument = self.attributes(name, begin)
        if name == "span" and argument != "spoiler":
            raise problem(f'Tag "span" must have class "tg-spoiler" {self.here(begin)}')
        self.open.append(OpenTag(name=name, argument=argument, start=self.length, letters=len(self.out)))

    def attributes(self, tag: str, begin: int) -> str:
        """Read the attributes up to the tag's end; gives the one that matters for this tag."""
        argument = ""
        while True:
            while self.place < len(self.source) and self.source[self.place].isspace():
                self.place += 1
            if self.place >= len(self.source):
                raise problem(f'Unclosed start tag "{tag}" {self.here(begin)}')
            if self.source[self.place] == ">":
                self.place += 1
                return argument
            name, value = self.attribute(tag, begin)
            argument = meaning(tag, name, value) or argument

    def attribute(self, tag: str, begin: int) -> tuple[str, str]:
        """Read one attribute."""
        match = ATTRIBUTE.match(self.source, self.place)
        name = match.group(1).lower() if match else ""
        if not name:
            raise problem(f'Empty attribute name in the tag "{tag}" {self.here(begin)}')
        self.place += len(name)
        value = VALUE.match(self.source, self.place)
        if value is None:
            if tag == "blockquote" and name == "expandable":
                return name, name
            if self.source[self.place :].lstrip()[:1] == "=":
                raise problem(f"Unclosed start tag {self.here(begin)}")
            raise problem(f'Expected equal sign in declaration of an attribute of the tag "{tag}" {self.here(begin)}')
        self.place = value.end()
        return name, decode(value.group(1) or value.group(2) or (value.group(3) or "").lower())

    def end_tag(self) -> None:
        """Read an end tag and record the entity."""
        begin = self.place
        if not self.open:
            raise problem(f"Unexpected end tag {self.here(begin)}")
        end = self.source.find(">", begin)
        if end < 0:
            raise problem(f"Unclosed end tag {self.here(begin)}")
        name = self.source[begin + 2 : end].strip().lower()
        tag = self.open.pop()
        if name and name != tag.name:
            raise problem(f'Unmatched end tag {self.here(begin)}, expected "</{tag.name}>", found "</{name}>"')
        self.place = end + 1
        if self.length > tag.start:
            self.finish(tag)

    def finish(self, tag: OpenTag) -> None:
        """Record the entity of a tag."""
        kind, length = TAGS[tag.name], self.length - tag.start
        if kind == "text_link":
            self.finish_link(tag, length)
        elif kind == "custom_emoji":
            if not tag.argument.isdigit():
                raise problem("Invalid custom emoji identifier specified")
            self.found.append(Entity(type=kind, offset=tag.start, length=length, custom_emoji_id=tag.argument))
        elif kind in {"pre", "code"} and self.joined(kind, tag, length):
            return
        elif kind == "blockquote":
            quote = "expandable_blockquote" if tag.argument else kind
            self.found.append(Entity(type=quote, offset=tag.start, length=length))
        else:
            language = tag.argument if kind == "code" else ""
            self.found.append(Entity(type=kind, offset=tag.start, length=length, language=language))

    def finish_link(self, tag: OpenTag, length: int) -> None:
        """Record a link; one that can't be a link is plain text."""
        link = read_link(tag.argument or "".join(self.out[tag.letters :]))
        if link.problem:
            return
        kind = "text_mention" if link.user else "text_link"
        self.found.append(Entity(type=kind, offset=tag.start, length=length, url=link.url, user=link.user))

    def joined(self, kind: str, tag: OpenTag, length: int) -> bool:
        """Make one entity of a `pre` and a `code` with a language over the same text."""
        last = self.found[-1] if self.found else None
        if last is None or (last.offset, last.length) != (tag.start, length):
            return False
        if {kind, last.type} != {"pre", "code"}:
            return False
        language = last.language if kind == "pre" else tag.argument
        if not language:
            return False
        self.found[-1] = Entity(type="pre", offset=tag.start, length=length, language=language)
        return True


def parse_html(source: str) -> tuple[str, list[Entity]]:
    """Give the clean text and its entities; raises 400 where the server would."""
    text, found = HtmlParser(source).parse()
    kept = [
        Entity(type="code", offset=entity.offset, length=entity.length) if entity.type == "code" else entity
        for entity in found
    ]
    return text, kept


def decode(text: str) -> str:
    """Replace the references the server knows."""
    return REFERENCE.sub(lambda match: unescape(match.group()), text) if "&" in text else text


def meaning(tag: str, name: str, value: str) -> str:
    """Give what an attribute says for its tag, empty when nothing."""
    if (tag, name) in {("a", "href"), ("tg-emoji", "emoji-id"), ("blockquote", "expandable")}:
        return value
    if (tag, name) == ("code", "class") and value.startswith("language-"):
        return value.removeprefix("language-")
    if (tag, name) == ("span", "class") and value.startswith("tg-"):
        return value.removeprefix("tg-")
    return ""
