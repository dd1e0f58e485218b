"""What is missing on a fresh machine is answered with the line that mends it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.house.sources import ROOT

OLD_PYTHON = "#!/bin/sh\nexit 1\n"
# New enough, and without the modules that Debian ships apart.
BARE_PYTHON = '#!/bin/sh\ncase "$2" in *version_info*) exit 0 ;; *) exit 1 ;; esac\n'


def set_up(tmp_path: Path, python: str | None) -> subprocess.CompletedProcess[str]:
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in ("dirname", "id", "bash"):
        (folder / tool).symlink_to(shutil.which(tool) or tool)
    if python:
        stub = folder / "python3"
        stub.write_text(python, encoding="utf-8")
        stub.chmod(0o755)
    return subprocess.run(
        ["bash", str(ROOT / "tools/venv.sh"), str(tmp_path / "venv"), "requirements.lock"],
        env={"PATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
    )


@pytest.mark.requirement("C1.10")
@pytest.mark.parametrize(
    ("python", "package"),
    [(None, "python3 python3-venv"), (OLD_PYTHON, "python3 python3-venv"), (BARE_PYTHON, "python3-venv")],
    ids=["no python", "an old python", "no venv"],
)
def test_what_is_missing_is_answered_with_its_apt_line(tmp_path: Path, python: str | None, package: str) -> None:
    answer = set_up(tmp_path, python)
    assert answer.returncode == 1
    assert f"apt-get install {package}\n" in answer.stderr
    assert not (tmp_path / "venv").exists()


def test_make_alone_lists_its_targets() -> None:
    make = ["make", "--no-print-directory"]
    said = subprocess.run(make, cwd=ROOT, capture_output=True, text=True, check=True, timeout=20).stdout
    assert [line.split()[1] for line in said.splitlines()[:2]] == ["run", "test"]
