"""The configuration is found in fixed places, in order, and never in the current directory."""

from pathlib import Path

import pytest

from gateway.config import find_config


def place(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "gateway.json"
    file.write_text("{}")
    return file


@pytest.mark.requirement("C1.3")
def test_the_first_that_exists_is_taken_in_the_documented_order(tmp_path: Path) -> None:
    unit = place(tmp_path / "etc")
    assert find_config(tmp_path / "home", {}, service_config=unit).path == unit
    home = place(tmp_path / "home")
    assert find_config(tmp_path / "home", {}, service_config=unit).path == home
    systemd = place(tmp_path / "systemd")
    env = {"CONFIGURATION_DIRECTORY": f"{tmp_path}/nothing:{systemd.parent}"}
    assert find_config(tmp_path / "home", env).path == systemd
    named = place(tmp_path / "named")
    env["DRAGOMAN_CONFIG"] = str(named)
    assert find_config(tmp_path / "home", env).path == named
    explicit = place(tmp_path / "explicit")
    assert find_config(tmp_path / "home", env, explicit).path == explicit


@pytest.mark.requirement("C1.3")
def test_the_current_directory_is_never_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place(tmp_path)
    monkeypatch.chdir(tmp_path)
    found = find_config(tmp_path / "home", {"DRAGOMAN_CONFIG": "", "CONFIGURATION_DIRECTORY": ""})
    assert found.path is None
    assert found.looked == (tmp_path / "home" / "gateway.json",)


@pytest.mark.parametrize("env", [{}, {"DRAGOMAN_CONFIG": "missing.json"}])
def test_a_named_file_that_is_missing_is_not_replaced_by_another(tmp_path: Path, env: dict[str, str]) -> None:
    place(tmp_path / "home")
    explicit = None if env else Path("missing.json")
    found = find_config(tmp_path / "home", env, explicit)
    assert found.path is None
    assert found.looked == (Path("missing.json").absolute(),)
