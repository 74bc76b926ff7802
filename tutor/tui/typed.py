"""A line to type in, whose keys act in the order in which they were typed, however fast."""

from textual import events
from textual.widgets import Input


class Typed(Input):
    """An input that does what its keys are bound to at once, not after a round through the app."""

    async def on_key(self, event: events.Key) -> None:
        """Letters must not overtake the ctrl+u before them; keys on their way when it closes do nothing."""
        if not event.is_printable:
            event.stop()
            event.prevent_default()
            if self.app.focused is self:
                await self.app._check_bindings(event.key)
