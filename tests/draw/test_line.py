"""Inked lines: wrapped at blanks, cut and fitted by terminal cells."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tutor.draw.line import (
    EMPTY,
    Ink,
    Line,
    Rows,
    Span,
    cut,
    ends,
    fit,
    flow,
    pad,
    rows,
    stack,
    text_of,
    width_of,
    wrap,
)

texts = st.text("ab é你好,.", max_size=60)
inks = st.sampled_from([Ink(), Ink("Q"), Ink("A", bold=True)])
lines = st.lists(st.builds(Span, texts, inks), max_size=6).map(tuple)
widths = st.integers(4, 90)


@given(lines, widths)
def test_wrapping_stays_within_the_width(line: Line, width: int) -> None:
    assert all(width_of(made) <= width - 1 for made in wrap(line, width))


@given(lines, widths)
def test_wrapping_loses_nothing(line: Line, width: int) -> None:
    letters = "".join(text for text, _ in line).replace(" ", "")
    made = wrap(line, width)
    assert "".join(text_of(part) for part in made).replace(" ", "") == letters


@given(lines)
def test_words_that_fit_stay_whole(line: Line) -> None:
    words = "".join(text for text, _ in line).split(" ")
    longest = max(map(cell_len, words))
    made = wrap(line, longest + 2)
    assert " ".join(text_of(part).strip() for part in made).split() == [word for word in words if word]


def test_wrapping_keeps_the_inks() -> None:
    line = (Span("the "), Span("query", Ink("Q")), Span(", not a key"))
    assert wrap(line, 14) == [
        (Span(" "), Span("the"), Span(" "), Span("query", Ink("Q")), Span(",")),
        (Span(" "), Span("not"), Span(" "), Span("a"), Span(" "), Span("key")),
    ]


def test_no_words_are_one_empty_line() -> None:
    assert wrap(EMPTY, 20) == [(Span(" "),)]


@given(lines, widths)
def test_a_cut_line_fits(line: Line, width: int) -> None:
    made = cut(line, width)
    if width_of(line) <= width:
        assert made == line
    else:
        assert width_of(made) <= width
        assert text_of(made).endswith("…")


def test_cutting_does_not_split_a_wide_character() -> None:
    assert text_of(cut((Span("ab你好"),), 5)) == "ab你…"
    assert text_of(cut((Span("ab"), Span("你好", Ink("Q"))), 4)) == "ab …"


@given(texts, widths, st.booleans())
def test_a_fitted_word_has_exactly_the_width(word: str, width: int, right: bool) -> None:
    made = fit(word, width, right)
    assert cell_len(made) == width
    assert word.strip() in made if cell_len(word) <= width else "…" in made


def test_fit() -> None:
    assert fit("river", 7) == "river  "
    assert fit("river", 7, right=True) == "  river"
    assert fit("fisherman", 6) == "fishe…"
    assert fit("你好吗", 4) == "你… "


@given(lines, lines, widths)
def test_two_ends(left: Line, right: Line, width: int) -> None:
    made = ends(left, right, width)
    assert width_of(made) == max(width, width_of(left) + 1 + width_of(right))
    assert made[: len(left)] == left
    assert made[len(made) - len(right) :] == right


@given(lines, widths)
def test_padding(line: Line, width: int) -> None:
    assert width_of(pad(line, width)) == max(width, width_of(line))


def test_stacked_rows_are_made_when_they_are_looked_at() -> None:
    looked: list[int] = []

    def line(y: int) -> Line:
        looked.append(y)
        return (Span(str(y)),)

    both = stack(rows([(Span("first"),)]), Rows(10**9, line))
    assert both.count == 10**9 + 1
    assert text_of(both.line(0)) == "first"
    assert text_of(both.line(6)) == "5"
    assert looked == [5]


def test_pieces_flow_into_lines() -> None:
    pieces = [(Span("hidden"),), (Span(" → logits"),), (Span(" → shares"),)]
    assert [text_of(line) for line in flow(pieces, 16)] == ["hidden → logits", " → shares"]
    assert [text_of(line) for line in flow(pieces, 4)] == ["hidden", " → logits", " → shares"]
    assert len(flow(pieces, 40)) == 1
