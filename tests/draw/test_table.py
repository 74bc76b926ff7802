"""Tables: columns on their last digit, one lit cell, whole columns in the window."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.draw.line import Ink, Span, text_of, width_of
from tutor.draw.shade import bar
from tutor.draw.table import Cell, Column, Row, Table, lit, number_row


def table(width: int, active: int = 0, columns: int = 3, rows: int = 2) -> Table:
    """Columns 6 wide, which take 10 cells each, behind names of 15."""

    def row(y: int) -> Row:
        name = (Span(f" {y + 1} {'river' if y else 'fisherman of men'}"),)
        return Row(name, lambda c: lit(Cell("−0.23")) if (y, c) == (1, active) else Cell("7.13"))

    return Table([Column(f"col {c}", 6, "A") for c in range(columns)], rows, row, width, active)


def drawn(made: Table) -> list[str]:
    return [text_of(line) for line in [*made.header(), *made.body()]]


def test_columns_end_below_their_titles() -> None:
    assert drawn(table(80, active=1)) == [
        "                   col 0     col 1     col 2",
        " 1 fisherman o…     7.13      7.13      7.13",
        " 2 river            7.13    ‹−0.23›     7.13",
    ]


def test_a_narrow_window_shows_whole_columns_around_the_active_one() -> None:
    assert drawn(table(36, active=2)) == [
        " ‹ columns 2–3 of 3 ›",
        "                   col 1     col 2",
        " 1 fisherman o…     7.13      7.13",
        " 2 river            7.13    ‹−0.23›",
    ]


def test_groups_stand_above_their_columns() -> None:
    columns = [Column("a", 4, group="head 1"), Column("b", 4, group="head 1"), Column("a", 4, group="head 2")]
    made = Table(columns, 0, lambda y: None, 80, name_width=4)
    assert [text_of(line) for line in made.header()] == [
        "       head 1          head 2",
        "          a       b       a",
    ]


def test_a_missing_row_is_blank() -> None:
    made = Table([Column("a", 4)], 1, lambda y: None, 80)
    assert list(made.body()) == [()]


@given(st.integers(26, 130), st.integers(1, 40), st.data())
def test_the_window_holds_the_active_column_and_fits(width: int, columns: int, data: st.DataObject) -> None:
    active = data.draw(st.integers(0, columns - 1))
    made = table(width, active, columns)
    assert active in made.shown
    assert len(made.shown) == min(columns, (width - 15) // 10)
    assert all(width_of(line) <= width for line in [*made.header(), *made.body()])


def test_only_rows_that_are_looked_at_are_made() -> None:
    made = table(80, rows=10**9).body()
    assert text_of(made.line(10**9 - 1)).startswith(" 1000000000 ri")


def test_the_row_s_ground_runs_through() -> None:
    made = Table([Column("a", 4)], 1, lambda y: Row((Span("x"),), lambda c: Cell("1"), Ink(lit=True)), 80)
    assert [ink.lit for text, ink in made.body().line(0) if "1" in text] == [True]


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, ""), (0.0001, "▏"), (0.5, "██"), (1.0, "████"), (0.625, "██▌"), (0.28125, "█▏")],
)
def test_bar(share: float, text: str) -> None:
    assert bar(share, 4) == text


@given(st.floats(0, 1), st.integers(1, 30))
def test_a_bar_fits(share: float, width: int) -> None:
    assert len(bar(share, width)) <= width


def test_a_row_of_numbers() -> None:
    line = number_row(" e", "E", ["3.0", "−0.1", "0.0"], 1, 80)
    assert text_of(line) == " e       [    3.0  ‹−0.1›   0.0  ]"


def test_a_wide_row_shows_the_numbers_around_the_active_one() -> None:
    texts = [f"{value}.000" for value in range(30)]
    line = text_of(number_row(" hidden", "text", texts, 20, 60))
    assert "‹20.000›" in line
    assert line.endswith("›") and " of 30 ›" in line
    assert len(line) <= 60
