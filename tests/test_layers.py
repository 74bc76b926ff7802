"""Imports point one way. Every import counts, also those inside functions and for type checking only."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parent.parent

# A row covers its module or package; of several rows that fit a module, the longest name holds.
# A module may import from its own row and from those named; `...` is every row above.
TABLE = """
module or package   of the tutor                                                 of other packages
------------------- ------------------------------------------------------------ -----------------
__init__
errors
paths               errors                                                       platformdirs
place               errors

engine.__init__
engine.givens       errors
engine.worksheet    errors engine.givens                                         numpy
engine.trace        errors engine.worksheet                                      numpy
engine              errors engine.givens engine.worksheet engine.trace           numpy torch

draw                errors                                                       rich
focus               errors engine.worksheet engine.trace
view                errors engine.worksheet engine.trace draw focus              rich
arithmetic          draw view
prose               errors draw focus view                                       rich
screens             engine.worksheet engine.trace draw view arithmetic           rich

content             prose
lesson              ...                                                          rich
frame               ...                                                          rich
veil                ...                                                          rich
moves               ...                                                          rich
code                errors draw
progress            place
overview            ...                                                          rich
choice              ...
output              errors draw                                                  rich
export              ...                                                          numpy
show                ...                                                          rich numpy
verify              ...                                                          rich numpy
check               ...                                                          rich numpy
tui                 ...                                                          rich numpy textual
__main__            ... cli
cli                 ...                                                          typer
"""

# These are loaded late; the rest, read before the first paint, loads neither torch nor textual by any way.
HEAVY = {"engine", "export", "show", "verify", "check", "tui"}


class Row:
    """One line of the table."""

    def __init__(self, line: str, above: list[str]) -> None:
        self.name = line[:20].strip()
        allowed = line[20:80].split()
        self.tutor = {self.name, *(above if "..." in allowed else ()), *allowed}
        self.others = set(line[81:].split())


def read(table: str) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for line in filter(str.strip, table.splitlines()[3:]):
        row = Row(line, list(rows))
        rows[row.name] = row
    return rows


ROWS = read(TABLE)


def name_of(file: Path) -> str:
    """tutor/engine/trace.py -> engine.trace, tutor/engine/__init__.py -> engine.__init__."""
    return ".".join(file.relative_to(CHECKOUT / "tutor").with_suffix("").parts)


MODULES = {name_of(file): file for file in sorted((CHECKOUT / "tutor").rglob("*.py"))}


def row_of(module: str) -> str | None:
    """The row that covers a module: the longest one that names it or a package around it."""
    parts = module.split(".")
    names = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
    return next((name for name in names if name in ROWS), None)


def imports(module: str, source: str) -> Iterator[tuple[int, str]]:
    """Every line that imports, with the full dotted name that it imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = ["tutor", *module.split(".")][: -node.level] if node.level else []
            origin = ".".join([*package, *filter(None, [node.module])])
            yield from ((node.lineno, f"{origin}.{alias.name}") for alias in node.names)


def resolve(name: str) -> str:
    """The module of the tutor that a name after `tutor.` lies in: itself, or the nearest around it."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        module = ".".join(parts[:end])
        if module in MODULES:
            return module
        if f"{module}.__init__" in MODULES:
            return f"{module}.__init__"
    return "__init__"


def faults(module: str, source: str) -> list[str]:
    """What a module imports against its row, one sentence for each."""
    covered = row_of(module)
    if covered is None:
        return [f"tutor.{module} is in no row of TABLE in tests/test_layers.py: add it"]
    row, found = ROWS[covered], []
    for line, name in imports(module, source):
        outside, _, inside = name.partition(".")
        if outside == "tutor":
            target = resolve(inside)
            wrong = row_of(target) not in row.tutor and target != "__init__"
        else:
            target, wrong = outside, outside not in row.others | sys.stdlib_module_names
        if wrong:
            found.append(f"tutor.{module}, line {line}: {covered} may not import {target}")
    return found


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_one_way(module: str) -> None:
    assert faults(module, MODULES[module].read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("place", "import torch"),
        ("place", "from tutor import paths"),
        ("draw.number", "def draw():\n    import numpy as np"),
        ("draw.number", "from ..focus import Focus"),
        ("screens.softmax", "from textual.widget import Widget"),
        ("screens.softmax", "if TYPE_CHECKING:\n    from tutor.engine.attention import trace"),
        ("engine.trace", "import torch.nn"),
        ("engine.__init__", "from . import worksheet"),
        ("lesson", "import tutor.tui.app"),
        ("newcomer", ""),
    ],
)
def test_a_wrong_import_is_found(module: str, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("focus", "engine.attention", "engine.worksheet", "tui.app"):
        monkeypatch.setitem(MODULES, name, Path())
    assert len(faults(module, source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        (
            "draw.matrix",
            "import math\nfrom rich.text import Text\nfrom .number import plain\nfrom tutor import errors",
        ),
        (
            "engine.attention",
            "import torch\nfrom tutor.engine import trace\nfrom tutor.engine.model import Model",
        ),
        (
            "tui.app",
            "from textual.app import App\nfrom tutor import lesson\nfrom tutor.engine.attention import run",
        ),
        ("cli", "def main():\n    from tutor.tui.app import Tutor"),
    ],
)
def test_a_right_import_passes(module: str, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "errors",
        "draw.number",
        "engine.trace",
        "engine.model",
        "engine.attention",
        "lesson",
        "tui.app",
    ):
        monkeypatch.setitem(MODULES, name, Path())
    assert faults(module, source) == []


def loaded(rows: set[str]) -> str:
    """Which of torch and textual a fresh Python loads with the modules of these rows."""
    modules = [f"tutor.{module}".removesuffix(".__init__") for module in MODULES if row_of(module) in rows]
    code = f"import sys, {', '.join(modules or ['tutor'])}; print({{'torch', 'textual'}} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True)
    return (run.stdout or run.stderr).strip()


def test_nothing_read_before_the_first_paint_loads_torch_or_textual() -> None:
    assert loaded(set(ROWS) - HEAVY) == "set()"


def test_the_terminal_interface_loads_no_torch_by_being_imported() -> None:
    assert loaded({"tui"}) in ("set()", "{'textual'}")
