"""All pairs of similar texts, by the commands `akin import` and `akin pairs`."""

import dataclasses
import html
import json
import tempfile
from collections.abc import Sequence
from typing import Any

from . import program
from .compare import Comparison, compare


@dataclasses.dataclass(frozen=True)
class Pair:
    """Two of the texts, by their places. a_share, b_share: the part of the words of each that is in shared passages, 0 to 1;
    None if features alone were compared. resemblance: by features."""

    a: int
    b: int
    a_share: float | None
    b_share: float | None
    resemblance: float
    texts: Sequence[str] = dataclasses.field(repr=False, compare=False)

    def compare(self) -> Comparison:
        """The passages of the pair."""
        return compare(self.texts[self.a], self.texts[self.b])

    def _repr_html_(self) -> str:
        return self.compare()._repr_html_()


class Pairs(list[Pair]):
    """Pairs; a notebook shows them as a table."""

    def _repr_html_(self) -> str:
        def cells(pair: Pair) -> list[str]:
            shares = ["" if share is None else f"{share:.1%}" for share in (pair.a_share, pair.b_share)]
            return [str(pair.a), str(pair.b), *shares, pair.texts[pair.a][:80], pair.texts[pair.b][:80]]

        head = "".join(f"<th>{name}</th>" for name in ("a", "b", "of a", "of b", "text a", "text b"))
        rows = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells(pair)) + "</tr>" for pair in self)
        return f"<table><tr>{head}</tr>{rows}</table>"


def similar(texts: Sequence[str], *, scheme: str | None = None, lang: str | list[str] | None = None, **flags: Any) -> Pairs:
    """All pairs of the texts that share text, as `akin pairs` finds them, in ascending order.

    flags: those of `akin pairs`: bound, min_containment, min_resemblance, common_limit, tier, memory. Raises ProgramError.
    """
    with tempfile.TemporaryDirectory(prefix="akin-") as folder:
        common = program.flags(data=folder, lang=lang)
        lines = (program.json_line({"id": str(at), "text": text}) for at, text in enumerate(texts))
        for _ in program.run(["import", "-", *common, *program.flags(scheme=scheme)], lines):
            pass
        found = [json.loads(line) for line in program.run(["pairs", *common, *program.flags(json=True, **flags)])]
    return Pairs(sorted((_pair(row, texts) for row in found), key=lambda pair: (pair.a, pair.b)))


def _pair(row: dict[str, Any], texts: Sequence[str]) -> Pair:
    words = row.get("words", {})
    sides = [(int(row["a"]), words.get("a_share")), (int(row["b"]), words.get("b_share"))]
    (a, a_share), (b, b_share) = sorted(sides, key=lambda side: side[0])
    return Pair(a, b, a_share, b_share, row["resemblance"], texts)
