"""Numbers as the lesson writes them: rounded once, a true minus, no negative zero."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.draw.number import Numbers, added, decimals_of, factor, fixed, on_point, subscript, superscript
from tutor.draw.number import given as as_given

usual = st.floats(-9e6, 9e6)
decimals = st.integers(1, 6)


def read(text: str) -> Decimal:
    return Decimal(text.replace("\N{MINUS SIGN}", "-"))


@given(usual, decimals)
def test_a_number_is_within_half_a_unit_of_its_text(value: float, places: int) -> None:
    text = fixed(value, places)
    assert abs(read(text) - Decimal(value)) <= Decimal(5).scaleb(-places - 1)
    assert len(text.partition(".")[2]) == places


@given(usual, decimals)
def test_the_minus_is_true_and_zero_has_none(value: float, places: int) -> None:
    text = fixed(value, places)
    assert "-" not in text
    assert text.startswith("\N{MINUS SIGN}") == (read(text) < 0)


@given(st.floats(1e7, allow_infinity=False), decimals, st.booleans())
def test_a_huge_number_is_short(value: float, places: int, negative: bool) -> None:
    text = fixed(-value if negative else value, places)
    assert abs(abs(read(text)) / Decimal(value) - 1) <= Decimal(10) ** -places
    assert len(text) <= places + len("−1.e308")


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (-0.0004, 3, "0.000"),
        (-0.0, 2, "0.00"),
        (-0.23, 2, "−0.23"),
        (131.504, 3, "131.504"),
        (6.9, 2, "6.90"),
        (1234567890.0, 3, "1.235e9"),
        (-1e300, 3, "−1.000e300"),
        (float("-inf"), 3, "×"),
        (float("inf"), 3, "∞"),
        (float("nan"), 3, "?"),
    ],
)
def test_fixed(value: float, places: int, text: str) -> None:
    assert fixed(value, places) == text


def test_the_policy() -> None:
    numbers = Numbers()
    assert numbers.raw(6.9) == "6.90"
    assert numbers.real(0.7176) == "0.718"
    assert numbers.percent(0.6101) == "61.0 %"
    assert numbers.row([2.6174, -0.0179]) == "[2.617, −0.018]"
    assert [numbers.change(value) for value in (0.7116, -0.8352, 0.0004, -0.0004)] == [
        "+0.712",
        "−0.835",
        "0.000",
        "0.000",
    ]


def test_more_decimals() -> None:
    numbers = Numbers(more=2)
    assert (numbers.raw(6.9), numbers.real(2 / 3), numbers.percent(2 / 3)) == (
        "6.9000",
        "0.66667",
        "66.667 %",
    )


@given(usual, st.integers(0, 3))
def test_waiting_takes_the_final_width(value: float, more: int) -> None:
    known, waiting = Numbers(more), Numbers(more, waiting=True)
    for name in ("raw", "real", "change", "percent"):
        text = getattr(waiting, name)(value)
        assert len(text) == len(getattr(known, name)(value))
        assert text.strip("… %") == ""


def test_a_blocked_score_is_known_while_waiting() -> None:
    assert Numbers(waiting=True).real(float("-inf")) == "×"


@pytest.mark.parametrize(
    ("value", "text"), [(3, "3"), (2.3, "2.3"), (-0.1, "−0.1"), (0.25, "0.25"), (0, "0")]
)
def test_givens_are_written_as_in_the_worksheet(value: float, text: str) -> None:
    assert as_given(value) == text


def test_decimals_of_a_matrix() -> None:
    assert decimals_of(((1, 0), (0.25, 1))) == 2
    assert decimals_of(((1, 0), (0, 1))) == 0
    assert decimals_of(((2.0, -0.1),)) == 1


def test_points_stand_below_each_other() -> None:
    assert on_point(["1", "−0.2", "0.25"]) == [" 1   ", "−0.2 ", " 0.25"]


@given(st.lists(st.floats(-999, 999).map(lambda value: round(value, 3)), min_size=1))
def test_points_of_any_column(values: list[float]) -> None:
    texts = on_point([as_given(value) for value in values])
    assert len({len(text) for text in texts}) == 1
    assert len({text.index(".") for text in texts if "." in text}) <= 1
    assert [text.strip() for text in texts] == [as_given(value) for value in values]


def test_negative_factors_stand_in_brackets() -> None:
    numbers = Numbers()
    assert factor("−0.1") == numbers.factor(-0.1, 1) == "(−0.1)"
    assert factor("2.3") == numbers.factor(2.3, 1) == "2.3"
    assert numbers.factor(-0.001, 2) == "0.00"


def test_sums() -> None:
    assert added(["3.0", "0.1"]) == "3.0 + 0.1"
    assert Numbers().sum([7.13, -0.23, 0.001], 2) == "7.13 − 0.23 + 0.00"
    assert Numbers(waiting=True).sum([7.13, -0.23], 2) == "………… … …………"
    assert Numbers().sum([-1.0], 1) == "−1.0"


def test_indices() -> None:
    assert subscript(10, 6) == "₁₀,₆"
    assert superscript(12) == "⁽¹²⁾"
