"""Reads small text files that others may have put there: never through a link, never a device."""

import os
import stat
from pathlib import Path


def read_text(path: Path, most: int) -> str:
    """Return at most so many bytes of a regular file as text, "" for anything else."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return ""
        return os.pread(descriptor, most, 0).decode("utf-8", "replace").replace("\r\n", "\n")
    except OSError:
        return ""
    finally:
        os.close(descriptor)
