"""The worksheet: every number that the lesson starts from, read from TOML, validated and frozen."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from tutor.engine import givens
from tutor.engine.givens import Matrix, Vector, WorksheetError
from tutor.errors import TutorError, shown


class SentenceError(TutorError):
    """A sentence that cannot be read; `unknown` has the positions, from 0, of its unknown words."""

    def __init__(self, message: str, unknown: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.unknown = unknown


@dataclass(frozen=True)
class Tokens:
    """A sentence that was read."""

    words: tuple[str, ...]
    """As typed."""
    ids: tuple[int, ...]
    """One row number of the token embedding for each word."""


@dataclass(frozen=True, eq=False)
class ReadySentence:
    """A sentence that comes with the worksheet."""

    name: str
    text: str
    """The known words."""
    target: str
    """The word that followed them."""
    candidates: tuple[str, ...]
    """Continuations worth comparing."""


@dataclass(frozen=True, eq=False)
class Head:
    """One head's projections, and what its coordinates stand for."""

    label: str
    W_Q: Matrix
    """[d_model, d_head]"""
    W_K: Matrix
    """[d_model, d_head]"""
    W_V: Matrix
    """[d_model, d_v]"""
    query_axes: tuple[str, ...]
    """[d_head]"""
    key_axes: tuple[str, ...]
    """[d_head]"""
    value_axes: tuple[str, ...]
    """[d_v]"""


@dataclass(frozen=True, eq=False)
class Worksheet:
    """The givens, numbers as written; compared and hashed by identity. WorksheetError if they do not fit."""

    name: str
    axes: tuple[str, ...]
    """What each embedding coordinate stands for. [d_model]"""
    context: int
    """The most words a sentence may have."""
    vocabulary: tuple[str, ...]
    """Case-folded words; a word's id is its place, from 0. [n_vocab]"""
    token_embedding: Matrix
    """[n_vocab, d_model]"""
    position_embedding: Matrix
    """[context, d_model]"""
    heads: tuple[Head, ...]
    W_O: Matrix
    """[n_heads * d_v, d_model]"""
    W_hidden: Matrix
    """[d_model, n_hidden]"""
    b_hidden: Vector
    """[n_hidden]"""
    W_vocab: Matrix
    """[n_hidden, n_vocab]"""
    b_vocab: Vector
    """[n_vocab]"""
    sentences: tuple[ReadySentence, ...]
    """The lesson's own first."""

    def __post_init__(self) -> None:
        for key, value in _checked(self).items():
            object.__setattr__(self, key, value)
        for sentence in self.sentences:
            try:
                self.read(sentence.text)
            except SentenceError as error:
                raise WorksheetError(f"sentences.{shown(sentence.name)}.text: {error}") from None

    @classmethod
    def load(cls, path: Path) -> Worksheet:
        """The worksheet in that TOML file; WorksheetError naming the file if it cannot be used."""
        try:
            return cls(**_arguments(tomllib.loads(path.read_text("utf-8-sig"))))
        except WorksheetError as error:
            problem = str(error)
        except OSError as error:
            problem = f"cannot be read ({error.strerror}); give the path of a worksheet, a TOML file"
        except UnicodeDecodeError as error:
            problem = f"byte {error.start} is not UTF-8; save the file as UTF-8 text"
        except (ValueError, RecursionError) as error:
            problem = f"is not TOML: {shown(str(error), 120)}; correct the file"
        raise WorksheetError(f"{shown(str(path), 200)}: {problem}")

    @property
    def d_model(self) -> int:
        """Coordinates of an embedding row."""
        return len(self.token_embedding[0])

    @property
    def d_head(self) -> int:
        """Width of a head's queries and keys."""
        return len(self.heads[0].W_Q[0])

    @property
    def d_v(self) -> int:
        """Width of a head's values."""
        return len(self.heads[0].W_V[0])

    @property
    def n_heads(self) -> int:
        """Number of heads."""
        return len(self.heads)

    @property
    def n_hidden(self) -> int:
        """Hidden units of the prediction."""
        return len(self.b_hidden)

    @property
    def n_vocab(self) -> int:
        """Words in the vocabulary."""
        return len(self.vocabulary)

    @property
    def joined_axes(self) -> tuple[str, ...]:
        """What each coordinate of a joined row stands for. [n_heads * d_v]"""
        return tuple(axis for head in self.heads for axis in head.value_axes)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: id for id, word in enumerate(self.vocabulary)}

    def read(self, text: str) -> Tokens:
        """The words of `text` and their ids; SentenceError if empty, too long or with unknown words."""
        words = tuple(text.split())
        found = [self._ids.get(word.casefold()) for word in words]
        unknown = tuple(position for position, id in enumerate(found) if id is None)
        if not words:
            raise SentenceError(f"No words given; type 1 to {self.context} words of the vocabulary.")
        if len(words) > self.context:
            excess = len(words) - self.context
            allowed = f"at most {self.context} allowed; take out {excess}."
            raise SentenceError(f"{len(words)} words given, {allowed}", unknown)
        if unknown:
            raise SentenceError(self._unknown(words, unknown), unknown)
        return Tokens(words, tuple(id for id in found if id is not None))

    def _unknown(self, words: Sequence[str], unknown: Sequence[int]) -> str:
        told = []
        for position in unknown[:3]:
            near = self.nearest(words[position])
            hint = f" (near: {' or '.join(near)})" if near else ""
            told.append(f'word {position + 1} "{shown(words[position])}"{hint}')
        more = f" and {len(unknown) - 3} more" if len(unknown) > 3 else ""
        known = f'use the {self.n_vocab} words of the vocabulary, such as "{shown(self.vocabulary[0])}".'
        return f"Unknown {', '.join(told)}{more}; {known}"

    def nearest(self, word: str, n: int = 3) -> list[str]:
        """Up to `n` words of the vocabulary that look like `word`, the nearest first."""
        import difflib  # late: 4 ms that only a mistake needs

        return difflib.get_close_matches(word[:80].casefold(), self.vocabulary, n)

    def completions(self, prefix: str) -> list[str]:
        """The words of the vocabulary that begin with `prefix`, in its order."""
        return [word for word in self.vocabulary if word.startswith(prefix.casefold())]

    def one_wide_head(self) -> Worksheet:
        """The same projections side by side as a single head, whose scores then share one softmax."""

        def beside(matrices: Sequence[Matrix]) -> Matrix:
            return tuple(tuple(chain.from_iterable(rows)) for rows in zip(*matrices, strict=True))

        wide = Head(
            " + ".join(head.label for head in self.heads),
            beside([head.W_Q for head in self.heads]),
            beside([head.W_K for head in self.heads]),
            beside([head.W_V for head in self.heads]),
            tuple(axis for head in self.heads for axis in head.query_axes),
            tuple(axis for head in self.heads for axis in head.key_axes),
            self.joined_axes,
        )
        return replace(self, heads=(wide,))


def _checked(sheet: Worksheet) -> dict[str, Any]:
    """Every field checked and frozen; the first row of a few matrices sets the sizes that all must fit."""
    vocabulary = givens.words("vocabulary", sheet.vocabulary)
    context = givens.whole("context", sheet.context)
    heads = givens.several("heads", sheet.heads, Head)
    sentences = givens.several("sentences", sheet.sentences, ReadySentence)
    names = [givens.text("sentence name", sentence.name) for sentence in sentences]
    if len(set(names)) < len(names):
        raise WorksheetError(
            f"sentences {', '.join(map(shown, names))}: a name stands twice, needs each once"
        )
    n_vocab = len(vocabulary)
    d_model = givens.columns("token_embedding", sheet.token_embedding)
    d_head = givens.columns("head 1 W_Q", heads[0].W_Q)
    d_v = givens.columns("head 1 W_V", heads[0].W_V)
    sizes = d_model, d_head, d_v
    n_hidden = givens.columns("W_hidden", sheet.W_hidden)

    def matrix(key: str, rows: int, columns: int, meaning: str) -> Matrix:
        return givens.matrix(key, getattr(sheet, key), (rows, columns), meaning)

    return {
        "name": givens.text("name", sheet.name),
        "axes": givens.texts("axes", sheet.axes, d_model, "d_model"),
        "context": context,
        "vocabulary": vocabulary,
        "token_embedding": matrix("token_embedding", n_vocab, d_model, "n_vocab, d_model"),
        "position_embedding": matrix("position_embedding", context, d_model, "context, d_model"),
        "heads": tuple(_checked_head(f"head {n}", head, *sizes) for n, head in enumerate(heads, 1)),
        "W_O": matrix("W_O", len(heads) * d_v, d_model, "n_heads * d_v, d_model"),
        "W_hidden": matrix("W_hidden", d_model, n_hidden, "d_model, n_hidden"),
        "b_hidden": givens.vector("b_hidden", sheet.b_hidden, n_hidden, "n_hidden"),
        "W_vocab": matrix("W_vocab", n_hidden, n_vocab, "n_hidden, n_vocab"),
        "b_vocab": givens.vector("b_vocab", sheet.b_vocab, n_vocab, "n_vocab"),
        "sentences": tuple(_checked_sentence(sentence, vocabulary) for sentence in sentences),
    }


def _checked_head(key: str, head: Head, d_model: int, d_head: int, d_v: int) -> Head:
    return Head(
        givens.text(f"{key} label", head.label),
        givens.matrix(f"{key} W_Q", head.W_Q, (d_model, d_head), "d_model, d_head"),
        givens.matrix(f"{key} W_K", head.W_K, (d_model, d_head), "d_model, d_head"),
        givens.matrix(f"{key} W_V", head.W_V, (d_model, d_v), "d_model, d_v"),
        givens.texts(f"{key} query_axes", head.query_axes, d_head, "d_head"),
        givens.texts(f"{key} key_axes", head.key_axes, d_head, "d_head"),
        givens.texts(f"{key} value_axes", head.value_axes, d_v, "d_v"),
    )


def _checked_sentence(sentence: ReadySentence, vocabulary: Sequence[str]) -> ReadySentence:
    key = f"sentences.{shown(sentence.name)}"
    target = givens.text(f"{key}.target", sentence.target)
    candidates = givens.words(f"{key}.candidates", sentence.candidates)
    for word in (target, *candidates):
        if word not in vocabulary:
            raise WorksheetError(f'{key}: "{shown(word)}" is not in the vocabulary; choose one of its words')
    return ReadySentence(sentence.name, givens.text(f"{key}.text", sentence.text), target, candidates)


def _arguments(document: dict[str, Any]) -> dict[str, Any]:
    """A TOML document as the arguments of Worksheet: the embedding table's order is the vocabulary."""
    keys = [name for name in _names(Worksheet) if name != "vocabulary"]
    written = givens.table("the worksheet", document, keys)
    told = ("text", "target", "candidates")
    rows = givens.table("token_embedding", written["token_embedding"])
    return {
        **written,
        "vocabulary": tuple(rows),
        "token_embedding": tuple(rows.values()),
        "heads": [
            Head(**givens.table(f"head {number}", head, _names(Head)))
            for number, head in enumerate(givens.several("heads", written["heads"], dict), 1)
        ],
        "sentences": [
            ReadySentence(name, **givens.table(f"sentences.{shown(name)}", sentence, told))
            for name, sentence in givens.table("sentences", written["sentences"]).items()
        ],
    }


def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))
