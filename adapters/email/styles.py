"""What a mail's own styles hide: words that no reader sees must not be read to a model either (pure)."""

import re
from typing import Final

MOST_STYLE_CHARS: Final = 100_000
MOST_RULES: Final = 2_000
_HIDDEN: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all"
    r"|font-size\s*:\s*0*(?:\.0+)?(?:px|pt|em|%)?\s*(?:;|$|!)"
    r"|opacity\s*:\s*0*(?:\.0+)?\s*(?:;|$|!)|max-height\s*:\s*0*(?:px|pt)?\s*(?:;|$|!)"
    r"|(?:^|;)\s*height\s*:\s*0(?:px|pt)?\s*;?.*overflow\s*:\s*hidden|text-indent\s*:\s*-\d{3,}"
    r"|(?:left|top)\s*:\s*-\d{3,}",
    re.IGNORECASE,
)
_STYLE: Final = re.compile(r"<style\b[^<>]{0,500}>", re.IGNORECASE)
_SIMPLE: Final = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9]{0,20})?([.#][A-Za-z0-9_-]{1,80})")
_COMMENT: Final = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)


def hides(style: str) -> bool:
    """Whether declarations take what they are for out of sight."""
    return _HIDDEN.search(style[:2_000]) is not None


def hidden(source: str) -> frozenset[str]:
    """Name the classes (`.x`) and ids (`#x`) that the style sheets within HTML hide on every screen."""
    found: set[str] = set()
    for opening in list(_STYLE.finditer(source))[:20]:
        end = source.find("</", opening.end())
        sheet = source[opening.end() : end if end >= 0 else None][:MOST_STYLE_CHARS]
        for selectors, declarations in _rules(_COMMENT.sub(" ", sheet)):
            if hides(declarations):
                names = (_SIMPLE.fullmatch(one.strip()) for one in selectors.split(","))
                found.update(name[1] for name in names if name is not None)
    return frozenset(found)


def _rules(sheet: str) -> list[tuple[str, str]]:
    """Give the plain rules; those that hold only on some screens (@media) are left out."""
    found: list[tuple[str, str]] = []
    depth, begun, selector, inside = 0, 0, "", False
    for sign in re.finditer(r"[{}]", sheet):
        if sign[0] == "{":
            if not depth:
                selector = sheet[begun : sign.start()].rpartition(";")[2].strip()
                inside = selector.startswith("@")
            depth += 1
        elif depth:
            depth -= 1
            if not depth and not inside and len(found) < MOST_RULES:
                found.append((selector, sheet[begun : sign.start()]))
        begun = sign.end()
    return found
