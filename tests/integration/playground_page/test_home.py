"""The playground's home: private, its own, and alive exactly as long as the emulators' state."""

import stat
from pathlib import Path

import pytest

from playground.page.apps.base import NAMES
from playground.page.home import Home, NotOurs

STATES = [f"{name}.json" for name in NAMES]


@pytest.mark.requirement("C8.2")
def test_a_new_home_can_be_read_by_its_owner_only(tmp_path: Path) -> None:
    home = Home(tmp_path / "new")
    home.take()
    home.write_config({"agent": {}})
    assert stat.S_IMODE(home.path.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in home.path.iterdir()} == {0o600}
    home.release()


@pytest.mark.requirement("C8.2")
def test_a_directory_with_other_files_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "state.db").write_text("somebody's daemon")
    (tmp_path / "gateway.json").write_text("{}")
    with pytest.raises(NotOurs, match="choose another --home"):
        Home(tmp_path).take(fresh=True)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["gateway.json", "state.db"]


@pytest.mark.requirement("C8.2")
def test_a_marker_of_something_else_is_no_marker(tmp_path: Path) -> None:
    (tmp_path / "playground.json").write_text('{"kind": "something else"}')
    with pytest.raises(NotOurs):
        Home(tmp_path).take()


def test_a_link_or_a_file_in_the_place_of_the_home_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "file").touch()
    for name in ("link", "file"):
        with pytest.raises(NotOurs):
            Home(tmp_path / name).take()


def test_two_playgrounds_do_not_share_a_home(tmp_path: Path) -> None:
    first, second = Home(tmp_path / "home"), Home(tmp_path / "home")
    first.take()
    with pytest.raises(NotOurs, match="another playground"):
        second.take()
    first.release()
    second.take()
    second.release()


def used(path: Path, *names: str) -> Home:
    home = Home(path)
    home.take()
    home.release()
    for name in (*names, "lock"):
        (path / name).write_text("x")
    (path / "blobs").mkdir()
    (path / "blobs" / "a").write_text("x")
    return home


@pytest.mark.requirement("C8.2")
def test_rows_and_conversations_of_last_time_are_kept_together(tmp_path: Path) -> None:
    home = used(tmp_path / "home", "state.db", *STATES)
    home.take()
    assert (home.path / "state.db").exists()
    assert all((home.path / name).exists() for name in STATES)


@pytest.mark.requirement("C8.2")
@pytest.mark.parametrize("gone", ["state.db", *STATES])
def test_where_one_of_them_is_gone_the_others_go_too(tmp_path: Path, gone: str) -> None:
    home = used(tmp_path / "home", *({"state.db", *STATES} - {gone}))
    home.take()
    assert sorted(file.name for file in home.path.iterdir()) == ["playground.json", "playground.lock"]


@pytest.mark.requirement("C8.2")
def test_fresh_forgets_everything(tmp_path: Path) -> None:
    home = used(tmp_path / "home", "state.db", *STATES)
    home.take(fresh=True)
    assert sorted(file.name for file in home.path.iterdir()) == ["playground.json", "playground.lock"]
