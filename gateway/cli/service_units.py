"""The text of the units: one list of settings per kind, each with why it is there or why it is missing.

Promise: an exposure of 1.5 or better for the system's unit (`systemd-analyze security`), and no key that the
systemd which runs does not know.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Literal

Kind = Literal["system", "user", "instance"]
USER = "dragoman"
OPT = "/opt/dragoman"
LEAST_STOP = 90  # seconds
STOP_MARGIN = 30  # seconds that a stop needs beside the drain: parts that are being posted, closing the store
DEFAULT_DRAIN = 30.0
NAMES: dict[Kind, str] = {
    "system": "dragoman.service",
    "user": "dragoman-user.service",
    "instance": "dragoman@.service",
}
SANDBOX = """\
# What it may do. Left out on purpose, each with its reason:
#   IPAddressDeny=      platforms and models live at addresses that nobody knows beforehand
#   PrivateNetwork=     the same
#   RootDirectory=      the interpreter and its libraries are the system's
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
DevicePolicy=closed
PrivateUsers=yes
PrivateIPC=yes
PrivateMounts=yes
RemoveIPC=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
ProtectProc=invisible
ProcSubset=pid
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
LockPersonality=yes
MemoryDenyWriteExecute=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM
KeyringMode=private
UMask=0077"""
USER_SANDBOX = """\
# What a manager without privileges can enforce; the system's unit is the stronger one.
NoNewPrivileges=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
LockPersonality=yes
MemoryDenyWriteExecute=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
UMask=0077"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What a unit depends on: its kind, the program, the drain in seconds, the version of systemd."""

    kind: Kind
    program: str = f"{OPT}/bin/dragoman"
    drain: float = DEFAULT_DRAIN
    systemd: int = 252
    home: str = "%h/.dragoman"  # of the user's own unit

    @property
    def stop_seconds(self) -> int:
        """How long a stop may take: longer than any drain."""
        return max(LEAST_STOP, ceil(self.drain) + STOP_MARGIN)

    def text(self) -> str:
        """Write the unit."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        of = " %i" if self.kind == "instance" else ""
        yield "[Unit]"
        yield f"Description=dragoman, a messaging gateway for one personal AI agent{of}"
        if self.kind != "user":  # a user's manager has no such target
            yield "Wants=network-online.target"
            yield "After=network-online.target"
        yield "# Never give up: what was admitted waits in the store."
        yield "StartLimitIntervalSec=0"
        yield ""
        yield "[Service]"
        yield from self._life()
        yield ""
        yield from self._identity()
        yield ""
        yield USER_SANDBOX if self.kind == "user" else SANDBOX
        yield ""
        yield "[Install]"
        yield f"WantedBy={'default' if self.kind == 'user' else 'multi-user'}.target"

    def _life(self) -> Iterator[str]:
        yield "# READY when the store is open and everything is supervised; platforms connect afterwards."
        yield "Type=notify"
        yield "NotifyAccess=main"
        yield f"ExecStart={self.program} run"
        yield "ExecReload=/bin/kill -HUP $MAINPID"
        yield "# Fed only while event loop, writer and workers move."
        yield "WatchdogSec=60"
        yield "# 0: stopped when asked. 75: start me again, which is no failure. 78: the configuration is wrong."
        yield "Restart=on-failure"
        yield "RestartForceExitStatus=75"
        yield "SuccessExitStatus=75"
        yield "RestartPreventExitStatus=78"
        yield "RestartSec=2"
        if self.systemd >= 254:
            yield "RestartSteps=6"
            yield "RestartMaxDelaySec=60"
        yield "TimeoutStartSec=120"
        yield f"# Longer than drain_seconds ({self.drain:g}): running answers are finished first."
        yield f"TimeoutStopSec={self.stop_seconds}"

    def _identity(self) -> Iterator[str]:
        if self.kind == "user":
            yield f"Environment=DRAGOMAN_HOME={self.home}"
            return
        name = "dragoman-%i" if self.kind == "instance" else "dragoman"
        yield "# Whose, and where: state in /var/lib, configuration in /etc."
        yield f"User={USER}"
        yield f"Group={USER}"
        yield f"StateDirectory={name}"
        yield "StateDirectoryMode=0700"
        yield f"ConfigurationDirectory={name}"
        yield "ConfigurationDirectoryMode=0750"
        yield f"WorkingDirectory=%S/{name}"
        yield "# Secrets, as NAME=value: this file (0640 root:dragoman), or .env in the state directory (0600),"
        yield f"# or a drop-in with LoadCredential=NAME:/etc/{name}/credentials/NAME, which root alone can read."
        yield f"EnvironmentFile=-/etc/{name}/env"
