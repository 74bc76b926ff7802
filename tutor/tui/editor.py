"""The sentence as a line of text: every key is text but tab, Enter and Escape."""

from rich.highlighter import Highlighter
from rich.text import Text
from textual.binding import Binding
from textual.message import Message
from textual.suggester import Suggester

from tutor.engine.worksheet import Worksheet
from tutor.tui.typed import Typed


class _UnknownWords(Highlighter):
    """Underlines the words that the worksheet does not know."""

    def __init__(self, worksheet: Worksheet) -> None:
        self.known = frozenset(worksheet.vocabulary)

    def highlight(self, text: Text) -> None:
        """Mark each unknown word where it stands."""
        end = 0
        for word in text.plain.split():
            start = text.plain.index(word, end)
            end = start + len(word)
            if word.casefold() not in self.known:
                text.stylize("bold underline", start, end)


class _NextWord(Suggester):
    """Shows how the word could go on."""

    def __init__(self, worksheet: Worksheet) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self.worksheet = worksheet

    async def get_suggestion(self, value: str) -> str | None:
        """The whole text with its last word completed."""
        return completed(self.worksheet, value)


def completed(worksheet: Worksheet, text: str) -> str | None:
    """The text with its last word completed; None where no word begins so."""
    words = text.split()
    if not words or text[-1].isspace():
        return None
    found = worksheet.completions(words[-1])
    return text + found[0][len(words[-1]) :] if found else None


class SentenceEditor(Typed):
    """An input for the words of one worksheet."""

    BINDINGS = [
        Binding("tab", "complete", "complete", show=False),
        Binding("escape", "leave", "undo", show=False),
    ]

    class Left(Message):
        """Escape: the sentence before comes back."""

    def __init__(self, worksheet: Worksheet, text: str) -> None:
        super().__init__(
            text,
            compact=True,
            select_on_focus=False,
            highlighter=_UnknownWords(worksheet),
            suggester=_NextWord(worksheet),
        )
        self.worksheet = worksheet
        self.cursor_blink = False
        self.cursor_position = len(text)

    def action_complete(self) -> None:
        """Complete the word before the cursor and begin the next one."""
        before, after = self.value[: self.cursor_position], self.value[self.cursor_position :]
        whole = completed(self.worksheet, before)
        if whole is not None and not after[:1].strip():
            self.value = whole + (after or " ")
            self.cursor_position = len(whole) + 1

    def action_leave(self) -> None:
        """Restore the sentence."""
        self.post_message(self.Left())
