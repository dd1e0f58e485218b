import gc
import importlib
import sys

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


def test_garbage_is_looked_for_again_once_all_is_loaded():
    loading.begin()
    assert not gc.isenabled()
    loading.end()
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0
    gc.unfreeze()
