"""The commands: parse, delegate, give a status."""

from collections.abc import Sequence
from typing import Annotated

import typer

from tutor.errors import TutorError

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    no_args_is_help=False,
)

Worksheet = Annotated[str, typer.Option("--worksheet", metavar="PATH", help="A worksheet's name or file.")]
Sentence = Annotated[str | None, typer.Option("--sentence", metavar="TEXT", help="Words of the worksheet.")]
Case = Annotated[str | None, typer.Option("--case", metavar="NAME", help="A ready sentence: river, cheque.")]
Beat = Annotated[int | None, typer.Option(metavar="N")]
Head = Annotated[int | None, typer.Option(metavar="H")]
Receiver = Annotated[int | None, typer.Option(metavar="R", help="The word that asks, from 1.")]
Source = Annotated[int | None, typer.Option(metavar="S", help="The word that is read, from 1.")]
Column = Annotated[int | None, typer.Option(metavar="C")]
NoMask = Annotated[bool, typer.Option("--no-mask", help="Let every word read the words after it too.")]


@app.callback(invoke_without_command=True)
def lesson(context: typer.Context) -> None:
    """Multi-head attention by arithmetic, step by step. Without a command: the lesson, where you left it."""
    if context.invoked_subcommand is None:
        from tutor.__main__ import walk

        raise typer.Exit(walk(None, None))


@app.command()
def show(
    stop: Annotated[str | None, typer.Argument(metavar="[STOP]", help="As `tutor list` names it.")] = None,
    beat: Beat = None,
    head: Head = None,
    receiver: Receiver = None,
    source: Source = None,
    column: Column = None,
    sentence: Sentence = None,
    case: Case = None,
    worksheet: Worksheet = "river-bank",
    no_mask: NoMask = False,
    width: Annotated[int | None, typer.Option(metavar="N", help="Cells of a line, 40 to 132.")] = None,
) -> None:
    """Print what the lesson shows: one stop or all, one beat or all."""
    from tutor.choice import Choice
    from tutor.output import print_lines
    from tutor.show import show as lines

    choice = Choice(worksheet, sentence, case, not no_mask, beat, head, receiver, source, column)
    print_lines(lines(stop, choice, width))


@app.command()
def open(
    stop: Annotated[
        list[str], typer.Argument(metavar="STOP...", help="A stop, `scores 2 r7`: head, receiver.")
    ],
    beat: Beat = None,
    head: Head = None,
    receiver: Receiver = None,
    source: Source = None,
    column: Column = None,
    sentence: Sentence = None,
    case: Case = None,
    worksheet: Worksheet = "river-bank",
    no_mask: NoMask = False,
) -> None:
    """Start the lesson at a stop, with the options of show."""
    from tutor.__main__ import walk
    from tutor.choice import Choice, linked

    chosen = Choice(worksheet, sentence, case, not no_mask, beat, head, receiver, source, column)
    raise typer.Exit(walk(*linked(stop, chosen)))


@app.command(name="list")
def list_() -> None:
    """Print chapters and stops."""
    from tutor.output import print_lines
    from tutor.show import list_stops

    print_lines(list_stops())


@app.command()
def trace(
    sentence: Sentence = None,
    case: Case = None,
    worksheet: Worksheet = "river-bank",
    no_mask: NoMask = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object; arrays count from 0.")] = False,
    npz: Annotated[str | None, typer.Option(metavar="FILE", help="Write the arrays to a NumPy file.")] = None,
) -> None:
    """Print every number of one sentence."""
    from pathlib import Path

    from tutor import export
    from tutor.choice import Choice
    from tutor.draw.line import line_of
    from tutor.output import print_lines

    traced = export.traced(Choice(worksheet, sentence, case, not no_mask))
    if npz is not None:
        export.write_npz(Path(npz), *traced)
    if json:
        print_lines([line_of(export.to_json(*traced))])
    elif npz is None:
        print_lines(export.tables(*traced))


@app.command(context_settings={"ignore_unknown_options": True})  # a file may be called -head.py
def check(
    file: Annotated[str | None, typer.Argument(metavar="FILE", help="A sheet, your code, or -.")] = None,
    new: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write a blank sheet or a stub (.py).")
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="Print the questions.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    junit: Annotated[str | None, typer.Option(metavar="FILE", help="Write the results as JUnit XML.")] = None,
    reveal: Annotated[bool, typer.Option("--reveal", help="Show the right values too.")] = False,
    seed: Annotated[int | None, typer.Option(metavar="N", help="The same questions again.")] = None,
    count: Annotated[int | None, typer.Option(metavar="N", help="How many questions.")] = None,
    stop: Annotated[str | None, typer.Option(metavar="ID", help="Questions of one stop.")] = None,
    worksheet: Annotated[str | None, typer.Option(metavar="PATH", help="A worksheet's name or file.")] = None,
) -> None:
    """Test yourself: a round of questions, an answer sheet or your own code, graded."""
    from tutor.check.command import Check

    asked = Check(file, new, list_, json, junit, reveal, seed, count, stop, worksheet)
    raise typer.Exit(asked.run())


@app.command()
def verify() -> None:
    """Check the engine against published numbers and other engines, the content against the screens."""
    from tutor.verify import run

    raise typer.Exit(run())


def run(arguments: Sequence[str]) -> int:
    """Run one command and give its status; TutorError where the arguments are wrong."""
    try:
        return app(args=arguments, prog_name="tutor", standalone_mode=False) or 0
    except typer.TyperException as error:
        raise TutorError(f"{error.format_message().rstrip('.')}. See `tutor --help`.") from None
    except typer.Abort:
        raise KeyboardInterrupt from None
