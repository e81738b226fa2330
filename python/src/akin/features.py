"""The features of texts, by the command `akin features`, for joins elsewhere."""

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from . import program


class Features(NamedTuple):
    """A text's different features, ascending, and how often it has each. `hashes` are 64 bits, from 0."""

    words: int
    hashes: list[int]
    counts: list[int]


def features(texts: Iterable[str], *, scheme: str | None = None, lang: str | list[str] | None = None) -> Iterator[Features]:
    """The features of each text, in order, as a collection of the same scheme and dictionaries stores them.

    One process analyses all texts on all cores, and reads them as they come: call it once for many texts. In a worker of a
    cluster, where others use the other cores, the kernel shares them out. Raises ProgramError.
    """
    lines = (program.json_line({"id": "", "text": text}) for text in texts)
    for line in program.run(["features", "-", *program.flags(scheme=scheme, lang=lang)], lines):
        row = json.loads(line)
        yield Features(row["words"], [int(digits, 16) for digits in row["features"]], row["counts"])
