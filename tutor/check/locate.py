"""Where an unknown mistake lies: the pass undone step by step from what a function returned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from tutor.check.attempt import Answer
from tutor.check.probes import Array, Case, Problem
from tutor.check.report import Diagnosis
from tutor.check.weights import locate_weights
from tutor.engine.slips import joined_heads, split
from tutor.engine.variants import VARIANTS

Own = Mapping[str, Mapping[tuple[Problem, int | None], Array]]
"""What the learner's functions returned, by function, then by problem and head."""
Place = tuple[str, str]
"""A step of the pass, and why it is that one."""

_STEPS = {
    "split": "splitting into heads",
    "project": "the queries, keys and values",
    "raw": "the raw scores",
    "scale": "the scaling",
    "mask": "the mask",
    "softmax": "the softmax",
    "mix": "the messages, A V",
    "join": "joining the heads",
    "output": "the product with W_O",
    "residual": "adding E",
}
_LOOSE = 1e-4
_WORST_CONDITION = 1e4
_ALONE = "even a single token is wrong, whose weight is 1, so the weights are not the cause"


def locate(function: str, answers: Sequence[Answer], own: Own) -> Diagnosis:
    """The step to look at, and why."""
    stage, why = _WAYS[function](answers, own)
    return Diagnosis("unknown", stage, f"Not a mistake that is known here. Look at {_STEPS[stage]}: {why}.")


def _weights(answers: Sequence[Answer], own: Own) -> Place:
    return locate_weights(answers)


def _head(answers: Sequence[Answer], own: Own) -> Place:
    weights = _own("attention_weights", answers, own)
    if weights and all(answer.is_right for answer in weights):
        return "mix", "your attention_weights is right, so the values or the product A V are not"
    if weights and _all_near((w.got @ _values(w), a.got) for w, a in zip(weights, answers, strict=True)):
        stage, why = _weights(weights, own)
        return stage, _first_mend("attention_weights", why)
    if (factor := _factor(answers)) is not None:
        return "mix", f"your messages are {factor:.4g} times the right ones"
    shares = [_share(answer) for answer in answers if len(answer.got) == 1]
    if None in shares:
        return "project", f"{_ALONE}: the values, or the product A V, are"
    undone = [
        Answer(Case("attention_weights", a.case.problem, a.case.head), a.got @ np.linalg.pinv(_values(a)))
        for a in answers
        if np.linalg.matrix_rank(_values(a)) == len(a.got)
    ]
    return _weights(undone, own) if shares and undone else _by_rows(answers)


def _multi_head(answers: Sequence[Answer], own: Own) -> Place:
    heads = [_own("head", _each_head(answer), own) for answer in answers]
    if all(heads) and all(answer.is_right for several in heads for answer in several):
        return "output", "your head is right, so joining the heads or the product with W_O is not"
    if all(heads) and _all_near(
        (joined_heads([head.got for head in several]) @ answer.case.problem.givens.W_O, answer.got)
        for several, answer in zip(heads, answers, strict=True)
    ):
        stage, why = _head([head for several in heads for head in several], own)
        return stage, _first_mend("head", why)
    if (factor := _factor(answers)) is not None:
        return "output", f"your updates are {factor:.4g} times the right ones"
    undone = [
        part
        for answer in answers
        if np.linalg.cond(answer.case.problem.givens.W_O) < _WORST_CONDITION
        for part in _each_head(answer)
    ]
    if None in [_share(part) for part in undone if len(part.got) == 1]:
        return "output", f"{_ALONE}: the values, the joining or W_O are"
    return _head(undone, {})


def _block(answers: Sequence[Answer], own: Own) -> Place:
    updates = _own("multi_head", answers, own)
    rows = [answer.case.problem.right.E for answer in answers]
    if updates and all(answer.is_right for answer in updates):
        return "residual", "your multi_head is right, so adding it to E is not"
    if updates and _all_near((E + u.got, a.got) for E, u, a in zip(rows, updates, answers, strict=True)):
        stage, why = _multi_head(updates, own)
        return stage, _first_mend("multi_head", why)
    parts = np.concatenate(
        [
            np.stack([E, a.case.problem.right.delta_E], -1).reshape(-1, 2)
            for E, a in zip(rows, answers, strict=True)
        ]
    )
    got = np.concatenate([answer.got.ravel() for answer in answers])
    mixture = np.linalg.lstsq(parts, got, rcond=None)[0]
    if _near(parts @ mixture, got) and not _near(mixture[:1], np.ones(1)):
        return "residual", f"you return {mixture[0]:.4g} E + {mixture[1]:.4g} ΔE"
    undone = [
        Answer(Case("multi_head", a.case.problem), a.got - E) for E, a in zip(rows, answers, strict=True)
    ]
    return _multi_head(undone, {})


def _moved(answers: Sequence[Answer], own: Own) -> Place:
    stage = "split" if answers[0].case.function == "split_heads" else "join"
    same = all(_near(np.sort(a.got, None), np.sort(a.case.expected, None)) for a in answers)
    return (
        stage,
        "the right numbers stand in other places" if same else "numbers are changed, only places should be",
    )


_WAYS = {
    "attention_weights": _weights,
    "head": _head,
    "split_heads": _moved,
    "merge_heads": _moved,
    "multi_head": _multi_head,
    "block": _block,
}


def _by_rows(answers: Sequence[Answer]) -> Place:
    """The step in which most of those known mistakes lie that leave the same rows right."""
    rows = [answer.right_rows(answer.got) for answer in answers]
    stages: Counter[str] = Counter()
    for variant in VARIANTS:
        made = [answer.case.problem.wrong.get(variant.id) for answer in answers]
        if variant.stage in _STEPS and all(
            p is not None and answer.right_rows(answer.case.of(p)) == right
            for p, answer, right in zip(made, answers, rows, strict=True)
        ):
            stages[variant.stage] += 1
    if stages:
        told = " or ".join(_STEPS[stage] for stage, _ in stages.most_common(3))
        return stages.most_common(1)[0][0], f"the same rows are right where the mistake is in {told}"
    if all(right[0] for right in rows):
        return "raw", "row 1 is right, which reads only itself, so the scores or the softmax are not"
    return "project", "row 1 is wrong, which reads only itself, so it is not the weights alone"


def _first_mend(function: str, why: str) -> str:
    """What is wrong in a function that the result follows from."""
    return why if why.startswith("mend ") else f"mend {function} first, from which this follows; {why}"


def _own(function: str, answers: Sequence[Answer], own: Own) -> list[Answer]:
    """What the learner's other function gave for the same problems; none where that is not known for all."""
    known = own.get(function, {})
    keys = [(answer.case.problem, answer.case.head) for answer in answers]
    if not all(key in known for key in keys):
        return []
    return [Answer(Case(function, *key), known[key]) for key in keys]


def _each_head(answer: Answer) -> list[Answer]:
    """An update undone to the heads' messages."""
    problem = answer.case.problem
    W_O = problem.givens.W_O
    parts = split(answer.got @ np.linalg.pinv(W_O), len(problem.givens.W_Q))
    return [Answer(Case("head", problem, head), part) for head, part in enumerate(parts)]


def _values(answer: Answer) -> Array:
    return answer.case.problem.right.V[answer.case.head]


def _factor(answers: Sequence[Answer]) -> float | None:
    """How many times the right numbers all numbers are."""
    got = np.concatenate([answer.got.ravel() for answer in answers])
    right = np.concatenate([answer.case.expected.ravel() for answer in answers])
    factor = float(got @ right / (right @ right))
    return factor if _near(got, factor * right) else None


def _share(answer: Answer) -> float | None:
    """The weight that a single token's message shows; None where it is no multiple of its value."""
    value = answer.case.expected[0]
    share = float(answer.got[0] @ value / (value @ value))
    return share if _near(answer.got[0], share * value) else None


def _near(numbers: Array, other: Array) -> bool:
    return bool((np.abs(numbers - other) <= _LOOSE * np.abs(other).max(initial=1.0)).all())


def _all_near(pairs: Iterable[tuple[Array, Array]]) -> bool:
    return all(_near(numbers, other) for numbers, other in pairs)
