"""The marks of the prose: bold, role colours, facts."""

import pytest

from tutor.draw.line import Ink, Span
from tutor.prose import ContentError, Piece, fill, parse
from tutor.view import Fact


def test_marks() -> None:
    assert parse("The [query](Q) of “{word}”\nis a **[key](K) term**.") == (
        Piece("The "),
        Piece("query", ink=Ink("Q")),
        Piece(" of “"),
        Piece("word", is_fact=True),
        Piece("” is a "),
        Piece("key", ink=Ink("K", bold=True)),
        Piece(" term", ink=Ink(bold=True)),
        Piece("."),
    )


def test_a_fact_wears_its_role_or_the_colour_around_it() -> None:
    facts = {"q": Fact("[2.3, 2.3]", "Q"), "word": Fact("the")}
    assert fill(parse("{q} **{word}** [{word}](V)"), facts) == (
        Span("[2.3, 2.3]", Ink("Q")),
        Span(" "),
        Span("the", Ink(bold=True)),
        Span(" "),
        Span("the", Ink("V")),
    )


def test_a_fact_s_text_is_not_read_for_marks() -> None:
    assert fill(parse("{word}"), {"word": Fact("[x](Q) **{y}")}) == (Span("[x](Q) **{y}"),)


def test_an_unknown_fact_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="nothing"):
        fill(parse("{nothing}"), {})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a **term", "not closed"),
        ("[word](Z)", "unknown role (Z)"),
        ("a [word", "stray ["),
        ("a word]", "stray ]"),
        ("{two words}", "stray {"),
        ("a * b", "stray *"),
    ],
)
def test_wrong_marks(text: str, told: str) -> None:
    with pytest.raises(ContentError) as caught:
        parse(text)
    assert told in str(caught.value)


def test_nothing_is_no_pieces() -> None:
    assert parse(" \n ") == ()
