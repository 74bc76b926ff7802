"""Every honest spelling of a number is read, everything else is refused with a reason."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.check.answer import read, text_of
from tutor.draw.number import fixed

RIVER = [
    "0.718",
    ".718",
    "+0.718",
    " 0.718 ",
    "7.18e-1",
    "7.18E-01",
    "0.7180",
    "0.718000",
    "71.8%",
    "71.8 %",
    "０.７１８",
    "０．７１８",
    "0.718\u00a0",
    "\u00a00.718",
    "\ufeff0.718",
    "0.718\u200b",
    "٠.٧١٨",
    "٠٫٧١٨",
    "[0.718]",
    "(0.718)",
    "0.718\n",
]
NEGATIVE = [
    "−0.018",
    "–0.018",
    "-0.018",
    "-.018",
    "-1.8e-2",
    "\u20110.018",
    "－0.018",
    "−.018",
    "- 0.018",
    "−1.8%",
    "—0.018",
]
PAIRS = [
    "[2.617, -0.018]",
    "[2.617, - 0.018]",
    "2.617; − 0.018",
    "2.617، -0.018",
    "٢٫٦١٧؛ -٠٫٠١٨",
    "\u20672.617 ˗0.018\u2069",
    "2.617 -0.018",
    "(2.617; −0.018)",
    "2.617, -0.018",
    "2.617,-0.018",
    "2,617 -0,018",
    "2,617; -0,018",
    "[2.617 -0.018]",
    "2.617\t−0.018",
    "[2.617, -0.018,]",
    "[ 2.617 , -0.018 ]",
    "[[2.617, -0.018]]",
    ["2.617", "-0.018"],
    [2.617, -0.018],
]
REFUSED: dict[Any, str] = {
    "nan": "not a finite",
    "NaN": "not a finite",
    "inf": "not a finite",
    "-inf": "not a finite",
    "∞": "not a finite",
    "1e999": "too large",
    "1e30000000": "too large",
    "True": "not a number",
    True: "not a number",
    "0x1p-1": "not decimal",
    "0x10": "not decimal",
    "1_000": "underscore",
    "2+2": "calculation",
    "2*3": "calculation",
    "1-2": "calculation",
    "0.7 0.8": "2 numbers given, 1 number asked",
    "1,234": "ambiguous",
    "16,000": "ambiguous",
    "1,234,567": "cannot be read",
    "1,234.56": "cannot be read",
    "1.234,56": "cannot be read",
    "1/0": "divides by 0",
    "__import__('os').abort()": "not a number",
    "½": "not a number",
    "²": "not a number",
    "[0.718": "not a number",
    "9" * 5000: "too many",
    "%": "missing",
    "1e": "not a number",
    "0.7.1": "not a number",
    "1/2/3": "not a number",
}


@pytest.mark.parametrize("text", RIVER)
def test_spellings_of_one_number(text: str) -> None:
    reading = read(text)
    assert (reading.values, reading.trouble, reading.note) == ((0.718,), "", "")


@pytest.mark.parametrize("text", NEGATIVE)
def test_spellings_of_a_negative_number(text: str) -> None:
    assert read(text).values == (-0.018,)


def test_a_quotient_is_read() -> None:
    assert read("131.504/183.244").values == read("131.504 ÷ 183.244").values == (131.504 / 183.244,)


def test_a_decimal_comma_is_read_with_a_note() -> None:
    for text, value in {"0,718": 0.718, "7,5": 7.5, "-0,018": -0.018, "1234,567": 1234.567}.items():
        assert read(text).values == (value,) and "write a point" in read(text).note


def test_a_negative_zero_is_zero() -> None:
    assert str(read("-0.000").values) == str(read("−0").values) == "(0.0,)"


@pytest.mark.parametrize("given", PAIRS, ids=str)
def test_spellings_of_two_numbers(given: Any) -> None:
    assert read(given, 2).values == (2.617, -0.018)


@pytest.mark.parametrize("text", ["2,617, -0,018", "2,617,-0,018", "[2,617, -0,018]"])
def test_commas_of_two_kinds_are_ambiguous(text: str) -> None:
    assert "ambiguous" in read(text, 2).trouble


@pytest.mark.parametrize(("given", "reason"), REFUSED.items(), ids=lambda value: str(value)[:20])
def test_refused_with_the_reason(given: Any, reason: str) -> None:
    reading = read(given)
    assert reason in reading.trouble and not reading.values and not reading.blank


@pytest.mark.parametrize("given", ["", "  ", "\u200b", None])
def test_nothing_typed_is_blank(given: Any) -> None:
    assert read(given).blank


def test_other_things_are_refused() -> None:
    for odd in ({"a": 1}, b"1", [], [[1, 2]], ["a", "b"], [True, 1], 10**5000, [10**5000], object()):
        assert read(odd, 2).trouble and text_of(odd)


@pytest.mark.parametrize(
    ("text", "decimals"),
    [
        ("0.72", 2),
        ("0.7200", 4),
        ("72%", 2),
        ("71.8%", 3),
        ("7", 0),
        ("7.18e-1", 3),
        ("718e-3", 3),
        ("1.5e1", 0),
    ],
)
def test_decimals_are_counted_as_typed(text: str, decimals: int) -> None:
    assert read(text).decimals == (decimals,)


FLOATS = st.floats(allow_nan=False, allow_infinity=False)


@given(FLOATS)
def test_what_is_written_is_read(value: float) -> None:
    assert read(repr(value)).values == read(str(value).replace("-", "−")).values == (value,)
    assert read(f"{value:.17e}").values == (value,)


@given(st.floats(-1e6, 1e6), st.integers(1, 9))
def test_what_the_lesson_shows_is_read(value: float, decimals: int) -> None:
    assert read(fixed(value, decimals)).values == (float(f"{value:.{decimals}f}"),)


@given(st.lists(FLOATS, min_size=2, max_size=9))
def test_rows_are_read(values: list[float]) -> None:
    for text in (str(values), " ".join(map(repr, values)), "; ".join(map(repr, values))):
        assert read(text, len(values)).values == tuple(values)


@given(st.one_of(st.text(), st.text("0123456789.,;+-−eE%/[]() _x", max_size=30)), st.integers(1, 4))
def test_garbage_neither_crashes_nor_gives_odd_values(text: str, count: int) -> None:
    reading = read(text, count)
    assert bool(reading.values) != bool(reading.trouble)
    assert len(reading.trouble) < 200 and reading.trouble.isprintable()
    assert all(abs(value) < float("inf") for value in reading.values)


def test_long_garbage_is_quick() -> None:
    began = time.perf_counter()
    for text in (
        "9" * 10**6,
        "[" * 10**6,
        "1e" + "9" * 4000,
        "1," * 2000,
        "٠" * 10**6,
        "0.1 " * 10**6,
        ["1"] * 10**6,
    ):
        assert read(text).trouble
    assert time.perf_counter() - began < 5
