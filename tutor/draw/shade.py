"""What shows at a glance how large a number is: grounds of a ramp, and bars."""

from tutor.draw.line import Ink
from tutor.draw.number import Numbers
from tutor.draw.table import Cell

_EIGHTHS = " ▏▎▍▌▋▊▉"


def weight_ground(share: float, numbers: Numbers) -> str:
    """The ramp's step of a share between 0 and 1; none before it is computed."""
    return "" if numbers.waiting else f"w{round(8 * min(max(share, 0.0), 1.0))}"


def weight_cell(weight: float, numbers: Numbers) -> Cell:
    """A weight on its ground."""
    return Cell(numbers.real(weight), Ink(ground=weight_ground(weight, numbers)))


def signed_cell(text: str, value: float, largest: float, click: str = "") -> Cell:
    """A signed value on its ground in a block whose largest magnitude is given; on none where that is 0."""
    share = min(max(value / largest, -1.0), 1.0) if largest else 0.0
    return Cell(text, Ink(ground=f"s{round(4 + 4 * share)}" if largest else "", click=click))


def bar(share: float, width: int) -> str:
    """A bar for a share between 0 and 1, in eighths of a cell; never empty for more than nothing."""
    eighths = max(round(share * width * 8), 1 if share > 0 else 0)
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()
