"""Reads gateway.json into a frozen Config, or raises every problem at once; nothing is guessed."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from gateway.config.accounts import ACCOUNT_MODELS, MAIN, JsonObject, Layout, shape, survey
from gateway.config.errors import ConfigErrors, KeyPath, Problem, dotted
from gateway.config.jsontext import Document, JsonValue, read_json
from gateway.config.model import Config
from gateway.config.references import Resolver
from gateway.config.translate import CONVERTERS, Translator

_MAX_BYTES = 1_048_576
_WHOLE_REFERENCE = re.compile(r"\$\{[^{}]*\}")
Errors: TypeAlias = list[ErrorDetails]


def load(path: Path, home: Path, env: Mapping[str, str]) -> Config:
    """Return the configuration in `path`; secrets come from env, `home`/.env and $CREDENTIALS_DIRECTORY.

    Raises ConfigErrors with all problems, in the order of the file.
    """
    document = read_json(_text(path))
    problems = list(document.problems)
    if not document.complete:
        raise ConfigErrors(problems, path)
    if not isinstance(document.value, dict):
        problems.append(Problem(path="", message="the file must hold an object {…}", line=1))
        raise ConfigErrors(problems, path)
    check = _Check(document, document.value, home, env)
    config = check.run()
    problems += check.problems
    if config is None or problems:
        raise ConfigErrors(sorted(problems, key=lambda problem: problem.line or 0), path)
    return config


def _text(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            raw = stream.read(_MAX_BYTES + 1)
    except OSError as error:
        hint = "it must belong to the user who runs the daemon" if isinstance(error, PermissionError) else ""
        problem = Problem(path=str(path), message=f"can't be read: {error.strerror}", hint=hint)
        raise ConfigErrors([problem]) from None
    if len(raw) > _MAX_BYTES:
        raise ConfigErrors([Problem(path=str(path), message="is larger than 1 MiB")])
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigErrors(
            [Problem(path=str(path), message="is not UTF-8", hint="save it as UTF-8", line=line)]
        ) from None


class _Check:
    """One look at a document: every step adds what it finds to `problems`."""

    def __init__(self, document: Document, raw: JsonObject, home: Path, env: Mapping[str, str]) -> None:
        self.document = document
        self.raw = raw
        self.layout = survey(raw)
        skipped = _not_looked_up(raw, self.layout)
        self.resolver = Resolver(home=home, env=env, document=document, skipped=skipped)
        self.problems = [
            Problem(path=dotted(path), message=message, hint=hint, line=document.line(path))
            for path, message, hint in self.layout.misplaced
        ]

    def run(self) -> Config | None:
        """Return the configuration, or None if it is wrong."""
        resolved = cast("JsonObject", self.resolver.resolve(self.raw))
        self.problems += self.resolver.problems
        if not isinstance(resolved.pop("$schema", ""), str):
            self.problems.append(Problem(path="$schema", message="must be a text in double quotes"))
        tree = shape(resolved, self.layout)
        config, errors = _validate(tree)
        if self._convert(errors, tree):
            config, errors = _validate(tree)
        errors += _switched_off(self.raw, self.layout)
        if errors:
            translator = Translator(document=self.document, layout=self.layout)
            self.problems += translator.problems(errors, self.resolver.failed)
        return config

    def _convert(self, errors: Errors, tree: JsonObject) -> bool:
        """Read numbers and switches that stand as a whole `${NAME}` from their text; true if any was one."""
        changed = False
        for error in errors:
            path = error["loc"]
            source = self.layout.source(path)
            reference = _at(self.document.value, source)
            is_reference = isinstance(reference, str) and _WHOLE_REFERENCE.fullmatch(reference)
            # whether an account is on decides which secrets are looked up, so it can't be one of them
            switch = path[0] == "platforms" and path[-1] == "enabled"
            if switch or error["type"] not in CONVERTERS or not is_reference or source in self.resolver.failed:
                continue
            what, converter = CONVERTERS[error["type"]]
            value = converter(str(_at(tree, path)))
            if value is None:
                self._refuse(source, f"must be {what}, and what {reference} stands for is not")
            else:
                cast("JsonObject", _at(tree, path[:-1]))[cast("str", path[-1])] = value
                changed = True
        return changed

    def _refuse(self, source: KeyPath, message: str) -> None:
        line = self.document.line(source)
        self.problems.append(Problem(path=dotted(source), message=message, line=line))
        self.resolver.failed.add(source)


def _validate(tree: JsonObject) -> tuple[Config | None, Errors]:
    # JSON in, not Python objects: only there do strict models take lists for tuples
    try:
        return Config.model_validate_json(json.dumps(tree)), []
    except ValidationError as error:
        return None, error.errors(include_url=False, include_input=False)


def _at(value: JsonValue, path: KeyPath) -> JsonValue:
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step]
        else:
            return None
    return value


def _not_looked_up(raw: JsonObject, layout: Layout) -> frozenset[KeyPath]:
    """Return the places whose secrets stay untouched: accounts that are off, and platforms nobody knows."""
    platforms = raw.get("platforms")
    strange = platforms.keys() - ACCOUNT_MODELS.keys() if isinstance(platforms, dict) else set()
    return frozenset([*layout.off, *(("platforms", name) for name in strange)])


def _switched_off(raw: JsonObject, layout: Layout) -> Errors:
    """Check accounts that are off for unknown keys and wrong types; nothing is missing from them."""
    found: Errors = []
    for place, name in layout.off.items():
        try:
            ACCOUNT_MODELS[name].model_validate_json(json.dumps(_at(raw, place)))
        except ValidationError as error:
            account = place[3] if len(place) > 3 else MAIN
            for details in error.errors(include_url=False, include_input=False):
                value = _at(raw, (*place, *details["loc"]))
                blank = value == "" or (isinstance(value, str) and "${" in value)
                unfinished = details["type"] in {"missing", "needs"} or blank
                if details["type"] == "extra_forbidden" or not unfinished:
                    details["loc"] = ("platforms", name, account, *details["loc"])
                    found.append(details)
    return found
