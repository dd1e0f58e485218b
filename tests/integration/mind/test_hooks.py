"""Hooks see what happens on their platforms, may add a note to a turn, and can break nothing."""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from gateway.domain.errors import Misconfigured
from tests.harness.house import House, running
from tests.harness.looks import says
from tests.integration.sessions.desk import at_anns
from tests.integration.sessions.test_ending import exchange

WRITES = '#!/bin/sh\nenv > "$0.env"\ntold=$(cat)\nprintf "%s\\n" "$told" >> "$0.seen"\n'
NOTES = "#!/bin/sh\ncat > /dev/null\necho It rains today.\n"


def program(root: Path, name: str, text: str) -> Path:
    """Lay a hook down."""
    folder = root / "hooks"
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return path


def hooked(root: Path, table: Mapping[str, object]) -> None:
    """Write hooks.json."""
    (root / "hooks.json").write_text(json.dumps(table))


def seen(path: Path) -> list[dict[str, object]]:
    """Read what a hook was told."""
    told = Path(f"{path}.seen")
    return [json.loads(line) for line in told.read_text().splitlines() if line] if told.exists() else []


@pytest.mark.requirement("S24", "S25")
async def test_a_note_before_the_request_is_a_line_of_the_talk_and_the_answer_is_told(tmp_path: Path) -> None:
    program(tmp_path, "weather", NOTES)
    watch = program(tmp_path, "watch", WRITES)
    hooked(tmp_path, {"pre_llm_call": [{"run": "weather"}, {"run": "watch"}], "post_llm_call": [{"run": "watch"}]})
    async with at_anns(tmp_path) as (house, ann):
        await exchange(ann, "one")
        first = house.prompts()[-1]
        assert "It rains today." in str(first[-1]["content"])
        assert "not the person's words" in str(first[-1]["content"])
        before, after = seen(watch)
        assert (before["event"], before["platform"], before["turn"]) == ("pre_llm_call", "telegram", "t1")
        assert "echo one" in str(before["text"])
        assert after["event"] == "post_llm_call"
        assert str(after["text"]).startswith("one")
        (row,) = await house.rows("SELECT outside FROM steps WHERE role = 'user' AND content LIKE '%rains%'")
        assert row["outside"] == "a hook"
        await house.stop()
        await house.start()
        await exchange(ann, "two")
        assert house.prompts()[-1][: len(first)] == first


@pytest.mark.requirement("S26")
async def test_sessions_are_told_when_they_begin_and_end_also_over_a_restart(tmp_path: Path) -> None:
    watch = program(tmp_path, "watch", WRITES)
    hooked(tmp_path, {"on_session_start": [{"run": "watch"}], "on_session_end": [{"run": "watch"}]})
    async with at_anns(tmp_path) as (house, ann):
        await exchange(ann, "one")
        await house.until(lambda: len(seen(watch)) == 1)
        ann.send("/new")
        await ann.wait_for(says("A fresh start."))
        await house.until(lambda: len(seen(watch)) >= 2)
        await house.stop()
        await house.start()
        await exchange(ann, "two")

        def told() -> list[tuple[object, ...]]:
            """List what was told, each once: a stop may have come between telling and noting it."""
            return list(dict.fromkeys((one["event"], one["session"], one["closed_by"]) for one in seen(watch)))

        await house.until(lambda: len(told()) == 3)
        assert told() == [
            ("on_session_start", "s1", None),
            ("on_session_end", "s1", "new"),
            ("on_session_start", "s2", None),
        ]
        assert seen(watch)[1]["platform"] == "telegram"


@pytest.mark.requirement("B015")
async def test_a_hook_for_one_platform_sees_nothing_of_another(tmp_path: Path) -> None:
    watch = program(tmp_path, "watch", WRITES)
    hooked(tmp_path, {"post_llm_call": [{"run": "watch", "platforms": ["terminal"]}]})
    async with at_anns(tmp_path) as (house, ann):
        await exchange(ann, "one")
        desk = await house.terminal("ann")
        await desk.say("echo two")
        await desk.wait_for("two")
        await desk.close()
        assert [one["text"] for one in seen(watch)] == ["two"]


@pytest.mark.requirement("S27")
async def test_what_fails_hangs_or_could_be_somebody_elses_is_skipped(tmp_path: Path) -> None:
    program(tmp_path, "fails", "#!/bin/sh\nexit 3\n")
    program(tmp_path, "hangs", "#!/bin/sh\nexec sleep 60\n")
    program(tmp_path, "open", NOTES).chmod(0o777)
    hooks = [{"run": "fails"}, {"run": "hangs", "seconds": 0.2}, {"run": "open"}, {"run": "none"}, {"run": "no.such:f"}]
    hooked(tmp_path, {"pre_llm_call": hooks})
    async with at_anns(tmp_path) as (house, ann):
        await exchange(ann, "one")
        assert "rains" not in str(house.prompts()[-1])
        assert await house.rows("SELECT 1 FROM steps WHERE outside <> ''") == []


@pytest.mark.requirement("S27")
async def test_a_hook_gets_neither_our_environment_nor_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SECRET_KEY", "sk-something")
    watch = program(tmp_path, "watch", WRITES)
    hooked(tmp_path, {"pre_llm_call": [{"run": "watch"}]})
    settings = {"agent": {"models": [{"model": "m", "api_key": "sk-0123456789abcdef"}]}}
    async with running(tmp_path) as house:
        model = {"model": "m", "base_url": house.model.url, "api_key": "sk-0123456789abcdef"}
        await house.stop()
        house.settings = {**house.settings, "agent": {**settings["agent"], "models": [model]}}
        await house.start()
        ann = house.phone("Ann")
        ann.send("echo my key is sk-0123456789abcdef")
        await ann.wait_for(says("my key is"))
        assert "sk-0123456789abcdef" not in str(seen(watch))
    assert set(os.environ) - {"PATH", "HOME", "LANG"}
    names = {line.partition("=")[0] for line in Path(f"{watch}.env").read_text().splitlines()}
    assert names <= {"PATH", "HOME", "LANG", "PWD", "SHLVL", "_", "OLDPWD"}


async def test_a_function_of_a_module_may_be_a_hook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "my_hooks_of_test.py"
    module.write_text(
        "async def early(facts):\n    return 'Early: ' + facts['event']\n\ndef late(facts):\n    return 'Late.'\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    hooked(tmp_path, {"pre_llm_call": [{"run": "my_hooks_of_test:early"}, {"run": "my_hooks_of_test:late"}]})
    async with at_anns(tmp_path) as (house, ann):
        await exchange(ann, "one")
        assert "Early: pre_llm_call\n\nLate." in str(house.prompts()[-1][-1]["content"])
    sys.modules.pop("my_hooks_of_test", None)


@pytest.mark.parametrize(
    "table",
    ["{", '{"on_monday": []}', '{"pre_llm_call": [{"run": "../evil"}]}', '{"pre_llm_call": [{"run": "a", "sec": 1}]}'],
)
async def test_a_wrong_file_of_hooks_is_refused_at_the_start_with_its_place(tmp_path: Path, table: str) -> None:
    house = House(tmp_path, {})
    await house.open()
    (tmp_path / "hooks.json").write_text(table)
    try:
        with pytest.raises(Misconfigured, match=r"hooks\.json"):
            await house.start()
    finally:
        await house.close()
