"""All pairs of documents that share text, and their groups, on Ray: the same pairs as `akin pairs`.

    python3 ray_pairs.py IN.parquet OUT SHARE     as akin pairs --min-containment SHARE
    python3 ray_pairs.py IN.parquet OUT --bound N     as akin pairs --bound N --scheme sentence-pairs

IN has the columns id and text. OUT-pairs.parquet gets a, b and x, with SHARE also which share of the words of each lies in
passages; OUT-groups.parquet the id of each document of a group, and the number of its group. The workers need the package akin and
the library that AKIN_LIBRARY names; with --bound the program will do.

Every task makes the features of some documents and deals them out by feature; then each share of the features is joined by
itself, and the pairs that seeds of passages propose are aligned in tasks. A feature that n documents have costs n(n-1)/2
additions; spark_pairs.py avoids that. This process holds the pairs.
"""

import collections
import itertools
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import ray

Pair = tuple[str, str]

# That of new collections: its first tier counts, its second one proposes pairs for alignment.
REUSE = "tiers(pairs=sentence-pairs,passages=winnow(shape=101011,t=10,stop=last))"
MOST_DOCUMENTS = 1000  # that share a seed
ALIGNED_AT_ONCE = 1000  # pairs


@ray.remote
def deal_postings(documents: list[tuple[str, str]], shares: int, scheme: str) -> list[list[tuple[int, str, int]]]:
    """The postings (feature, id, count) of documents, dealt out into so many shares."""
    import akin

    dealt: list[list[tuple[int, str, int]]] = [[] for _ in range(shares)]
    for (name, _), found in zip(documents, akin.features((text for _, text in documents), scheme=scheme), strict=True):
        for feature, count in zip(found.hashes, found.counts, strict=True):
            dealt[feature % shares].append((feature, name, count))
    return dealt


@ray.remote
def join_share(has_seeds: bool, *parts: list[tuple[int, str, int]]) -> tuple[dict[Pair, int], set[Pair], dict[str, int]]:
    """Of one share of the features: how many of the first tier both documents of a pair have; the pairs that have a seed; how
    many of the first tier each document has."""
    having = collections.defaultdict(list)
    for feature, name, count in itertools.chain(*parts):
        having[feature].append((name, count))
    shared: collections.Counter[Pair] = collections.Counter()
    proposed: set[Pair] = set()
    sizes: collections.Counter[str] = collections.Counter()
    for feature, postings in having.items():
        if not has_seeds or feature >> 62 == 0:
            for name, count in postings:
                sizes[name] += count
            for (a, count_a), (b, count_b) in itertools.combinations(sorted(postings), 2):
                shared[a, b] += min(count_a, count_b)
        elif len(postings) <= MOST_DOCUMENTS:
            proposed.update(itertools.combinations(sorted(name for name, _ in postings), 2))
    return shared, proposed, sizes


@ray.remote
def align_pairs(texts: list[tuple[str, str]]) -> list[tuple[float, float]]:
    """The share of the words of both texts that lies in passages."""
    import akin

    return [(found.a_share, found.b_share) for found in itertools.starmap(akin.align, texts)]


def batches_of(rows: Iterable[Any], size: int) -> Iterator[list[Any]]:
    left = iter(rows)
    while batch := list(itertools.islice(left, size)):
        yield batch


def joined(documents: Iterable[tuple[str, str]], scheme: str, at_once: int, shares: int) -> tuple[Any, Any, Any]:
    """What join_share finds, of all shares."""
    dealt = [deal_postings.options(num_returns=shares).remote(batch, shares, scheme) for batch in batches_of(documents, at_once)]
    shared: collections.Counter[Pair] = collections.Counter()
    proposed: set[Pair] = set()
    sizes: collections.Counter[str] = collections.Counter()
    for result in [join_share.remote(scheme == REUSE, *(parts[share] for parts in dealt)) for share in range(shares)]:
        some, more, of = ray.get(result)
        shared.update(some)
        proposed |= more
        sizes.update(of)
    return shared, proposed, sizes


def find_pairs(documents: Iterable[tuple[str, str]], bound: int, at_once: int = 10_000, shares: int = 16) -> list[tuple[str, str, int]]:
    """The pairs (a, b, x) with x > bound, where a < b. A document is (id, text); a task takes `at_once` of them."""
    shared, _, _ = joined(documents, "sentence-pairs", at_once, shares)
    return [(a, b, x) for (a, b), x in sorted(shared.items()) if x > bound]


def find_reuse(
    documents: list[tuple[str, str]], share: float, at_once: int = 10_000, shares: int = 16
) -> list[tuple[str, str, int, float, float]]:
    """The pairs (a, b, x, a_share, b_share), a < b, of which one document has at least this share of its features in the other,
    or of its words in passages that both share: a_share and b_share."""
    shared, proposed, sizes = joined(documents, REUSE, at_once, shares)
    by_x = {(a, b) for (a, b), x in shared.items() if x / min(sizes[a], sizes[b]) >= share}
    text_of, pairs = dict(documents), sorted(by_x | proposed)
    aligned = [align_pairs.remote([(text_of[a], text_of[b]) for a, b in batch]) for batch in batches_of(pairs, ALIGNED_AT_ONCE)]
    rows = zip(pairs, itertools.chain.from_iterable(map(ray.get, aligned)), strict=True)
    return [(*pair, shared[pair], *of) for pair, of in rows if pair in by_x or max(of) >= max(share, sys.float_info.min)]


def find_groups(pairs: Iterable[tuple[Any, ...]]) -> list[list[str]]:
    """The documents that pairs (a, b, …) join, directly or by others."""
    first: dict[str, str] = {}

    def root(name: str) -> str:
        while (above := first.setdefault(name, name)) != name:
            first[name] = first[above]
            name = above
        return name

    for a, b, *_ in pairs:
        first[root(a)] = root(b)
    groups = collections.defaultdict(list)
    for name in list(first):
        groups[root(name)].append(name)
    return list(groups.values())


def main(source: str, target: str, *condition: str) -> None:
    import pyarrow
    import pyarrow.parquet

    with pyarrow.parquet.ParquetFile(source) as file:
        batches = (batch.to_pydict() for batch in file.iter_batches(columns=["id", "text"]))
        documents = [document for batch in batches for document in zip(batch["id"], batch["text"], strict=True)]
    pairs = find_pairs(documents, int(condition[1])) if condition[0] == "--bound" else find_reuse(documents, float(condition[0]))
    names = ("a", "b", "x", "a_share", "b_share")[: 3 if condition[0] == "--bound" else 5]
    rows = [dict(zip(names, pair, strict=True)) for pair in pairs]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), f"{target}-pairs.parquet")
    members = [{"id": name, "group": number} for number, group in enumerate(find_groups(pairs)) for name in group]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(members), f"{target}-groups.parquet")


if __name__ == "__main__":
    main(*sys.argv[1:])
