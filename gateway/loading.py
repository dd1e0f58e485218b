"""How the daemon's code is loaded: without looking for garbage in it, and without what only the command line uses."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


def begin() -> None:
    """Look for no garbage until `end`: nothing of what is being loaded is any."""
    gc.disable()


def end() -> None:
    """Take what is loaded out of the garbage collector's rounds, which cost a seventh of the processor otherwise."""
    gc.freeze()
    gc.enable()


@contextmanager
def without(package: str) -> Iterator[None]:
    """Let imports of a package fail here, for libraries that load it wherever they find it and never need it."""
    if package in sys.modules:
        yield
        return
    sys.modules[package] = None  # type: ignore[assignment]  # this is how the import system is told
    try:
        yield
    finally:
        del sys.modules[package]
