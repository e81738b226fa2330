"""What two texts share, for reading in a notebook."""

import dataclasses
import html
import json
import os
import pathlib
import tempfile
from typing import Any

from . import _library, program

COLOURS = ("#ffe9a8", "#c9e7c8", "#cfe0fb", "#f6d0dc", "#e3d6f5")


@dataclasses.dataclass(frozen=True)
class Passage:
    """A passage that two texts share: ranges of characters in both, half-open, and the number of its words."""

    a: tuple[int, int]
    b: tuple[int, int]
    words: int
    changes: list[dict[str, Any]]


@dataclasses.dataclass(frozen=True)
class Comparison:
    """What two texts share. a_share, b_share: the part of the words of each that are in passages, 0 to 1."""

    text_a: str
    text_b: str
    a_share: float
    b_share: float
    passages: list[Passage]

    def _repr_html_(self) -> str:
        columns = (
            (self.text_a, [passage.a for passage in self.passages], self.a_share),
            (self.text_b, [passage.b for passage in self.passages], self.b_share),
        )
        cells = "".join(
            f'<td style="vertical-align:top;text-align:left;width:50%;white-space:pre-wrap"><b>{share:.1%}</b>\n{marked(text, ranges)}</td>'
            for text, ranges, share in columns
        )
        return f'<table style="width:100%"><tr>{cells}</tr></table>'


def marked(text: str, ranges: list[tuple[int, int]]) -> str:
    """The text as HTML, in which each range, by its place in the list, has a colour; where ranges overlap, that of the first."""
    colours: list[int | None] = [None] * len(text)
    for number, (begin, end) in reversed(list(enumerate(ranges))):
        colours[begin:end] = [number] * (end - begin)
    parts, begin = [], 0
    for at in range(1, len(text) + 1):
        if at < len(text) and colours[at] == colours[begin]:
            continue
        part, colour = html.escape(text[begin:at]), colours[begin]
        parts.append(part if colour is None else f'<mark style="background:{COLOURS[colour % len(COLOURS)]}">{part}</mark>')
        begin = at
    return "".join(parts)


def compare(a: str, b: str, *, lang: str | list[str] | None = None, scheme: str | None = None) -> Comparison:
    """The passages that two texts share, the largest first, as `akin compare` finds them. Raises ProgramError."""
    with tempfile.TemporaryDirectory(prefix="akin-") as folder:
        paths = [pathlib.Path(folder) / name for name in ("a.txt", "b.txt")]
        for path, text in zip(paths, (a, b)):
            path.write_bytes(text.encode())
        flags = program.flags(json=True, passages=0, changes=0, lang=lang, scheme=scheme)
        (line,) = program.run(["compare", *map(str, paths), *flags])
    answer = json.loads(line)
    words = answer.get("words", {})
    passages = [Passage(tuple(one["a"]), tuple(one["b"]), one.get("words", 0), one.get("changes", [])) for one in answer["passages"]]
    return Comparison(a, b, words.get("a_share", 0.0), words.get("b_share", 0.0), passages)


def align(a: str, b: str, *, lang: str | list[str] | None = None) -> Comparison:
    """The aligned passages of two texts, as `compare` finds them, by their places in `a` and without their changes.

    They are found in this process, by the library that the environment variable AKIN_LIBRARY names, else the installed one.
    Raises ProgramError.
    """
    analyser = _library.analyser(os.environ.get("AKIN_LIBRARY") or _library.INSTALLED, lang)
    (a_words, b_words, a_matched, b_matched), found = analyser.align(a, b)
    passages = [Passage((a_begin, a_end), (b_begin, b_end), words, []) for a_begin, a_end, b_begin, b_end, words in found]
    return Comparison(a, b, a_matched / a_words if a_words else 0.0, b_matched / b_words if b_words else 0.0, passages)
