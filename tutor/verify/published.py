"""The source's printed numbers, each computed again and compared at the precision it was printed with."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import fields
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from tutor.engine.attention import Weights, trace, trace_sentence
from tutor.engine.library import attention_parameters, comparison_parameters
from tutor.engine.trace import Trace
from tutor.engine.worksheet import Worksheet
from tutor.errors import TutorError, shown
from tutor.paths import worksheet_folder
from tutor.verify.check import Check

# A number as printed, or a list of them, beside what is computed now.
Pair = tuple[Any, Any]

# Keys that hold what a small example starts from, and what only a training run can give.
EXAMPLES = {"receiver", "offset", "values", "one_weights", "two_weights"}
MEASURED = {"cross_entropy", "perplexity", "seconds_per_seed"}


def _load(path: Path) -> dict[str, Any]:
    """The printed numbers as decimals, whose exponent tells how many digits were printed."""
    try:
        return tomllib.loads(path.read_text("utf-8"), parse_float=Decimal)
    except (OSError, ValueError) as error:
        raise TutorError(f"{path} cannot be read: {shown(str(error), 120)}; restore the file.") from None


def check_published(worksheet: Worksheet, path: Path | None = None) -> Iterator[Check]:
    """One check a section of the printed numbers and one that none is left out; none for other worksheets."""
    printed = _load(path or worksheet_folder() / "published.toml")
    if printed.get("worksheet") != worksheet.name:
        return
    groups: dict[str, Callable[[], list[Pair]]] = {
        "river, embedding": lambda: _embedding(worksheet, printed["river"]),
        "river, head 1": lambda: _head(worksheet, printed["river"], 0),
        "river, head 2": lambda: _head(worksheet, printed["river"], 1),
        "river, one wide head": lambda: _wide(worksheet, printed["river"]),
        "river, update": lambda: _update(worksheet, printed["river"]),
        "river, next word": lambda: _next_word(worksheet, printed["river"]),
        "cheque": lambda: _cheque(worksheet, printed["cheque"]),
        "batch": lambda: _batch(worksheet, printed),
        "bias": lambda: _bias(worksheet, printed),
        "mixtures": lambda: _mixtures(printed["mixtures"]),
        "models, parameters": lambda: _parameters(printed["models"]),
    }
    compared = 0
    for name, pairs in groups.items():
        check, count = _compare(f"published: {name}", pairs)
        compared += count
        yield check
    yield from _measured(printed["models"])
    there = _count(printed)
    detail = f"{compared} compared, {there} in the file that can be computed"
    yield Check("published: none left out", compared == there, detail)


def _compare(name: str, pairs: Callable[[], list[Pair]]) -> tuple[Check, int]:
    """Whether each number rounds to what is printed; and how many were compared."""
    count, largest = 0, 0.0
    try:
        for printed, computed in pairs():
            for number, value in _flat(printed, computed):
                count += 1
                difference = abs(value - float(number))
                largest = max(largest, difference)
                if not difference <= _half_unit(number) + 1e-12:
                    return Check(name, False, f"printed {number}, computed {value:.9g}"), count
    except (LookupError, TypeError, ValueError, TutorError) as error:
        return Check(name, False, f"cannot be compared: {error!r}"), count
    return Check(name, True, f"{count} numbers, largest difference {largest:.1e}"), count


def _flat(printed: Any, computed: Any) -> Iterator[tuple[Decimal | int, float]]:
    """The numbers of both, side by side; ValueError where their shapes differ."""
    if isinstance(printed, list):
        for item, value in zip(printed, computed, strict=True):
            yield from _flat(item, value)
    else:
        yield printed, float(computed)


def _half_unit(number: Decimal | int) -> float:
    """Half a unit of the last printed digit; nothing for a count, which is exact."""
    return 0.0 if isinstance(number, int) else 0.5 * 10.0 ** int(number.as_tuple().exponent)


def _count(printed: Any) -> int:
    """The numbers that can be computed again."""
    if isinstance(printed, dict):
        return sum(_count(value) for key, value in printed.items() if key not in EXAMPLES | MEASURED)
    if isinstance(printed, list):
        return sum(map(_count, printed))
    return int(isinstance(printed, (Decimal, int)))


def _places(worksheet: Worksheet, section: dict[str, Any]) -> dict[str, int]:
    """Where each word of the section's sentence stands, from 0."""
    return {worksheet.vocabulary[id]: place for place, id in enumerate(section["ids"])}


def _read(worksheet: Worksheet, name: str) -> tuple[int, ...]:
    """The ids of the worksheet's sentence of that name."""
    text = next((sentence.text for sentence in worksheet.sentences if sentence.name == name), "")
    return worksheet.read(text).ids


def _embedding(worksheet: Worksheet, section: dict[str, Any]) -> list[Pair]:
    t = trace_sentence(worksheet, section["ids"])
    return [
        (section["ids"], _read(worksheet, "river")),
        (section["embedding"], t.E[section["receiver"] - 1]),
    ]


def _head(worksheet: Worksheet, section: dict[str, Any], head: int) -> list[Pair]:
    t = trace_sentence(worksheet, section["ids"])
    printed, receiver = section["heads"][head], section["receiver"] - 1
    others = t.messages[head][receiver] - t.contributions[head][receiver][t.strongest(head, receiver)]
    names = ("raw", "scores", "exp", "total", "A", "contributions", "messages")
    return [
        (printed["query"], t.Q[head][receiver]),
        *((printed[name], getattr(t, name)[head][receiver]) for name in names),
        *((printed[name], getattr(t, name)[head]) for name in "QKV"),
        (printed["all_other_sources"], others),
    ]


def _wide(worksheet: Worksheet, section: dict[str, Any]) -> list[Pair]:
    wide = trace_sentence(worksheet.one_wide_head(), section["ids"])
    t = trace_sentence(worksheet, section["ids"])
    places, receiver = _places(worksheet, section), section["receiver"] - 1
    pairs = [(s, wide.scores[0][receiver][places[word]]) for word, s in section["wide_scores"].items()]
    for name, made, head in (("one_wide_head", wide, 0), ("head_1", t, 0), ("head_2", t, 1)):
        printed, A = section["wide_weights"][name], made.A[head][receiver]
        pairs += [(printed[word], A[places[word]]) for word in ("river", "fisherman")]
        pairs += [(printed["others"], 1 - A[places["river"]] - A[places["fisherman"]])]
        pairs += [(printed["value_width"], made.V.shape[-1])]
    return pairs


def _update(worksheet: Worksheet, section: dict[str, Any]) -> list[Pair]:
    t, receiver = trace_sentence(worksheet, section["ids"]), section["receiver"] - 1
    return [(section[name], getattr(t, name)[receiver]) for name in ("joined", "delta_E", "E_prime")]


def _next_word(worksheet: Worksheet, section: dict[str, Any]) -> list[Pair]:
    probabilities = trace_sentence(worksheet, section["ids"]).probabilities[section["receiver"] - 1]
    return [(p, 100 * probabilities[worksheet.vocabulary.index(w)]) for w, p in section["percent"].items()]


def _cheque(worksheet: Worksheet, section: dict[str, Any]) -> list[Pair]:
    t, receiver = trace_sentence(worksheet, section["ids"]), section["receiver"] - 1
    places = _places(worksheet, section)
    return [
        (section["ids"], _read(worksheet, "cheque")),
        (section["messages"], t.messages[:, receiver]),
        *(
            (weight, t.A[head][receiver][places[word]])
            for head, weights in enumerate(section["weights"])
            for word, weight in weights.items()
        ),
        *_next_word(worksheet, section),
    ]


def _batch(worksheet: Worksheet, printed: dict[str, Any]) -> list[Pair]:
    targets = [sentence.target for sentence in worksheet.sentences]
    if printed["batch"]["targets"] != targets:
        raise ValueError(f"targets {printed['batch']['targets']} printed, {targets} in the worksheet")
    t = trace(Weights.of(worksheet), [printed["river"]["ids"], printed["cheque"]["ids"]])
    shapes = {field.name: list(getattr(t, field.name).shape) for field in fields(Trace)}
    shapes["logits"] = list(t.logits[:, -1].shape)
    return [(shape, shapes[name]) for name, shape in printed["batch"]["shapes"].items()]


def _bias(worksheet: Worksheet, printed: dict[str, Any]) -> list[Pair]:
    section, river = printed["bias"], printed["river"]
    query = trace_sentence(worksheet, river["ids"]).Q[0][river["receiver"] - 1]
    return [
        (section["query"], query),
        (section["with_bias"], query + np.array(section["offset"], dtype=np.float64)),
        (section["parameters_without"], attention_parameters(worksheet.d_model, worksheet.n_heads, False)),
        (section["parameters_with"], attention_parameters(worksheet.d_model, worksheet.n_heads, True)),
    ]


def _mixtures(section: dict[str, Any]) -> list[Pair]:
    values = np.array(section["values"], dtype=np.float64)  # [source, coordinate]
    one_weights = np.array(section["one_weights"], dtype=np.float64)  # [source]
    two_weights = np.array(section["two_weights"], dtype=np.float64)  # [coordinate, source]
    return [(section["one"], one_weights @ values), (section["two"], np.diag(two_weights @ values))]


def _parameters(section: dict[str, Any]) -> list[Pair]:
    counted = comparison_parameters()
    return [(model["parameters"], counted[name]) for name, model in section.items()]


def _measured(section: dict[str, Any]) -> Iterator[Check]:
    """What only the source's training run can give: counted, and its perplexities plausible."""
    count = len(section) * len(MEASURED)
    yield Check("published: training runs", True, f"{count} numbers measured by the source, not recomputed")
    ratios = [float(m["perplexity"]) / math.exp(m["cross_entropy"]) for m in section.values()]
    worst = max(abs(ratio - 1) for ratio in ratios)
    detail = f"perplexity against exp(cross-entropy), plausible only: {worst:.2%} apart at most"
    yield Check("published: perplexities", worst < 0.005, detail)
