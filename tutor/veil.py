"""A frame whose lit result is hidden: predict first, then look."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from tutor.draw.line import Line, Rows, Span, text_of, wrap
from tutor.frame import Frame
from tutor.lesson import Stop
from tutor.view import Fact, View

_LIT = re.compile(r"‹(?! )([^›]*)›")
_SHARES = str.maketrans(dict.fromkeys("▏▎▍▌▋▊▉█", " "))


def veiled(frame: Frame, stop: Stop, view: View) -> Frame:
    """The same frame with ? for the lit cell, its arithmetic's results and the numbers of the prose."""
    stage = frame.stage
    # Of heads side by side, the other ones are dim.
    label = [span for span in stage.working if span.ink.bold and not span.ink.dim][:1]
    facts = {name: _hidden(fact) for name, fact in stop.screen.facts(view).items()}

    @cache
    def results() -> frozenset[str]:
        return frozenset(_lit_texts([*stage.pinned, *stage.body]))

    def hidden(line: Line) -> Line:
        """A row named as the arithmetic is holds the result too, and so do a batch's rows after each move."""
        named = bool(label) and text_of(line).split()[:1] == label[0].text.split()[:1]
        return _veiled_line(line, results() if named or stop.screen_id == "batching" else frozenset())

    return replace(
        frame,
        stage=stage._replace(
            body=Rows(stage.body.count, lambda y: hidden(stage.body.line(y))),
            pinned=[hidden(line) for line in stage.pinned],
            working=(*label, Span("  =  ?")),
        ),
        prose=wrap(stop.prose(view, facts), view.width),
    )


def _hidden(fact: Fact) -> Fact:
    return fact._replace(text=re.sub(r"[−+]?\d+[.]\d+(e\d+)?", "?", fact.text))


def _lit_texts(lines: Iterable[Line]) -> Iterable[str]:
    return (found[1].strip() for line in lines for found in _LIT.finditer(text_of(line)))


def _veiled_line(line: Line, results: frozenset[str]) -> Line:
    """What stands between the marks of lit cells and these results as ?, and no bar beside that tells."""
    text = "".join(span.text for span in line)
    places = [found.span(1) for found in _LIT.finditer(text)]
    places += [found.span() for found in re.finditer(r"[^\s│\[\]]+", text) if found[0] in results]
    if not places:
        return line
    made: list[Span] = []
    at = 0
    for span in line:
        shown = span.text
        for start, end in places:
            first, last = max(start - at, 0), min(end - at, len(shown))
            if first < last:
                inner = re.sub(r"[^\s│]+", lambda word: "?".rjust(len(word[0])), shown[first:last])
                shown = shown[:first] + inner + shown[last:]
        ink = span.ink if shown == span.text else span.ink._replace(ground="")
        made.append(Span(shown.translate(_SHARES), ink))
        at += len(span.text)
    return tuple(made)
