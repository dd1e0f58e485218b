"""Every platform has the same four files and its line in the table."""

import ast

from adapters import ADAPTERS
from tests.house.sources import ROOT

FILES = {"adapter.py", "wire.py", "parse.py", "render.py"}
SHARED = {"text"}  # what all platforms use
FOLDERS = sorted({path.parent.name for path in (ROOT / "adapters").glob("*/__init__.py")} - SHARED)


def test_every_platform_folder_has_its_four_files() -> None:
    missing = {name: FILES - {path.name for path in (ROOT / "adapters" / name).iterdir()} for name in FOLDERS}
    assert not {name: files for name, files in missing.items() if files}


def test_every_platform_folder_has_its_line_in_the_table() -> None:
    assert not [name for name in FOLDERS if not ADAPTERS.get(name, "").startswith(f"adapters.{name}.adapter:")]


def test_every_line_of_the_table_names_a_class_that_exists() -> None:
    for target in ADAPTERS.values():
        module, _, name = target.partition(":")
        path = ROOT / (module.replace(".", "/") + ".py")
        assert path.is_file(), f"{target}: no such file"
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.ClassDef)}, f"{target}: no such class"
