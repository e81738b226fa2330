#!/usr/bin/env python3
"""Measures what akin dedup drops of a generated corpus with planted copies, beside MinHash with LSH from PyPI.

    dedup.py AKIN                      10,000 documents; ./bench dedup builds first
    dedup.py AKIN --documents N…       of other sizes, one after another
    dedup.py AKIN --rows NAME…         only these tools: what takes too long with a million documents can be left out
    dedup.py AKIN --docs               and writes the table of docs/dedup.md

pydivsufsort makes the suffix array of an exact-substring tool; the rest of such a tool is in by_pydivsufsort.

Every tool gets the same file of JSON lines and says which ids it would drop; it runs in a process of its own, whose wall time,
processor time and largest memory are measured, start and imports included. Anonymous memory is what no file backs: the rest are
pages of programs, dictionaries and the index, which the system can take back. A tool that is not installed is left out and named.
AKIN_PEERS names the Python that has them (./bench dedup makes one).

Seven documents in ten are unlike each other: 100 to 400 words drawn at random, by their frequency in the novels of the corpora or
else in sample/library, in sentences of 5 to 20. One in twenty is a copy of one of these, of each kind; one in twenty is a text of
its own after a notice of 60 words that all of them have, and must stay. Inflected copies need the treebanks of the corpora.
"""

import argparse
import collections
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "experiments"))
PEERS = ("datasketch", "rensa", "datatrove", "text-dedup", "pydivsufsort")
KINDS = ("exact", "near", "contained", "reordered", "inflected")
STAYS = "boilerplate"
THRESHOLD = 0.7
SUBSTRING = 50  # bytes
WAYS = {  # of akin: the name for --rows, what the table says, flags
    "containment": ("`akin dedup`", []),
    "resemblance": ("`akin dedup --min-resemblance 0.5`", ["--min-resemblance", "0.5"]),
    "shingles": (
        "the same with `--scheme 'shingles(w=5,unit=word,count=set)'` and 0.7",
        ["--scheme", "shingles(w=5,unit=word,count=set)", "--min-resemblance", "0.7"],
    ),
}
PAGE = SOURCE / "docs" / "dedup.md"
MARKS = "<!-- begin bench dedup -->\n", "<!-- end bench dedup -->\n"


class Maker:
    def __init__(self, seed: int = 17):
        from dedup_quality import Inflector
        from pair_kinds import CORPORA

        self.random = random.Random(seed)
        self.has_treebanks = any((CORPORA / "ud").rglob("*.conllu"))
        self.inflect = Inflector(self.random) if self.has_treebanks else None
        files = [*sorted((CORPORA / "ru-novels").rglob("*.txt"))[:20], *sorted((CORPORA / "en-novels").rglob("*.txt"))[:20]]
        files = files or sorted((SOURCE / "sample" / "library").glob("*.txt"))
        words = collections.Counter(word for file in files for word in re.findall(r"[^\W\d_]+", file.read_text("utf-8", "replace").lower()))
        self.words, self.weights = list(words), list(itertools.accumulate(words.values()))

    def text(self, words: int) -> list[list[str]]:
        drawn, sentences = self.random.choices(self.words, cum_weights=self.weights, k=words), []
        while drawn:
            length = self.random.randint(5, 20)
            sentences.append([drawn[0].capitalize(), *drawn[1:length]])
            drawn = drawn[length:]
        return sentences

    def copy(self, kind: str, text: list[list[str]]) -> list[list[str]]:
        if kind == "near":
            return [[self.random.choice(self.words) if self.random.random() < 0.05 else word for word in sentence] for sentence in text]
        if kind == "contained":
            return text[: max(1, len(text) * 2 // 3)]
        if kind == "reordered":
            return self.random.sample(text, len(text))
        return [[new for word in sentence for new in self.inflect(word.lower())] for sentence in text] if kind == "inflected" else text

    def corpus(self, documents: int) -> Iterator[dict]:
        """One after another: a million texts as lists of words would take more memory than any tool that is measured."""
        kinds = [kind for kind in KINDS if kind != "inflected" or self.has_treebanks]
        each, originals = documents // 20, []
        at = itertools.count()

        def row(kind: str, number: int, text: str) -> dict:
            return {"id": f"{kind}/{number}/{next(at)}", "text": text}

        for number in range(documents - (len(kinds) + 1) * each):
            originals.append(joined(self.text(self.random.randint(100, 400))))
            yield row("original", number, originals[-1])
        for kind in kinds:
            for number in self.random.sample(range(len(originals)), each):
                yield row(kind, number, joined(self.copy(kind, [part.split() for part in originals[number][:-1].split(". ")])))
        notice = self.text(60)
        for number in range(each):
            yield row(STAYS, number, joined(notice + self.text(self.random.randint(60, 300))))


def joined(text: list[list[str]]) -> str:
    return " ".join(" ".join(sentence) + "." for sentence in text)


def shingles(text: str) -> set[bytes]:
    words = re.findall(r"\w+", text.lower())
    return {" ".join(words[at : at + 5]).encode() for at in range(max(1, len(words) - 4))}


def by_datasketch(lines: pathlib.Path) -> list[str]:
    import datasketch

    index, dropped = datasketch.MinHashLSH(threshold=THRESHOLD, num_perm=128), []
    for row in map(json.loads, lines.open(encoding="utf-8")):
        signature = datasketch.MinHash(num_perm=128)
        signature.update_batch(list(shingles(row["text"])))
        if index.query(signature):
            dropped.append(row["id"])
        else:
            index.insert(row["id"], signature)
    return dropped


def by_rensa(lines: pathlib.Path) -> list[str]:
    import rensa

    index, kept, dropped = rensa.RMinHashLSH(THRESHOLD, 128, 16), [], []
    for row in map(json.loads, lines.open(encoding="utf-8")):
        signature = rensa.RMinHash(128, 42)
        signature.update([shingle.decode() for shingle in shingles(row["text"])])
        if any(kept[number].jaccard(signature) >= THRESHOLD for number in index.query(signature)):
            dropped.append(row["id"])
        else:
            index.insert(len(kept), signature)
            kept.append(signature)
    return dropped


def by_datatrove(lines: pathlib.Path) -> list[str]:
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
    from datatrove.pipeline.dedup.minhash import MinhashConfig
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers import JsonlWriter

    # 14 buckets of 8 hashes, its default, have their threshold near 0.72.
    config, reader = MinhashConfig(n_grams=5), JsonlReader(str(lines.parent), glob_pattern=lines.name)
    with tempfile.TemporaryDirectory() as place:
        steps = [
            [reader, MinhashDedupSignature(f"{place}/signatures", config=config)],
            [MinhashDedupBuckets(f"{place}/signatures", f"{place}/buckets", config=config)],
            [MinhashDedupCluster(f"{place}/buckets", f"{place}/remove", config=config)],
            [reader, MinhashDedupFilter(f"{place}/remove", exclusion_writer=JsonlWriter(f"{place}/dropped", compression=None))],
        ]
        for number, step in enumerate(steps):
            tasks = config.num_buckets if number == 1 else 1
            LocalPipelineExecutor(step, tasks=tasks, workers=min(tasks, os.cpu_count() or 1), logging_dir=f"{place}/log{number}").run()
        files = pathlib.Path(place, "dropped").glob("*.jsonl")
        return [json.loads(line)["id"] for file in files for line in file.open(encoding="utf-8")]


def by_text_dedup(lines: pathlib.Path) -> list[str]:
    import datasets

    with tempfile.TemporaryDirectory() as place:
        flags = {"path": "json", "data_files": lines, "split": "train", "column": "text", "threshold": THRESHOLD, "ngram": 5,
                 "batch_size": 1000, "output": f"{place}/kept", "cache_dir": f"{place}/cache"}  # fmt: skip
        command = [
            sys.executable,
            "-m",
            "text_dedup.minhash",
            *(str(part) for name, value in flags.items() for part in ("--" + name, value)),
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        kept = set(datasets.load_from_disk(f"{place}/kept")["id"])
    return [row["id"] for row in map(json.loads, lines.open(encoding="utf-8")) if row["id"] not in kept]


def by_pydivsufsort(lines: pathlib.Path) -> list[str]:
    """Exact substrings by a suffix array, as text-dedup's suffix_array, whose program is in no registry: a text is dropped if so
    much of it lies in substrings of SUBSTRING bytes that earlier texts have."""
    import numpy
    import pydivsufsort

    rows = [json.loads(line) for line in lines.open(encoding="utf-8")]
    texts = [row["text"].encode() + b"\0" for row in rows]
    data = numpy.frombuffer(bytearray().join(texts), dtype=numpy.uint8)
    lengths = numpy.array([len(text) for text in texts])
    ends = numpy.cumsum(lengths)
    text_of = numpy.repeat(numpy.arange(len(texts)), lengths)
    suffixes = pydivsufsort.divsufsort(data)
    is_first = numpy.append(True, pydivsufsort.kasai(data, suffixes)[:-1] < SUBSTRING)  # of those that begin alike
    earliest = numpy.minimum.reduceat(text_of[suffixes], numpy.flatnonzero(is_first))[numpy.cumsum(is_first) - 1]
    texts_here = text_of[suffixes]
    begins = suffixes[(earliest < texts_here) & (suffixes + SUBSTRING < ends[texts_here])]
    depth = numpy.zeros(len(data), numpy.int32)
    depth[begins] += 1
    depth[begins + SUBSTRING] -= 1
    covered = numpy.add.reduceat(numpy.cumsum(depth) > 0, ends - lengths, dtype=numpy.int64)
    return [row["id"] for row, part, length in zip(rows, covered, lengths) if part >= THRESHOLD * (length - 1)]


BY_PEER = dict(zip(PEERS, (by_datasketch, by_rensa, by_datatrove, by_text_dedup, by_pydivsufsort)))


def by_akin(akin: str, lines: pathlib.Path, pairs: pathlib.Path, flags: list[str]) -> list[str]:
    return [akin, "dedup", str(lines), "--out", str(lines.parent / "kept.jsonl"), "--pairs", str(pairs), *flags]


def memory_of(process: int) -> tuple[int, int]:
    """kB of a process and its descendants: the most that one of them ever had, and what all have now that no file backs."""
    try:
        place = pathlib.Path(f"/proc/{process}")
        status = dict(re.findall(r"(VmHWM|RssAnon):\s+(\d+)", (place / "status").read_text()))
        children = [int(child) for task in (place / "task").iterdir() for child in (task / "children").read_text().split()]
    except OSError:  # it has ended
        return 0, 0
    of_children = [memory_of(child) for child in children]
    most = max([int(status.get("VmHWM", 0)), *(most for most, _ in of_children)])
    return most, int(status.get("RssAnon", 0)) + sum(anonymous for _, anonymous in of_children)


class Cost(NamedTuple):
    seconds: float
    processor: float  # seconds, of the process and its children
    memory: float  # MB, of the largest process
    anonymous: float  # MB, of all together, looked at 20 times a second


def measured(command: list[str]) -> Cost:
    """Memory is not that of wait4, which counts what this process had when it started the command."""
    begin, ended = time.monotonic(), threading.Event()
    most = anonymous = 0
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)

        def look() -> None:
            nonlocal most, anonymous
            while not ended.wait(0.05):
                most, anonymous = map(max, (most, anonymous), memory_of(process.pid))

        looker = threading.Thread(target=look)
        looker.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - begin
        ended.set()
        looker.join()
        if status != 0:
            errors.seek(0)
            raise RuntimeError(f"{' '.join(command[:3])} …: {errors.read()[-2000:].decode(errors='replace')}")
    return Cost(seconds, usage.ru_utime + usage.ru_stime, most / 1024, anonymous / 1024)


def row_of(name: str, dropped: set[str], corpus: Iterable[str], cost: Cost) -> list[str]:
    """A tool may drop a copy or its original; what it drops besides is wrong."""
    of_kind, right = collections.defaultdict(list), 0
    labels = [(document in dropped, *document.split("/")[:2]) for document in corpus]
    gone = {number for is_dropped, kind, number in labels if is_dropped and kind == "original"}
    copied = {number for _, kind, number in labels if kind in KINDS}
    for is_dropped, kind, number in labels:
        of_kind[kind].append(is_dropped or number in gone)
        right += is_dropped and (kind in KINDS or kind == "original" and number in copied)
    cells = [f"{sum(of_kind[kind]) / len(of_kind[kind]):.1%}" if of_kind[kind] else "" for kind in KINDS]
    precision = right / len(dropped) if dropped else 1.0
    return [name, f"{precision:.1%}", *cells, *(f"{part:,.1f}" for part in cost[:2]), *(f"{part:,.0f}" for part in cost[2:])]


def measure(akin: str, python: str, documents: int, wanted: list[str]) -> list[list[str]]:
    corpus, rows = [], []

    def add(name: str, dropped: set[str], cost: Cost) -> None:
        rows.append(row_of(name, dropped, corpus, cost))
        print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory(prefix="akin-bench-dedup-") as place:
        lines, answer = pathlib.Path(place) / "corpus.jsonl", pathlib.Path(place) / "answer"
        with lines.open("w", encoding="utf-8") as file:
            for row in Maker().corpus(documents):
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
                corpus.append(row["id"])
        print(f"{documents} documents, {lines.stat().st_size / 1e6:.0f} MB", file=sys.stderr)
        for name, flags in (WAYS[way] for way in WAYS if way in wanted):
            cost = measured(by_akin(akin, lines, answer, flags))
            add(name, {json.loads(line)["dropped"] for line in answer.open(encoding="utf-8")}, cost)
        for peer in (peer for peer in PEERS if peer in wanted):
            if subprocess.run([python, "-c", f"import {peer.replace('-', '_')}"], capture_output=True, check=False).returncode != 0:
                print(f"skipped: {peer} is not installed for {python}", file=sys.stderr)
                continue
            cost = measured([python, __file__, "--peer", peer, str(lines), str(answer)])
            add(f"{peer}, threshold {THRESHOLD}", set(json.loads(answer.read_text(encoding="utf-8"))), cost)
    return rows


def table(rows: list[list[str]]) -> str:
    head = ["way", "precision", *KINDS, "s", "processor s", "MB", "anonymous MB"]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, ["---", *["---:"] * (len(head) - 1)], *rows)) + "\n"


def main() -> int:
    if sys.argv[1:2] == ["--peer"]:
        peer, lines, answer = sys.argv[2:]
        dropped = BY_PEER[peer](pathlib.Path(lines))
        pathlib.Path(answer).write_text(json.dumps(dropped), encoding="utf-8")
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("akin")
    parser.add_argument("--documents", type=int, nargs="+", default=[10_000])
    parser.add_argument("--rows", nargs="+", choices=[*WAYS, *PEERS], default=[*WAYS, *PEERS], help="the tools to measure (all)")
    parser.add_argument("--docs", action="store_true", help="write the table of docs/dedup.md")
    options = parser.parse_args()
    text = ""
    for documents in options.documents:
        text += f"\n{documents:,} documents:\n\n" + table(
            measure(str(pathlib.Path(options.akin).resolve()), os.environ.get("AKIN_PEERS", sys.executable), documents, options.rows)
        )
    print(text)
    if options.docs:
        before, rest = PAGE.read_text(encoding="utf-8").split(MARKS[0])
        PAGE.write_text(before + MARKS[0] + text.lstrip() + MARKS[1] + rest.split(MARKS[1])[1], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
