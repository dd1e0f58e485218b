"""Puts secrets in their place: `${NAME}` and `${file:/path}` inside any string; `$${` is a literal `${`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gateway.config.dotenv import read_env_file
from gateway.config.errors import KeyPath, Problem, dotted
from gateway.config.jsontext import Document, JsonValue

_REFERENCE = re.compile(r"\$\$\{|\$\{([^{}]*)(\}?)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MAX_BYTES = 65_536


@dataclass(slots=True, kw_only=True)
class Resolver:
    """Looks names up in the environment, then HOME/.env, then $CREDENTIALS_DIRECTORY."""

    home: Path
    env: Mapping[str, str]
    document: Document
    skipped: frozenset[KeyPath] = frozenset()
    problems: list[Problem] = field(default_factory=list)
    failed: set[KeyPath] = field(default_factory=set)
    used: dict[str, str] = field(default_factory=dict)
    file_values: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        dotenv = read_env_file(self.home / ".env")
        self.file_values = dotenv.values
        self.problems.extend(dotenv.problems)

    def resolve(self, value: JsonValue, path: KeyPath = ()) -> JsonValue:
        """Return the value with every reference in it replaced; skipped places stay as they are."""
        if path in self.skipped:
            return value
        if isinstance(value, dict):
            return {key: self.resolve(inner, (*path, key)) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.resolve(inner, (*path, index)) for index, inner in enumerate(value)]
        if isinstance(value, str) and "${" in value:
            return _REFERENCE.sub(lambda found: self._replace(found, path), value)
        return value

    def _replace(self, found: re.Match[str], path: KeyPath) -> str:
        if found[0] == "$${":
            return "${"
        name = found[1]
        if not found[2]:
            return self._fail(path, "a ${ has no closing }", "a literal ${ is written $${")
        if name.startswith("file:"):
            text = self._from_file(path, name, Path(name.removeprefix("file:")))
        elif _NAME.fullmatch(name):
            text = self._from_name(path, name)
        else:
            return self._fail(
                path,
                f"${{{name}}} is not a name of a variable",
                "use ${NAME}, ${file:/path}, or $${ for a literal",
            )
        if text:
            self.used[name] = text
        return text

    def _from_name(self, path: KeyPath, name: str) -> str:
        """Return the first non-empty value in the order of look-up."""
        text = self.env.get(name) or self.file_values.get(name)
        if text:
            return text
        directory = self.env.get("CREDENTIALS_DIRECTORY")
        if directory and (Path(directory) / name).is_file():
            return self._from_file(path, name, Path(directory) / name)
        empty = name in self.env or name in self.file_values
        places = ["the environment", str(self.home / ".env")]
        places.append(f"{directory}/{name}" if directory else "$CREDENTIALS_DIRECTORY (not set)")
        return self._fail(
            path,
            f"needs {name}, which is {'empty' if empty else 'not set'} (looked in {', '.join(places)})",
            f"put {name}=… into {self.home / '.env'}",
        )

    def _from_file(self, path: KeyPath, name: str, file: Path) -> str:
        if not file.is_absolute():
            return self._fail(path, f"${{{name}}} is not an absolute path", "write ${file:/full/path}")
        try:
            with file.open("rb") as stream:
                raw = stream.read(_MAX_BYTES + 1)
            text = raw.decode("utf-8")
        except OSError as error:
            return self._fail(path, f"needs the file {file}, which can't be read: {error.strerror}")
        except ValueError:
            return self._fail(path, f"needs the file {file}, which is not UTF-8 text")
        if len(raw) > _MAX_BYTES:
            return self._fail(path, f"needs the file {file}, which is larger than 64 KiB")
        text = text.removesuffix("\n").removesuffix("\r")
        return text or self._fail(path, f"needs the file {file}, which is empty")

    def _fail(self, path: KeyPath, message: str, hint: str = "") -> str:
        self.failed.add(path)
        problem = Problem(path=dotted(path), message=message, hint=hint, line=self.document.line(path))
        self.problems.append(problem)
        return ""
