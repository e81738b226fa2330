"""The chain of a story: who took it from whom, when, and which passages."""

import dataclasses
import datetime
import html
import json
import pathlib
from collections.abc import Iterable, Mapping
from typing import Any

from .compare import Comparison
from .similar import Pair, similar

TIMES = ("time", "published", "date_published", "date")


@dataclasses.dataclass(frozen=True)
class Reprint:
    """A document of a story. `of`: the place of the earlier one that has most of its words; None: none shares text with it.
    `share`: that part of its words, 0 to 1."""

    id: str
    time: str
    source: str
    title: str
    of: int | None
    share: float
    _pair: Pair | None = dataclasses.field(repr=False, compare=False)

    def compare(self) -> Comparison:
        """The passages that it shares with the one that it was taken from. Raises ValueError if that is none."""
        if self._pair is None:
            raise ValueError(f"{self.id} shares no text with an earlier document")
        return self._pair.compare()


class Story(list[Reprint]):
    """The documents of a story by time, the first source first; a notebook shows who took what from whom."""

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in ("time", "source", "document", "taken from", "share"))
        rows, passages = "", ""
        for number, one in enumerate(self):
            taken = "" if one.of is None else f'<a href="#document-{one.of}">{html.escape(self[one.of].source or self[one.of].id)}</a>'
            cells = (html.escape(one.time), html.escape(one.source), html.escape(one.title or one.id), taken)
            share = "" if one.of is None else f"{one.share:.0%}"
            rows += f'<tr id="document-{number}">{"".join(f"<td>{cell}</td>" for cell in (*cells, share))}</tr>'
            if one.of is not None:
                titles = " ← ".join(html.escape(each.source or each.id) for each in (one, self[one.of]))
                passages += f"<h2>{titles}</h2>{one.compare()._repr_html_()}"
        return f"<table><tr>{head}</tr>{rows}</table>{passages}"

    def page(self) -> str:
        """A page of HTML of its own."""
        title = html.escape(self[0].title or self[0].id)
        style = "body{max-width:70em;margin:auto;font-family:sans-serif}td,th{padding:.2em .6em;text-align:left}"
        begin = f'<!doctype html>\n<html><head><meta charset="utf-8"><title>{title}</title><style>{style}</style></head>'
        return f"{begin}<body><h1>{title}</h1>{self._repr_html_()}</body></html>\n"


def story(documents: Iterable[Mapping[str, Any]]) -> Story:
    """The chain of documents that `akin stream` put into one group: objects such as its lines. Raises ProgramError."""
    by_time = sorted(documents, key=_time)
    best_of: dict[int, Pair] = {}
    for pair in similar([one["text"] for one in by_time]):  # by a: of equal shares the earliest stays
        known = best_of.setdefault(pair.b, pair)
        if (pair.b_share or 0.0) > (known.b_share or 0.0):
            best_of[pair.b] = pair
    chain = Story()
    for number, one in enumerate(by_time):
        best = best_of.get(number)
        source = one.get("source") or one.get("hostname") or ""
        taken = None if best is None else best.a
        share = 0.0 if best is None else best.b_share or 0.0
        chain.append(Reprint(str(one.get("id") or one.get("url", "")), _time(one), source, one.get("title") or "", taken, share, best))
    return chain


def story_of_state(folder: pathlib.Path, name: str) -> Story:
    """The chain to which the document with this id belongs, from the folder of `akin stream --state`. Raises ValueError."""
    rows: dict[str, tuple[str, dict[str, Any]]] = {}
    for part in sorted(folder.glob("window-*.ndjson")):
        with part.open(encoding="utf-8") as lines:
            for row in map(json.loads, (line for line in lines if line.endswith("\n"))):
                document = row["document"]
                known = str(document.get("id") or document.get("url") or document.get("link") or "")
                when = datetime.datetime.fromtimestamp(row["time"], datetime.timezone.utc)
                rows[known] = row["group"], {**document, "time": when.strftime("%Y-%m-%dT%H:%M:%SZ")}
    if name not in rows:
        raise ValueError(f"{folder}: has no document {name!r}")
    return story(document for group, document in rows.values() if group == rows[name][0])


def _time(document: Mapping[str, Any]) -> str:
    return next((str(document[field]) for field in TIMES if document.get(field)), "")
