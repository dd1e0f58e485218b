"""Runs systemctl, and says plainly when there is no systemd or it refuses."""

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gateway.cli.failing import Stop

RUNNING = Path("/run/systemd/system")  # sd_booted(3)
PATIENCE_SECONDS = 180.0  # a start waits for READY, a stop for the drain
SHOWN = ("LoadState", "ActiveState", "SubState", "StatusText", "Result", "NRestarts", "MainPID", "ExecMainStatus")


@dataclass(frozen=True, slots=True, kw_only=True)
class Systemd:
    """The system's manager, or with `user` the one of whoever runs this."""

    user: bool

    @property
    def folder(self) -> Path:
        """Where its administrator puts units."""
        if not self.user:
            return Path("/etc/systemd/system")
        base = os.environ.get("XDG_CONFIG_HOME") or Path("~/.config").expanduser()
        return Path(base) / "systemd" / "user"

    def check(self) -> None:
        """See that it runs; raises Stop."""
        if not RUNNING.is_dir():
            message = (
                "there is no systemd here (no /run/systemd/system): start `dragoman run` from whatever keeps programs "
                "alive on this machine; exit code 75 means start it again, 78 means do not"
            )
            raise Stop(message)
        if self.user and not os.environ.get("XDG_RUNTIME_DIR"):
            message = (
                "your own systemd is not within reach (no XDG_RUNTIME_DIR): log in directly instead of by su, "
                "or install for the whole system: `sudo dragoman service install`"
            )
            raise Stop(message)

    def version(self) -> int:
        """Tell the number of its version; raises Stop."""
        found = re.match(r"systemd (\d+)", self.do("--version"))
        return int(found[1]) if found else 0

    def do(self, *words: str, may_fail: bool = False) -> str:
        """Run systemctl and return what it printed; raises Stop with its own words."""
        scope = ["--user"] if self.user else []
        try:
            done = subprocess.run(  # noqa: S603  # our own words
                ["systemctl", *scope, *words],  # noqa: S607  # wherever the system has it
                check=False,
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                timeout=PATIENCE_SECONDS,
            )
        except FileNotFoundError:
            message = "there is no systemctl here; `dragoman service print` shows a unit to adapt"
            raise Stop(message) from None
        except subprocess.TimeoutExpired:
            message = f"systemctl {' '.join(words)} took longer than {PATIENCE_SECONDS:.0f} s"
            raise Stop(message) from None
        if done.returncode and not may_fail:
            message = f"systemctl {' '.join(words)} failed: {done.stderr.strip() or done.stdout.strip()}"
            raise Stop(message)
        return done.stdout

    def state(self, unit: str) -> Mapping[str, str]:
        """Tell how a unit is, by systemd's names; raises Stop."""
        text = self.do("show", unit, f"--property={','.join(SHOWN)}", may_fail=True)
        return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


def lingers() -> bool:
    """Whether this user's services outlive their logins; False where nobody can tell."""
    try:
        done = subprocess.run(  # noqa: S603  # our own words
            ["loginctl", "show-user", str(os.getuid()), "--property=Linger", "--value"],  # noqa: S607  # as above
            check=False,
            capture_output=True,
            text=True,
            timeout=10,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.stdout.strip() == "yes"
