"""The same lines where the terminal's encoding has no such signs."""

from tutor.draw.line import Line, Span

_SIGNS = str.maketrans(
    "▶◆▾‹›×·…−–—─│⎡⎢⎣⎤⎥⎦’“”′┈━├┝┤╭╮╰╯", ">*v<>x..---" + "-|[|[]|]" + "'\"\"'" + ".=|||..''"
) | str.maketrans(
    {"√": "sqrt", "Δ": "d", "ᵀ": "^T", "→": "->", "←": "<-", "↑": "up", "↓": "down", "∞": "inf"}
    | dict.fromkeys("▏▎▍▌▋▊▉█", "#")
)
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾", "0123456789()")


def to_ascii(text: str) -> str:
    """The signs as ASCII; a sign that grows takes its room from the blanks behind it."""
    made: list[str] = []
    debt = 0
    index = False
    for character in text:
        plain = character.translate(_SUBSCRIPTS)
        if plain != character:
            plain = plain if index else "_" + plain
        elif (high := character.translate(_SUPERSCRIPTS)) != character:
            plain = high
        else:
            plain = character.translate(_SIGNS)
            if not plain.isascii():
                plain = "?"
        index = character in "₀₁₂₃₄₅₆₇₈₉" or (index and character == ",")
        if character == " " and debt and made[-1:] == [" "]:
            debt -= 1
            continue
        debt += len(plain) - 1
        made.append(plain)
    return "".join(made)


def ascii_line(line: Line) -> Line:
    """A line in ASCII."""
    return tuple(Span(to_ascii(span.text), span.ink) for span in line)
