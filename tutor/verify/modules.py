"""The modules checked: a batch of the worksheet's sentences against trace, second computation and PyTorch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tutor.engine.attention import trace_sentence
from tutor.engine.library import library_attention
from tutor.engine.model import through_modules
from tutor.engine.worksheet import Worksheet
from tutor.errors import TutorError
from tutor.verify.check import Check
from tutor.verify.numbers import difference
from tutor.verify.reference import reference

Ids = tuple[int, ...]


def check_modules(worksheet: Worksheet) -> Iterator[Check]:
    """All checks of the modules with the worksheet's weights; a single one where its sizes do not fit."""
    sentences = [worksheet.read(sentence.text).ids for sentence in worksheet.sentences]
    try:
        through_modules(worksheet, sentences)
    except TutorError as error:
        yield Check("modules", True, f"not compared: {error}")
        return
    yield from _numbers(worksheet, sentences)
    yield from _laws(worksheet, sentences)
    yield _padded(worksheet, sentences)


def _numbers(worksheet: Worksheet, sentences: Sequence[Ids]) -> Iterator[Check]:
    """Every weight and final logit as trace and second computation have them, the update as the library."""
    A, delta_E, logits = through_modules(worksheet, sentences)
    weights, finals, library, n_weights = 0.0, 0.0, 0.0, 0
    for b, ids in enumerate(sentences):
        n = len(ids)
        here = A[b, :, -n:, -n:]
        n_weights += here.size
        t, second = trace_sentence(worksheet, ids), reference(worksheet, ids)
        weights = max(weights, difference(here, t.A), difference(here, second["A"]))
        finals = max(finals, *(difference(logits[b, -1], row[-1]) for row in (t.logits, second["logits"])))
        update, layer_A = library_attention(worksheet, ids)
        library = max(library, difference(delta_E[b, -n:], update), difference(here, layer_A))
    compared = f"against trace and second computation, largest difference {weights:.1e}"
    yield Check("modules: weights of every head", weights <= 1e-12, f"{n_weights} {compared}")
    n_finals = len(sentences) * worksheet.n_vocab
    compared = f"against trace and second computation, largest difference {finals:.1e}"
    yield Check("modules: final logits", finals <= 1e-12, f"{n_finals} {compared}")
    detail = f"delta_E and each head's A, largest difference {library:.1e}"
    yield Check("modules: nn.MultiheadAttention", library <= 1e-12, detail)


def _laws(worksheet: Worksheet, sentences: Sequence[Ids]) -> Iterator[Check]:
    """What holds for any weights: rows sum to 1, no blocked source and no later word counts."""
    # With its first two words alone in the batch, a sentence has PAD to block.
    batch = [*sentences, *(ids[:2] for ids in sentences)]
    A, _, _ = through_modules(worksheet, batch)
    off = difference(A.sum(-1), np.ones(A.shape[:-1]))
    yield Check("modules: rows of A sum to 1", off <= 1e-12, f"PAD rows too, largest difference {off:.1e}")
    n = A.shape[-1]
    later = float(np.abs(A[..., np.triu(np.ones((n, n), dtype=bool), 1)]).sum())
    pad = sum(float(np.abs(A[b, :, -len(ids) :, : n - len(ids)]).sum()) for b, ids in enumerate(batch))
    detail = f"sum over later sources {later:g}, over PAD {pad:g}"
    yield Check("modules: no weight on a blocked source", later == pad == 0, detail)
    changed = 0.0
    for ids in sentences:
        others = [
            (*ids[:kept], *((id + 1) % worksheet.n_vocab for id in ids[kept:])) for kept in range(1, len(ids))
        ]
        A, _, logits = through_modules(worksheet, [ids, *others])
        for kept in range(1, len(ids)):
            changed = max(changed, difference(A[kept, :, :kept], A[0, :, :kept]))
            changed = max(changed, difference(logits[kept, :kept], logits[0, :kept]))
    detail = f"largest change {changed:.1e} when later words change"
    yield Check("modules: earlier rows stay", changed <= 1e-12, detail)


def _padded(worksheet: Worksheet, sentences: Sequence[Ids]) -> Check:
    """All beginnings of all sentences, padded on the left to one batch, give what each gives by itself."""
    batch = [ids[:n] for ids in sentences for n in range(1, len(ids) + 1)]
    A, delta_E, logits = through_modules(worksheet, batch)
    apart = 0.0
    for b, ids in enumerate(batch):
        t, n = trace_sentence(worksheet, ids), len(ids)
        apart = max(apart, difference(A[b, :, -n:, -n:], t.A), difference(delta_E[b, -n:], t.delta_E))
        apart = max(apart, difference(logits[b, -n:], t.logits))
    finite = all(np.isfinite(numbers).all() for numbers in (A, delta_E, logits))
    words = "every number finite" if finite else "a PAD row is not finite"
    detail = f"{len(batch)} beginnings padded on the left, largest difference {apart:.1e}, {words}"
    return Check("modules: a padded batch", finite and apart <= 1e-12, detail)
