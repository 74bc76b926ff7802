"""What the files of `content/` say: the list of stops, and the prose of each screen."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tutor.prose import ContentError, Piece, parse

USES = ("head", "receiver", "source", "column")
HEADER = {"title": str, "station": str, "uses": list}


@dataclass(frozen=True)
class Content:
    """One content file: its header, and the prose of each beat."""

    title: str
    station: str
    """the station of the path map that is lit"""
    uses: tuple[str, ...]
    """which of head, receiver, source and column name the lit cell"""
    prose: Mapping[str, tuple[Piece, ...]]

    @classmethod
    def load(cls, path: Path) -> "Content":
        """Read `content/<id>.md`; ContentError names the file and the fault."""
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ContentError(f"content/{path.name} cannot be read ({error}): write it in UTF-8") from None
        try:
            return cls._read(text)
        except (ContentError, tomllib.TOMLDecodeError, KeyError, ValueError) as error:
            raise ContentError(f"content/{path.name}: {error}") from None

    @classmethod
    def _read(cls, text: str) -> "Content":
        opening, header, body = [*text.split("+++", 2), "", ""][:3]
        if opening.strip() or not body:
            raise ContentError("no header: begin with +++, title, station and uses, +++")
        fields = tomllib.loads(header)
        if fields.keys() != HEADER.keys():
            raise ContentError(f"the header has {', '.join(fields)}: it needs title, station and uses")
        if not all(isinstance(fields[name], kind) for name, kind in HEADER.items()):
            raise ContentError("the header needs texts for title and station and a list for uses")
        if unknown := [use for use in fields["uses"] if use not in USES]:
            raise ContentError(f"uses has {unknown[0]}: allowed are {', '.join(USES)}")
        before, *chunks = body.split("\n## ")
        if before.strip():
            raise ContentError("prose before the first beat: begin each beat with ## and its name")
        prose = {}
        for chunk in chunks:
            heading, _, words = chunk.partition("\n")
            beat = heading.strip()
            if beat in prose:
                raise ContentError(f"beat {beat} stands twice: give each beat one ## heading")
            prose[beat] = parse(words)
        if not prose:
            raise ContentError("no beats: begin each with ## and its name")
        return cls(fields["title"], fields["station"], tuple(fields["uses"]), prose)


class Entry(NamedTuple):
    """One stop as `lesson.toml` lists it."""

    chapter: int
    chapter_title: str
    screen_id: str
    head: int | None
    """from 1, or none"""
    beats: tuple[str, ...]
    """those picked; all where none is named"""


def listed(folder: Path) -> tuple[str, list[Entry]]:
    """The title and the stops of `lesson.toml`; ContentError where it is not as expected."""
    try:
        document = tomllib.loads((folder / "lesson.toml").read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ContentError(f"content/lesson.toml cannot be read: {error}") from None
    try:
        entries = [
            Entry(
                chapter["number"],
                chapter["title"],
                entry["screen"],
                entry.get("head"),
                tuple(entry.get("beats", ())),
            )
            for chapter in document["chapters"]
            for entry in chapter["stops"]
        ]
        title = document["title"]
    except (KeyError, TypeError, AttributeError) as error:
        raise ContentError(f"content/lesson.toml: {error} is missing or not as expected") from None
    if not entries:
        raise ContentError("content/lesson.toml has no stops: list at least one")
    for entry in entries:
        if entry.head is not None and (type(entry.head) is not int or entry.head < 1):
            told = f"stop {entry.screen_id} has head {entry.head}: heads count from 1"
            raise ContentError(f"content/lesson.toml: {told}")
    return title, entries
