"""Reads HOME/.env: lines of NAME=value, as shells and other programs write them."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from gateway.config.errors import Problem

_LINE = re.compile(r"[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*")
_SKIP = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\n|\Z)")
_SINGLE = re.compile(r"'([^']*)'")
_DOUBLE = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_BARE = re.compile(r"[^\n]*")
_REST = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\n|\Z)")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


@dataclass(slots=True, kw_only=True)
class DotEnv:
    """What a .env file holds: its values, and the lines that can't be read."""

    values: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def read_env_file(path: Path) -> DotEnv:
    """Read a .env file; a missing one is an empty one."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return DotEnv()
    except UnicodeDecodeError:
        return DotEnv(problems=[Problem(path=str(path), message="is not UTF-8", hint="save it as UTF-8")])
    except OSError as error:
        problem = Problem(path=str(path), message=f"can't be read: {error.strerror}", hint=_owner_hint(error))
        return DotEnv(problems=[problem])
    return parse_env(text, str(path))


def parse_env(text: str, name: str = ".env") -> DotEnv:
    """Parse the text of a .env file; a later line wins over an earlier one, bad lines are named by number."""
    found = DotEnv()
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    at = 0
    while at < len(text):
        skipped = _SKIP.match(text, at)
        if skipped:
            at = skipped.end()
            continue
        at = _assignment(text, at, name, found)
    return found


def without(text: str, name: str) -> str:
    """Return the text of a .env file without the assignments of a name; a line that can't be read stays."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    kept, at = "", 0
    while at < len(text):
        skipped = _SKIP.match(text, at)
        found = DotEnv()
        end = skipped.end() if skipped else _assignment(text, at, "", found)
        kept += "" if name in found.values else text[at:end]
        at = end
    return kept


def _assignment(text: str, at: int, name: str, found: DotEnv) -> int:
    """Read one assignment and return where the next line begins."""
    line = text.count("\n", 0, at) + 1
    head = _LINE.match(text, at)
    if not head:
        _complain(found, name, line, "is not NAME=value", "put # before remarks")
        return _next_line(text, at)
    key, at = head[1], head.end()
    quote = text[at : at + 1]
    if quote not in {"'", '"'}:
        bare = _BARE.match(text, at)
        raw = bare[0] if bare else ""
        found.values[key] = re.split(r"(?:^|[ \t])#", raw, maxsplit=1)[0].strip()
        return _next_line(text, at)
    quoted = (_SINGLE if quote == "'" else _DOUBLE).match(text, at)
    if not quoted:
        _complain(found, name, line, f"{key} has no closing quote", f"end the value with {quote}")
        return _next_line(text, at)
    rest = _REST.match(text, quoted.end())
    if not rest:
        _complain(found, name, line, f"{key} has more text after its closing quote", "put one pair of quotes")
        return _next_line(text, quoted.end())
    found.values[key] = quoted[1] if quote == "'" else _unescape(quoted[1])
    return rest.end()


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), text, flags=re.DOTALL)


def _next_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _complain(found: DotEnv, name: str, line: int, message: str, hint: str) -> None:
    found.problems.append(Problem(path=name, message=message, hint=hint, line=line))


def _owner_hint(error: OSError) -> str:
    return "it must belong to the user who runs the daemon" if isinstance(error, PermissionError) else ""
