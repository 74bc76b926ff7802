"""Every key of the lesson in one table; the key bar and the help are made from it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from textual.binding import Binding, BindingType

from tutor.draw.line import DIM, Ink, Line, Span, cut, width_of

HELP_ONLY = 9
"""the rank of keys that the key bar never shows"""


@dataclass(frozen=True)
class Key:
    """One action and the keys that do it."""

    keys: str
    """as Textual names them, the first one is shown"""
    action: str
    shown: str
    """the keys as people read them"""
    label: str
    """in the key bar"""
    help: str
    """a sentence"""
    rank: int = HELP_ONLY
    """the highest ranks leave a narrow key bar first, 0 never"""


KEYS = (
    Key("right,n,space", "move('forward')", "→", "next", "The next beat (also n, space).", 0),
    Key("left,p", "move('back')", "←", "back", "The beat before (also p).", 1),
    Key("pagedown", "move('other_stop', 1)", "PgDn", "stop", "The next stop."),
    Key("pageup", "move('other_stop', -1)", "PgUp", "stop", "The stop before."),
    Key("home", "move('first_beat')", "Home", "beat", "The first beat of this stop."),
    Key("end", "move('last_beat')", "End", "beat", "The last beat of this stop."),
    Key("up", "move('source', -1)", "↑", "source", "The source above: the word that is read.", 3),
    Key("down", "move('source', 1)", "↓", "source", "The source below.", 3),
    Key("left_square_bracket,shift+up", "move('receiver', -1)", "[", "receiver",
        "The receiver above: the word that asks (also shift+↑).", 4),
    Key("right_square_bracket,shift+down", "move('receiver', 1)", "]", "receiver",
        "The receiver below (also shift+↓).", 4),
    Key("comma", "move('column', -1)", ",", "column", "The column to the left.", 8),
    Key("full_stop", "move('column', 1)", ".", "column", "The column to the right.", 8),
    Key("tab", "move('other_head')", "tab", "head", "The next head, until the next stop (also 1 to 9).", 5),
    *(Key(str(n), f"move('head', {n})", str(n), "", f"Head {n}.") for n in range(1, 10)),
    Key("e", "edit", "e", "edit", "Edit the sentence: both heads answer as you type.", 2),
    Key("a", "ask", "a", "answer", "Answer for the lit cell: type its number.", 4),
    Key("t", "hide", "t", "hide", "Hide results until they are answered or shown, and back."),
    Key("enter", "reveal", "enter", "show", "Show a hidden result."),
    Key("o", "overview", "o", "overview", "What you have seen and answered."),
    Key("s", "move('next_sentence')", "s", "sentence", "The next ready sentence.", 6),
    Key("0", "move('own_choice')", "0", "own", "The lesson’s own sentence, head, receiver and source."),
    Key("m", "move('mask')", "m", "mask", "The causal mask off and on: + marks what it hides.", 8),
    Key("c", "code", "c", "code", "The engine’s lines behind the lit cell.", 7),
    Key("g", "go_to", "g", "go to", "Go to a stop.", 7),
    Key("d", "decimals", "d", "decimals", "More decimals, and back."),
    Key("j", "scroll(1)", "j", "scroll", "Scroll down (also the wheel)."),
    Key("k", "scroll(-1)", "k", "scroll", "Scroll up (also the wheel)."),
    Key("question_mark", "help", "?", "help", "This help.", 0),
    Key("q", "leave", "q", "quit", "Leave; the place is kept (also ctrl+c twice).", 6),
)  # fmt: skip

BINDINGS: list[BindingType] = [
    Binding(key.keys, key.action, key.label, show=key.rank < HELP_ONLY, tooltip=key.help, id=key.action)
    for key in KEYS
]


def bar_of(*entries: tuple[str, str]) -> Line:
    """A key bar of fixed entries: keys and what they do."""
    return tuple(
        span
        for shown, label in entries
        for span in (Span(f" {shown}", Ink(bold=True)), Span(f" {label} ", DIM))
    )


def key_bar(may: Callable[[Key], bool], width: int) -> Line:
    """The keys that fit, those that cannot act dim; two keys of one label share it."""
    groups: dict[str, list[Key]] = {}
    for key in KEYS:
        if key.rank < HELP_ONLY:
            groups.setdefault(key.label, []).append(key)
    parts = [(keys[0].rank, _entry(label, keys, may)) for label, keys in groups.items()]
    while sum(width_of(part) for _, part in parts) > width and (last := max(rank for rank, _ in parts)):
        parts = [(rank, part) for rank, part in parts if rank < last]
    return cut(tuple(span for _, part in parts for span in part), width)


def _entry(label: str, keys: list[Key], may: Callable[[Key], bool]) -> Line:
    """The keys of one label, then the label."""
    spans: list[Span] = []
    for key in keys:
        can = may(key)
        spans.append(Span("" if key.shown == "↓" else " "))
        ink = Ink("text" if can else "dim", bold=can, dim=not can, click=key.action)
        spans.append(Span(key.shown, ink))
    spans.append(Span(f" {label} ", Ink("dim", click=keys[-1].action)))
    return tuple(spans)


def help_lines() -> Iterator[Line]:
    """One line a key, made from the table."""
    for key in KEYS:
        if key.label:
            yield (Span(f"{key.shown:>6}  ", Ink(bold=True)), Span(key.help))
    yield (Span("ctrl+p  ", Ink(bold=True)), Span("All commands and themes."))
    yield (Span("        ", Ink(bold=True)), Span("Hold shift and drag to select text with the mouse."))
