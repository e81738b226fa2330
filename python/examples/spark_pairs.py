"""All pairs of documents that share text, and their groups, on Spark: the same pairs as `akin pairs`.

    spark-submit spark_pairs.py IN.parquet OUT SHARE     as akin pairs --min-containment SHARE
    spark-submit spark_pairs.py IN.parquet OUT --bound N     as akin pairs --bound N --scheme sentence-pairs

IN has the columns id and text. OUT/pairs gets a, b and x, with SHARE also which share of the words of each lies in passages;
OUT/groups gets the id of each document of a group, and the least id of its group. The workers need the package akin and the
library that AKIN_LIBRARY names; with --bound the program will do.

Features are made where the texts lie. Of a pair that shares so much of one document, that document has a common feature among
those that remain if its most frequent ones are left out, up to what it may lack: only these make candidates, so that boilerplate
which everybody has makes none (prefix filtering: Chaudhuri, Ganti and Kaushik 2006). Then all features of the candidates are
counted. Seeds of passages make candidates for alignment, as long as no more than 1,000 documents have them.
"""

import sys
from collections.abc import Iterator
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as f

# That of new collections: its first tier counts, its second one proposes pairs for alignment.
REUSE = "tiers(pairs=sentence-pairs,passages=winnow(shape=101011,t=10,stop=last))"
MOST_DOCUMENTS = 1000  # that share a seed
FRAME = 100_000  # postings


def postings_of(documents: DataFrame, scheme: str) -> DataFrame:
    """id, feature, count and tier of the features of documents, which have the columns id and text."""

    def analyse(batches: Iterator[Any]) -> Iterator[Any]:
        import akin
        import pandas

        ids: list[str] = []

        def texts() -> Iterator[str]:
            for batch in batches:
                ids.extend(batch["id"])
                yield from batch["text"]

        columns: dict[str, list[Any]] = {"id": [], "feature": [], "count": [], "tier": []}
        for number, found in enumerate(akin.features(texts(), scheme=scheme)):
            columns["id"] += [ids[number]] * len(found.hashes)
            columns["feature"] += [one - 2**64 if one >= 2**63 else one for one in found.hashes]  # Spark's long
            columns["count"] += found.counts
            columns["tier"] += [one >> 62 for one in found.hashes]
            if len(columns["id"]) >= FRAME:
                yield pandas.DataFrame(columns)
                columns = {name: [] for name in columns}
        yield pandas.DataFrame(columns)

    return documents.select("id", "text").mapInPandas(analyse, "id string, feature long, count int, tier int")


def shared_of(postings: DataFrame) -> DataFrame:
    """The postings of features that several documents have, with how many do."""
    having = postings.groupBy("feature").agg(f.count("*").alias("documents"))
    return postings.join(having.where("documents > 1"), "feature")


def candidates_of(rare: DataFrame, others: DataFrame) -> DataFrame:
    """The pairs a < b in which a rare feature of one is a feature of the other."""
    one, other = rare.select(f.col("id").alias("one"), "feature"), others.select(f.col("id").alias("other"), "feature")
    ordered = f.least("one", "other").alias("a"), f.greatest("one", "other").alias("b")
    return one.join(other, "feature").where("one != other").select(*ordered).distinct()


def beyond(shared: DataFrame, lacking: Column) -> DataFrame:
    """Of each document the features that remain without its most frequent ones, of which it may lack so many."""
    most_frequent_first = Window.partitionBy("id").orderBy(f.desc("documents"), "feature").rowsBetween(Window.unboundedPreceding, 0)
    return shared.withColumn("so_far", f.sum("count").over(most_frequent_first)).where(f.col("so_far") > lacking)


def counted(candidates: DataFrame, shared: DataFrame) -> DataFrame:
    """The candidates with x, the number of features that both have."""
    of_a = shared.select(f.col("id").alias("a"), "feature", f.col("count").alias("count_a"))
    of_b = shared.select(f.col("id").alias("b"), "feature", f.col("count").alias("count_b"))
    both = candidates.join(of_a, "a").join(of_b, ["b", "feature"])
    return both.groupBy("a", "b").agg(f.sum(f.least("count_a", "count_b")).alias("x"))


def find_pairs(documents: DataFrame, bound: int) -> DataFrame:
    """The pairs (a, b, x) with x > bound, where a < b. `documents` has the columns id and text."""
    shared = shared_of(postings_of(documents, "sentence-pairs")).persist()
    rare = beyond(shared, f.lit(bound))
    return counted(candidates_of(rare, rare), shared).where(f.col("x") > bound)


def find_containing(sizes: DataFrame, shared: DataFrame, share: float) -> DataFrame:
    """The pairs (a, b, x), a < b, of which one document has at least this share of its features in the other. `sizes` has id and
    size, the number of features of each document; `shared` is that of shared_of."""
    rare = beyond(shared.join(sizes, "id"), f.ceil(share * f.col("size") - 1e-9) - 1)
    both = counted(candidates_of(rare, shared), shared).join(sizes.toDF("a", "a_size"), "a").join(sizes.toDF("b", "b_size"), "b")
    return both.where(f.col("x") / f.least("a_size", "b_size") >= share).select("a", "b", "x")


def find_reuse(documents: DataFrame, share: float) -> DataFrame:
    """The pairs (a, b, x, a_share, b_share), a < b, of which one document has at least this share of its features in the other,
    or of its words in passages that both share: a_share and b_share. `documents` has the columns id and text."""
    postings = postings_of(documents, REUSE).persist()
    sizes = postings.where("tier = 0").groupBy("id").agg(f.sum("count").alias("size"))
    shared = shared_of(postings)
    first = shared.where("tier = 0").persist()
    by_x = find_containing(sizes, first, share).persist()
    seeds = shared.where(f"tier = 1 AND documents <= {MOST_DOCUMENTS}")
    proposed = candidates_of(seeds, seeds).join(by_x, ["a", "b"], "left_anti")
    with_x = proposed.join(counted(proposed, first), ["a", "b"], "left").fillna(0, ["x"])
    pairs = by_x.withColumn("is_pair", f.lit(True)).union(with_x.withColumn("is_pair", f.lit(False)))
    by_words = f.greatest("a_share", "b_share")
    return aligned(pairs, documents).where(f.col("is_pair") | (by_words >= share) & (by_words > 0)).drop("is_pair")


def aligned(pairs: DataFrame, documents: DataFrame) -> DataFrame:
    """The pairs (a, b, x, is_pair) with a_share and b_share, found where their texts meet."""
    texts = documents.select("id", "text")
    both = pairs.join(texts.toDF("a", "a_text"), "a").join(texts.toDF("b", "b_text"), "b")
    return both.mapInPandas(align_batches, "a string, b string, x long, is_pair boolean, a_share double, b_share double")


def align_batches(batches: Iterator[Any]) -> Iterator[Any]:
    """Pairs with both texts → pairs with the share of the words of each that lie in passages."""
    import akin

    for batch in batches:
        found = [akin.align(a, b) for a, b in zip(batch["a_text"], batch["b_text"])]
        shares = {"a_share": [one.a_share for one in found], "b_share": [one.b_share for one in found]}
        yield batch[["a", "b", "x", "is_pair"]].assign(**shares)


def find_groups(pairs: DataFrame) -> DataFrame:
    """id and group of each document that pairs join: its connected component, named by its least id.

    Every id is joined with the least one around it, once to those above and once to those below it, until nothing changes, in
    some log² rounds, whatever the size of a group (Kiveris et al. 2014: Connected components in MapReduce and beyond).
    """

    def least_of(edges: DataFrame) -> DataFrame:
        return edges.join(edges.groupBy("u").agg(f.min("v").alias("least")), "u").withColumn("least", f.least("u", "least"))

    def signature(edges: DataFrame) -> Any:
        return edges.agg(f.count("*"), f.sum(f.xxhash64("u", "v").cast("decimal(38)"))).first()

    edges, before = pairs.select(f.greatest("a", "b").alias("u"), f.least("a", "b").alias("v")).distinct(), None
    while True:
        edges = edges.localCheckpoint()
        now = signature(edges)
        if now == before:
            return edges.select(f.col("u").alias("id"), f.col("v").alias("group")).union(edges.select("v", "v").distinct())
        before = now
        both = edges.union(edges.select("v", "u"))
        edges = least_of(both).where("v > u").select(f.col("v").alias("u"), f.col("least").alias("v")).distinct()
        small = least_of(edges)
        below = small.where("v != least").select(f.col("v").alias("u"), f.col("least").alias("v"))
        edges = below.union(small.select("u", f.col("least").alias("v"))).distinct()


def main(source: str, target: str, *condition: str) -> None:
    spark = SparkSession.builder.appName("akin pairs").getOrCreate()
    documents = spark.read.parquet(source)
    pairs = find_pairs(documents, int(condition[1])) if condition[0] == "--bound" else find_reuse(documents, float(condition[0]))
    pairs.write.parquet(f"{target}/pairs")
    find_groups(spark.read.parquet(f"{target}/pairs")).write.parquet(f"{target}/groups")


if __name__ == "__main__":
    main(*sys.argv[1:])
