"""A throw-away machine with a real systemd as its first process, driven from outside; see systemd_box.sh."""

import asyncio
import contextlib
import ctypes
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

BOX = Path(__file__).with_name("systemd_box.sh")
SOURCE = Path(__file__).parents[2]
BOUND = 60.0
LOOK = 0.05
CLONE_NEWNET = 0x40000000
PYTHON = "/usr/bin/python3"
UNIT = "dragoman.service"
NEEDED = ("unshare", "nsenter", "pivot_root", "systemctl", "useradd", "dbus-daemon")


def missing() -> str | None:
    """Say why no such machine can be made here; None when it can."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        return "a machine with a systemd of its own needs root on Linux"
    tools = [name for name in NEEDED if shutil.which(name) is None]
    if tools or not Path("/lib/systemd/systemd").exists():
        return f"missing: {', '.join(tools) or 'systemd'}"
    asking = [PYTHON, "-c", "import sys; print(*sys.version_info[:2])"]
    found = subprocess.run(asking, check=False, capture_output=True, text=True)
    if found.stdout.split() != [str(number) for number in sys.version_info[:2]]:
        return f"{PYTHON} is not of the version that runs the tests"
    tried = subprocess.run(
        ["unshare", "--pid", "--mount", "--net", "--cgroup", "--fork", "true"],
        check=False,
        capture_output=True,
        text=True,
    )
    return f"no namespaces here: {tried.stderr.strip()}" if tried.returncode else None


class Machine:
    """The machine while it runs."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    async def do(self, *words: str, may_fail: bool = False, bound: float = BOUND) -> str:
        """Run a command in it; gives what it printed."""
        process = await asyncio.create_subprocess_exec(
            *("nsenter", "-t", str(self.pid), "-a", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", *words),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        async with asyncio.timeout(bound):
            output, _ = await process.communicate()
        text = output.decode("utf-8", "replace")
        assert may_fail or process.returncode == 0, f"{words}: {process.returncode}\n{text}\n{await self.log()}"
        return text

    async def log(self) -> str:
        """What the service wrote."""
        process = await asyncio.create_subprocess_exec(
            *("nsenter", "-t", str(self.pid), "-a", "cat", "/run/dragoman.log"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        output, _ = await process.communicate()
        return output.decode("utf-8", "replace")[-4000:]

    async def write(self, path: str, text: str) -> None:
        """Put a file into it."""
        await self.do("sh", "-c", 'mkdir -p "$(dirname "$1")"; printf %s "$2" > "$1"', "sh", path, text)

    async def show(self) -> dict[str, str]:
        """What systemd says about the service."""
        return dict(
            line.split("=", 1) for line in (await self.do("systemctl", "show", UNIT)).splitlines() if "=" in line
        )

    async def until(self, **wanted: str) -> dict[str, str]:
        """Wait until systemd says these things about the service."""
        state: dict[str, str] = {}
        try:
            async with asyncio.timeout(BOUND):
                while wanted.items() - (state := await self.show()).items():
                    await asyncio.sleep(LOOK)
        except TimeoutError:
            said = {name: state.get(name) for name in (*wanted, "ActiveState", "SubState", "Result", "StatusText")}
            raise AssertionError(f"wanted {wanted}, found {said}\n{await self.log()}") from None
        return state

    async def bus(self) -> None:
        """Start its message bus, over which the service may ask systemd."""
        for unit in ("dbus.service", "dbus.socket"):
            await self.write(f"/etc/systemd/system/{unit}.d/box.conf", "[Unit]\nDefaultDependencies=no\n")
        await self.do("systemctl", "daemon-reload")
        await self.do("systemctl", "start", "dbus.socket", "dbus.service")

    async def at_home(self) -> str:
        """Install the program a second time, from a checkout, where the service does not see it; gives its command."""
        libs = (await self.do("sh", "-c", "echo /usr/local/lib/dragoman/lib/python3.*/site-packages")).strip()
        await self.do("sh", "-c", f"rm -rf {libs}/dragoman-*.dist-info")  # it may name a checkout that is not in here
        await self.do("mkdir", "-p", "/run/user/0/source")
        for folder in ("gateway", "agent", "adapters", "cron", "playground"):
            await self.do("cp", "-r", f"{libs}/{folder}", "/run/user/0/source/")
        project = (SOURCE / "pyproject.toml").read_text(encoding="utf-8").splitlines()
        anywhere = [line for line in project if not line.startswith("license")]  # older builders want it otherwise
        await self.write("/run/user/0/source/pyproject.toml", "\n".join(anywhere))
        await self.write("/run/user/0/source/README.md", "dragoman\n")
        for venv in ("/run/user/0/venv", "/opt/dragoman"):
            await self.do(PYTHON, "-m", "venv", "--without-pip", venv)
            place = libs.replace("/usr/local/lib/dragoman", venv)
            await self.write(f"{place}/machine.pth", f"{libs}\n")
        script = "#!/run/user/0/venv/bin/python\nimport sys\nsys.path.insert(0, '/run/user/0/source')\n"
        await self.write("/run/user/0/venv/bin/dragoman", f"{script}from gateway.cli import main\nsys.exit(main())\n")
        await self.do("chmod", "755", "/run/user/0/venv/bin/dragoman")
        return "/run/user/0/venv/bin/dragoman"

    @contextmanager
    def network(self) -> Iterator[None]:
        """Make the sockets that are opened in this block the machine's."""
        libc = ctypes.CDLL(None, use_errno=True)
        with Path("/proc/self/ns/net").open() as ours, Path(f"/proc/{self.pid}/ns/net").open() as theirs:
            assert libc.setns(theirs.fileno(), CLONE_NEWNET) == 0, os.strerror(ctypes.get_errno())
            try:
                yield
            finally:
                assert libc.setns(ours.fileno(), CLONE_NEWNET) == 0, os.strerror(ctypes.get_errno())


@asynccontextmanager
async def machine() -> AsyncIterator[Machine]:
    """Boot a machine, and take it away afterwards."""
    scratch = Path(tempfile.mkdtemp(prefix="dragoman-box-"))
    process = await asyncio.create_subprocess_exec(
        *("bash", str(BOX), str(scratch), sysconfig.get_paths()["purelib"], str(SOURCE)),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield Machine(await _first(process))
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()  # takes the first process with it, and so the rest
        await process.wait()
        scratch.rmdir()


async def _first(process: asyncio.subprocess.Process) -> int:
    """Wait until its systemd answers; gives the process id that it has outside."""
    async with asyncio.timeout(BOUND):
        while True:
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
            pids = children.read_text().split() if process.returncode is None and children.exists() else []
            if pids and Path(f"/proc/{pids[0]}/comm").read_text().strip() == "systemd":
                probe = ["nsenter", "-t", pids[0], "-a", "systemctl", "list-units"]
                if (await asyncio.to_thread(subprocess.run, probe, capture_output=True)).returncode == 0:
                    return int(pids[0])
            if process.returncode is not None:
                assert process.stderr is not None
                raise AssertionError((await process.stderr.read()).decode())
            await asyncio.sleep(LOOK)
