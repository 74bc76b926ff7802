"""The same lines where the terminal's encoding has no such signs."""

from rich.cells import cell_len

from tutor.draw.line import Line, Span

_SIGNS = str.maketrans(
    "▶◀◆●○✗▾‹›×·…−–—─│⎡⎢⎣⎤⎥⎦’“”′┈━├┝┤╭╮╰╯", "><**oxv<>x..---" + "-|[|[]|]" + "'\"\"'" + ".=|||..''"
) | str.maketrans(
    {"✓": "ok", "√": "sqrt", "Δ": "d", "ᵀ": "^T", "→": "->", "←": "<-", "↑": "up", "↓": "down", "∞": "inf"}
    | dict.fromkeys("▏▎▍▌▋▊▉█", "#")
)
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾", "0123456789()")


def ascii_line(line: Line) -> Line:
    """A line in ASCII; a sign that grows takes its room from the next blanks of which one remains."""
    spans: list[Span] = []
    before, debt = "", 0
    for text, ink in line:
        made = ""
        for character in text:
            plain = _plain(character, before)
            if debt and before == character == " ":
                debt -= 1
                continue
            debt += len(plain) - cell_len(character)
            made += plain
            before = character
        spans.append(Span(made, ink))
    return tuple(spans)


def _plain(character: str, before: str) -> str:
    """One sign; an index is opened by an underscore."""
    if character.isascii():
        return character
    if (low := character.translate(_SUBSCRIPTS)) != character:
        return low if before.translate(_SUBSCRIPTS) != before or before == "," else "_" + low
    plain = character.translate(_SIGNS).translate(_SUPERSCRIPTS)
    return plain if plain.isascii() else "?" * cell_len(character)
