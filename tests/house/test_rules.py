"""Each rule holds over the whole tree, and each rule can fail."""

import pytest

from tests.house.rules import (
    RULES,
    Rule,
    docstrings,
    finished,
    narrow_excepts,
    no_sleeps,
    pure_domain,
    sentences_in_texts,
    short_files,
    short_functions,
)
from tests.house.sources import Source, sources

LONG_FUNCTION = "def f():\n" + "    x = 1\n" * 51
BREAKS: list[tuple[Rule, str, str]] = [
    (short_files, "gateway/a.py", "x = 1\n" * 401),
    (short_functions, "gateway/a.py", LONG_FUNCTION),
    (docstrings, "agent/a.py", '"""Module."""\ndef f(): ...\n'),
    (docstrings, "agent/a.py", '"""No full stop"""\n'),
    (docstrings, "agent/a.py", '"""One sentence. Another on the same line."""\n'),
    (docstrings, "agent/a.py", '"""Module."""\nclass A:\n    """A class."""\n    def f(self): ...\n'),
    (narrow_excepts, "gateway/a.py", "try:\n    f()\nexcept Exception:\n    log()\n"),
    (narrow_excepts, "gateway/a.py", "try:\n    f()\nexcept (ValueError, BaseException):\n    log()\n"),
    (narrow_excepts, "gateway/a.py", "try:\n    f()\nexcept:\n    log()\n"),
    (narrow_excepts, "tests/a.py", "try:\n    f()\nexcept ValueError:\n    pass\n"),
    (narrow_excepts, "gateway/a.py", "with contextlib.suppress(Exception):\n    f()\n"),
    (narrow_excepts, "gateway/a.py", "if x:\n    pass\n"),
    (no_sleeps, "tests/a.py", "await asyncio.sleep(0.1)\n"),
    (no_sleeps, "tests/a.py", "time.sleep(1)\n"),
    (finished, "cron/a.py", "x = 1  # TO" + "DO later\n"),
    (finished, "cron/a.py", "x = 1  # see issue " + "12\n"),
    (finished, "cron/a.py", "x = 1  # see #" + "1234\n"),
    (pure_domain, "gateway/domain/a.py", "import pydantic\n"),
    (pure_domain, "gateway/domain/a.py", "from gateway.store import lanes\n"),
    (pure_domain, "gateway/domain/a.py", "import sqlite3\n"),
    (sentences_in_texts, "gateway/services/a.py", 'OutboundMessage(key=k, text="Stopped")\n'),
    (sentences_in_texts, "gateway/services/a.py", 'Part(text=f"{n} left")\n'),
    (sentences_in_texts, "gateway/services/a.py", 'answer = "I could not reach the model."\n'),
    (sentences_in_texts, "gateway/services/a.py", 'answer = f"I waited {n} seconds for it."\n'),
]
KEEPS: list[tuple[Rule, str, str]] = [
    (narrow_excepts, "gateway/supervisor.py", "try:\n    f()\nexcept Exception:\n    log.exception(x)\n"),
    (narrow_excepts, "gateway/a.py", "try:\n    f()\nexcept BaseException:\n    undo()\n    raise\n"),
    (no_sleeps, "tests/a.py", "await asyncio.sleep(0)\n"),
    (pure_domain, "gateway/domain/a.py", "from gateway.domain.ids import UserId\nimport dataclasses\n"),
    (sentences_in_texts, "gateway/services/a.py", '"""Says why."""\nraise GiveUp("The chat is gone for good.")\n'),
    (sentences_in_texts, "gateway/services/a.py", 'log.warning("The chat is gone for good.")\n'),
    (sentences_in_texts, "gateway/services/a.py", 'OutboundMessage(key=k, text="")\nPart(text=f"{a}{b}")\n'),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_whole_tree_keeps_the_rule(rule: Rule) -> None:
    broken = [finding for source in sources() if source.python for finding in rule(source)]
    assert not broken, f"{rule.__doc__}\n" + "\n".join(broken)


@pytest.mark.parametrize(("rule", "path", "text"), BREAKS)
def test_a_rule_sees_what_breaks_it(rule: Rule, path: str, text: str) -> None:
    assert list(rule(Source(path=path, text=text)))


@pytest.mark.parametrize(("rule", "path", "text"), KEEPS)
def test_a_rule_lets_pass_what_keeps_it(rule: Rule, path: str, text: str) -> None:
    assert not list(rule(Source(path=path, text=text)))


def test_every_rule_is_proved_able_to_fail() -> None:
    assert {rule for rule, _, _ in BREAKS} == set(RULES)
