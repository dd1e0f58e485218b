"""What the machine itself tells about a service that would not last."""

import os
from pathlib import Path

import pytest

from gateway.home import Home
from gateway.home.unit import Service
from gateway.setup import machine


@pytest.mark.requirement("B217")
@pytest.mark.parametrize(
    ("versions", "kills"),
    [
        ("systemd 252 (252.38-1~deb12u1)", False),
        ("systemd 255 (255.4-1ubuntu8.17)", True),
        ("systemd 256 (256.2-1)", True),
        ("systemd 256 (256.3-1)", False),
        ("systemd 257 (257.7-1)", False),
        ("", False),
    ],
)
def test_systemd_builds_that_end_lingering_users_are_known(versions: str, kills: bool) -> None:
    assert machine.kills_lingering(versions) == kills


@pytest.mark.requirement("B217")
def test_a_users_service_that_would_die_with_its_login_is_explained_and_the_system_one_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    systemctl = tools / "systemctl"
    systemctl.write_text(
        '#!/bin/sh\ncase "$*" in *version*) echo "systemd 255 (255.4-1ubuntu8.17)" ;; '
        "*enabled*) echo disabled ;; *) echo inactive ;; esac\n"
    )
    systemctl.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    monkeypatch.setattr(machine, "LINGER", tmp_path)
    unit = tmp_path / "user" / "dragoman.service"
    home = Home(root=tmp_path, control_sock=tmp_path / "control.sock")
    found = list(machine.service(Service(unit=unit, home=tmp_path, config=None), home))
    mends = [one.mend for one in found if one.state == "wrong"]
    assert mends[0] == "systemctl --user enable dragoman.service"
    assert mends[1].startswith("systemctl --user start dragoman.service")
    assert mends[2].startswith("sudo loginctl enable-linger ")
    assert mends[3] == "sudo dragoman service install"


def test_without_a_service_the_way_to_one_is_named() -> None:
    assert [one.mend for one in machine.service(None, None)] in (["sudo dragoman service install"], [""])
