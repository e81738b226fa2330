"""The features of texts, by the library or by the command `akin features`, for joins elsewhere."""

import json
import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple, overload

from . import _library, program


class Features(NamedTuple):
    """A text's different features, ascending, and how often it has each. `hashes` are 64 bits, from 0."""

    words: int
    hashes: list[int]
    counts: list[int]


@overload
def features(texts: str, *, scheme: str | None = None, lang: str | list[str] | None = None) -> Features: ...  # type: ignore[overload-overlap]


@overload
def features(texts: Iterable[str], *, scheme: str | None = None, lang: str | list[str] | None = None) -> Iterator[Features]: ...


def features(
    texts: str | Iterable[str], *, scheme: str | None = None, lang: str | list[str] | None = None
) -> Features | Iterator[Features]:
    """The features of a text, or of each text in order, as a collection of the same scheme and dictionaries stores them.

    If the environment variable AKIN_LIBRARY names the library of features, this thread analyses one text after another with
    it, and other threads run meanwhile: as workers of a cluster need it. Else one process of the program analyses all texts on
    all cores, and reads them as they come: call it once for many texts. Raises ProgramError.
    """
    return next(_features([texts], scheme, lang)) if isinstance(texts, str) else _features(texts, scheme, lang)


def _features(texts: Iterable[str], scheme: str | None, lang: str | list[str] | None) -> Iterator[Features]:
    if library := os.environ.get("AKIN_LIBRARY"):
        analyser = _library.analyser(library, lang, scheme)
        for text in texts:
            yield Features(*analyser.features(text))
        return
    lines = (program.json_line({"id": "", "text": text}) for text in texts)
    for line in program.run(["features", "-", *program.flags(scheme=scheme, lang=lang)], lines):
        row = json.loads(line)
        yield Features(row["words"], [int(digits, 16) for digits in row["features"]], row["counts"])
