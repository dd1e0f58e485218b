"""What every test run needs: full-size runs only when they are asked for."""

import os

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the full-size runs out unless SOAK=1 or a marker expression asks for them."""
    if os.environ.get("SOAK") == "1" or config.option.markexpr:
        return
    soak = [item for item in items if item.get_closest_marker("soak")]
    if soak:
        config.hook.pytest_deselected(items=soak)
        items[:] = [item for item in items if not item.get_closest_marker("soak")]
