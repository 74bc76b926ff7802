"""The lesson where the terminal has no more than ASCII."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.draw.ascii import ascii_line
from tutor.draw.line import Ink, Span, width_of
from tutor.draw.number import subscript, superscript


def to_ascii(text: str) -> str:
    return ascii_line((Span(text),))[0].text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("▶10 the ◆6 river", ">10 the *6 river"),
        ("r₁₀,₆  =  2.3×3.1 + 2.3×(−0.1)", "r_10,6 =  2.3x3.1 + 2.3x(-0.1)"),
        ("s = r/√2", "s = r/sqrt2"),
        ("Kᵀ [2×10]", "K^T [2x10]"),
        ("H⁽¹⁾", "H(1)"),
        ("e′₁₀", "e'_10"),
        ("‹7.13› · × …", "<7.13> . x ."),
        ("⎡⎢⎣ ⎤⎥⎦", "[|[ ]|]"),
        ("────┈━", "----.="),
        ("██▍", "###"),
        ("“the” word’s", '"the" word\'s'),
        ("Δe café", "de caf?"),
        ("你", "??"),
    ],
)
def test_signs(text: str, plain: str) -> None:
    assert to_ascii(text) == plain


@given(st.lists(st.integers(1, 99), min_size=1, max_size=3))
def test_an_index_opens_once(numbers: list[int]) -> None:
    assert to_ascii("q" + subscript(*numbers)) == "q_" + ",".join(map(str, numbers))
    assert to_ascii(superscript(numbers[0])) == f"({numbers[0]})"


def test_what_follows_stays_in_its_column() -> None:
    line = (Span("s = r/√2", Ink("text")), Span(" "), Span("    "), Span("exp(s)"))
    made = ascii_line(line)
    assert "".join(text for text, _ in made) == "s = r/sqrt2  exp(s)"
    assert width_of(made) == width_of(line)
    assert [ink for _, ink in made] == [ink for _, ink in line]


@given(st.text(max_size=80))
def test_any_text_becomes_ascii(text: str) -> None:
    assert to_ascii(text).isascii()
