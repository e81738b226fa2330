#!/usr/bin/env python3
"""Measures what texts cost before and after the joins of tests/bench/spark.py: their features in bulk, and the alignment of pairs.

    spark_texts.py AKIN                      100,000 documents; ./bench spark-texts builds and installs first
    spark_texts.py AKIN --documents N…       of other sizes, one after another
    spark_texts.py AKIN --docs               and writes the table of docs/python.md

A document has 30 to 70 words, drawn by their frequency in sample/library, in sentences of ten. Of ten documents one is a copy of
another, in which one word in ten is replaced: these pairs are aligned. `akin features` reads the texts as lines of JSON from
standard input. Pairs are joined with both texts on Spark and aligned in its workers by the library that AKIN_LIBRARY names, as
python/examples/spark_pairs.py does. Processor time is that of all processes together.
"""

import argparse
import collections
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import Any

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "python" / "examples"))
sys.path.insert(0, str(SOURCE / "tests" / "bench"))
import spark_pairs  # noqa: E402
from pyspark.sql import functions as f  # noqa: E402
from spark import Bench, Cost, name_of, show  # noqa: E402

BLOCK = 10  # documents, of which the second is a copy of the first
SHARE = 0.5
QUOTES_OF_A_LINE = 10  # in what akin features prints, beside two for each feature
MARKS = "<!-- begin bench spark-texts -->\n", "<!-- end bench spark-texts -->\n"


def make_texts(batches: Iterator[Any]) -> Iterator[Any]:
    """Blocks of documents → their ids and texts."""
    import numpy
    import pandas

    files = sorted((SOURCE / "sample" / "library").glob("*.txt"))
    counts = collections.Counter(word for file in files for word in re.findall(r"[^\W\d_]+", file.read_text("utf-8").lower()))
    words = numpy.array(list(counts), dtype=object)
    chances = numpy.array(list(itertools.accumulate(counts.values()))) / counts.total()

    def drawn(random: Any, number: int) -> Any:
        return words[numpy.searchsorted(chances, random.random(number), side="right")]

    def text(all_words: Any) -> str:
        return " ".join(" ".join(all_words[at : at + 10]).capitalize() + "." for at in range(0, len(all_words), 10))

    for batch in batches:
        rows = []
        for block in batch["id"]:
            random = numpy.random.default_rng(int(block))
            lengths = random.integers(30, 71, BLOCK)
            lengths[1] = lengths[0]
            ends = numpy.cumsum(lengths)
            texts = numpy.split(drawn(random, ends[-1]), ends[:-1])
            texts[1] = numpy.where(random.random(lengths[0]) < 0.1, texts[1], texts[0])
            rows += [(f"{block * BLOCK + at:09}", text(one)) for at, one in enumerate(texts)]
        yield pandas.DataFrame(rows, columns=["id", "text"])


def processor_of(process: int) -> float:
    """Seconds of a process, of those that it has started and of those of theirs that have ended."""
    try:
        place = pathlib.Path(f"/proc/{process}")
        fields = (place / "stat").read_text().rpartition(")")[2].split()
        children = [int(child) for task in (place / "task").iterdir() for child in (task / "children").read_text().split()]
    except OSError:  # it has ended
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") + sum(map(processor_of, children))


class TextBench(Bench):
    def processor(self) -> float:
        return processor_of(self.process)

    def features(self, akin: str, texts: pathlib.Path) -> tuple[int, int, Cost]:
        """Bytes read, postings made, and the cost."""
        files, begin, read = sorted(texts.glob("part-*.json")), time.monotonic(), 0
        command = [akin, "features", "-", "--scheme", spark_pairs.REUSE]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            assert process.stdin and process.stdout

            def feed() -> None:
                nonlocal read
                for file in files:
                    with file.open("rb") as lines:
                        while block := lines.read(1 << 20):
                            read += process.stdin.write(block)
                process.stdin.close()

            feeder = threading.Thread(target=feed)
            feeder.start()
            quotes = lines = 0
            while block := process.stdout.read(1 << 20):
                quotes, lines = quotes + block.count(b'"'), lines + block.count(b"\n")
            feeder.join()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if status != 0:
            raise RuntimeError(f"akin features failed with {process.returncode}")
        cost = Cost(time.monotonic() - begin, usage.ru_utime + usage.ru_stime)
        return read, (quotes - QUOTES_OF_A_LINE * lines) // 2, cost

    def text_rows(self, akin: str, documents: int) -> list[list[str]]:
        self.spark.conf.set("spark.sql.shuffle.partitions", str(max(4, documents // 50_000)))
        blocks = self.spark.range(documents // BLOCK, numPartitions=max(2, documents // 100_000))
        place, rows = self.scratch / "texts", []
        blocks.mapInPandas(make_texts, "id string, text string").write.mode("overwrite").json(str(place))
        texts = self.spark.read.schema("id string, text string").json(str(place))

        def add(what: str, number: str, cost: Cost, postings: int, speed: str) -> None:
            cells = f"{cost.seconds:,.0f}", f"{cost.processor:,.0f}", f"{cost.processor / postings * 1e6:.1f}", speed
            rows.append([f"{documents:,}", f"{postings:,}", what, number, *cells])
            print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)

        read, postings, cost = self.features(akin, place)
        speed = f"{read / 1e6 / cost.processor:.0f} MB a processor second, {read / 1e6 / cost.seconds:.0f} MB a second"
        add("`akin features -`", f"{read / 1e6:,.0f} MB", cost, postings, speed)

        first = self.spark.range(0, documents, BLOCK)
        pairs = first.select(name_of(f.col("id")).alias("a"), name_of(f.col("id") + 1).alias("b"), f.lit(0).cast("long").alias("x"))
        pairs = pairs.withColumn("is_pair", f.lit(True))
        aligned, cost = self.measured("aligned", lambda: spark_pairs.aligned(pairs, texts))
        found, alike = aligned.count(), aligned.where(f.greatest("a_share", "b_share") >= SHARE).count()
        speed = f"{cost.processor / found * 1e6:.0f} µs a pair; {alike / found:.1%} share half of their words"
        add("alignment in the workers", f"{found:,} pairs", cost, postings, speed)
        return rows


def table(rows: list[list[str]]) -> str:
    head = ["documents", "postings", "what", "of", "s", "processor s", "µs a posting", "that is"]
    rule = ["---:", "---:", "---", *["---:"] * 4, "---"]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, rule, *rows)) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("akin", type=pathlib.Path)
    parser.add_argument("--documents", type=int, nargs="+", default=[100_000], help="multiples of ten")
    parser.add_argument("--memory", default="4g", help="of Spark (4g); the rest of its data is on the disk")
    parser.add_argument("--scratch", type=pathlib.Path, help="a folder for texts, results and what Spark spills (TMPDIR)")
    parser.add_argument("--docs", action="store_true", help="write the table of docs/python.md")
    options = parser.parse_args()
    os.environ.setdefault("AKIN_LANG", "ru,en")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ["PYTHONPATH"] = os.pathsep.join(str(SOURCE / folder) for folder in ("python/examples", "tests/bench"))
    with tempfile.TemporaryDirectory(prefix="akin-bench-spark-", dir=options.scratch) as place:
        bench = TextBench(pathlib.Path(place), options.memory)
        text = table([row for documents in options.documents for row in bench.text_rows(str(options.akin.resolve()), documents)])
        bench.spark.stop()
    show(text, MARKS, options.docs)


if __name__ == "__main__":
    main()
