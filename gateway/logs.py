"""One chain for every log line, ours and the libraries': context, level, time, traceback, rendered, masked.

Masking comes last and works on the finished line, so that nothing gets around it: no nested value, no
traceback, no library's own message. A line that can't be written is dropped; logging breaks no work.
"""

import json
import logging
import os
import re
import sys
import threading
from collections.abc import Mapping
from typing import Literal, TextIO, TypeAlias, cast

import structlog
from structlog.typing import EventDict, Processor

from gateway.masking import Masker

Level: TypeAlias = Literal["debug", "info", "warning", "error"]
Format: TypeAlias = Literal["auto", "console", "journal", "json"]

_OWN_PACKAGES = ("gateway", "agent", "adapters", "cron")
# their debug lines repeat every statement, or every event with the keys that answer it, and say nothing about why
_QUIET = ("aiosqlite", "discord.gateway")
_PRIORITIES = {"debug": 7, "info": 6, "warning": 4, "error": 3, "critical": 2}
_COLOURS = {"debug": "2", "info": "32", "warning": "33", "error": "31", "critical": "1;31"}
_FIRST = ("timestamp", "level", "event")
_BLOCKS = ("stack", "exception")
# control characters, and those that turn the direction of writing: they could forge or hide lines
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_BARE = re.compile(r"[^\s\"=\\]+")


def configure(
    level: Level, fmt: Format, stream: TextIO, masker: Masker, env: Mapping[str, str], *, cache: bool = True
) -> None:
    """Send all logging to the stream, in one form, without secrets.

    `cache` freezes each logger at its first use, which makes calls below the level nearly free; a start that
    configures twice (before and after it knows the configuration) leaves it off the first time.
    """
    number = logging.getLevelNamesMapping()[level.upper()]
    sink = _Sink(stream)
    chain = _chain(fmt if fmt != "auto" else choose_format(stream, env), stream, masker, env)
    structlog.configure(
        processors=chain,
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=lambda *_: sink,
        cache_logger_on_first_use=cache,
    )
    root = logging.getLogger()
    for handler in [old for old in root.handlers if isinstance(old, _ThroughChain)]:
        root.removeHandler(handler)
    root.addHandler(_ThroughChain(chain, sink))
    # libraries talk a lot at info, and put whole requests into debug
    root.setLevel(number if level == "debug" else max(number, logging.WARNING))
    for name in _OWN_PACKAGES:
        logging.getLogger(name).setLevel(number)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


def choose_format(stream: TextIO, env: Mapping[str, str]) -> Literal["console", "journal", "json"]:
    """Return the form that suits the stream: journal if it leads there, colour on a terminal, else JSON."""
    if _leads_to_journal(stream, env.get("JOURNAL_STREAM", "")):
        return "journal"
    return "console" if stream.isatty() else "json"


def log_uncaught() -> None:
    """Let what would be printed by the interpreter itself (uncaught errors, warnings) go through the chain."""
    log = structlog.get_logger()

    def uncaught(kind: type[BaseException], error: BaseException, trace: object) -> None:
        if issubclass(kind, KeyboardInterrupt):
            log.info("interrupted")
        else:
            log.critical("uncaught error", exc_info=(kind, error, trace))

    def unraisable(found: "sys.UnraisableHookArgs") -> None:
        error = found.exc_value
        trace = (found.exc_type, error, found.exc_traceback) if error else None
        log.error("error that nobody could catch", where=repr(found.object), exc_info=trace)

    def in_thread(found: threading.ExceptHookArgs) -> None:
        if found.exc_value is not None:
            uncaught(found.exc_type, found.exc_value, found.exc_traceback)

    sys.excepthook = uncaught
    sys.unraisablehook = unraisable
    threading.excepthook = in_thread
    logging.captureWarnings(capture=True)


def _chain(
    fmt: Literal["console", "journal", "json"], stream: TextIO, masker: Masker, env: Mapping[str, str]
) -> list[Processor]:
    renderers: dict[str, Processor] = {"json": _json, "journal": _journal, "console": _console}
    coloured = fmt == "console" and stream.isatty() and not env.get("NO_COLOR")

    def mask(_: object, __: str, line: object) -> str:
        return masker.mask(str(line))

    return [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
        _coloured if coloured else renderers[fmt],
        cast("Processor", mask),
    ]


class _Sink:
    """Writes finished lines to a stream, whole and one at a time."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def write(self, line: str) -> None:
        """Write one line; if the stream is full, closed or gone, the line is lost and nothing else."""
        encoding = self._stream.encoding or "utf-8"
        text = line.encode(encoding, "backslashreplace").decode(encoding)
        with self._lock:
            try:
                self._stream.write(text + "\n")
                self._stream.flush()
            except (OSError, ValueError):
                return

    # structlog calls the sink by the name of the level
    debug = info = warning = error = critical = write


class _ThroughChain(logging.Handler):
    """Hands the lines of the standard library's loggers to the same chain."""

    def __init__(self, chain: list[Processor], sink: _Sink) -> None:
        super().__init__()
        self._chain = chain
        self._sink = sink

    def emit(self, record: logging.LogRecord) -> None:
        """Render and write one record."""
        try:
            text = record.getMessage()
        except (TypeError, ValueError, KeyError):
            # a library's mistake in its own log call is no reason to print its arguments unmasked
            text = str(record.msg)
        event: EventDict = {"event": text, "logger": record.name}
        if record.exc_info:
            event["exc_info"] = record.exc_info
        if record.stack_info:
            event["stack"] = record.stack_info
        line: object = event
        for step in self._chain:
            line = step(None, _level_name(record.levelno), cast("EventDict", line))
        self._sink.write(str(line))


def _level_name(number: int) -> str:
    names = ((logging.CRITICAL, "critical"), (logging.ERROR, "error"), (logging.WARNING, "warning"))
    return next((name for least, name in names if number >= least), "info" if number >= logging.INFO else "debug")


def _leads_to_journal(stream: TextIO, journal: str) -> bool:
    """Tell whether the stream is the one that $JOURNAL_STREAM (`device:inode`) names."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return journal == f"{status.st_dev}:{status.st_ino}"


def _json(_: object, __: str, event: EventDict) -> str:
    ordered = {key: event[key] for key in _FIRST if key in event} | dict(event)
    return json.dumps(ordered, ensure_ascii=False, default=repr, skipkeys=True)


def _journal(_: object, __: str, event: EventDict) -> str:
    mark = f"<{_PRIORITIES.get(str(event.get('level')), 6)}>"
    blocks = [str(event.pop(name)) for name in _BLOCKS if event.get(name)]
    first = " ".join(_pair(key, event.pop(key)) for key in ("event", "level", "timestamp") if key in event)
    rest = "".join(f" {_pair(key, value)}" for key, value in event.items())
    # the journal takes each line for an entry of its own, so each needs its priority
    lines = [first + rest, *(_clean(line) for block in blocks for line in block.splitlines())]
    return "\n".join(mark + line for line in lines)


def _console(_: object, __: str, event: EventDict) -> str:
    return _for_eyes(event, coloured=False)


def _coloured(_: object, __: str, event: EventDict) -> str:
    return _for_eyes(event, coloured=True)


def _for_eyes(event: EventDict, *, coloured: bool) -> str:
    level = str(event.pop("level", ""))
    blocks = [str(event.pop(name)) for name in _BLOCKS if event.get(name)]
    paint = _paint if coloured else _unpainted
    line = f"{paint(str(event.pop('timestamp', '')), '2')} {paint(f'{level:<8}', _COLOURS.get(level, '0'))} "
    line += paint(_clean(str(event.pop("event", ""))), "1")
    line += "".join(f" {paint(_name(key), '36')}={_value(value)}" for key, value in event.items())
    lines = [_clean(part) for block in blocks for part in block.splitlines()]
    return "\n".join([line, *lines])


def _paint(text: str, colour: str) -> str:
    return f"\x1b[{colour}m{text}\x1b[0m"


def _unpainted(text: str, _: str) -> str:
    return text


def _pair(key: object, value: object) -> str:
    return f"{_name(key)}={_value(value)}"


def _name(key: object) -> str:
    return _clean(str(key)).replace(" ", "_")


def _value(value: object) -> str:
    text = _clean(value if isinstance(value, str) else repr(value))
    return text if _BARE.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def _clean(text: str) -> str:
    return _UNSAFE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
