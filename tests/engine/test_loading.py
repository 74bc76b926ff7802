"""Loading torch leaves the process as it should be."""

import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]


def fresh(code: str) -> str:
    """What a fresh Python prints."""
    run = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True)
    return (run.stdout or run.stderr).strip()


@pytest.mark.parametrize("platform", ["linux", "darwin"])
@pytest.mark.parametrize("collecting", ["enable", "disable"])
def test_torch_is_there_on_one_thread_and_the_collector_as_before(platform: str, collecting: str) -> None:
    code = f"""
import gc
from types import SimpleNamespace
from tutor.engine import loading
gc.{collecting}()
loading.sys = SimpleNamespace(platform={platform!r})
loading.load_torch()
loading.load_torch()
import torch
print(torch.get_num_threads(), gc.isenabled(), gc.get_freeze_count() > 0)
"""
    assert fresh(code) == f"1 {collecting == 'enable'} True"


def test_without_the_library_the_import_does_it_all() -> None:
    code = """
import os
from tutor.engine import loading
loading.os.fsencode = lambda path: b"/nowhere/libtorch.so"
loading.load_torch()
import torch
print(torch.ones(1).item())
"""
    assert fresh(code) == "1.0"


def test_the_givens_the_record_and_the_sketch_load_neither_torch_nor_numpy() -> None:
    code = """
import sys
from pathlib import Path
from tutor.engine.sketch import sketch
from tutor.engine.worksheet import Worksheet
worksheet = Worksheet.load(Path("worksheet/river-bank.toml"))
sketch(worksheet, worksheet.read("the river bank").ids)
print({"torch", "numpy", "difflib"} & set(sys.modules))
"""
    assert fresh(code) == "set()"
