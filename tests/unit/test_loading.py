import gc
import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from gateway import loading


def test_a_package_is_not_there_for_those_who_would_take_it_along():
    sys.modules.pop("this", None)
    with loading.without("this"), pytest.raises(ImportError):
        importlib.import_module("this")
    assert "this" not in sys.modules


def test_a_package_that_is_loaded_already_stays():
    with loading.without("json"):
        assert importlib.import_module("json").loads("1") == 1
    assert sys.modules["json"] is importlib.import_module("json")


def test_the_package_is_back_even_if_loading_fails():
    with pytest.raises(KeyError), loading.without("this"):
        raise KeyError
    assert "this" not in sys.modules


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lay down a package with a part of which only the names are needed."""
    for place, text in {
        "large/__init__.py": "from large.small import word",
        "large/small.py": "from large.types.deep import Deep\nfrom large.types import Flat\nword = list[Deep | Flat]",
        "large/types/__init__.py": "class Flat: pass",
        "large/types/deep.py": "class Deep: pass",
    }.items():
        file = tmp_path / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [name for name in sys.modules if name.split(".")[0] == "large"]:
        del sys.modules[name]


@pytest.mark.usefixtures("large")
def test_what_is_hollow_has_every_name_and_is_real_again_for_who_asks_later():
    with loading.hollow("large.types"):
        assert importlib.import_module("large").word == list[Any]
    assert "large.types" not in sys.modules
    assert isinstance(importlib.import_module("large.types.deep").Deep, type)
    with loading.hollow("large.types"):
        assert isinstance(importlib.import_module("large.types").Flat, type)


def test_garbage_is_looked_for_again_once_all_is_loaded():
    loading.begin()
    assert not gc.isenabled()
    loading.end()
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0
    gc.unfreeze()
