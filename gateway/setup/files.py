"""Writes gateway.json and .env: whole or not at all, 0600, with everything kept that was not meant.

Promise: a file that cannot be read as what it should be is never written over, and a secret stands in .env only.
"""

import contextlib
import json
import os
import re
import secrets
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from gateway.config.accounts import JsonObject
from gateway.config.dotenv import parse_env, without
from gateway.config.errors import ConfigErrors
from gateway.config.jsontext import read_json
from gateway.config.load import load
from gateway.domain.errors import GiveUp, Misconfigured

_BARE = re.compile(r"[A-Za-z0-9_./:@%+=,-]+")
_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
PRIVATE = 0o600
SHARED = 0o640  # what a file may keep that its group reads


def read_settings(path: Path) -> JsonObject:
    """Read gateway.json as it stands, {} when there is none; raises Misconfigured for what cannot be kept safely."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path} cannot be read ({getattr(error, 'strerror', None) or 'not UTF-8'}); it was left as it is"
        raise Misconfigured(message) from None
    document = read_json(text)
    if document.problems or not isinstance(document.value, dict):
        found = "\n".join(f"  {problem}" for problem in document.problems) or "  the file must hold an object {…}"
        message = f"{path} cannot be changed safely, so it was left as it is; mend it or move it away:\n{found}"
        raise Misconfigured(message)
    return document.value


def read_env(path: Path) -> tuple[str, dict[str, str]]:
    """Read .env: its text and its values; raises Misconfigured for what cannot be kept safely."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return "", {}
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path} cannot be read ({getattr(error, 'strerror', None) or 'not UTF-8'}); it was left as it is"
        raise Misconfigured(message) from None
    found = parse_env(text, str(path))
    if found.problems:
        lines = "\n".join(f"  {problem}" for problem in found.problems)
        message = f"{path} cannot be changed safely, so it was left as it is; mend it first:\n{lines}"
        raise Misconfigured(message)
    return text, found.values


def with_secrets(text: str, values: Mapping[str, str]) -> str:
    """Put secrets into the text of a .env file, each once; all other lines stay."""
    for name, value in values.items():
        if parse_env(text).values.get(name) == value:
            continue
        text = without(text, name)
        if text and not text.endswith("\n"):
            text += "\n"
        text += f"{name}={quoted(value)}\n"
    return text


def quoted(value: str) -> str:
    """Write a value so that every reader of .env files takes it as it is."""
    if _BARE.fullmatch(value):
        return value
    if "'" not in value and "\n" not in value:
        return f"'{value}'"
    return '"' + "".join(_ESCAPED.get(sign, sign) for sign in value) + '"'


def save(*, config: Path, settings: JsonObject, env: Path, secret_values: Mapping[str, str], home: Path) -> list[Path]:
    """Write what differs, .env first, and return what was written; raises ConfigErrors, Misconfigured or GiveUp.

    The new configuration is read as the daemon reads it before the old one is replaced.
    """
    text, _ = read_env(env)
    written = []
    changed = with_secrets(text, secret_values)
    whole = json.dumps(settings, indent=2, ensure_ascii=False) + "\n"
    same = read_settings(config) == settings
    with _beside(config, whole) as fresh:
        try:
            load(fresh, home, {**os.environ, **secret_values})
        except ConfigErrors as errors:
            problems = "\n".join(f"  {problem}" for problem in errors.errors)
            message = f"nothing was written, for the configuration would not be right; mend {config} first:\n{problems}"
            raise Misconfigured(message) from None
        if changed != text:
            _replace(env, changed)
            written.append(env)
        elif secret_values or env.exists():
            _tighten(env)
        if not same:
            _put(fresh, config)
            written.append(config)
    return written


def writable(path: Path) -> None:
    """Make sure before anything is asked that a file can be written; raises GiveUp with what to do."""
    folder = next(place for place in path.resolve().parents if place.exists())
    if not os.access(folder, os.W_OK | os.X_OK):
        message = f"{path} cannot be written by this user; run the same with sudo, or name another place with --config"
        raise GiveUp(message)


def _replace(path: Path, text: str) -> None:
    with _beside(path, text) as fresh:
        _put(fresh, path)


def _put(fresh: Path, path: Path) -> None:
    target = path.resolve()  # a link stays a link
    there = target.exists()
    before = (target if there else target.parent).stat()
    if there:
        fresh.chmod(_mode(before.st_mode))
    if os.geteuid() == 0:  # who has the home, or had the file, goes on having it
        os.chown(fresh, before.st_uid, before.st_gid)
    fresh.replace(target)
    folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _tighten(path: Path) -> None:
    before = stat.S_IMODE(path.stat().st_mode)
    if before != _mode(before):
        path.chmod(_mode(before))


def _mode(before: int) -> int:
    """Close a file to others; a group may go on reading where nobody else could do anything."""
    return SHARED if stat.S_IMODE(before) == SHARED else PRIVATE


@contextlib.contextmanager
def _beside(path: Path, text: str) -> Iterator[Path]:
    """Hold a complete file on the disk next to the one that it may replace; raises GiveUp."""
    target = path.resolve()
    fresh = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE)
        try:
            with open(descriptor, "w", encoding="utf-8") as stream:  # noqa: PTH123  # a descriptor has no path
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            yield fresh
        finally:
            fresh.unlink(missing_ok=True)
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}; nothing of it was changed"
        raise GiveUp(message) from error
