"""The rules about Python: each takes one file and yields what breaks it, as `path:line: what`."""

import ast
import re
import sys
from collections.abc import Callable, Iterator

from tests.house.sources import Source

Function = ast.FunctionDef | ast.AsyncFunctionDef
Rule = Callable[[Source], Iterator[str]]

MOST_LINES = 400
MOST_FUNCTION_LINES = 50
# Who may catch everything, and what they do with it.
SUPERVISORS = {
    "gateway/services/worker.py": "logs it, counts it against the item and goes on",
    "gateway/supervisor.py": "logs it and starts the adapter again",
    "gateway/services/upkeep/chores.py": "logs it, shows it and starts the chore again",
    "gateway/store/sqlite.py": "hands it, whole, to whoever gave the work to the writer thread",
}
IO_MODULES = {"asyncio", "io", "os", "pathlib", "shutil", "signal", "socket", "sqlite3", "subprocess", "threading"}
OUTWARD = {"OutboundMessage", "Part"}
PROSE = re.compile(r"^(?!SELECT |INSERT |UPDATE |DELETE )[A-Z¿¡][^\n]*\s\S+\s[^\n]*[.!?…]$")
TWO_SENTENCES = re.compile(r"(?<!e\.g)(?<!i\.e)[.!?] [A-Z]")
UNFINISHED = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X|Not" + r"ImplementedError)\b")
HISTORY = re.compile(r"(\b(issue|pr|pull request)\s*#?\d+|(?<![\w&/])#\d{2,}\b)", re.IGNORECASE)


def short_files(source: Source) -> Iterator[str]:
    """No file has more than 400 lines."""
    if len(source.lines) > MOST_LINES:
        yield f"{source.path}:1: {len(source.lines)} lines, at most {MOST_LINES}"


def short_functions(source: Source) -> Iterator[str]:
    """No shipped function has more than 50 lines."""
    if not source.shipped:
        return
    for node in source.nodes:
        if isinstance(node, Function):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MOST_FUNCTION_LINES:
                yield f"{source.path}:{node.lineno}: {node.name} has {lines} lines, at most {MOST_FUNCTION_LINES}"


def docstrings(source: Source) -> Iterator[str]:
    """Every public name opens with one sentence on one line."""
    if source.shipped:
        yield from _undocumented(source, source.tree, source.path)


def _undocumented(source: Source, node: ast.AST, name: str) -> Iterator[str]:
    if not isinstance(node, ast.Module | ast.ClassDef | Function):
        return
    line = getattr(node, "lineno", 1)
    decorators = [ast.unparse(item) for item in getattr(node, "decorator_list", [])]
    if not any(item.endswith(("overload", ".setter", "override")) for item in decorators):
        first = (ast.get_docstring(node) or "").split("\n")[0]
        if not first:
            yield f"{source.path}:{line}: {name} has no docstring"
        elif first[-1] not in ".?!" or TWO_SENTENCES.search(first):
            yield f"{source.path}:{line}: the docstring of {name} does not open with one sentence on one line"
    if not isinstance(node, Function):
        for child in node.body:
            child_name = getattr(child, "name", "_")
            if not child_name.startswith("_"):
                yield from _undocumented(source, child, child_name)


def narrow_excepts(source: Source) -> Iterator[str]:
    """Only the two supervisors catch everything, and nobody swallows an error with `pass`."""
    for node in source.nodes:
        if isinstance(node, ast.ExceptHandler):
            if any(isinstance(child, ast.Pass) for child in node.body):
                yield f"{source.path}:{node.lineno}: an error swallowed with `pass`"
            kept = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None  # cleans up and passes it on
            if source.shipped and source.path not in SUPERVISORS and _broad(node.type) and not kept:
                yield f"{source.path}:{node.lineno}: a broad except outside the supervisors"
        elif isinstance(node, ast.Call) and source.shipped and ast.unparse(node.func).endswith("suppress"):
            if any(_broad(argument) for argument in node.args):
                yield f"{source.path}:{node.lineno}: everything suppressed"
        elif isinstance(node, ast.Pass) and source.shipped:
            yield f"{source.path}:{node.lineno}: `pass`: say what happens instead"


def _broad(caught: ast.expr | None) -> bool:
    if isinstance(caught, ast.Tuple):
        return any(_broad(item) for item in caught.elts)
    return caught is None or ast.unparse(caught) in {"Exception", "BaseException", "builtins.Exception"}


def no_sleeps(source: Source) -> Iterator[str]:
    """No test sleeps for a fixed time."""
    if not source.test:
        return
    for node in source.nodes:
        if not (isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "sleep"):
            continue
        if any(isinstance(length, ast.Constant) and length.value != 0 for length in node.args):
            yield f"{source.path}:{node.lineno}: a sleep: wait on an event with a bound, or use the fake clock"


def finished(source: Source) -> Iterator[str]:
    """Nothing is left for later, and no history is told in code."""
    for number, line in enumerate(source.lines, 1):
        if source.shipped and (found := UNFINISHED.search(line)):
            yield f"{source.path}:{number}: {found[0]}"
        if found := HISTORY.search(line):
            yield f"{source.path}:{number}: {found[0].strip()!r}: history belongs to the version control"


def pure_domain(source: Source) -> Iterator[str]:
    """The domain needs the standard library only, and does no I/O."""
    if not source.path.startswith("gateway/domain/"):
        return
    for node in source.nodes:
        for name in _imported(node):
            top = name.split(".")[0]
            inside = name == "gateway.domain" or name.startswith("gateway.domain.")
            if top in IO_MODULES or not (inside or top in sys.stdlib_module_names):
                yield f"{source.path}:{getattr(node, 'lineno', 1)}: the domain may not import {name}"


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return []


def sentences_in_texts(source: Source) -> Iterator[str]:
    """What people read in a chat stands in gateway/texts, in every language, and nowhere else in the core."""
    core = source.path.startswith(("gateway/services/", "gateway/supervisor", "gateway/app"))
    if not core:
        return
    exempt = _not_for_people(source)
    for node in source.nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in OUTWARD:
            for keyword in node.keywords:
                if keyword.arg == "text" and _worded(keyword.value):
                    yield f"{source.path}:{node.lineno}: words for people outside gateway/texts"
        elif isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in exempt and PROSE.match(_worded(node)):
            yield f"{source.path}:{node.lineno}: a fixed sentence outside gateway/texts: {_worded(node)[:40]!r}"


def _worded(node: ast.AST) -> str:
    """The letters a string literal holds itself, "" if it has none."""
    if isinstance(node, ast.JoinedStr):
        text = "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    else:
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
    return text if any(sign.isalpha() for sign in text) else ""


def _not_for_people(source: Source) -> set[int]:
    """Docstrings, what is raised, what is logged, and the pieces of a longer string."""
    exempt: set[int] = set()
    for node in source.nodes:
        if isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and _logs(node)):
            exempt.update(id(child) for child in ast.walk(node))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            exempt.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            exempt.update(id(part) for part in node.values)
    return exempt


def _logs(call: ast.Call) -> bool:
    name = ast.unparse(call.func).split(".")[-1]
    return name in {"debug", "info", "warning", "error", "exception", "critical"} or name[0].isupper()


RULES: tuple[Rule, ...] = (
    short_files,
    short_functions,
    docstrings,
    narrow_excepts,
    no_sleeps,
    finished,
    pure_domain,
    sentences_in_texts,
)
