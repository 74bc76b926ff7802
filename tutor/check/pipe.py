"""One pipe from the child to the parent: lines that begin with a word only the grader's own code was told."""

from __future__ import annotations

import json
import os
from typing import Any

_MOST = 16 << 20


class Noise(ValueError):
    """What came through a pipe is not from the grader's own part of the child."""


class Lines:
    """The parent's end of one pipe."""

    def __init__(self, descriptor: int, nonce: str) -> None:
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self.is_open = True
        self._nonce = nonce.encode()
        self._rest = b""
        self._seen = 0

    def read(self) -> list[dict[str, Any]]:
        """What has come since, each line as the object that it tells; Noise if it is no such line."""
        try:
            while self.is_open:
                piece = os.read(self.descriptor, 1 << 16)
                self.is_open = bool(piece)
                self._rest += piece
                self._seen += len(piece)
                if self._seen > _MOST:
                    raise Noise("too much")
        except BlockingIOError:
            pass
        *lines, self._rest = self._rest.split(b"\n")
        return [self._told(line) for line in lines]

    def _told(self, line: bytes) -> dict[str, Any]:
        if not line.startswith(self._nonce):
            raise Noise("a line without the word")
        try:
            told = json.loads(line.removeprefix(self._nonce))
        except (ValueError, RecursionError):
            raise Noise("no JSON") from None
        if not isinstance(told, dict):
            raise Noise("no object")
        return told
