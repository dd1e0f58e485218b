"""Reads JSON as strictly as the standard says, and knows the line of every key; json.loads would not tell.

Comments, trailing commas and duplicate keys are noted and read over, so that one look finds them all; any
other fault of syntax ends the reading. No message quotes the text: it may hold a secret.
"""

import json
import re
from dataclasses import dataclass, field
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import TypeAlias

from gateway.config.errors import KeyPath, Problem, dotted

JsonValue: TypeAlias = "dict[str, JsonValue] | list[JsonValue] | str | int | float | bool | None"

_SPACE = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,300})(\.[0-9]{1,300})?([eE][-+]?[0-9]{1,3})?(?![0-9A-Za-z_.+-])")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_COMMENT = re.compile(r"//[^\n]*|#[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_MAX_DEPTH = 40
_COMMENT_WAY_OUT = (
    "take it out: JSON has no comments; `dragoman config explain KEY` explains every key, and "
    'editors show the same if the file begins with "$schema": "gateway.schema.json"'
)


@dataclass(slots=True, kw_only=True)
class Document:
    """A JSON text as read: its value, the line of every key path, and what is wrong with it."""

    value: JsonValue = None
    lines: dict[KeyPath, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    complete: bool = False

    def line(self, path: KeyPath) -> int | None:
        """Return the line of a key, or of the closest thing around it that has one."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path)


class _BrokenError(Exception):
    """The text is not JSON from here on."""


def read_json(text: str) -> Document:
    """Read a JSON text; `complete` is false if its syntax is so broken that there is no value."""
    reader = _Reader(text.removeprefix("\ufeff"))
    try:
        reader.document.value = reader.whole()
        reader.document.complete = True
    except _BrokenError:
        reader.document.value = None
    return reader.document


class _Reader:
    """One pass over a text, by recursive descent."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.counted = (0, 1)
        self.document = Document()

    def whole(self) -> JsonValue:
        self._space(())
        if self.at >= len(self.text):
            raise self._broken("the file is empty", "`dragoman setup` writes one, gateway.example.json shows one")
        value = self._value(())
        self._space(())
        if self.at < len(self.text):
            raise self._broken("there is more text after the end of the object")
        return value

    def _value(self, path: KeyPath) -> JsonValue:
        self.document.lines.setdefault(path, self._line())
        if len(path) > _MAX_DEPTH:
            raise self._broken("is nested too deeply")
        sign = self.text[self.at : self.at + 1]
        if sign == "{":
            return self._object(path)
        if sign == "[":
            return self._array(path)
        if sign == '"':
            return self._string()
        return self._plain()

    def _object(self, path: KeyPath) -> dict[str, JsonValue]:
        found: dict[str, JsonValue] = {}
        opened = self._line()
        self.at += 1
        while not self._closes("}", path, opened, first=not found):
            if self.text[self.at : self.at + 1] != '"':
                raise self._broken("expected a key in double quotes")
            line = self._line()
            key = self._string()
            inner = (*path, key)
            if key in found:
                first = self.document.lines[inner]
                self._note(inner, line, f"is there twice (first in line {first})", "keep one of them")
            else:
                self.document.lines[inner] = line
            self._space(path)
            if self.text[self.at : self.at + 1] != ":":
                raise self._broken("expected a colon after the key")
            self.at += 1
            self._space(path)
            found[key] = self._value(inner)
        return found

    def _array(self, path: KeyPath) -> list[JsonValue]:
        found: list[JsonValue] = []
        opened = self._line()
        self.at += 1
        while not self._closes("]", path, opened, first=not found):
            found.append(self._value((*path, len(found))))
        return found

    def _closes(self, sign: str, path: KeyPath, opened: int, *, first: bool) -> bool:
        """Go to the next member of an object or array; true if there is none."""
        self._space(path)
        here = self.text[self.at : self.at + 1]
        if here == "":
            raise self._broken(f"the file ends before the {sign} that closes line {opened}")
        if here == sign:
            self.at += 1
            return True
        if first:
            return False
        if here != ",":
            raise self._broken(f"expected a comma or {sign}", "a comma is missing before this place, or a quote")
        line = self._line()
        self.at += 1
        self._space(path)
        if self.text[self.at : self.at + 1] == sign:
            self._note(path, line, f"has a comma before {sign}", "take the comma out")
            self.at += 1
            return True
        return False

    def _string(self) -> str:
        line = self._line()
        try:
            value, self.at = scanstring(self.text, self.at + 1, True)  # noqa: FBT003 - a C function
        except json.JSONDecodeError as error:
            self.at = min(error.pos, len(self.text))
            reason = "a text has no closing quote" if "Unterminated" in error.msg else "a text is malformed"
            raise self._broken(reason, "line breaks and tabs inside a text are written \\n and \\t", line) from None
        if any("\ud800" <= sign <= "\udfff" for sign in value):
            raise self._broken("a text holds half a character (a lone surrogate)", line=line)
        return str(value)

    def _plain(self) -> int | float | bool | None:
        number = _NUMBER.match(self.text, self.at)
        if number:
            self.at = number.end()
            return self._number(number)
        word = _WORD.match(self.text, self.at)
        if word and word[0] in {"true", "false", "null"}:
            self.at = word.end()
            return {"true": True, "false": False, "null": None}[word[0]]
        meant = {"True": "true", "False": "false", "None": "null", "TRUE": "true", "FALSE": "false"}
        if word and word[0] in meant:
            raise self._broken("expected a value", f"JSON writes {meant[word[0]]}")
        raise self._broken("expected a value", "texts stand in double quotes, numbers in plain decimal digits")

    def _number(self, number: re.Match[str]) -> int | float:
        if number[1] is None and number[2] is None:
            return int(number[0])
        value = float(number[0])
        if value in {float("inf"), float("-inf")}:
            raise self._broken("a number is too large")
        return value

    def _space(self, path: KeyPath) -> None:
        while True:
            self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]
            comment = _COMMENT.match(self.text, self.at)
            if not comment:
                return
            self._note(path, self._line(), "a comment", _COMMENT_WAY_OUT)
            self.at = comment.end()

    def _line(self) -> int:
        """Return the current line; counting goes on from the last count, so that large files stay quick."""
        at, line = self.counted
        line += self.text.count("\n", at, self.at) if at <= self.at else -self.text.count("\n", self.at, at)
        self.counted = (self.at, line)
        return line

    def _note(self, path: KeyPath, line: int, message: str, hint: str) -> None:
        self.document.problems.append(Problem(path=dotted(path), message=message, hint=hint, line=line))

    def _broken(self, message: str, hint: str = "", line: int | None = None) -> _BrokenError:
        column = self.at - (self.text.rfind("\n", 0, self.at) + 1) + 1
        where = f"{message} (column {column})" if line is None else message
        self._note((), line or self._line(), where, hint)
        return _BrokenError()
