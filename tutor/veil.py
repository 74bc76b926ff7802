"""A frame whose lit result is hidden: predict first, then look."""

import re
from dataclasses import replace

from tutor.draw.line import Line, Rows, Span, wrap
from tutor.frame import Frame
from tutor.lesson import Stop
from tutor.view import Fact, View

_LIT = re.compile(r"‹(?! )[^›]*›")
_SHARES = str.maketrans(dict.fromkeys("▏▎▍▌▋▊▉█", " "))


def veiled(frame: Frame, stop: Stop, view: View) -> Frame:
    """The same frame with ? for the lit cell, its arithmetic's results and the numbers of the prose."""
    stage = frame.stage
    label = stage.working[:1]
    facts = {name: _hidden(fact) for name, fact in stop.screen.facts(view).items()}
    return replace(
        frame,
        stage=stage._replace(
            body=Rows(stage.body.count, lambda y: _veiled_line(stage.body.line(y))),
            pinned=[_veiled_line(line) for line in stage.pinned],
            working=(*label, Span("  =  ?")),
        ),
        prose=wrap(stop.prose(view, facts), view.width),
    )


def _hidden(fact: Fact) -> Fact:
    return fact._replace(text=re.sub(r"[−+]?\d+[.]\d+(e\d+)?", "?", fact.text))


def _veiled_line(line: Line) -> Line:
    """What stands between the marks of a lit cell as ?, and no bar beside it that would tell."""
    text = "".join(span.text for span in line)
    found = _LIT.search(text)
    if found is None:
        return line
    made: list[Span] = []
    at = 0
    for span in line:
        first, last = max(found.start() + 1 - at, 0), min(found.end() - 1 - at, len(span.text))
        at += len(span.text)
        if first < last:
            inner = re.sub(r"[^\s│]+", lambda word: "?".rjust(len(word[0])), span.text[first:last])
            span = Span(span.text[:first] + inner + span.text[last:], span.ink._replace(ground=""))
        made.append(Span(span.text.translate(_SHARES), span.ink))
    return tuple(made)
