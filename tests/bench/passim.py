#!/usr/bin/env python3
"""Measures which planted copies python/examples/spark_pairs.py finds on Spark, and which passim does, in the same texts.

    passim.py FOLDER                     10,000 documents of tests/bench/dedup.py; FOLDER is a clone of github.com/dasmiq/passim
    passim.py FOLDER --documents N…      of other sizes, one after another
    passim.py FOLDER --rows NAME…        akin or passim alone

Runs with a Python that has what both need: the packages akin, pandas and pyarrow, and those of passim's setup.py. AKIN_LIBRARY
names the library of features, AKIN the program.

passim runs as its command `passim` does, with --to-extents: it ends once the pairs are aligned, and makes no clusters, for which it
needs the Java part of GraphFrames. Each document is a series of its own. A copy counts as found if it is in a pair with its original:
with at least half of the words of one of them for akin, with any passage for passim. Processor time is that of all processes
together, looked at five times a second, start included.

After these come 150 reprints of one text, more documents than those from which passim takes n-grams (--maxDF, 100 unless given): all
pairs of them are wanted, too. Every text gets a heading of its own, because passim's alignment loses a passage with which both documents begin (at the commit of
March 2026); --bare leaves the headings out.
"""

import argparse
import collections
import itertools
import json
import os
import pathlib
import random
import string
import subprocess
import sys
import tempfile
import threading
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "bench"))
from dedup import KINDS, Maker, joined  # noqa: E402
from spark_texts import processor_of  # noqa: E402

SHARE = 0.5
ROWS = ("akin", "passim")
REPRINTS = 150
WANTED = (*KINDS, "reprints")


def measured(command: list[str], log: pathlib.Path, **environment: str) -> tuple[float, float]:
    """Seconds, and seconds of processor time."""
    begin, ended, processor = time.monotonic(), threading.Event(), 0.0
    with log.open("w") as out, subprocess.Popen(command, stdout=out, stderr=out, env={**os.environ, **environment}) as process:

        def look() -> None:
            nonlocal processor
            while not ended.wait(0.2):
                processor = max(processor, processor_of(process.pid))

        looker = threading.Thread(target=look)
        looker.start()
        code = process.wait()
        ended.set()
        looker.join()
    if code != 0:
        raise RuntimeError(f"{command[1]} failed: {log.read_text()[-2000:]}")
    return time.monotonic() - begin, processor


def parquet(folder: pathlib.Path, columns: list[str]) -> list[tuple]:
    import pyarrow.dataset

    table = pyarrow.dataset.dataset(folder, format="parquet", partitioning="hive").to_table(columns=columns)
    return list(zip(*(table.column(name).to_pylist() for name in columns)))


def pairs_of_akin(lines: pathlib.Path, place: pathlib.Path) -> tuple[set[tuple[str, str]], tuple[float, float]]:
    import pyarrow
    import pyarrow.parquet

    rows = [json.loads(line) for line in lines.open(encoding="utf-8")]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), place / "texts.parquet", row_group_size=2500)
    program = str(SOURCE / "python" / "examples" / "spark_pairs.py")
    cost = measured([sys.executable, program, str(place / "texts.parquet"), str(place / "akin"), str(SHARE)], place / "akin.log")
    return {(a, b) for a, b in parquet(place / "akin" / "pairs", ["a", "b"])}, cost


def pairs_of_passim(lines: pathlib.Path, place: pathlib.Path, passim: pathlib.Path) -> tuple[set[tuple[str, str]], tuple[float, float]]:
    flags = ["--all-pairs", "--to-extents", "--fields", "xxhash64(id) as gid", "--filterpairs", "gid < gid2"]
    program = str(passim / "passim" / "seriatim.py")
    cost = measured([sys.executable, program, *flags, str(lines), str(place / "passim")], place / "passim.log")
    ids = place / "ids.py"
    ids.write_text(NAMES_OF_PASSIM, encoding="utf-8")
    answer = subprocess.run([sys.executable, ids, lines, place / "passim"], check=True, capture_output=True, text=True).stdout
    return {tuple(sorted(json.loads(line))) for line in answer.splitlines() if line.startswith("[")}, cost


# passim names documents by Spark's hash of their ids.
NAMES_OF_PASSIM = """
import json, sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
names = spark.read.json(sys.argv[1]).selectExpr("id", "xxhash64(id) as uid").persist()
pairs = spark.read.parquet(sys.argv[2] + "/tmp/extents.parquet").select("uid", "uid2").distinct()
for a, b in pairs.join(names, "uid").join(names.toDF("id2", "uid2"), "uid2").select("id", "id2").collect():
    print(json.dumps([a, b]))
"""


def heading(chance: random.Random) -> str:
    return " ".join("".join(chance.choices(string.ascii_lowercase, k=10)) for _ in range(5)).capitalize() + ". "


def rows_of(documents: int, options: argparse.Namespace) -> list[list[str]]:
    rows, chance, scratch, passim = [], random.Random(5), options.scratch, options.passim
    with tempfile.TemporaryDirectory(prefix="akin-bench-passim-", dir=scratch) as folder:
        place = pathlib.Path(folder)
        lines = place / "corpus.jsonl"
        planted, originals = collections.defaultdict(set), {}
        maker = Maker()
        with lines.open("w", encoding="utf-8") as file:
            reprinted = joined(maker.text(250))
            reprints = [f"reprint/0/{number}" for number in range(REPRINTS)]
            planted["reprints"] = set(itertools.combinations(sorted(reprints), 2))
            for row in itertools.chain(maker.corpus(documents), ({"id": name, "text": reprinted} for name in reprints)):
                row["text"] = row["text"] if options.bare else heading(chance) + row["text"]
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
                kind, number, _ = row["id"].split("/")
                if kind == "original":
                    originals[number] = row["id"]
                elif kind in KINDS:
                    planted[kind].add(tuple(sorted((row["id"], originals[number]))))
        find = {
            "akin": ("`spark_pairs.py`, half of the words", lambda: pairs_of_akin(lines, place)),
            "passim": ("passim, any passage", lambda: pairs_of_passim(lines, place, passim)),
        }
        for name, pairs in (find[row] for row in ROWS if row in options.rows):
            found, (seconds, processor) = pairs()
            recall = (f"{len(planted[kind] & found) / len(planted[kind]):.1%}" if planted[kind] else "" for kind in WANTED)
            rows.append([f"{documents:,}", name, f"{len(found):,}", *recall, f"{seconds:,.0f}", f"{processor:,.0f}"])
            print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    return rows


def table(rows: list[list[str]]) -> str:
    head = ["documents", "way", "pairs", *WANTED, "s", "processor s"]
    rule = ["---:", "---", *["---:"] * (len(head) - 2)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, rule, *rows)) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("passim", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--documents", type=int, nargs="+", default=[10_000])
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=ROWS)
    parser.add_argument("--bare", action="store_true", help="texts without headings")
    parser.add_argument("--memory", default="4g", help="of Spark (4g)")
    parser.add_argument("--scratch", type=pathlib.Path, help="a folder for texts, results and what Spark spills (TMPDIR)")
    options = parser.parse_args()
    os.environ.setdefault("AKIN_LANG", "ru,en")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = ["spark.ui.enabled=false", "spark.driver.host=127.0.0.1", "spark.driver.bindAddress=127.0.0.1", "spark.log.level=ERROR"]
    settings += ["spark.ui.showConsoleProgress=false", "spark.sql.shuffle.partitions=8"]
    settings += [f"spark.local.dir={options.scratch}"] if options.scratch else []
    flags = " ".join(f"--conf {setting}" for setting in settings)
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"--master local[*] --driver-memory {options.memory} {flags} pyspark-shell"
    print(table([row for documents in options.documents for row in rows_of(documents, options)]))


if __name__ == "__main__":
    main()
