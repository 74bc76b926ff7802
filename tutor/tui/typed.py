"""A line to type in, whose keys act in the order in which they were typed, however fast."""

from textual import events
from textual.widgets import Input


class Typed(Input):
    """An input that does what its keys are bound to at once, not after a round through the app."""

    async def on_key(self, event: events.Key) -> None:
        """Letters that arrived with a ctrl+u or a backspace before them must not overtake it."""
        if not event.is_printable and await self.app._check_bindings(event.key):
            event.stop()
            event.prevent_default()
