#!/usr/bin/env python3
"""Measures the pairs and groups that python/examples/spark_pairs.py finds of made postings, and what they cost.

    spark.py                       100,000 documents; ./bench spark installs Spark first
    spark.py --documents N…        of other sizes, one after another
    spark.py --docs                and writes the table of docs/python.md

A document has 12 postings (id, feature, count). Nine features in twelve are drawn from 100 for each document, by Zipf's law with
the exponent 0.5: most of them no other document has, some of them thousands. Three are drawn from 1,000 by the exponent 1, as
boilerplate is: three documents in ten have the most frequent one.

Planted are pairs that have at least the wanted share, half of the features. Of 20 documents one is a copy of another with four
features of its own, and one a copy of that copy with four other ones, which is no near-duplicate of the first: a chain. Of 50,000
documents 150 are reprints of one text, with one feature of their own each.

Beside it stands passim's way to propose pairs: by features that at most 100 documents have (its --maxDF), of which a pair has at
least one; it is then compared by all features. Postings are written to Parquet before anything is measured. Processor time is that
of Spark, which runs in one process.
"""

import argparse
import os
import pathlib
import sys
import tempfile
import time
from collections.abc import Callable
from typing import NamedTuple

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "python" / "examples"))
import spark_pairs  # noqa: E402

SIZE = 12  # features of a document
HEAVY = 3  # of these from the few that many have
HEAVY_FEATURES = 1000
LIGHT_FEATURES = 100  # for each document
SHARE = 0.5
BLOCK, REPRINTS = 50_000, 150
MOST_DOCUMENTS = 100  # that have a feature by which passim's way proposes pairs
PAGE = SOURCE / "docs" / "python.md"
MARKS = "<!-- begin bench spark -->\n", "<!-- end bench spark -->\n"


def name_of(number: Column) -> Column:
    return f.lpad(number.cast("string"), 9, "0")


def is_reprint(number: Column) -> Column:
    return number % BLOCK >= BLOCK - REPRINTS


def source_of(number: Column, position: Column) -> Column:
    """The document from which one has the feature at a position: itself, unless it is a copy."""
    copied = f.when((number % 20 == 1) & (position >= 4), number - 1)
    copied = copied.when((number % 20 == 2) & (position >= 4) & (position < 8), number - 2)
    copied = copied.when((number % 20 == 2) & (position < 4), number - 1)
    return f.when(is_reprint(number), f.when(position > 0, number - number % BLOCK + BLOCK - REPRINTS)).otherwise(copied)


def postings_of(spark: SparkSession, documents: int) -> DataFrame:
    """id, feature and count."""

    def feature(position: Column) -> Column:
        number = f.col("number")
        source = f.coalesce(source_of(number, position), number)
        chance = f.pmod(f.xxhash64(source, position), f.lit(2**53)) / 2**53
        light = f.floor(documents * LIGHT_FEATURES * chance * chance)
        heavy = f.floor(f.pow(f.lit(float(HEAVY_FEATURES)), chance))
        return f.xxhash64(f.when(position % (SIZE // HEAVY) == 0, -heavy).otherwise(light))

    rows = spark.range(documents).withColumnRenamed("id", "number").withColumn("all", f.array(*(feature(f.lit(at)) for at in range(SIZE))))
    rows = rows.select(name_of(f.col("number")).alias("id"), "all", f.explode(f.array_distinct("all")).alias("feature"))
    return rows.select("id", "feature", f.size(f.filter("all", lambda one: one == f.col("feature"))).alias("count"))


def planted_of(spark: SparkSession, documents: int) -> DataFrame:
    """The pairs a < b that were planted."""
    numbers = spark.range(documents).withColumnRenamed("id", "number")
    number = f.col("number")
    chains = numbers.where((number % 20).isin(1, 2) & ~is_reprint(number)).select((number - 1).alias("a"), number.alias("b"))
    reprints = numbers.where(is_reprint(number)).withColumn("a", f.explode(f.sequence(number - number % BLOCK + BLOCK - REPRINTS, number)))
    both = chains.union(reprints.where("a < number").select("a", number.alias("b")))
    return both.select(name_of(f.col("a")).alias("a"), name_of(f.col("b")).alias("b"))


def find_pairs(postings: DataFrame) -> DataFrame:
    sizes = postings.groupBy("id").agg(f.sum("count").alias("size"))
    return spark_pairs.find_containing(sizes, spark_pairs.shared_of(postings).persist(), SHARE)


def find_pairs_as_passim(postings: DataFrame) -> DataFrame:
    sizes = postings.groupBy("id").agg(f.sum("count").alias("size"))
    shared = spark_pairs.shared_of(postings).persist()
    light = shared.where(f.col("documents") <= MOST_DOCUMENTS)
    both = spark_pairs.counted(spark_pairs.candidates_of(light, light), shared)
    both = both.join(sizes.toDF("a", "a_size"), "a").join(sizes.toDF("b", "b_size"), "b")
    return both.where(f.col("x") / f.least("a_size", "b_size") >= SHARE).select("a", "b", "x")


class Cost(NamedTuple):
    seconds: float
    processor: float


class Bench:
    def __init__(self, scratch: pathlib.Path, memory: str):
        spark = SparkSession.builder.master("local[*]").appName("akin bench").config("spark.ui.enabled", "false")
        spark = spark.config("spark.driver.memory", memory).config("spark.local.dir", str(scratch)).config("spark.log.level", "ERROR")
        # Otherwise every shuffle of few partitions opens a file for each of the other side.
        spark = spark.config("spark.ui.showConsoleProgress", "false").config("spark.shuffle.sort.bypassMergeThreshold", "2")
        self.spark = spark.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
        self.process = int(self.spark._jvm.java.lang.ProcessHandle.current().pid())
        self.scratch = scratch

    def processor(self) -> float:
        fields = pathlib.Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """kB, the most so far."""
        return int(pathlib.Path(f"/proc/{self.process}/status").read_text().split("VmHWM:")[1].split()[0])

    def measured(self, what: str, make: Callable[[], DataFrame]) -> tuple[DataFrame, Cost]:
        """What make returns, written to Parquet and read again, and what that cost."""
        place, begin, processor = str(self.scratch / what), time.monotonic(), self.processor()
        make().write.mode("overwrite").parquet(place)
        self.spark.catalog.clearCache()
        cost = Cost(time.monotonic() - begin, self.processor() - processor)
        print(f"{what}: {cost.seconds:.1f} s, processor {cost.processor:.1f} s", file=sys.stderr, flush=True)
        return self.spark.read.parquet(place), cost

    def rows(self, documents: int) -> list[list[str]]:
        self.spark.conf.set("spark.sql.shuffle.partitions", str(max(4, documents // 50_000)))
        postings, _ = self.measured("postings", lambda: postings_of(self.spark, documents))
        planted, _ = self.measured("planted", lambda: planted_of(self.spark, documents))
        number, wanted, rows = postings.count(), planted.count(), []

        def add(name: str, find: Callable[[DataFrame], DataFrame]) -> DataFrame:
            found, cost = self.measured("pairs", lambda: find(postings))
            right = found.join(planted, ["a", "b"]).count() / wanted
            cells = f"{found.count():,}", f"{right:.1%}", f"{cost.seconds:,.0f}", f"{cost.processor:,.0f}"
            rows.append([f"{documents:,}", f"{number:,}", name, *cells, f"{cost.processor / number * 1e6:.1f}"])
            print(*rows[-1], f"{self.memory() / 1024:,.0f} MB", sep=" | ", file=sys.stderr, flush=True)
            return found

        found = add("pairs", find_pairs)
        groups, cost = self.measured("groups", lambda: spark_pairs.find_groups(found))
        groups = groups.select("group").distinct().count()
        cells = f"{groups:,}", "", f"{cost.seconds:,.0f}", f"{cost.processor:,.0f}", f"{cost.processor / number * 1e6:.1f}"
        rows.append([f"{documents:,}", f"{number:,}", "their groups", *cells])
        add("as passim proposes pairs", find_pairs_as_passim)
        return rows


def table(rows: list[list[str]]) -> str:
    head = ["documents", "postings", "what", "found", "of those planted", "s", "processor s", "µs a posting"]
    rule = ["---:", "---:", "---", *["---:"] * (len(head) - 3)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, rule, *rows)) + "\n"


def show(text: str, marks: tuple[str, str], docs: bool) -> None:
    """Prints a table, and with `docs` writes it between these marks of docs/python.md."""
    print(text)
    if docs:
        before, rest = PAGE.read_text(encoding="utf-8").split(marks[0])
        PAGE.write_text(before + marks[0] + text + marks[1] + rest.split(marks[1])[1], encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, nargs="+", default=[100_000])
    parser.add_argument("--memory", default="4g", help="of Spark (4g); the rest of its data is on the disk")
    parser.add_argument("--scratch", type=pathlib.Path, help="a folder for postings, results and what Spark spills (TMPDIR)")
    parser.add_argument("--docs", action="store_true", help="write the table of docs/python.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="akin-bench-spark-", dir=options.scratch) as place:
        bench = Bench(pathlib.Path(place), options.memory)
        text = table([row for documents in options.documents for row in bench.rows(documents)])
        bench.spark.stop()
    show(text, MARKS, options.docs)


if __name__ == "__main__":
    main()
