"""A real Dovecot of one's own: unprivileged, on free ports, with one mailbox whose files tests put mail into."""

import asyncio
import grp
import os
import pwd
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

PROGRAM = shutil.which("dovecot") or next((path for path in ("/usr/sbin/dovecot",) if Path(path).exists()), None)
USER, PASSWORD = "bot@bench.test", 'pass"w\\ord'  # what a careless client writes down wrongly
BOUND = 15.0


def needed() -> None:
    """Skip where there is no Dovecot; where the machine checks, one has to be there."""
    if PROGRAM is None and os.environ.get("CI") != "true":
        pytest.skip("Dovecot is not installed; on Debian: sudo apt-get install dovecot-imapd")
    assert PROGRAM is not None, "Dovecot is not installed; .ci/run asks for dovecot-imapd"


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


class Dovecot:
    """One server with one mailbox."""

    def __init__(self, *, settings: str = "") -> None:
        # Not below pytest's own folder: it is closed to others, and Dovecot refuses to serve as root.
        self.root = root = Path(tempfile.mkdtemp(prefix="dragoman-dovecot-"))
        self.user = pwd.getpwnam("nobody" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name)
        self.port, self.tls_port = free_port(), free_port()
        self.mail = root / "mail"
        self.log = root / "log"
        self.password = PASSWORD
        self.ca = root / "cert.pem"
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._n = 0
        for folder in (self.mail / "cur", self.mail / "new", self.mail / "tmp", root / "run"):
            folder.mkdir(parents=True, exist_ok=True)
        certificate(root, "localhost")
        self.own(root, *root.rglob("*"))

    async def start(self) -> None:
        """Start it, and wait until it answers."""
        self._write()
        assert PROGRAM is not None
        root = os.geteuid() == 0
        with (self.root / "stderr").open("ab") as told:
            self._process = subprocess.Popen(  # noqa: ASYNC220  # it takes no time
                [PROGRAM, "-F", "-c", str(self.root / "dovecot.conf")],
                stdout=subprocess.DEVNULL,
                stderr=told,
                start_new_session=True,
                user=self.user.pw_uid if root else None,
                group=self.user.pw_gid if root else None,
                extra_groups=[] if root else None,
            )
        until = time.monotonic() + BOUND
        while time.monotonic() < until:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                line = await asyncio.wait_for(reader.readline(), 2)
                writer.close()
                if line.startswith(b"* OK"):
                    return
            except (OSError, TimeoutError):
                await asyncio.sleep(LOOK)
        raise AssertionError(f"Dovecot does not start: {(self.root / 'stderr').read_text()} {self._told()}")

    async def stop(self, *, how: int = signal.SIGKILL) -> None:
        """End it, with everything it started."""
        process, self._process = self._process, None
        if process is None:
            return
        children = self.pids(process.pid)
        for pid in (process.pid, *children):
            with_pid(pid, signal.SIGCONT)
            with_pid(pid, how)
        until = time.monotonic() + BOUND
        while process.poll() is None and time.monotonic() < until:
            await asyncio.sleep(LOOK)
        process.kill()
        process.wait()

    def remove(self) -> None:
        """Take its files away."""
        shutil.rmtree(self.root, ignore_errors=True)

    def signal(self, what: int) -> None:
        """Send a signal to all of its processes."""
        assert self._process is not None
        for pid in [*self.pids(self._process.pid), self._process.pid]:
            with_pid(pid, what)

    def sessions(self) -> list[int]:
        """List the processes that serve somebody."""
        assert self._process is not None
        return [
            pid for pid in self.pids(self._process.pid) if _name(pid).endswith("/imap") or "dovecot/imap" in _name(pid)
        ]

    @staticmethod
    def pids(parent: int) -> list[int]:
        """List the children of a process."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                try:
                    fields = (entry / "stat").read_text().rpartition(")")[2].split()
                except OSError:
                    continue
                if int(fields[1]) == parent:
                    found.append(int(entry.name))
        return found

    def deliver(self, raw: bytes, *, name: str = "", age: float = 0) -> None:
        """Put a mail into the mailbox, as a mail server does."""
        self._n += 1
        stem = name or f"{time.time():.6f}.{os.getpid()}_{self._n}.test"
        path = self.mail / "tmp" / stem
        path.write_bytes(raw)
        self.own(path)
        os.utime(path, (time.time() - age, time.time() - age))  # Dovecot takes it for the instant of arrival
        path.rename(self.mail / "new" / stem)

    def flags(self) -> list[str]:
        """List the flags of every mail that was looked at."""
        return sorted(path.name.rpartition(",")[2] for path in (self.mail / "cur").iterdir())

    def _told(self) -> str:
        return self.log.read_text() if self.log.exists() else ""

    def _write(self) -> None:
        user, ids = self.user, f"{self.user.pw_uid}:{self.user.pw_gid}"
        group = grp.getgrgid(user.pw_gid).gr_name
        places = {"root": self.root, "user": user.pw_name, "group": group, "more": self._settings}
        (self.root / "users").write_text(f"{USER}:{{PLAIN}}{self.password}:{ids}::{self.root}\n")
        (self.root / "dovecot.conf").write_text(CONFIG.format(**places, port=self.port, tls_port=self.tls_port))
        self.own(self.root / "users", self.root / "dovecot.conf")

    def own(self, *paths: Path) -> None:
        """Hand files to whoever Dovecot runs as."""
        for path in paths:
            if os.geteuid() == 0:
                os.chown(path, self.user.pw_uid, self.user.pw_gid)


LOOK = 0.01
CONFIG = """
base_dir = {root}/run
state_dir = {root}/run
log_path = {root}/log
protocols = imap
listen = 127.0.0.1
default_internal_user = {user}
default_login_user = {user}
default_internal_group = {group}
first_valid_uid = 0
last_valid_uid = 0
first_valid_gid = 0
ssl = yes
ssl_cert = <{root}/cert.pem
ssl_key = <{root}/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain login xoauth2
auth_failure_delay = 0
mail_location = maildir:{root}/mail
maildir_stat_dirs = no
mail_max_userip_connections = 50
service anvil {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
    ssl = yes
  }}
}}
service stats {{
  chroot =
}}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%u {root}/users
}}
userdb {{
  driver = passwd-file
  args = username_format=%u {root}/users
}}
namespace inbox {{
  inbox = yes
  mailbox Sent {{
    auto = subscribe
    special_use = \\Sent
  }}
}}
{more}
"""


def certificate(root: Path, name: str) -> None:
    """Make a certificate of one's own for a name."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", str(root / "key.pem"), "-out", str(root / "cert.pem"), "-subj", f"/CN={name}",
         "-addext", f"subjectAltName=DNS:{name}"],
        check=True, capture_output=True,
    )  # fmt: skip


def server_context(root: Path) -> ssl.SSLContext:
    """Make what a server of ours shows as its certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(root / "cert.pem", root / "key.pem")
    return context


def with_pid(pid: int, what: int) -> None:
    """Send a signal to a process that may have gone."""
    try:
        os.kill(pid, what)
    except ProcessLookupError:
        return


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
    except OSError:
        return ""
