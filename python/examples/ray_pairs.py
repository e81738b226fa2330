"""All pairs of documents that share more than so many features, on Ray: the same pairs as `akin pairs --bound`.

    AKIN=/usr/bin/akin python3 ray_pairs.py IN.parquet OUT.parquet BOUND

IN has the columns id and text, OUT gets a, b and x. The workers need the package akin and the program. Every task makes the
features of some documents and deals them out by feature; then each share of the features is joined by itself. A feature that
n documents have costs n(n-1)/2 additions; spark_pairs.py avoids that.
"""

import collections
import itertools
import sys
from collections.abc import Iterable

import ray

Pair = tuple[str, str]


@ray.remote
def deal_postings(documents: list[tuple[str, str]], shares: int) -> list[list[tuple[int, str, int]]]:
    """The postings (feature, id, count) of documents, dealt out into so many shares."""
    import akin

    dealt: list[list[tuple[int, str, int]]] = [[] for _ in range(shares)]
    for (name, _), found in zip(documents, akin.features(text for _, text in documents), strict=True):
        for feature, count in zip(found.hashes, found.counts, strict=True):
            dealt[feature % shares].append((feature, name, count))
    return dealt


@ray.remote
def join_share(*parts: list[tuple[int, str, int]]) -> dict[Pair, int]:
    """For each pair of documents, how many features of one share both have."""
    having = collections.defaultdict(list)
    for feature, name, count in itertools.chain(*parts):
        having[feature].append((name, count))
    shared: collections.Counter[Pair] = collections.Counter()
    for postings in having.values():
        for (a, count_a), (b, count_b) in itertools.combinations(sorted(postings), 2):
            shared[a, b] += min(count_a, count_b)
    return shared


def find_pairs(documents: Iterable[tuple[str, str]], bound: int, at_once: int = 10_000, shares: int = 16) -> list[tuple[str, str, int]]:
    """The pairs (a, b, x) with x > bound, where a < b. A document is (id, text); a task takes `at_once` of them."""
    batches = iter(documents)
    dealt = []
    while batch := list(itertools.islice(batches, at_once)):
        dealt.append(deal_postings.options(num_returns=shares).remote(batch, shares))
    sums: collections.Counter[Pair] = collections.Counter()
    for joined in [join_share.remote(*(parts[share] for parts in dealt)) for share in range(shares)]:
        sums.update(ray.get(joined))
    return [(a, b, x) for (a, b), x in sorted(sums.items()) if x > bound]


def main(source: str, target: str, bound: str) -> None:
    import pyarrow
    import pyarrow.parquet

    with pyarrow.parquet.ParquetFile(source) as file:
        batches = (batch.to_pydict() for batch in file.iter_batches(columns=["id", "text"]))
        documents = (document for batch in batches for document in zip(batch["id"], batch["text"], strict=True))
        pairs = find_pairs(documents, int(bound))
    columns = dict(zip("abx", zip(*pairs, strict=True), strict=True)) if pairs else {name: [] for name in "abx"}
    pyarrow.parquet.write_table(pyarrow.table(columns), target)


if __name__ == "__main__":
    main(*sys.argv[1:])
