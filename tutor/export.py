"""`tutor trace`: every number of one sentence as tables, as one JSON document or as a NumPy file."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tutor.choice import Choice
from tutor.draw.line import EMPTY, Ink, Line, Span
from tutor.draw.number import Numbers, extremes, finite
from tutor.draw.table import Cell, Column, Row, Table
from tutor.engine.start import engine
from tutor.engine.trace import Trace
from tutor.engine.worksheet import Worksheet
from tutor.errors import TutorError, shown

PER_TOKEN = ("joined", "delta_E", "E_prime", "hidden", "logits", "probabilities")
PER_HEAD = ("Q", "K", "V", "raw", "scores", "exp", "total", "A", "contributions", "messages")
_UNLIMITED = 10**9


def traced(choice: Choice) -> tuple[Worksheet, tuple[str, ...], Trace]:
    """The chosen worksheet, the words as typed, and their trace."""
    worksheet, text = choice.open()
    tokens = worksheet.read(text)
    return worksheet, tokens.words, engine()(worksheet, tokens.ids, choice.causal)


def document(worksheet: Worksheet, words: Sequence[str], trace: Trace) -> dict[str, Any]:
    """Plain values, positions from 0; a blocked score and an exp too large to write are None."""
    return {
        "tokens": list(words),
        "ids": trace.ids.tolist(),
        "E": _plain(trace.E.tolist()),
        "heads": [
            {"label": head.label, **{name: _plain(getattr(trace, name)[at].tolist()) for name in PER_HEAD}}
            for at, head in enumerate(worksheet.heads)
        ],
        **{name: _plain(getattr(trace, name).tolist()) for name in PER_TOKEN},
    }


def to_json(worksheet: Worksheet, words: Sequence[str], trace: Trace) -> str:
    """The document as one JSON object."""
    import json

    return json.dumps(document(worksheet, words, trace), allow_nan=False)


def write_npz(path: Path, worksheet: Worksheet, words: Sequence[str], trace: Trace) -> None:
    """The same arrays under the same paths, `heads[0].A`; TutorError where the file cannot be written."""
    import numpy as np

    arrays = {"tokens": np.array(words), "ids": trace.ids, "E": trace.E}
    for at, head in enumerate(worksheet.heads):
        arrays[f"heads[{at}].label"] = np.array(head.label)
        arrays |= {f"heads[{at}].{name}": getattr(trace, name)[at] for name in PER_HEAD}
    arrays |= {name: getattr(trace, name) for name in PER_TOKEN}
    try:
        with path.open("wb") as file:
            np.savez(file, **arrays)
    except OSError as error:
        told = f"{shown(str(path), 200)} cannot be written ({error.strerror}): name another file"
        raise TutorError(told) from None


def tables(worksheet: Worksheet, words: Sequence[str], trace: Trace) -> Iterator[Line]:
    """Every matrix with one row a token, and the weights of each head."""
    positions = [str(at + 1) for at in range(len(words))]
    yield from _block("E", "E", trace.E, worksheet.axes, words)
    for at, head in enumerate(worksheet.heads):
        name = f"head {at + 1} {head.label} · "
        yield from _block(name + "Q", "Q", trace.Q[at], head.query_axes, words)
        yield from _block(name + "K", "K", trace.K[at], head.key_axes, words)
        yield from _block(name + "V", "V", trace.V[at], head.value_axes, words)
        yield from _block(name + "raw", "A", trace.raw[at], positions, words)
        yield from _block(name + "scores", "A", trace.scores[at], positions, words)
        yield from _block(name + "exp", "A", trace.exp[at], positions, words)
        yield from _block(name + "A", "A", trace.A[at], positions, words)
        yield from _block(name + "messages", "A", trace.messages[at], head.value_axes, words)
    yield from _block("joined", "A", trace.joined, worksheet.joined_axes, words)
    yield from _block("ΔE", "delta", trace.delta_E, worksheet.axes, words)
    yield from _block("E′", "E", trace.E_prime, worksheet.axes, words)
    units = [str(unit + 1) for unit in range(worksheet.n_hidden)]
    yield from _block("hidden", "text", trace.hidden, units, words)
    yield from _block("logits", "text", trace.logits, worksheet.vocabulary, words)
    yield from _block("probabilities", "delta", trace.probabilities, worksheet.vocabulary, words)


def _block(name: str, role: str, matrix: Any, titles: Sequence[str], words: Sequence[str]) -> Iterator[Line]:
    numbers = Numbers()
    width = max(len(numbers.real(value)) for value in extremes([finite(row) for row in matrix.tolist()]))
    table = Table(
        [Column(title, max(width, len(title)), role) for title in titles],
        len(words),
        lambda y: Row((Span(f" {y + 1:2} {words[y]}"),), lambda c: Cell(numbers.real(matrix[y][c]))),
        _UNLIMITED,
    )
    yield (Span(f"{name} [{matrix.shape[0]}×{matrix.shape[1]}]", Ink(role, bold=True)),)
    yield from table.header()
    yield from table.body()
    yield EMPTY


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value if math.isfinite(value) else None
