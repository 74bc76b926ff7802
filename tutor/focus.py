"""Where the learner is: one frozen value that reproduces any view exactly."""

from dataclasses import asdict, dataclass, fields, replace
from typing import Any


@dataclass(frozen=True)
class Focus:
    """Positions count from 0 here, from 1 on screens and in options; None is the lesson's own choice."""

    worksheet: str
    """a shipped worksheet's name or a path"""
    sentence: str
    """as typed"""
    stop: str
    beat: int = 0
    """of the stop's beats"""
    head: int = 0
    receiver: int | None = None
    """None: the last word"""
    source: int | None = None
    """None: the head's strongest"""
    column: int | None = None
    """None: the one that the beat speaks of"""
    causal: bool = True

    def within(self, n_beats: int, n_heads: int, n_words: int) -> "Focus":
        """The same focus, every position brought into its range."""
        return replace(
            self,
            beat=_clamp(self.beat, n_beats),
            head=_clamp(self.head, n_heads),
            receiver=None if self.receiver is None else _clamp(self.receiver, n_words),
            source=None if self.source is None else _clamp(self.source, n_words),
            column=None if self.column is None else max(self.column, 0),
        )

    def to_document(self) -> dict[str, Any]:
        """As plain values, for the saved place."""
        return asdict(self)

    @classmethod
    def from_document(cls, document: Any) -> "Focus":
        """The focus that `to_document` wrote; ValueError where a field is missing or of another type."""
        if not isinstance(document, dict):
            raise ValueError(f"the focus is no document: {document!r}")
        kinds: dict[str, tuple[type, ...]] = {
            "worksheet": (str,),
            "sentence": (str,),
            "stop": (str,),
            "beat": (int,),
            "head": (int,),
            "receiver": (int, type(None)),
            "source": (int, type(None)),
            "column": (int, type(None)),
            "causal": (bool,),
        }
        for field in fields(cls):
            value = document.get(field.name, ...)
            if not isinstance(value, kinds[field.name]) or (type(value) is bool) != (field.name == "causal"):
                raise ValueError(f"{field.name} is {value!r}")
        return cls(**{field.name: document[field.name] for field in fields(cls)})


def _clamp(position: int, count: int) -> int:
    return max(0, min(position, count - 1))
