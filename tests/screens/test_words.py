"""Any sentence and any worksheet: every screen is drawn and fits."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from worksheets import RIVER_BANK, scaled_up, sentences, worksheets

from tutor.draw.line import text_of, width_of
from tutor.draw.number import Numbers
from tutor.engine.sketch import sketch
from tutor.engine.worksheet import Head, ReadySentence, Worksheet
from tutor.frame import frame
from tutor.lesson import Lesson
from tutor.paths import content_folder

LESSON = Lesson.load(content_folder())


def check(worksheet: Worksheet, data: st.DataObject, cut: bool = True) -> None:
    """Every beat of one stop, at positions drawn from the data, fits its window; from 80 cells on uncut."""
    ids = data.draw(sentences(worksheet))
    place = st.none() | st.integers(0, len(ids) - 1)
    stop = data.draw(st.sampled_from(LESSON.stops))
    width = data.draw(st.sampled_from([40, 60, 80, 100, 120, 132]))
    numbers = Numbers(data.draw(st.sampled_from([0, 2])), data.draw(st.booleans()))
    focus = replace(
        LESSON.start(worksheet, "any"),
        sentence=" ".join(worksheet.vocabulary[id] for id in ids),
        stop=stop.id,
        head=data.draw(st.integers(0, worksheet.n_heads - 1)),
        receiver=data.draw(place),
        source=data.draw(place),
        causal=data.draw(st.booleans()),
    )
    for beat in range(len(stop.beats)):
        here = replace(focus, beat=beat)
        order = stop.screen.columns(LESSON.view(here, worksheet, sketch, width, numbers)).order
        column = data.draw(st.none() | st.sampled_from(list(order)))
        view = LESSON.view(replace(here, column=column), worksheet, sketch, width, numbers)
        made = frame(LESSON, view)
        stage = made.stage if cut or width < 80 else stop.screen.render(view)
        assert text_of(stage.working)
        assert 0 <= made.stage.keep < max(1, made.stage.body.count)
        for line in [*made.lines(), *stage.pinned, *stage.body, stage.working]:
            assert width_of(line) <= width, text_of(line)


@given(st.data())
def test_any_sentence_of_the_lesson(data: st.DataObject) -> None:
    check(RIVER_BANK, data, cut=False)


@settings(max_examples=200)
@given(st.data(), worksheets())
def test_any_worksheet(data: st.DataObject, worksheet: Worksheet) -> None:
    check(worksheet, data, cut=False)


@given(st.data(), worksheets(), st.sampled_from([1e-6, 30.0, 1e5]))
def test_numbers_of_any_size(data: st.DataObject, worksheet: Worksheet, factor: float) -> None:
    check(scaled_up(worksheet, factor), data)


names = st.text("aé你 -,.", min_size=1, max_size=40).filter(str.strip)
words = st.text("aé你-,.", min_size=1, max_size=40)


@st.composite
def renamed(draw: st.DrawFn) -> Worksheet:
    """A worksheet whose words, axes and labels are long or wide."""
    sheet = draw(worksheets())

    def fresh(count: int) -> tuple[str, ...]:
        return tuple(draw(names) for _ in range(count))

    heads = tuple(
        Head(
            draw(names), head.W_Q, head.W_K, head.W_V,
            fresh(sheet.d_head), fresh(sheet.d_head), fresh(sheet.d_v),
        )
        for head in sheet.heads
    )  # fmt: skip
    n_vocab = sheet.n_vocab
    vocabulary = tuple(draw(st.lists(words, min_size=n_vocab, max_size=n_vocab, unique=True)))
    first = vocabulary[0]
    ready = (ReadySentence("first", first, first, (first,)),)
    return replace(sheet, axes=fresh(sheet.d_model), heads=heads, vocabulary=vocabulary, sentences=ready)


@given(st.data(), renamed())
def test_names_of_any_width(data: st.DataObject, worksheet: Worksheet) -> None:
    check(worksheet, data)


@given(st.data(), st.booleans())
def test_the_softmax_speaks_of_blocked_words_where_some_are(data: st.DataObject, causal: bool) -> None:
    ids = data.draw(sentences(RIVER_BANK))
    sentence = " ".join(RIVER_BANK.vocabulary[id] for id in ids)
    start = replace(LESSON.start(RIVER_BANK, "any"), sentence=sentence, causal=causal)
    receiver = data.draw(st.none() | st.integers(0, len(ids) - 1))
    focus = replace(LESSON.enter(start, "softmax", 4), receiver=receiver)
    made = frame(LESSON, LESSON.view(focus, RIVER_BANK, sketch, 80))
    prose = " ".join(map(text_of, made.prose))
    assert ("marked ×" in prose) == any("×" in text_of(line) for line in made.stage.body)
    assert ("mask is off" in prose) != causal
