"""The same desk as for setting up."""

from tests.integration.setup.conftest import desk

__all__ = ["desk"]
