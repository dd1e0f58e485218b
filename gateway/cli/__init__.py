"""The command line: one file per command group, imported only when it is asked for."""

import sys


def main() -> int:
    """Run the command that was typed and return its exit code; also ends by SystemExit."""
    words = sys.argv[1:]
    if words == ["--version"]:
        print(version())
        return 0
    from gateway.cli.start import start  # noqa: PLC0415  # Typer takes longer to import than --version to answer

    return start(words)


def version() -> str:
    """Name the program and its version."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  # only two commands need it

    try:
        return f"dragoman {version('dragoman')}"
    except PackageNotFoundError:
        return "dragoman (not installed)"
