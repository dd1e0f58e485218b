"""What every test run needs: full-size runs only when they are asked for, and the same examples each time."""

import os

import pytest
from hypothesis import settings

# `make test` says the same twice; `make soak` looks further, and finds something new each time.
settings.register_profile("test", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("soak", deadline=None, print_blob=True)
settings.load_profile("soak" if os.environ.get("SOAK") == "1" else "test")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the full-size runs out unless SOAK=1 or a marker expression asks for them."""
    if os.environ.get("SOAK") == "1" or config.option.markexpr:
        return
    soak = [item for item in items if item.get_closest_marker("soak")]
    if soak:
        config.hook.pytest_deselected(items=soak)
        items[:] = [item for item in items if not item.get_closest_marker("soak")]
