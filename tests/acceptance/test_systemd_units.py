"""The units as files: they are what the program writes, systemd has nothing to say against them, little is exposed."""

import shutil
import subprocess
from pathlib import Path

import pytest

from gateway.cli.service_units import NAMES, Kind, Unit

SYSTEMD = Path(__file__).parents[2] / "systemd"
ANALYZE = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="there is no systemd-analyze here")
MOST_EXPOSED = 15  # tenths


def place(kind: Kind, folder: Path) -> Path:
    """Write a unit down whose program exists here."""
    name = NAMES[kind].replace("@", "@one")
    path = folder / name
    path.write_text(Unit(kind=kind, program="/bin/true").text())
    return path


@pytest.mark.requirement("C1.17")
@pytest.mark.parametrize("kind", NAMES)
def test_the_files_are_what_the_program_writes(kind: Kind) -> None:
    assert (SYSTEMD / NAMES[kind]).read_text() == Unit(kind=kind).text()


@needs_systemd
@pytest.mark.requirement("C1.17")
@pytest.mark.parametrize("kind", NAMES)
def test_systemd_has_nothing_to_say_against_them(kind: Kind, tmp_path: Path) -> None:
    scope = ["--user"] if kind == "user" else []
    done = subprocess.run(
        ["systemd-analyze", *scope, "verify", str(place(kind, tmp_path))],
        check=False,
        capture_output=True,
        text=True,
        env={"PATH": "/usr/sbin:/usr/bin:/bin", "XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path)},
    )
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


@needs_systemd
@pytest.mark.requirement("C1.17")
@pytest.mark.parametrize("kind", ["system", "instance"])
def test_little_is_exposed(kind: Kind, tmp_path: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", f"--threshold={MOST_EXPOSED}", str(place(kind, tmp_path))],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.requirement("B209", "B213")
def test_exit_codes_mean_to_the_unit_what_they_mean_to_us() -> None:
    lines = Unit(kind="system").text().splitlines()
    for line in (
        "Restart=on-failure",
        "RestartForceExitStatus=75",
        "SuccessExitStatus=75",
        "RestartPreventExitStatus=78",
    ):
        assert line in lines


@pytest.mark.requirement("B214")
@pytest.mark.parametrize(("drain", "stop"), [(0.0, 90), (30.0, 90), (60.5, 91), (600.0, 630)])
def test_the_unit_gives_a_stop_longer_than_the_drain(drain: float, stop: int) -> None:
    assert f"TimeoutStopSec={stop}" in Unit(kind="system", drain=drain).text().splitlines()


def test_keys_newer_than_the_running_systemd_are_left_out() -> None:
    assert "RestartSteps=" not in Unit(kind="system", systemd=253).text()
    assert "RestartSteps=" in Unit(kind="system", systemd=254).text()
