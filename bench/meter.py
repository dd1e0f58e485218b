"""What the kernel knows of a process and its children: processor time and memory."""

import os
from collections.abc import Iterator
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
MIB = 1024


class Meter:
    """Reads the figures of one process tree; raises FileNotFoundError once the process is gone."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def cpu(self) -> float:
        """Give the processor time so far, in seconds, of all threads and children."""
        return sum(_cpu(pid) for pid in self._tree())

    def rss(self) -> float:
        """Give the resident memory, in MiB."""
        return sum(_status(pid, "VmRSS") for pid in self._tree()) / MIB

    def forget_peak(self) -> None:
        """Count the peak from now on."""
        for pid in self._tree():
            Path(f"/proc/{pid}/clear_refs").write_text("5")

    def peak(self) -> float:
        """Give the highest resident memory since the start or since it was forgotten, in MiB."""
        return sum(_status(pid, "VmHWM") for pid in self._tree()) / MIB

    def _tree(self) -> Iterator[int]:
        waiting = [self.pid]
        while waiting:
            pid = waiting.pop()
            yield pid
            for task in Path(f"/proc/{pid}/task").iterdir():
                waiting += map(int, (task / "children").read_text().split())


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS  # user and system time, and that of children who have ended


def _status(pid: int, name: str) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    return 0
