"""The round in the terminal: hints, wrong answers again with other numbers, an end at any time."""

from collections.abc import Iterator

from tutor.check.grade import right_text
from tutor.check.questions import Question, question
from tutor.check.report import Report
from tutor.check.round import TRIES, play
from tutor.check.selection import draw

BANK = question("river-bank/river/softmax.weight/h1/r7/s6")


def played(questions: list[Question], *typed: str | type[BaseException]) -> tuple[Report, str]:
    """The report and all that was said, after these were typed; then Ctrl+D."""
    said: list[str] = []
    answers: Iterator[str | type[BaseException]] = iter(typed)

    def hear(prompt: str) -> str:
        answer = next(answers, EOFError)
        if isinstance(answer, str):
            return answer
        raise answer

    return play(questions, said.append, hear), "\n".join(said)


def test_right_answers_pass() -> None:
    drawn = draw(8, 1)
    report, said = played(drawn, *map(right_text, drawn))
    assert report.passed and report.total == 8 and report.not_checked == ()
    assert said.count("Right.") == 8


def test_a_wrong_answer_comes_again_with_other_numbers_and_may_then_be_right() -> None:
    report, said = played([BANK], "0.285", "nothing", "0.123", KeyboardInterrupt)
    assert "left the causal mask out" in said and "It comes again later, with other numbers." in said
    assert said.count("· again ·") == 2
    assert report.results[0].id != BANK.id and report.total == 1


def test_it_does_not_come_for_ever() -> None:
    report, said = played([BANK], *["123456"] * 10)
    assert said.count("source") >= TRIES and said.count("1 of 1") == TRIES
    assert report.status == 1


def test_hints_are_three_and_hold_no_answer() -> None:
    for made in draw(30, 2):
        _, said = played([made], "h", "H", "h", "h", "s")
        assert all(hint in said for hint in made.kind.hints)
        assert said.count("No more hints") == 1
        assert right_text(made) not in said.replace(made.prompt, "")


def test_an_answer_that_cannot_be_read_is_asked_for_at_once() -> None:
    report, said = played([BANK], "1,234", "2+2", "0.349")
    assert report.passed and said.count("1 of 1") == 1
    assert "ambiguous" in said and "calculation" in said


def test_the_end_at_any_time_sums_up_what_was_answered() -> None:
    drawn = draw(5, 3)
    report, _ = played(drawn, right_text(drawn[0]), KeyboardInterrupt)
    assert [result.id for result in report.results] == [drawn[0].id]
    assert report.not_checked == tuple(made.id for made in drawn[1:])
    report, _ = played(drawn)
    assert report.results == () and report.status == 2
