"""A row times a matrix in its three forms."""

from hypothesis import given
from hypothesis import strategies as st

from tutor.draw.line import text_of, width_of
from tutor.draw.product import Product

KNOWN = Product(
    " ▶10 the",
    ["0.0", "2.3"],
    [["0", "−0.25"], ["1", "1"]],
    ["2.3", None],
    ["water", "glue"],
    ["water?", "glue?"],
    0,
)


def drawn(product: Product, width: int) -> list[str]:
    return [text_of(line) for line in product.draw(width)]


def test_left_times_right_is_the_result_in_one_line_of_sight() -> None:
    assert drawn(KNOWN, 100) == [
        "                                            ▾",
        "            water glue                 water?    glue?           water?    glue?",
        "                             water ⎡        0    −0.25  ⎤",
        " ▶10 the  [   0.0  2.3 ]  ×   glue ⎣        1     1     ⎦  =  [     ‹2.3›       ·  ]",
    ]


def test_crossing_puts_the_result_where_row_and_column_meet() -> None:
    assert drawn(KNOWN, 60) == [
        "                                      ▾",
        "                                 water?    glue?",
        "                       water ⎡        0    −0.25  ⎤",
        "                        glue ⎣        1     1     ⎦",
        "",
        "            water glue",
        " ▶10 the  [   0.0  2.3 ]     [     ‹2.3›       ·  ]",
    ]


def test_a_narrow_window_stacks_the_parts() -> None:
    assert drawn(KNOWN, 30) == [
        "              water     glue",
        " ▶10 the        0.0      2.3",
        " ×",
        " ‹ columns 1–1 of 2 ›",
        "             ▾water?",
        " water             0",
        " glue              1",
        " =",
        " ‹ columns 1–1 of 2 ›",
        "             ▾water?",
        " ▶10 the        ‹2.3›",
    ]


def test_what_is_not_known_is_a_dot() -> None:
    assert all(drawn(KNOWN, width)[-1].rstrip(" ]").endswith("·") for width in (60, 100))


numbers = st.sampled_from(["0", "−0.25", "2.3", "1234.5", "−1.000e12"])
names = st.sampled_from(["water", "a", "finance?", "a longer name"])


@st.composite
def products(draw: st.DrawFn) -> Product:
    inner, outer = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    return Product(
        " ▶ 1 the",
        [draw(numbers) for _ in range(inner)],
        [[draw(numbers) for _ in range(outer)] for _ in range(inner)],
        [draw(st.none() | numbers) for _ in range(outer)],
        [draw(names) for _ in range(inner)],
        [draw(names) for _ in range(outer)],
        draw(st.none() | st.integers(0, outer - 1)),
    )


@given(products(), st.integers(40, 132))
def test_every_form_fits_and_has_every_row(product: Product, width: int) -> None:
    lines = list(product.draw(width))
    assert all(width_of(line) <= width for line in lines)
    text = "\n".join(map(text_of, lines))
    for name in product.inner:
        assert name[:9] in text or name[:8] + "…" in text
