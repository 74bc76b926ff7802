"""Every misconception as a named deviation of the one forward pass, and the numbers that each gives."""

from __future__ import annotations

import re
from typing import Any

from tutor.engine.forward import Givens, Pass, forward
from tutor.engine.slips import Variant, deviate
from tutor.engine.slips_rows import ROWS
from tutor.engine.slips_scores import SCORES
from tutor.engine.slips_update import UPDATE
from tutor.engine.slips_weights import WEIGHTS

VARIANTS: tuple[Variant, ...] = (*ROWS, *SCORES, *WEIGHTS, *UPDATE)
"""In the order of the pass; those accepted are right answers in another form."""

_PATH = re.compile(r"(?:heads\[(\d+)\]\.)?([A-Za-z]\w*)((?:\[\d+\])*)")


def variant(id: str) -> Variant:
    """The variant of that id; KeyError if there is none."""
    return {made.id: made for made in VARIANTS}[id]


def deviations(givens: Givens, last: str = "predict") -> dict[str, Pass]:
    """The numbers of every variant that these shapes have, by its id."""
    right = forward(givens, last=last)
    made = {variant.id: deviate(variant, givens, right, last) for variant in VARIANTS}
    return {id: p for id, p in made.items() if p is not None}


def value_at(p: Pass, path: str) -> Any:
    """What stands in a pass at a path of the trace document, such as `heads[0].A[6][5]`."""
    head, name, places = locate(path)
    value = getattr(p, name)
    for place in (*(() if head is None else (head,)), *places):
        value = value[place]
    return value


def locate(path: str) -> tuple[int | None, str, tuple[int, ...]]:
    """The head, the name and the places, from 0, of a path."""
    found = _PATH.fullmatch(path)
    if found is None:
        raise ValueError(f"no path: {path}")
    head, name, places = found.groups()
    return None if head is None else int(head), name, tuple(int(n) for n in re.findall(r"\d+", places))
