"""Ties the daemon's life to the launcher's: becomes the daemon, and dies when the launcher does, however it dies.

Run as a file, without the package: `python -I -S leash.py LAUNCHER_PID COMMAND…`.
"""

import ctypes
import os
import signal
import sys
import threading

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Tie, then become the command."""
    launcher, command = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":
        # The kernel's wish survives the exec; nothing of ours has to stay awake.
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    elif os.fork() == 0:
        _watch(launcher, os.getppid())
    if os.getppid() != launcher:
        sys.exit("the playground is gone")
    os.execvp(command[0], command)  # noqa: S606  # no shell: the launcher's own command


def _watch(launcher: int, daemon: int) -> None:
    """Where the kernel has no such wish: look every half second whether both still live."""
    pause = threading.Event()
    while os.getppid() == daemon:
        try:
            os.kill(launcher, 0)
        except ProcessLookupError:
            os.kill(daemon, signal.SIGKILL)
        pause.wait(0.5)
    os._exit(0)


if __name__ == "__main__":
    main()
