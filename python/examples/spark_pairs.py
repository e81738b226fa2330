"""All pairs of documents that share more than so many features, on Spark: the same pairs as `akin pairs --bound`.

    AKIN=/usr/bin/akin spark-submit spark_pairs.py IN.parquet OUT.parquet BOUND

IN has the columns id and text, OUT gets a, b and x. The workers need the package akin and the program.

The features are made where the texts lie, by one process for each partition. A pair that shares more than BOUND features has
a common one among those that remain of each document if its most frequent features are left out, up to BOUND of them: only
these make candidates, so that boilerplate which everybody has makes none (prefix filtering: Chaudhuri, Ganti and Kaushik
2006). Then all features of the candidates are counted.
"""

import sys
from collections.abc import Iterator
from typing import Any

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as f

POSTINGS = "id string, feature long, count int"


def postings_of(batches: Iterator[Any]) -> Iterator[Any]:
    """The features of a partition's documents: batches in and out are DataFrames of pandas."""
    import akin
    import pandas

    ids: list[str] = []

    def texts() -> Iterator[str]:
        for batch in batches:
            ids.extend(batch["id"])
            yield from batch["text"]

    for number, found in enumerate(akin.features(texts())):
        signed = [one - 2**64 if one >= 2**63 else one for one in found.hashes]  # Spark's long
        yield pandas.DataFrame({"id": ids[number], "feature": signed, "count": found.counts})


def find_pairs(documents: DataFrame, bound: int) -> DataFrame:
    """The pairs (a, b, x) with x > bound, where a < b. `documents` has the columns id and text."""
    postings = documents.select("id", "text").mapInPandas(postings_of, POSTINGS).persist()
    having = postings.groupBy("feature").agg(f.count("*").alias("documents"))
    shared = postings.join(having.where("documents > 1"), "feature")
    most_frequent_first = Window.partitionBy("id").orderBy(f.desc("documents"), "feature").rowsBetween(Window.unboundedPreceding, 0)
    rare = shared.withColumn("so_far", f.sum("count").over(most_frequent_first)).where(f.col("so_far") > bound).select("id", "feature")
    a, b = rare.toDF("a", "feature"), rare.toDF("b", "feature")
    candidates = a.join(b, "feature").where("a < b").select("a", "b").distinct()
    of_a = shared.select(f.col("id").alias("a"), "feature", f.col("count").alias("count_a"))
    of_b = shared.select(f.col("id").alias("b"), "feature", f.col("count").alias("count_b"))
    both = candidates.join(of_a, "a").join(of_b, ["b", "feature"])
    return both.groupBy("a", "b").agg(f.sum(f.least("count_a", "count_b")).alias("x")).where(f.col("x") > bound)


def main(source: str, target: str, bound: str) -> None:
    spark = SparkSession.builder.appName("akin pairs").getOrCreate()
    find_pairs(spark.read.parquet(source), int(bound)).write.parquet(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
