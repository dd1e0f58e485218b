"""HOME is found in one order, made only where it may be, and kept to its owner."""

import os
import stat
from pathlib import Path

import pytest

from gateway.home import Choice, Home, NoHome, choose_home, keep_private, open_home

# a user id that has no name
STRANGER = 61_184
UNIT = """[Service]
ExecStart=/opt/dragoman/bin/dragoman run
StateDirectory=dragoman
ConfigurationDirectory=dragoman
"""


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def chosen(explicit: Path | None, env: dict[str, str], *units: Path) -> Choice:
    return choose_home(explicit, {"HOME": "/users/ann", **env}, units)


def unit(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "dragoman.service"
    file.write_text(text)
    return file


@pytest.mark.requirement("C1.1")
def test_home_is_found_in_the_documented_order(tmp_path: Path) -> None:
    installed = unit(tmp_path / "system", UNIT)
    env: dict[str, str] = {}
    assert chosen(None, env).path == Path("/users/ann/.dragoman")
    assert chosen(None, env, installed).path == Path("/var/lib/dragoman")
    env["STATE_DIRECTORY"] = "/var/lib/one:/var/lib/two"
    assert chosen(None, env, installed).path == Path("/var/lib/one")
    env["DRAGOMAN_HOME"] = "/srv/dragoman"
    assert chosen(None, env, installed).path == Path("/srv/dragoman")
    assert chosen(Path("/tmp/h"), env, installed).path == Path("/tmp/h")


def test_an_empty_variable_is_none(tmp_path: Path) -> None:
    assert chosen(None, {"DRAGOMAN_HOME": "", "STATE_DIRECTORY": ""}).path == Path("/users/ann/.dragoman")


def test_a_relative_home_does_not_move_with_the_current_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert chosen(Path("h"), {}).path == tmp_path / "h"


@pytest.mark.requirement("C1.15")
@pytest.mark.parametrize(
    ("text", "home", "config"),
    [
        (UNIT, "/var/lib/dragoman", "/etc/dragoman/gateway.json"),
        ("[Service]\nExecStart=/x/dragoman run --home /srv/d --config=/srv/c.json\n", "/srv/d", "/srv/c.json"),
        ("[Service]\nExecStart=/x/dragoman run \\\n  --home '/srv/a b'\n", "/srv/a b", None),
        ('[Service]\nEnvironment="DRAGOMAN_HOME=/srv/e" DRAGOMAN_CONFIG=/srv/c.json\n', "/srv/e", "/srv/c.json"),
        ("[Service]\nExecStart=dragoman run --home %h/d\nStateDirectory=other\n", "/users/ann/d", None),
    ],
)
def test_the_installed_service_names_home_and_configuration(
    tmp_path: Path, text: str, home: str, config: str | None
) -> None:
    found = chosen(None, {}, tmp_path / "nothing", unit(tmp_path / "system", text))
    assert found.path == Path(home)
    assert found.service_config == (Path(config) if config else None)


@pytest.mark.requirement("C1.15")
def test_a_drop_in_changes_the_unit_and_a_user_unit_has_its_own_places(tmp_path: Path) -> None:
    installed = unit(tmp_path / "user", UNIT)
    assert chosen(None, {}, installed).path == Path("/users/ann/.local/state/dragoman")
    assert chosen(None, {}, installed).service_config == Path("/users/ann/.config/dragoman/gateway.json")
    drop_in = tmp_path / "user" / "dragoman.service.d" / "override.conf"
    drop_in.parent.mkdir()
    drop_in.write_text("[Service]\n# ours\nExecStart=\nExecStart=/x/dragoman run --home /srv/o\n")
    assert chosen(None, {}, installed).path == Path("/srv/o")


def test_the_units_configuration_counts_only_in_its_own_home(tmp_path: Path) -> None:
    installed = unit(tmp_path / "system", UNIT)
    assert chosen(Path("/tmp/h"), {}, installed).service_config is None
    assert chosen(Path("/var/lib/dragoman"), {}, installed).service_config == Path("/etc/dragoman/gateway.json")


def test_a_missing_home_is_made_only_where_the_command_may(tmp_path: Path) -> None:
    root = tmp_path / "deep" / "home"
    with pytest.raises(NoHome) as caught:
        open_home(chosen(root, {}), {}, create=False)
    assert not root.exists()
    assert f"--home: {root}" in str(caught.value)
    assert open_home(chosen(root, {}), {}, create=True).root == root
    assert mode(root) == 0o700
    assert open_home(chosen(root, {}), {}, create=False).root == root


def test_the_refusal_lists_every_place_that_was_looked_at() -> None:
    with pytest.raises(NoHome) as caught:
        open_home(chosen(None, {"HOME": "/nowhere"}), {}, create=False)
    for part in ("--home", "$DRAGOMAN_HOME", "$STATE_DIRECTORY", "service", "/nowhere/.dragoman", "setup"):
        assert part in str(caught.value)


@pytest.mark.requirement("C1.1")
def test_an_open_home_of_ours_is_closed_and_a_folder_of_other_things_left_alone(tmp_path: Path) -> None:
    empty, used, other = tmp_path / "empty", tmp_path / "used", tmp_path / "other"
    for folder in (empty, used, other):
        folder.mkdir(mode=0o755)
    (used / "lock").touch()
    (other / "thesis.odt").touch()
    for folder in (empty, used):
        open_home(chosen(folder, {}), {}, create=True)
        assert mode(folder) == 0o700
    with pytest.raises(NoHome, match="chmod 700"):
        open_home(chosen(other, {}), {}, create=True)
    assert mode(other) == 0o755


def test_a_file_is_no_home(tmp_path: Path) -> None:
    (tmp_path / "home").touch()
    for create in (True, False):
        with pytest.raises(NoHome, match="not a directory"):
            open_home(chosen(tmp_path / "home", {}), {}, create=create)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_the_home_of_somebody_else_says_whom_to_become(tmp_path: Path) -> None:
    root = tmp_path / "home"
    root.mkdir()
    os.chown(root, 1, 1)
    with pytest.raises(NoHome, match="belongs to daemon; become that user: `sudo -u daemon dragoman"):
        open_home(chosen(root, {}), {}, create=True)
    os.chown(root, STRANGER, STRANGER)
    with pytest.raises(NoHome, match=f"belongs to #{STRANGER}; become that user: `sudo -u '#{STRANGER}'"):
        open_home(chosen(root, {}), {}, create=False)


@pytest.mark.requirement("C1.1")
def test_files_are_for_their_owner_only_from_then_on(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        keep_private()
        (tmp_path / "file").touch()
        (tmp_path / "folder").mkdir()
    finally:
        os.umask(before)
    assert mode(tmp_path / "file") == 0o600
    assert mode(tmp_path / "folder") == 0o700


def test_every_place_lies_in_the_home() -> None:
    home = Home(root=Path("/h"), control_sock=Path("/h/control.sock"))
    assert home.soul == Path("/h/agents/main/SOUL.md")
    places = (home.config_file, home.env_file, home.state_db, home.lock, home.blobs, home.http_token)
    names = ["gateway.json", ".env", "state.db", "lock", "blobs", "http-token"]
    assert [str(place) for place in places] == [f"/h/{name}" for name in names]
    assert (home.people, home.groups) == (Path("/h/agents/main/people"), Path("/h/agents/main/groups"))


def test_a_control_socket_whose_path_is_too_long_moves_to_the_runtime_directory(tmp_path: Path) -> None:
    fits = tmp_path / ("h" * (107 - len(str(tmp_path)) - len("//control.sock")))
    home = open_home(chosen(fits, {}), {"XDG_RUNTIME_DIR": "/run/user/1"}, create=True)
    assert home.control_sock == fits / "control.sock"
    assert len(str(home.control_sock)) == 107
    long = tmp_path / ("h" * 200)
    home = open_home(chosen(long, {}), {"XDG_RUNTIME_DIR": "/run/user/1"}, create=True)
    assert home.control_sock.parent == Path("/run/user/1")
    again = open_home(chosen(long, {}), {"XDG_RUNTIME_DIR": "/run/user/1"}, create=False)
    assert again.control_sock == home.control_sock
    with pytest.raises(NoHome, match="XDG_RUNTIME_DIR"):
        open_home(chosen(long, {}), {}, create=False)
