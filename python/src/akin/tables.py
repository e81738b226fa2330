"""Tables of several libraries under one interface. A library is imported only if its table is there."""

import pathlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO, Protocol

from . import files

# The types of added columns, also if all of their values are missing.
MARKS = {"cluster": "int64", "duplicate_of": "string", "share": "float64"}


class Table(Protocol):
    """Rows that are picked by their numbers; the table itself does not change."""

    @property
    def columns(self) -> Sequence[str]: ...

    def values(self, column: str) -> Iterable[Any]:
        """The column's values, None where there is none."""

    def take(self, rows: list[int]) -> Any:
        """A table of the library with these rows."""

    def with_columns(self, columns: dict[str, list[Any]]) -> "Table":
        """With more columns, or other values of a column."""


class PandasTable:
    def __init__(self, frame: Any):
        self.frame = frame
        self.columns = [str(name) for name in frame.columns]

    def values(self, column: str) -> Iterable[Any]:
        present = self.frame[column].notna()
        return (value if there else None for value, there in zip(self.frame[column], present))

    def take(self, rows: list[int]) -> Any:
        return self.frame.iloc[rows]

    def with_columns(self, columns: dict[str, list[Any]]) -> Table:
        import pandas

        kinds = {"cluster": "Int64", "share": "float64"}
        series = {name: pandas.Series(values, self.frame.index, kinds.get(name, "object")) for name, values in columns.items()}
        return PandasTable(self.frame.assign(**series))


class PolarsTable:
    def __init__(self, frame: Any):
        self.frame = frame
        self.columns = frame.columns

    def values(self, column: str) -> Iterable[Any]:
        return (value for value in self.frame[column])

    def take(self, rows: list[int]) -> Any:
        return self.frame[rows]

    def with_columns(self, columns: dict[str, list[Any]]) -> Table:
        import polars

        kinds = {"cluster": polars.Int64, "share": polars.Float64}
        return PolarsTable(
            self.frame.with_columns(
                **{name: polars.Series(values, dtype=kinds.get(name, polars.String)) for name, values in columns.items()}
            )
        )


class ArrowTable:
    def __init__(self, table: Any):
        self.table = table
        self.columns = table.column_names

    def values(self, column: str) -> Iterable[Any]:
        return (value for chunk in self.table[column].chunks for value in chunk.to_pylist())

    def take(self, rows: list[int]) -> Any:
        import pyarrow

        return self.table.take(pyarrow.array(rows, pyarrow.int64()))

    def with_columns(self, columns: dict[str, list[Any]]) -> "ArrowTable":
        import pyarrow

        table = self.table
        for name, values in columns.items():
            if name in table.column_names:
                at = table.column_names.index(name)
                table = table.set_column(at, name, pyarrow.array(values, type=table.schema.field(name).type))
            else:
                table = table.append_column(name, pyarrow.array(values, type=MARKS[name]))
        return ArrowTable(table)


class HuggingFaceTable:
    """A datasets.Dataset."""

    def __init__(self, dataset: Any):
        self.dataset = dataset
        self.columns = dataset.column_names

    def values(self, column: str) -> Iterable[Any]:
        return (value for batch in self.dataset.select_columns([column]).iter(batch_size=1000) for value in batch[column])

    def take(self, rows: list[int]) -> Any:
        return self.dataset.select(rows)

    def with_columns(self, columns: dict[str, list[Any]]) -> Table:
        import datasets

        dataset = self.dataset
        for name, values in columns.items():
            order = dataset.column_names
            if name in order:
                dataset = dataset.remove_columns([name]).add_column(name, values).select_columns(order)
            else:
                dataset = dataset.add_column(name, values, feature=datasets.Value(MARKS[name]))
        return HuggingFaceTable(dataset)


class Rows:
    """A list of texts, or of dicts."""

    def __init__(self, rows: Sequence[Any]):
        self.rows = rows
        self.columns: list[str] = list(rows[0]) if rows and isinstance(rows[0], dict) else []

    def values(self, column: str) -> Iterable[Any]:
        return (row.get(column) if isinstance(row, dict) else row for row in self.rows)

    def take(self, rows: list[int]) -> Any:
        return [self.rows[row] for row in rows]

    def with_columns(self, columns: dict[str, list[Any]]) -> Table:
        if not self.columns and list(columns) == ["text"]:
            return Rows(columns["text"])
        rows = [row if isinstance(row, dict) else {"text": row} for row in self.rows]
        return Rows([{**row, **{name: values[at] for name, values in columns.items()}} for at, row in enumerate(rows)])


class ParquetTable:
    """Parquet files, one after another, which are read a batch at a time; `out` is open for writing, and empty."""

    def __init__(self, paths: list[pathlib.Path], out: BinaryIO, more: dict[str, list[Any]] | None = None):
        self.paths = paths
        self.out = out
        self.more = more or {}
        with files.opened_parquet(paths[0]) as file:
            self.columns = file.schema_arrow.names

    def batches(self, columns: list[str] | None = None) -> Iterator[Any]:
        for path in self.paths:
            with files.opened_parquet(path, columns or ()) as file:
                yield from file.iter_batches(columns=columns)

    def values(self, column: str) -> Iterable[Any]:
        return (value for batch in self.batches([column]) for value in batch.column(0).to_pylist())

    def take(self, rows: list[int]) -> None:
        """Writes the rows, which ascend, into the file `out`."""
        import pyarrow.parquet

        writer, begin, taken = None, 0, 0
        try:
            for batch in self.batches():
                end = taken
                while end < len(rows) and rows[end] < begin + batch.num_rows:
                    end += 1
                table = ArrowTable(pyarrow.Table.from_batches([batch]))
                wider = table.with_columns({name: values[begin : begin + batch.num_rows] for name, values in self.more.items()})
                chosen = wider.take([row - begin for row in rows[taken:end]])
                writer = writer or pyarrow.parquet.ParquetWriter(self.out, chosen.schema, compression="zstd")
                writer.write_table(chosen)
                begin, taken = begin + batch.num_rows, end
        finally:
            if writer is not None:
                writer.close()
        if writer is None:  # no rows at all
            pyarrow.parquet.write_table(pyarrow.parquet.read_schema(self.paths[0]).empty_table(), self.out)

    def with_columns(self, columns: dict[str, list[Any]]) -> Table:
        return ParquetTable(self.paths, self.out, {**self.more, **columns})


def table_of(data: Any) -> Table:
    """The interface of a DataFrame of pandas or polars, a table of pyarrow, a datasets.Dataset, or a list. Raises TypeError."""
    library, kind = type(data).__module__.partition(".")[0], type(data).__name__
    if library == "pandas" and kind == "DataFrame":
        return PandasTable(data)
    if library == "polars" and kind == "DataFrame":
        return PolarsTable(data)
    if library == "pyarrow" and kind == "Table":
        return ArrowTable(data)
    if library == "datasets" and kind == "Dataset":
        return HuggingFaceTable(data)
    if isinstance(data, (list, tuple)):
        return Rows(data)
    raise TypeError(f"{library}.{kind}: give a DataFrame of pandas or polars, a table of pyarrow, a datasets.Dataset, or a list")
