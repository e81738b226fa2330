#!/usr/bin/env python3
"""Measures searches and checks without parameters where they cost most, and whether they find what was planted.

    tests/experiments/reuse_tail.py build/release/cli/akin --documents 100000

Two collections of made texts (a fixed seed; words drawn by Zipf's law):
- pages: each document is a page of its own and the same licence of 450 words. A question is a page, 40 words that one
  document has, and the licence.
- works: novels of 60,000 words, each as one document and cut into pages. A question is a novel with 100 words out of each
  of 20 of these novels.
Prints one line for each kind of request: its time (median, longest), the server's processor time, and how many of the
planted sources it found.
"""
import argparse
import bisect
import itertools
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from server_process import ServerProcess  # noqa: E402

VOCABULARY = 40_000
QUESTIONS = 10
PAGE, LICENCE, RUN = 300, 450, 40
WORK, PASSAGE, WORKS = 60_000, 100, 20


class Texts:
    def __init__(self, seed: int = 41):
        self.random = random.Random(seed)
        syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
        self.words = ["".join(self.random.choices(syllables, k=2 + i % 3)) + format(i, "x") for i in range(VOCABULARY)]
        self.weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(VOCABULARY)))

    def draw(self, count: int) -> list[str]:
        top = self.weights[-1]
        return [self.words[bisect.bisect(self.weights, self.random.random() * top)] for _ in range(count)]


def written(words: list[str]) -> str:
    """Sentences of twelve words."""
    return " ".join(" ".join(words[at:at + 12]).capitalize() + "." for at in range(0, len(words), 12))


def pages(folder: pathlib.Path, count: int) -> list[tuple[str, set[str]]]:
    texts = Texts()
    licence = texts.draw(LICENCE)
    asked = set(range(0, count, max(1, count // QUESTIONS)))
    questions = []
    with (folder / "pages.jsonl").open("w", encoding="utf-8") as out:
        for number in range(count):
            page = texts.draw(PAGE)
            if number in asked:
                questions.append((texts.draw(PAGE) + page[100:100 + RUN] + texts.draw(PAGE) + licence, {f"p{number}"}))
            out.write(json.dumps({"id": f"p{number}", "text": written(page + licence)}) + "\n")
    return [(written(words), sources) for words, sources in questions[:QUESTIONS]]


def works(folder: pathlib.Path) -> list[tuple[str, set[str]]]:
    texts = Texts(43)
    novels = [texts.draw(WORK) for _ in range(WORKS)]
    with (folder / "works.jsonl").open("w", encoding="utf-8") as out:
        for number, novel in enumerate(novels):
            out.write(json.dumps({"id": f"w{number}", "text": written(novel)}) + "\n")
            for at in range(0, WORK, 600):
                out.write(json.dumps({"id": f"w{number}/{at}", "text": written(novel[at:at + 600])}) + "\n")
    questions = []
    for _ in range(3):
        thesis = []
        for novel in novels:
            at = texts.random.randrange(0, WORK - PASSAGE)
            thesis += texts.draw(WORK // WORKS) + novel[at:at + PASSAGE]
        questions.append((written(thesis), {f"w{number}" for number in range(WORKS)}))
    return questions


def ask(server: ServerProcess, name: str, path: str, questions: list[tuple[str, set[str]]], body) -> None:
    connection = server.connect(timeout=3600)
    taken, found, total = [], 0, 0
    before = server.processor_seconds()
    for text, sources in questions:
        begin = time.monotonic()
        connection.request("POST", path, body=json.dumps(body(text)), headers={"Content-Type": "application/json"})
        answer = connection.getresponse()
        content = answer.read()
        taken.append(1000 * (time.monotonic() - begin))
        assert answer.status in (200, 201), (answer.status, content[:300])
        object = json.loads(content)
        found += len(sources & {hit["id"] for hit in object.get("results", object.get("sources"))})
        total += len(sources)
    spent = 1000 * (server.processor_seconds() - before) / len(questions)
    print(f"{name:26} median {statistics.median(taken):9.1f} ms, longest {max(taken):9.1f} ms, processor {spent:9.1f} ms, "
          f"found {found} of {total}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("akin")
    parser.add_argument("--documents", type=int, default=10_000, help="pages")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        questions = {"pages": pages(folder, options.documents), "works": works(folder)}
        for collection in questions:
            subprocess.run([options.akin, "import", folder / f"{collection}.jsonl", "--data", folder / "data", "--collection", collection,
                            "--lang", ""], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        server = ServerProcess([options.akin, "serve", "--data", folder / "data", "--lang", "", "--min-free-disk", "0"])
        try:
            for collection, asked in questions.items():
                similar = f"/v1/collections/{collection}/similar?limit=100"
                ask(server, f"{collection}: search, first", similar, asked, lambda text: {"text": text})
                ask(server, f"{collection}: search", similar, asked, lambda text: {"text": text})
                ask(server, f"{collection}: bound=3", similar + "&bound=3", asked, lambda text: {"text": text})
                ask(server, f"{collection}: check", "/v1/checks", asked,
                    lambda text, collection=collection: {"text": text, "collections": [collection]})
            print(f"resident {server.bytes_of('VmRSS') / 2**20:.0f} MiB")
        finally:
            server.stop()


if __name__ == "__main__":
    main()
