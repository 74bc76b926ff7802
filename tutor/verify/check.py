"""The outcome of one check."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """One group of things that must hold, and whether they do."""

    name: str
    passed: bool
    detail: str
    """How many and how close, or what is wrong."""
