"""Root sets up the service's home, and everything in it stays the service's user's."""

import json
import os

import pytest

from tests.integration.setup.conftest import Desk

NOBODY = 65534
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


@pytest.mark.requirement("C3.9")
async def test_what_root_changes_stays_the_services(desk: Desk) -> None:
    await desk.setup()
    etc = desk.home.parent / "etc"
    etc.mkdir(mode=0o750)
    (desk.home / "gateway.json").rename(etc / "gateway.json")
    (etc / "gateway.json").chmod(0o640)
    os.chown(etc / "gateway.json", 0, NOBODY)
    (desk.home / ".env").unlink()
    for path in (desk.home, *desk.home.iterdir()):
        os.chown(path, NOBODY, NOBODY)
    ended = await desk.setup("--config", str(etc / "gateway.json"), "--name", "Jeeves")
    assert ended.code == 0, ended.err
    assert "sudo -u nobody dragoman pair new --role owner" in ended.out
    assert json.loads((etc / "gateway.json").read_text())["agent"]["name"] == "Jeeves"
    config, env = (etc / "gateway.json").stat(), (desk.home / ".env").stat()
    assert (config.st_uid, config.st_gid, config.st_mode & 0o777) == (0, NOBODY, 0o640)
    assert (env.st_uid, env.st_gid, env.st_mode & 0o777) == (NOBODY, NOBODY, 0o600)
    assert {path.stat().st_uid for path in desk.home.iterdir()} == {NOBODY}
    looked = await desk.dragoman("doctor", "--offline", "--config", str(etc / "gateway.json"))
    assert "sudo -u nobody dragoman doctor" in looked.out
