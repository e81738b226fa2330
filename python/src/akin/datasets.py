"""Datasets without duplicates, by the command `akin dedup`."""

import json
import os
import pathlib
import secrets
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeVar, overload

from . import files, program
from .tables import ParquetTable, Table, table_of

Data = TypeVar("Data")
Path = str | os.PathLike[str]
By = Literal["document", "paragraph", "line", "passage"]
# Where akin dedup --keep oldest looks for the time of a document.
TIMES = ("date", "time", "timestamp", "published", "created")


@overload
def dedup(data: Path | list[pathlib.Path], *, out: Path, **options: Any) -> None: ...
@overload
def dedup(data: Data, *, out: None = None, **options: Any) -> Data: ...
def dedup(
    data: Any,
    *,
    out: Path | None = None,
    text: str = "text",
    id: str | None = None,  # noqa: A002
    by: By = "document",
    mark: bool = False,
    keep: str = "first",
    against: Any = None,
    **flags: Any,
) -> Any:
    """Drops the rows of a dataset that other rows cover; keeps all columns, and the order.

    data: a DataFrame of pandas or polars, a table of pyarrow, a datasets.Dataset, a list of texts or of dicts: what is
    returned is of the same kind. Or one or several files: Parquet, for which `out` is a Parquet file, or web archives (WARC,
    WET) and lines of JSON, for which `out` is lines of JSON (.jsonl, also .gz or .zst). Rows without a text stay.

    text, id: names of columns. Without `id`, rows are named by their numbers from 0.
    by: what is dropped: documents, or repeated parts of texts; then the column has what is left, and rows without rest go.
    mark: keep all rows, and add the columns cluster, duplicate_of (an id as text) and share.
    keep: first, longest, oldest, or a column: which of several documents stays.
    against: data of the same kinds, or the name of a collection: what they cover is dropped, too.
    flags: others of `akin dedup`: min_containment, min_resemblance, min_words, cut, scheme, lang, memory.

    Raises ProgramError if the program fails, KeyError if a column is missing, TypeError for data of another kind, ValueError for a
    file that cannot be read, or if `out` is a file that is read or has the name of another format, BlockingIOError if another run
    writes it.
    """
    with tempfile.TemporaryDirectory(prefix="akin-") as folder:
        known = _known(against, text, pathlib.Path(folder) / "known.jsonl")
        command = ["dedup", "-", *program.flags(by=by, against=known, mark=mark, **flags)]
        paths = program.paths_of(data)
        if (paths is None) != (out is None):
            raise TypeError("give out= with files, and only with files")
        is_parquet = paths is not None and all(map(files.is_parquet, paths))
        if out is not None:
            files.check_not_read(pathlib.Path(os.fspath(out)), [*(paths or []), *(program.paths_of(against) or [])])
            if files.is_parquet(pathlib.Path(os.fspath(out))) != is_parquet:
                kind = "Parquet (.parquet)" if is_parquet else "lines of JSON (.jsonl)"
                raise ValueError(f"{out}: what is written is {kind}, as the input is; give it such a name")
        if paths is not None and not is_parquet:
            command += program.flags(out=out, keep=keep, text_field=text, id_field=id)
            lines = (program.json_line(row) for path in paths for row in files.documents(path))
            return list(program.run(command, lines)) and None
        if paths is None:
            return _Run(table_of(data), text, keep, command).kept(by, mark, id)
        with files.written_alone(pathlib.Path(os.fspath(out))) as written:  # type: ignore[arg-type]
            return _Run(ParquetTable(paths, written), text, keep, command).kept(by, mark, id)


def _known(data: Any, text: str, copy: pathlib.Path) -> str | None:
    """The value of --against: a name or path as it is, other data by their texts in the file `copy`."""
    paths = program.paths_of(data) if data is not None else None
    if data is None or paths and not any(files.is_parquet(path) or files.is_warc(path) for path in paths):
        return data if data is None else os.fspath(data)
    rows = (row for path in paths for row in files.documents(path)) if paths else ({text: value} for value in table_of(data).values(text))
    with copy.open("wb") as file:
        file.writelines(program.json_line({"id": str(row.get("id", at)), "text": row[text]}) for at, row in enumerate(rows) if row[text])
    return str(copy)


class _Run:
    """One run of the program over a table, whose rows it knows by their numbers."""

    def __init__(self, table: Table, text: str, keep: str, command: list[str]):
        if text not in table.columns and table.columns:
            raise KeyError(text)
        self.table = table
        self.text = text
        self.prefix = secrets.token_hex(8) + ":"  # no id of other documents begins so
        self.columns = {"text": text}
        if keep == "oldest":
            self.columns |= {name: name for name in TIMES if name in table.columns}
        elif keep not in ("first", "longest"):
            self.columns["preferred"], keep = keep, "preferred"
        self.command = [*command, "--out", "-", "--keep", keep] if keep != "first" else [*command, "--out", "-"]

    def lines(self) -> Iterator[bytes]:
        for row, values in enumerate(zip(*map(self.table.values, self.columns.values()))):
            if values[0] is not None:
                yield program.json_line({"id": f"{self.prefix}{row}", **dict(zip(self.columns, values))})

    def row(self, name: str) -> int:
        return int(name.removeprefix(self.prefix))

    def kept(self, by: str, mark: bool, id_column: str | None) -> Any:
        """The table without what the program drops, or with marks."""
        answers = {self.row(answer.pop("id")): answer for answer in map(json.loads, program.run(self.command, self.lines()))}
        texts = list(self.table.values(self.text))
        if mark:
            names = list(map(str, self.table.values(id_column))) if id_column else list(map(str, range(len(texts))))
            return self.table.with_columns(_marks(texts, answers, self.prefix, names)).take(list(range(len(texts))))
        rows = [row for row, text in enumerate(texts) if text is None or row in answers]
        if by == "document":
            return self.table.take(rows)
        rest = [answers[row]["text"] if row in answers else text for row, text in enumerate(texts)]
        return self.table.with_columns({self.text: rest}).take(rows)


def _marks(texts: list[Any], answers: dict[int, dict[str, Any]], prefix: str, names: list[str]) -> dict[str, list[Any]]:
    def cover(row: int) -> str | None:
        covers = answers[row]["duplicate_of"]
        return names[int(covers.removeprefix(prefix))] if covers and covers.startswith(prefix) else covers

    rows: Iterable[int] = range(len(texts))
    return {
        "cluster": [answers[row]["cluster"] if row in answers else None for row in rows],
        "duplicate_of": [cover(row) if row in answers else None for row in rows],
        "share": [answers[row]["share"] if row in answers else None for row in rows],
    }
