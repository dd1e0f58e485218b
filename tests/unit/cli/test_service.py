"""Whether a service could run the program that installs it, and what is said to those who log out."""

import os
import sys
from pathlib import Path

import pytest

from gateway.cli import service_program
from gateway.cli.service import farewell
from gateway.cli.service_systemd import Systemd
from gateway.cli.service_units import Unit
from gateway.home.unit import installed_service


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program outside of any home directory, with an interpreter outside of any."""
    monkeypatch.setattr(sys, "executable", "/usr/bin/python3")
    monkeypatch.setattr(sys, "prefix", "/usr")
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    made = tmp_path / "dragoman"
    made.write_text("#!/bin/sh\nexit 0\n")
    made.chmod(0o755)
    return made


@pytest.mark.requirement("C1.19")
def test_a_program_that_runs_is_fit(program: Path) -> None:
    assert service_program.runs(program) is None
    assert service_program.unfit(program, os.getuid(), os.getgid()) is None


@pytest.mark.requirement("C1.19")
@pytest.mark.parametrize("place", [Path("/root", "venv"), Path("/home", "ann", "venv")])
def test_an_interpreter_in_a_home_directory_is_not(program: Path, monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    monkeypatch.setattr(sys, "prefix", str(place))
    assert "lies in a home directory" in (service_program.unfit(program, os.getuid(), os.getgid()) or "")


@pytest.mark.requirement("C1.19")
def test_a_program_that_fails_or_cannot_be_run_is_not(program: Path) -> None:
    program.write_text("#!/bin/sh\necho no such library >&2; exit 1\n")
    assert "no such library" in (service_program.unfit(program, os.getuid(), os.getgid()) or "")
    program.chmod(0o644)
    assert "is no program" in (service_program.unfit(program, os.getuid(), os.getgid()) or "")


@pytest.mark.requirement("B217")
def test_who_logs_out_is_told_what_becomes_of_their_own_service() -> None:
    said = farewell(lingering=False)
    assert "loginctl enable-linger" in said
    assert "sudo dragoman service install" in said
    assert "lives on" in farewell(lingering=True)


@pytest.mark.requirement("C1.15")
def test_the_command_line_finds_home_and_configuration_in_the_units_we_write(tmp_path: Path) -> None:
    system = tmp_path / "etc" / "systemd" / "system" / "dragoman.service"
    own = tmp_path / ".config" / "systemd" / "user" / "dragoman.service"
    for path, unit in ((system, Unit(kind="system")), (own, Unit(kind="user"))):
        path.parent.mkdir(parents=True)
        path.write_text(unit.text())
    found = installed_service([system], {}, tmp_path)
    assert found is not None
    assert (found.home, found.config) == (Path("/var/lib/dragoman"), Path("/etc/dragoman/gateway.json"))
    found = installed_service([own], {}, tmp_path)
    assert found is not None
    assert found.home == tmp_path / ".dragoman"


def test_without_systemd_it_is_said_what_else_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.cli.service_systemd.RUNNING", tmp_path / "none")
    with pytest.raises(Exception, match="dragoman run"):
        Systemd(user=False).check()
