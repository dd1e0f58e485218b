"""How the daemon's code is loaded: without looking for garbage in it, and without what only others use."""

import gc
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


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


@contextmanager
def hollow(package: str) -> Iterator[None]:
    """Let a package be empty here: every name in it is `Any`, and the real one is loaded by whoever asks for it later.

    For libraries that load thousands of types of an interface which is never spoken.
    """
    if package in sys.modules:
        yield
        return
    finder = _Hollow(package)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if finder.holds(name)]:
            del sys.modules[name]


class _Hollow(MetaPathFinder, Loader):
    """Finds modules of a package without looking for them."""

    def __init__(self, package: str) -> None:
        self._package = package

    def holds(self, name: str) -> bool:
        return f"{name}.".startswith(f"{self._package}.")

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        return ModuleSpec(fullname, self, is_package=True) if self.holds(fullname) else None

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__getattr__"] = _anything


def _anything(name: str) -> object:
    if name.startswith("__"):
        raise AttributeError(name)
    return Any
