"""What set-up puts into .env is read back as it was, and everything else there stays."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.config.dotenv import parse_env, without
from gateway.domain.errors import GiveUp, Misconfigured
from gateway.setup import files

SIGNS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), min_size=1, max_size=40)
SECRETS = SIGNS.filter(lambda text: text == text.strip())
LINES = st.lists(
    st.sampled_from(["# a remark", "", "A=1", "export B='two words'", 'C="x\\ny"  # said', "D='over\nlines'", "A=2"])
)
MODEL = {"agent": {"models": [{"model": "m"}]}}


@given(lines=LINES, name=st.sampled_from(["A", "D", "NEW"]), secret=SECRETS)
@pytest.mark.requirement("C3.9", "C1.4")
def test_a_secret_is_read_back_as_it_was_and_its_neighbours_stay(lines: list[str], name: str, secret: str) -> None:
    text = "\n".join(lines)
    before = parse_env(text).values
    changed = files.with_secrets(text, {name: secret})
    after = parse_env(changed)
    assert not after.problems
    assert after.values == {**before, name: secret}
    assert files.with_secrets(changed, {name: secret}) == changed


@pytest.mark.requirement("C3.9")
def test_an_old_secret_does_not_stay_behind() -> None:
    text = "TOKEN=old\n# mine\nTOKEN='older\nstill'\nOTHER=x"
    assert without(text, "TOKEN") == "# mine\nOTHER=x"
    assert files.with_secrets(text, {"TOKEN": "new"}) == "# mine\nOTHER=x\nTOKEN=new\n"


@pytest.mark.requirement("C3.9")
def test_what_would_be_wrong_is_not_written(tmp_path: Path) -> None:
    config, env = tmp_path / "gateway.json", tmp_path / ".env"
    with pytest.raises(Misconfigured, match="nothing was written"):
        files.save(config=config, settings={"busi": 1}, env=env, secret_values={"A": "b"}, home=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.requirement("C3.9")
def test_a_link_to_the_configuration_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    config = tmp_path / "gateway.json"
    config.symlink_to(tmp_path / "real" / "mine.json")
    written = files.save(config=config, settings={**MODEL}, env=tmp_path / ".env", secret_values={}, home=tmp_path)
    assert written == [config]
    assert config.is_symlink()
    assert json.loads((tmp_path / "real" / "mine.json").read_text()) == MODEL
    assert [path.name for path in (tmp_path / "real").iterdir()] == ["mine.json"]


@pytest.mark.requirement("C3.9")
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    config = tmp_path / "none" / "gateway.json"
    with pytest.raises(GiveUp, match="cannot be written"):
        files.save(config=config, settings={**MODEL}, env=tmp_path / ".env", secret_values={}, home=tmp_path)
