"""The batching screen against the batch itself: the modules' tensors, reshaped rightly and wrongly."""

import tomllib
from typing import Any

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from worksheets import CHEQUE_IDS, FOLDER, RIVER_BANK, RIVER_IDS, made

from tutor.draw.line import text_of
from tutor.engine.model import TinyMultiHeadLM, pad_left
from tutor.engine.start import engine
from tutor.engine.worksheet import Worksheet
from tutor.focus import Focus
from tutor.lesson import Lesson
from tutor.paths import content_folder
from tutor.screens.batch_steps import MERGE, PAD, SPLIT, Batch
from tutor.view import View

LESSON = Lesson.load(content_folder())
RIVER = RIVER_BANK.sentences[0].text
STEPS = (
    "ids", "E", "Q", "reshape", "split", "scores", "A", "messages", "merge", "joined", "E_prime", "logits"
)  # fmt: skip


def view_of(worksheet: Worksheet, text: str, beat: int = 0, **focus: Any) -> View:
    place = Focus("x", text, "batching", beat, **focus)
    return LESSON.view(LESSON.clamp(place, worksheet), worksheet, engine(), 80)


def texts(values: Any, decimals: int = 3) -> list[str]:
    return [f"{value:z.{decimals}f}".replace("-", "−") for value in values]


@torch.inference_mode()
def tensors(worksheet: Worksheet, batch: list[tuple[int, ...]]) -> dict[str, Any]:
    """Every step of the batch from the modules, and the two reshapes without the transpose."""
    model = TinyMultiHeadLM.from_worksheet(worksheet)
    attention = model.attention
    ids, pad = pad_left(batch)
    E = model.embed(ids, pad)
    B, T, H, d = len(ids), len(ids[0]), attention.n_heads, attention.d_head
    Q, K, V = (projection(E) for projection in (attention.W_Q, attention.W_K, attention.W_V))
    split, K, V = (packed.reshape(B, T, H, d).transpose(1, 2) for packed in (Q, K, V))
    delta_E, A = attention(E, True, pad)
    messages = A @ V
    merge = messages.transpose(1, 2)
    return {
        "pad": pad, "ids": torch.tensor(ids), "E": E, "Q": Q, "reshape": Q.reshape(B, T, H, d),
        "split": split, "scores": split @ K.mT / d**0.5, "A": A, "messages": messages, "merge": merge,
        "joined": merge.reshape(B, T, H * d), "E_prime": E + delta_E, "logits": model(ids, pad),
        "wrong split": Q.reshape(B, H, T, d), "wrong merge": messages.reshape(B, T, H, d),
        "pad split": pad[..., None].expand(B, T, H * d).reshape(B, H, T, d),
        "pad merge": pad[:, None, :, None].expand(B, H, T, d).reshape(B, T, H, d),
    }  # fmt: skip


def test_the_shapes_are_the_published_ones() -> None:
    batch = Batch(view_of(RIVER_BANK, RIVER))
    shapes = dict(zip(STEPS, map(batch.shape, batch.steps(0)), strict=True))
    printed = tomllib.loads((FOLDER / "published.toml").read_text("utf-8"))["batch"]["shapes"]
    for name, shape in printed.items():
        step = "split" if name == "Q" else name
        assert shapes[step] == str(shape).replace(" ", ""), name
    expected = tensors(RIVER_BANK, [RIVER_IDS, CHEQUE_IDS])
    for name, shape in shapes.items():
        assert shape == str(list(expected[name].shape)).replace(" ", ""), name


@settings(max_examples=60)
@given(st.data(), st.integers(0, 50))
def test_the_followed_cell_is_the_batch_s(data: st.DataObject, seed: int) -> None:
    """Any fitting worksheet, sentence, head, receiver and source; PAD rows stand where the batch has them."""
    d_head, heads = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
    worksheet = made(
        seed,
        d_model=heads * d_head,
        d_head=d_head,
        d_v=d_head,
        heads=heads,
        hidden=3,
        vocabulary=6,
        context=6,
    )
    words = data.draw(st.lists(st.sampled_from(worksheet.vocabulary), min_size=1, max_size=6))
    receiver = data.draw(st.integers(0, len(words) - 1))
    view = view_of(
        worksheet, " ".join(words), 6,
        head=data.draw(st.integers(0, heads - 1)), receiver=receiver,
        source=data.draw(st.integers(0, receiver)),
    )  # fmt: skip
    batch = Batch(view)
    other = worksheet.read(" ".join(view.other_words)).ids
    expected = tensors(worksheet, [worksheet.read(view.focus.sentence).ids, other])
    at = {axis: place - 1 for axis, place in batch.at.items()}
    for name, step in zip(STEPS, batch.steps(view.head), strict=True):
        found = expected[name][tuple(at[axis] for axis in step.axes.split() if axis != "·")]
        if name == "ids":
            assert step.texts[step.lit] == str(int(found))
        elif name == "logits":
            assert step.result == texts(found[step.lit : step.lit + 1])[0]
            assert step.lit == int(found.argmax())
        else:
            assert list(step.texts) == texts(found.reshape(-1)), name
    for step, name, where in (
        (SPLIT, "split", (0, at["h"], at["i"])),
        (MERGE, "merge", (0, at["i"], at["h"])),
    ):
        if expected[f"pad {name}"][where].any():
            assert batch.wrong(step) == [PAD] * d_head
        else:
            assert batch.wrong(step) == texts(expected[f"wrong {name}"][where])
    moved = batch.misplaced(SPLIT)[1:] != (at["i"], at["h"])
    assert moved == (batch.misplaced(MERGE)[1:] != (at["i"], at["h"]))


def stage_text(view: View) -> str:
    stage = LESSON.stop("batching").screen.render(view)
    return "\n".join(map(text_of, [*stage.pinned, *stage.body, stage.working]))


def test_a_shorter_sentence_is_padded_on_the_left() -> None:
    view = view_of(RIVER_BANK, "She watched the bank", 6, receiver=2)
    text = stage_text(view)
    assert "PAD PAD PAD PAD PAD PAD   8   7  ‹0›  5" in text
    assert "i receiver 6+3=9 of 10" in text
    assert " i  =  6 PAD + word 3  =  9" in text
    longer = stage_text(view_of(RIVER_BANK, " ".join(["the"] * 10), 0))
    assert "PAD" not in longer


def test_where_nothing_moves_the_prose_says_so() -> None:
    screen = LESSON.stop("batching").screen
    corner = screen.facts(view_of(RIVER_BANK, RIVER, 5, head=1))
    assert corner["slip"].text == "This cell happens to stay in place; others do not"
    inside = screen.facts(view_of(RIVER_BANK, RIVER, 5))
    assert inside["slip"].text.startswith("Here row 10 of head 1 gets row 5 of head 2")
    alone = made(0, d_model=2, d_head=2, d_v=1, heads=1, hidden=1, vocabulary=2, context=3)
    assert screen.facts(view_of(alone, "word0 word1", 5))["slip"].text.startswith("With 1 head every number")


def test_the_worked_line_of_each_step() -> None:
    lines = [text_of(LESSON.stop("batching").screen.render(view_of(RIVER_BANK, RIVER, 4, column=c)).working)
             for c in range(12)]  # fmt: skip
    assert lines == [
        " ids[1, 10]  =  id of “the”  =  0",
        " E[1, 10, 4]  =  2.4 − 0.1  =  2.3",
        " Q[1, 10, 1]  =  0.0×0 + 0.0×0 + 0.0×0 + 2.3×1  =  2.3",
        " Q[1, 10, 1, 1]  =  number 1 of Q[1, 10]  =  2.3",
        " Q[1, 1, 10, 1]  =  [1, 10, 1, 1] before  =  2.3",
        " s[1, 1, 10, 6]  =  6.90 / √2  =  4.879",
        " A[1, 1, 10, 6]  =  131.504 / 183.244  =  0.718",
        lines[7],
        " H[1, 10, 1, 1]  =  [1, 1, 10, 1] before  =  2.617",
        " joined[1, 10, 1]  =  H[1, 10, 1, 1]  =  2.617",
        " E′[1, 10, 1]  =  0.000 + 3.005  =  3.005",
        lines[11],
    ]
    assert lines[7].startswith(" H[1, 1, 10, 1]  =  0.006×0.1 + 0.166×2.0 + ")
    assert lines[7].endswith("  =  2.617")
    assert lines[11].startswith(" logits[1, 13]  =  3.005×1.5 + ")
    assert lines[11].endswith("  =  5.204")
