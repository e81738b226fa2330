"""All pairs of documents that share more than so many features, on Ray: the same pairs as `akin pairs --bound`.

    AKIN=/usr/bin/akin python3 ray_pairs.py IN.parquet OUT BOUND

IN has the columns id and text, the folder OUT gets files of Parquet with a, b and x. The workers need the package akin and
the program. A feature that n documents have makes n(n-1)/2 rows; spark_pairs.py avoids that.
"""

import sys
from typing import Any

import numpy
import pandas
import ray.data


def postings_of(batch: dict[str, Any]) -> dict[str, Any]:
    """The features of a batch of documents."""
    import akin

    found = list(akin.features(map(str, batch["text"])))
    return {
        "id": numpy.repeat(batch["id"], [len(one.hashes) for one in found]),
        "feature": numpy.array([feature for one in found for feature in one.hashes], numpy.uint64).astype(numpy.int64),
        "count": numpy.array([count for one in found for count in one.counts], numpy.int64),
    }


def pairs_of(postings: pandas.DataFrame) -> pandas.DataFrame:
    """The pairs of documents that have one feature."""
    ordered = postings.sort_values("id")
    ids, counts = ordered["id"].to_numpy(object), ordered["count"].to_numpy()
    first, second = numpy.triu_indices(len(ids), 1)
    return pandas.DataFrame({"a": ids[first], "b": ids[second], "x": numpy.minimum(counts[first], counts[second])})


def find_pairs(documents: ray.data.Dataset, bound: int, batch_size: int = 1000) -> ray.data.Dataset:
    """The pairs (a, b, x) with x > bound, where a < b. `documents` has the columns id and text."""
    postings = documents.map_batches(postings_of, batch_size=batch_size, batch_format="numpy")
    shared = postings.groupby("feature").map_groups(pairs_of, batch_format="pandas")
    sums = shared.groupby(["a", "b"]).sum("x")
    return sums.filter(lambda row: row["sum(x)"] > bound).rename_columns({"sum(x)": "x"})


def main(source: str, target: str, bound: str) -> None:
    find_pairs(ray.data.read_parquet(source), int(bound)).write_parquet(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
