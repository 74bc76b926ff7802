"""Questions name the place of their answer, their id makes them again, and each tells right from wrong."""

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import forward as judge
from worksheets import RIVER_BANK

from tutor.check.kinds import KINDS, STOPS
from tutor.check.lit import question_for
from tutor.check.questions import Question, ask, question
from tutor.check.selection import all_questions, another, draw
from tutor.check.separation import ROUNDING
from tutor.choice import Choice
from tutor.errors import TutorError
from tutor.export import document, traced
from tutor.lesson import Lesson
from tutor.paths import content_folder

ALL = list(all_questions())
BANK = "river-bank/river/softmax.weight/h1/r7/s6"


def value(document: dict[str, Any], path: str) -> Any:
    """What stands at a path of a JSON document."""
    for key, index in re.findall(r"([A-Za-z_]\w*)|\[(\d+)\]", path):
        document = document[key] if key else document[int(index)]
    return document


def test_every_stop_and_both_heads_are_asked_in_both_worksheets() -> None:
    for worksheet in ("river-bank", "workshop"):
        own = [made for made in ALL if made.worksheet == worksheet]
        assert [stop for stop in STOPS if stop not in {made.stop for made in own}] == []
        for kind in KINDS:
            heads = {made.head for made in own if made.kind == kind}
            assert heads >= ({1, 2} if "head" in kind.uses else {None}), kind.id


def test_an_id_alone_makes_its_question_again() -> None:
    assert len({made.id for made in ALL}) == len(ALL) > 1000
    for made in ALL[::7]:
        assert question(made.id) == made


def test_a_question_is_complete() -> None:
    made = question(BANK)
    assert made.to_document() == {
        "id": BANK,
        "stop": "softmax",
        "head": 1,
        "receiver": 7,
        "source": 6,
        "sentence": "The fisherman sat beside the river bank and watched the",
        "worksheet": "river-bank",
        "prompt": "Head 1 (setting), receiver 7 (bank), source 6 (river): the weight A (3 decimals)",
        "shape": (),
        "decimals": 3,
        "path": "heads[0].A[6][5]",
        "column": None,
        "causal": True,
    }


def test_answers_stand_at_their_path_in_the_trace_and_are_those_of_another_computation() -> None:
    documents: dict[tuple[str, str], Any] = {}
    for made in ALL:
        key = made.worksheet, made.sentence
        if key not in documents:
            choice = Choice(worksheet=made.worksheet, sentence=made.sentence)
            worksheet, words, trace = traced(choice)
            documents[key] = document(worksheet, words, trace), judge(worksheet, trace.ids.tolist())
        printed, judged = documents[key]
        assert np.atleast_1d(value(printed, made.path)) == pytest.approx(made.right, abs=1e-9)
        assert np.atleast_1d(judged[made.kind.field][made.places]) == pytest.approx(made.right, abs=1e-9)
        assert made.right.shape == (made.count,) and np.isfinite(made.right).all()


def test_an_asked_item_tells_right_from_every_misconception_that_moves_it() -> None:
    for made in ALL[::3]:
        unit = 10.0**-made.decimals
        for id, p in made.case.wrong.items():
            apart = np.abs(made.values(p) - made.right)
            moved = not (apart <= 1e-9).all()
            if moved and id not in ROUNDING:
                assert not (apart <= made.bound()).all(), (made.id, id)
                assert not (np.abs(made.values(p).round(made.decimals) - made.right) <= made.bound()).all()
        assert (made.bound() >= unit / 2).all()


def test_the_mask_is_asked_where_it_matters() -> None:
    masked = [made for made in ALL if made.kind.field in ("total", "A", "messages", "joined", "delta_E")]
    assert len(masked) > 100
    for made in masked:
        assert np.abs(made.values(made.case.wrong["no-mask"]) - made.right).max() > made.bound().min()
        assert made.receiver is not None and made.receiver < len(made.sentence.split())
    assert question(BANK).separates
    assert not question("river-bank/river/softmax.weight/h1/r10/s6").separates


def test_what_the_river_cannot_tell_is_asked_in_the_workshop() -> None:
    messages = [made for made in ALL if made.kind.id == "contributions.message"]
    for id in ("keys-as-values", "value-transposed", "key-transposed", "scale-by-root-of-heads"):
        moved = {
            made.worksheet
            for made in messages
            if np.abs(made.values(made.case.wrong[id]) - made.right).max() > 0.01
        }
        assert moved == {"workshop"}


@given(st.lists(st.sampled_from(RIVER_BANK.vocabulary), min_size=1, max_size=10), st.data())
def test_free_sentences_have_ids_too(words: list[str], data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from([kind for kind in KINDS if kind.stop != "batching"]))
    receiver = data.draw(st.integers(1, len(words)))
    positions = {"head": 2, "receiver": receiver, "source": data.draw(st.integers(1, receiver)), "column": 3}
    causal = data.draw(st.booleans())
    made = ask(kind, "river-bank", " ".join(words), {use: positions[use] for use in kind.uses}, causal)
    assert question(made.id) == made
    assert made.causal is causal and made.sentence.split() == words


def test_words_and_paths_with_odd_signs_survive_the_id(tmp_path: Any) -> None:
    text = (content_folder().parent / "worksheet" / "river-bank.toml").read_text("utf-8")
    path = tmp_path / "a b" / "é [1].toml"
    path.parent.mkdir()
    path.write_text(text.replace("queue     =", '"a/b=+%"    =').replace('"queue"', '"a/b=+%"'), "utf-8")
    made = ask(KINDS[0], str(path), "the a/b=+%", {"source": 2})
    assert (
        question(made.id) == made and made.id.count("/") == 3 and made.right.tolist() == [0.0, 2.1, 0.5, 0.0]
    )


@pytest.mark.parametrize(
    ("id", "told"),
    [
        ("", "an id is"),
        ("river-bank/river/softmax.weight", "needs a head"),
        (BANK.replace("r7", "r11"), "receiver from 1 to 10"),
        (BANK.replace("s6", "s8"), "blocked"),
        (BANK.replace("h1", "h3"), "head from 1 to 2"),
        (BANK.replace("/river/", "/nobody/"), "one of river, cheque"),
        (BANK.replace("/river/", "/=the+zebra/"), "zebra"),
        (BANK.replace("river-bank", "nowhere"), "no worksheet nowhere"),
        (BANK + "/c1", "no column"),
        (BANK + "/x9", "no position"),
        ("river-bank/river/softmax.weight/s6/r7/h1", "write it as"),
        ("river-bank/=the/batching.weight/h1/r1/s1", "a batch is made"),
        ("/" * 50, "an id is"),
        ("a\x00b/c/softmax.weight/h1", "no worksheet"),
    ],
)
def test_ids_of_nothing(id: str, told: str) -> None:
    with pytest.raises(TutorError, match=told):
        question(id)


def test_draws_are_seeded_and_spread() -> None:
    first, again, other = draw(11, 1), draw(11, 1), draw(11, 2)
    assert first == again != other
    assert [made.stop for made in first] == list(STOPS)
    assert {made.worksheet for made in draw(40, 3)} == {"river-bank", "workshop"}
    assert {made.head for made in draw(40, 3)} == {None, 1, 2, 3}
    assert {made.stop for made in draw(5, 1, stop="scores")} == {"scores"}
    assert all(made.separates for made in draw(40, 4))
    assert len(draw(10_000, 1, stop="query")) == len(list(all_questions(stop="query")))


def test_draws_that_cannot_be() -> None:
    with pytest.raises(TutorError, match="at least 1"):
        draw(0)
    with pytest.raises(TutorError, match="the stops with questions are embed"):
        draw(3, stop="nowhere")


def test_a_stop_of_the_lesson_names_its_head() -> None:
    listed = list(all_questions("river-bank", "scores-2"))
    assert listed and {(made.stop, made.head) for made in listed + draw(5, 1, stop="scores-2")} == {
        ("scores", 2)
    }
    with pytest.raises(TutorError, match="no questions at welcome-2"):
        draw(3, stop="welcome-2")


def test_another_question_has_other_numbers() -> None:
    made = question(BANK)
    other = another(made, [], 1)
    assert other != made and (other.kind, other.head) == (made.kind, made.head) and other.separates


def test_the_lit_cell_of_every_stop_has_a_question() -> None:
    lesson, sentence = Lesson.load(content_folder()), "the fisherman sat"
    for stop in lesson.stops:
        made = question_for(stop.id, "river-bank", sentence, 1, 2, 1, 0)
        if stop.screen_id in STOPS and stop.screen_id not in ("scores", "batching"):
            assert isinstance(made, Question) and question(made.id) == made


@pytest.mark.parametrize(
    ("stop", "column", "beat", "path"),
    [
        ("embed", 2, None, "E[1][2]"),
        ("query", 1, None, "heads[1].Q[2][1]"),
        ("query-2", 0, None, "heads[1].Q[2][0]"),
        ("keys-values", 1, None, "heads[1].Q[2][1]"),
        ("keys-values", 3, None, "heads[1].K[1][1]"),
        ("keys-values", 5, None, "heads[1].V[1][1]"),
        ("scores", 2, None, "heads[1].raw[2][1]"),
        ("softmax", 1, None, "heads[1].scores[2][1]"),
        ("softmax-2", 3, None, "heads[1].A[2][1]"),
        ("contributions", 1, None, "heads[1].contributions[2][1][1]"),
        ("concat", 3, None, "joined[2][3]"),
        ("output", 3, None, "delta_E[2][3]"),
        ("residual", 3, None, "E_prime[2][3]"),
        ("prediction", 3, "row", "E_prime[2][3]"),
        ("prediction", 7, "hidden", "hidden[2][7]"),
        ("prediction", 12, "logits", "logits[2][12]"),
        ("prediction", 12, "shares", "probabilities[2][12]"),
    ],
)
def test_the_lit_cell_is_the_one_asked(stop: str, column: int, beat: str | None, path: str) -> None:
    made = question_for(stop, "river-bank", "the fisherman sat", 1, 2, 1, column, True, beat)
    assert made is not None and (made.path, made.shape) == (path, ())
    assert question(made.id) == made


def test_cells_without_a_question() -> None:
    assert question_for("softmax", "river-bank", "the fisherman sat", 0, 1, 2, 3) is None, "blocked"
    assert question_for("softmax", "river-bank", "the fisherman sat", 0, 1, 2, 3, False) is not None
    assert question_for("nowhere", "river-bank", "the fisherman sat", 0, 1, 1, 0) is None
    assert question_for("embed", "river-bank", "the zebra", 0, 1, 1, 0) is None
    assert question_for("embed", "river-bank", "the fisherman", 0, 1, 1, 4) is None
