"""What each key does to the focus: pure steps from one view to the next focus."""

from dataclasses import replace

from tutor.focus import Focus
from tutor.lesson import Lesson, next_ready
from tutor.view import View


class Moves:
    """The steps from one view; a step that leads nowhere gives the same focus."""

    def __init__(self, lesson: Lesson, view: View) -> None:
        self.lesson = lesson
        self.view = view
        self.here = view.focus
        self.stop = lesson.stop(self.here.stop)

    def forward(self) -> Focus:
        """The next beat."""
        return self.lesson.forward(self.here)

    def back(self) -> Focus:
        """The beat before."""
        return self.lesson.back(self.here)

    def other_stop(self, step: int) -> Focus:
        """The stop so many further."""
        return self.lesson.other_stop(self.here, step)

    def first_beat(self) -> Focus:
        """The stop's first beat."""
        return replace(self.here, beat=0, column=None) if self.here.beat else self.here

    def last_beat(self) -> Focus:
        """The stop's last beat."""
        last = len(self.stop.beats) - 1
        return replace(self.here, beat=last, column=None) if self.here.beat < last else self.here

    def station(self, name: str) -> Focus:
        """The stop of this station of the path map, for the same head where there is one."""
        stops = [stop for stop in self.lesson.stops if stop.content.station == name and stop.content.uses]
        same = [stop for stop in stops if stop.head == self.here.head]
        return self.lesson.enter(self.here, (same or stops)[0].id) if stops else self.here

    def source(self, step: int) -> Focus:
        """The source so many further down."""
        return self.at_source(self.view.source + step)

    def receiver(self, step: int) -> Focus:
        """The receiver so many further down."""
        return self.at_receiver(self.view.receiver + step)

    def at_source(self, token: int) -> Focus:
        """This word as the source."""
        return replace(self.here, source=token) if self._may("source", token) else self.here

    def at_receiver(self, token: int) -> Focus:
        """This word as the receiver; the last word is the lesson's own choice."""
        if not self._may("receiver", token):
            return self.here
        return replace(self.here, receiver=None if token == len(self.view.words) - 1 else token)

    def column(self, step: int) -> Focus:
        """The column so many further to the right."""
        order = list(self.stop.screen.columns(self.view).order)
        at = order.index(self.view.column) + step
        if "column" not in self.stop.content.uses or not 0 <= at < len(order):
            return self.here
        return replace(self.here, column=order[at])

    def other_head(self) -> Focus:
        """The next head, after the last one the first."""
        return self.head((self.view.head + 1) % self.view.worksheet.n_heads + 1)

    def head(self, number: int) -> Focus:
        """This head, counted from 1."""
        known = number <= self.view.worksheet.n_heads and "head" in self.stop.content.uses
        return replace(self.here, head=number - 1) if known else self.here

    def next_sentence(self) -> Focus:
        """The next ready sentence, its strongest source lit."""
        text = next_ready(self.view.worksheet, self.here.sentence).text
        return self.with_sentence(text)

    def with_sentence(self, text: str) -> Focus:
        """Another sentence: the lesson's choice of the source, the receiver where it still is a word."""
        focus = replace(self.here, sentence=text, source=None)
        return self.lesson.clamp(focus, self.view.worksheet)

    def mask(self) -> Focus:
        """The causal mask off, or on again."""
        return replace(self.here, causal=not self.here.causal)

    def own_choice(self) -> Focus:
        """The lesson's own sentence, head, receiver and source."""
        return replace(
            self.here,
            sentence=self.view.worksheet.sentences[0].text,
            head=self.stop.head or 0,
            receiver=None,
            source=None,
            column=None,
            causal=True,
        )

    def _may(self, use: str, token: int) -> bool:
        return use in self.stop.content.uses and 0 <= token < len(self.view.words)
