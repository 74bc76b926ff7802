"""Reads keys, whatever bytes the terminal sends."""

from textual.driver import Driver


class _Forgiving(Driver):
    """Skips what is no UTF-8 with what was read beside it: a Latin-1 terminal must not end the lesson."""

    def run_input_thread(self) -> None:
        """Read until the driver stops."""
        while True:
            try:
                super().run_input_thread()  # type: ignore[misc]  # of the driver that stands behind
                return
            except UnicodeDecodeError:
                if self.exit_event.is_set():  # type: ignore[attr-defined]
                    return


def forgiving(driver: type[Driver]) -> type[Driver]:
    """The same driver, which goes on after bytes that are no UTF-8."""
    return type(driver.__name__, (_Forgiving, driver), {}) if hasattr(driver, "run_input_thread") else driver
