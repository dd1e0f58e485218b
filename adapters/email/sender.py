"""Who wrote a mail, and whether our own server vouches for it (pure).

Promise: a sender is one mailbox in one From header, read before anything is decoded, and counts only if the topmost
Authentication-Results of our own server says that exactly its domain passed. When in doubt it is nobody.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from adapters.email import charsets

MOST_CHARS: Final = 4_000  # of one header that is looked at
NAMELESS: Final = "-"  # stands for a server that stamps its results without a name
_ATOM: Final = r"[^\s\x00-\x20\x7f()<>\[\]:;@\\,.\"]+"
_ADDRESS: Final = re.compile(rf"({_ATOM}(?:\.{_ATOM})*)@([^\s\x00-\x20\x7f()<>\[\]:;@\\,\"]+)")
_BACKWARDS: Final = re.compile(rf"{_ATOM}(?:\.{_ATOM})*")
_FORWARDS: Final = re.compile(r"[^\s\x00-\x20\x7f()<>\[\]:;@\\,\"]{1,255}")
MOST_SIGNS: Final = 1_000  # of @ that are looked at in one list
LONGEST_LOCAL: Final = 128
_LABEL: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_DISPLAY: Final = re.compile(
    r'(?:=\?[^?\s]{1,60}\?[bBqQ]\?[^?\s]*\?=|[^\x00-\x08\x0a-\x1f\x7f()<>\[\]:;@\\,"]|"(?:[^"\\]|\\.)*+")*+'
)
_STATEMENT: Final = re.compile(r'(?:"(?:[^"\\]|\\.)*"|\\.|[^;"\\])+')
# A value ends at a blank, never at an = or a quotation: both stand in the local parts that strangers choose.
_PAIR: Final = re.compile(
    r'(?<!\S)([A-Za-z][A-Za-z0-9._/-]{0,60})\s{0,20}=\s{0,20}((?:"(?:[^"\\]|\\.)*"|\\.|[^\s"\\])+)'
)
_CLAIM: Final = re.compile(r"[a-z][a-z0-9-]*")


class NoSender(Exception):
    """The From header names nobody in particular; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """The one mailbox that a header names: the address in lower case, and the name that goes with it."""

    address: str
    name: str = ""

    @property
    def domain(self) -> str:
        """The part behind the @."""
        return self.address.rpartition("@")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One statement of a server: a method, how it came out, and about what."""

    method: str
    outcome: str
    about: tuple[tuple[str, str], ...]

    def says(self, key: str) -> str:
        """Give the value of a property such as `header.from`, "" where it isn't there."""
        return next((value for name, value in self.about if name == key), "")


def author(values: Sequence[str]) -> Author:
    """Read the From headers of a mail; raises NoSender unless they are one header with one plain mailbox."""
    if len(values) != 1:
        raise NoSender("there is no From header" if not values else "there are several From headers")
    return mailbox(values[0])


def mailbox(raw: str) -> Author:
    """Read one mailbox strictly, before any decoding; raises NoSender for anything more, less or crooked."""
    if len(raw) > MOST_CHARS:
        raise NoSender("its From header is too long")
    text = without_comments(raw)
    if text is None:
        raise NoSender("its From header has a crooked comment or quotation")
    text = text.strip()
    if "<" not in text:
        found, name = _ADDRESS.fullmatch(text), ""
    else:
        before, _, rest = text.partition("<") if not text.startswith('"') else _past_quoted(text)
        inner, closing, after = rest.partition(">")
        if not closing or after.strip():
            raise NoSender("its From header holds more than one mailbox")
        if not _DISPLAY.fullmatch(before):
            raise NoSender("its From header holds more than one mailbox, a group or an address in front of the address")
        found, name = _ADDRESS.fullmatch(inner.strip()), before.strip()
    if found is None:
        raise NoSender("its From header is not one plain mailbox")
    return Author(address=_normal(found[1], found[2]), name=_name(name))


def addresses(raw: str, most: int = 200) -> list[str]:
    """Find what looks like addresses in a list of recipients, leniently: who is named, not who wrote."""
    text = without_comments(raw[:50_000]) or raw[:50_000]
    text = re.sub(r'"(?:[^"\\]|\\.){0,200}+"(?!@)', " ", text)
    found: list[str] = []
    for sign in islice(re.finditer("@", text), MOST_SIGNS):
        # Looked at from the @ on both sides, as a search for a beginning takes the square of a long word's length.
        before = _BACKWARDS.match(text[max(sign.start() - LONGEST_LOCAL, 0) : sign.start()][::-1])
        after = _FORWARDS.match(text, sign.end())
        address = plain_address(f"{before[0][::-1]}@{after[0]}") if before and after else None
        if address is not None:
            found.append(address)
        if len(found) >= most:
            break
    return found


def plain_address(text: str) -> str | None:
    """Bring an address into the one form in which addresses are compared; None if it is none."""
    found = _ADDRESS.fullmatch(text.strip())
    try:
        return _normal(found[1], found[2]) if found else None
    except NoSender:
        return None


def ours(address: str, own: Collection[str]) -> bool:
    """Whether an address is one of our own; `name+*@host` stands for every tag."""
    local, _, domain = address.rpartition("@")
    for one in own:
        mine, _, host = one.casefold().rpartition("@")
        if ascii_domain(host) != ascii_domain(domain):
            continue
        if mine == local or (mine.endswith("*") and local.startswith(mine[:-1])):
            return True
    return False


def vouched(values: Sequence[str], domain: str, trusted: Collection[str]) -> str | None:
    """Say why nothing vouches for a domain; None if the topmost results of a trusted server do."""
    wanted = {one.casefold() for one in trusted}
    for value in values:
        read = results(value)
        if read is None or (read[0] or NAMELESS) not in wanted:
            continue
        return None if _passes(read[1], domain) else "our mail server did not confirm the sender"
    return "our mail server said nothing about the sender"


def results(raw: str) -> tuple[str, list[Result]] | None:
    """Read one Authentication-Results header: the server's name, "" where it gives none, and what it says."""
    text = without_comments(raw[:20_000])
    if text is None:
        return None
    statements = _STATEMENT.findall(text)
    if not statements:
        return None
    first = statements[0].split()
    named = bool(first) and "=" not in statements[0]
    name = first[0].strip('"').casefold() if named else ""
    found = [result for one in statements[int(named) :] if (result := _result(one)) is not None]
    return name, found


def without_comments(text: str) -> str | None:
    """Take away comments in parentheses, which nest; None if one never ends or ends unbegun."""
    kept: list[str] = []
    depth, quoted, escaped = 0, False, False
    for sign in text:
        if escaped:
            escaped = False
        elif sign == "\\":
            escaped = True
        elif sign == '"' and not depth:
            quoted = not quoted
        elif sign == "(" and not quoted:
            depth += 1
            continue
        elif sign == ")" and not quoted:
            if not depth:
                return None
            depth -= 1
            kept.append(" " if not depth else "")
            continue
        if not depth:
            kept.append(sign)
    return None if depth or quoted else "".join(kept)


def ascii_domain(domain: str) -> str | None:
    """Give the form of a domain that is on the wire, in lower case; None if it is no domain."""
    labels = []
    for label in domain.rstrip(".").casefold().split("."):
        try:
            wire = label if label.isascii() else label.encode("idna").decode("ascii")
        except UnicodeError:
            return None
        if not _LABEL.fullmatch(wire):
            return None
        labels.append(wire)
    return ".".join(labels)


def _past_quoted(text: str) -> tuple[str, str, str]:
    """Part a text at the < behind a quoted name, which may hold one itself."""
    match = re.match(r'"(?:[^"\\]|\\.)*"', text)
    end = match.end() if match else 0
    before, sign, rest = text[end:].partition("<")
    return text[:end] + before, sign, rest


def _normal(local: str, domain: str) -> str:
    wire = ascii_domain(domain)
    if wire is None or len(local) > 128 or "\ufffd" in local + domain:
        raise NoSender("its From header holds no real address")
    return f"{unicodedata.normalize('NFC', local).casefold()}@{_shown(wire)}"


def _shown(wire: str) -> str:
    """Give a domain as people write it."""
    try:
        return ".".join(
            label.encode("ascii").decode("idna") if label.startswith("xn--") else label for label in wire.split(".")
        )
    except UnicodeError:
        return wire


def _name(raw: str) -> str:
    text = re.sub(r'"((?:[^"\\]|\\.)*)"', lambda found: re.sub(r"\\(.)", r"\1", found[1]), raw)
    return charsets.one_line(charsets.words(text), 100)


def _result(statement: str) -> Result | None:
    """Read `method/1 = outcome reason=… type.property=value …`."""
    pairs = [(key.casefold(), value.strip('"')) for key, value in _PAIR.findall(statement)]
    if not pairs:
        return None
    method, outcome = pairs[0][0].partition("/")[0], pairs[0][1].casefold()
    return Result(method=method, outcome=outcome, about=tuple(pairs[1:])) if _CLAIM.fullmatch(method) else None


def _passes(found: Sequence[Result], domain: str) -> bool:
    """Judge by DMARC where the server says how it came out; else by DKIM or SPF of an aligned domain."""
    dmarc = [one for one in found if one.method == "dmarc"]
    if any(one.outcome == "pass" for one in dmarc):
        return len(dmarc) == 1 and _same(dmarc[0].says("header.from"), domain)
    if any(one.outcome not in ("none", "temperror") for one in dmarc):
        return False
    for one in found:
        if one.outcome != "pass":
            continue
        if one.method == "dkim" and _aligned(_of(one.says("header.d") or one.says("header.i")), domain):
            return True
        if one.method == "spf" and _aligned(_of(one.says("smtp.mailfrom")), domain):
            return True
    return False


def _of(value: str) -> str:
    return value.rpartition("@")[2]


def _same(one: str, other: str) -> bool:
    wire = ascii_domain(_of(one))
    return wire is not None and wire == ascii_domain(other)


def _aligned(one: str, other: str) -> bool:
    """Whether one domain is the other, or one lies in the other; a single label such as a country holds nobody."""
    first, second = ascii_domain(one), ascii_domain(other)
    if first is None or second is None:
        return False
    shorter, longer = sorted((first, second), key=len)
    return first == second or ("." in shorter and longer.endswith(f".{shorter}") and shorter not in _REGISTRIES)


# Where strangers register beside each other, though it is two names long; the longer one is never aligned with these.
_REGISTRIES: Final = frozenset(
    f"{second}.{top}"
    for tops, seconds in (
        ("uk", "co org ac gov ltd plc me net sch nhs"),
        ("au nz", "com net org edu gov id co ac school"),
        ("jp kr th id", "co or ne ac go ad ed gr lg re pe web"),
        ("br ar mx co tr cn hk tw sg my in za ua pl pe ve ph eg sa pk", "com net org edu gov co ac firm gen ind info"),
        ("il in za", "co org net ac gov"),
    )
    for top in tops.split()
    for second in seconds.split()
) | {"github.io", "blogspot.com", "herokuapp.com", "azurewebsites.net", "web.app", "pages.dev", "netlify.app"}
