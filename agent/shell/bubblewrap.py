"""The sandbox: the workspace, a /tmp of its own, the programs of /usr to read, and nothing else of the machine."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

INSIDE = "/workspace"  # where the workspace lies in there
PATH = "/usr/local/bin:/usr/bin:/bin"
FILE_BLOCKS = 524_288  # of 512 bytes: no file is larger than 256 MiB
MEMORY_KIB = 4 * 1024 * 1024  # of address space, each process
PROCESSES = 256  # at once; not counted for root
_TMP = "/tmp"  # noqa: S108  # in there it is a file system of its own
_READ = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime", "/etc/mime.types")
_READ_ONLINE = ("/etc/resolv.conf", "/etc/ssl", "/etc/ca-certificates", "/etc/nsswitch.conf", "/etc/pki")
_KERNEL = (
    "/proc/sys",
    "/proc/sysrq-trigger",
    "/proc/irq",
    "/proc/bus",
    "/proc/fs",
    "/proc/acpi",
    "/proc/scsi",
)  # for root
_TOPS = ("bin", "lib", "lib64", "lib32", "sbin")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bubblewrap:
    """Commands in bubblewrap: namespaces of their own, no capability, an environment of ours."""

    network: bool = False
    fenced: bool = True
    program: str = "bwrap"

    def argv(self, command: str, workspace: Path, *, seconds: int) -> Sequence[str]:
        """Say what is started; limits are set inside, before the command is read."""
        limits = f"ulimit -c 0; ulimit -f {FILE_BLOCKS}; ulimit -v {MEMORY_KIB}; ulimit -t {seconds}"
        processes = f"ulimit -u {PROCESSES} 2>/dev/null || ulimit -p {PROCESSES} 2>/dev/null"
        return (
            *(
                self.program,
                "--unshare-all",
                "--unshare-user",
                "--disable-userns",
                *(("--share-net",) if self.network else ()),
            ),
            *("--die-with-parent", "--new-session", "--as-pid-1", "--cap-drop", "ALL", "--hostname", "sandbox"),
            *("--clearenv", "--setenv", "PATH", PATH, "--setenv", "HOME", INSIDE, "--setenv", "TMPDIR", _TMP),
            *("--setenv", "LANG", "C.UTF-8", "--setenv", "TERM", "dumb"),
            *("--ro-bind", "/usr", "/usr", *_tops()),
            *(word for path in _READ for word in ("--ro-bind-try", path, path)),
            *(word for path in (_READ_ONLINE if self.network else ()) for word in ("--ro-bind-try", path, path)),
            *(
                "--proc",
                "/proc",
                *(word for path in _KERNEL for word in ("--ro-bind-try", path, path)),
                "--dev",
                "/dev",
                "--size",
                "268435456",
                "--tmpfs",
                _TMP,
            ),
            *("--bind", str(workspace), INSIDE, "--chdir", INSIDE),
            *("--", "/bin/sh", "-c", f'{limits}; {processes}; exec /bin/sh -c "$1"', "sh", command),
        )


def missing() -> str | None:
    """Say why there is no bubblewrap, if so."""
    return None if shutil.which("bwrap") else "bubblewrap is not installed: sudo apt-get install bubblewrap"


def _tops() -> tuple[str, ...]:
    """Put /bin and its like where programs look for them, as they lie on this machine."""
    found: list[str] = []
    for name in _TOPS:
        top = Path("/", name)
        if top.is_symlink():
            found += ["--symlink", f"usr/{name}", f"/{name}"]
        elif top.is_dir():
            found += ["--ro-bind", f"/{name}", f"/{name}"]
    return tuple(found)
