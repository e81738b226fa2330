#!/usr/bin/env python3
"""Measures what a short query costs that hits a very long document.

    tests/experiments/long_document.py build/release/cli/akin --corpora build/corpora/corpora --megabytes 198

Joins the English novels of the corpora until the text is long enough; from the second round on, a twelfth of the words
of each paragraph stands elsewhere in it. Indexes it as one document, and prints, for queries of 200 bytes from several
places, the server's processor time for the first search after a start and for the same search again.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from server_process import ServerProcess  # noqa: E402

QUERY_BYTES = 200


def novels(corpora: pathlib.Path) -> list[str]:
    files = sorted((corpora / "en-novels").rglob("*.txt"))
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in files if path.name != "SOURCE.txt"]
    if not texts:
        sys.exit(f"{corpora / 'en-novels'} has no texts: name the folder of the corpora with --corpora")
    return texts


def disturbed(text: str, chance: random.Random) -> str:
    paragraphs = text.split("\n\n")
    for at, paragraph in enumerate(paragraphs):
        words = paragraph.split(" ")
        for _ in range(len(words) // 12):
            words[chance.randrange(len(words))] = words[chance.randrange(len(words))]
        paragraphs[at] = " ".join(words)
    return "\n\n".join(paragraphs)


def long_text(texts: list[str], size: int) -> str:
    chance = random.Random(1)
    parts, made, first_round = [], 0, True
    while made < size:
        for text in texts:
            parts.append(text if first_round else disturbed(text, chance))
            made += len(parts[-1].encode()) + 2
            if made >= size:
                break
        first_round = False
    return "\n\n".join(parts)


class Server(ServerProcess):
    def __init__(self, akin: str, place: list[str], flags: list[str]):
        super().__init__([akin, "serve", *place, "--lang", "en", *flags])

    def peak_megabytes(self) -> float:
        return self.bytes_of("VmHWM") / 1.024e6

    def search(self, query: bytes, parameters: str) -> tuple[float, float, dict]:
        """Seconds by the clock and of the processor, and the answer."""
        connection = self.connect(timeout=600)
        before, begin = self.processor_seconds(), time.monotonic()
        connection.request("POST", f"/v1/collections/long/similar?{parameters}", query, {"Content-Type": "text/plain"})
        answer = connection.getresponse()
        content = json.loads(answer.read())
        if answer.status != 200:
            sys.exit(f"the search failed: {content}")
        return time.monotonic() - begin, self.processor_seconds() - before, content


def drop_pages(data: pathlib.Path):
    """Lets the system forget the files, so that they are read from the disk again."""
    for path in data.rglob("*"):
        if path.is_file():
            with open(path, "rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def measure(akin: str, place: list[str], query: bytes, options: argparse.Namespace):
    server = Server(akin, place, options.flag)
    try:
        for name in ("first", "second", "third"):
            clock, processor, answer = server.search(query, options.parameters)
            passages = sum(len(hit.get("passages", [])) for hit in answer["results"])
            print(f"  {name}: {processor:.2f} s of processor time, {clock:.2f} s by the clock, "
                  f"{len(answer['results'])} documents, {passages} passages, peak {server.peak_megabytes():.0f} MB")
        if options.answers:
            with open(options.answers, "a", encoding="utf-8") as answers:
                answer.pop("took_ms", None)
                answers.write(json.dumps(answer, ensure_ascii=False, sort_keys=True) + "\n")
    finally:
        server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("akin")
    parser.add_argument("--corpora", type=pathlib.Path, default=pathlib.Path("build/corpora/corpora"))
    parser.add_argument("--megabytes", type=int, default=198)
    parser.add_argument("--queries", type=int, default=3)
    parser.add_argument("--parameters", default="", help="of the search, such as include=measures")
    parser.add_argument("--flag", action="append", default=[], help="for akin serve, such as --flag=--word-cache=0")
    parser.add_argument("--answers", help="append the answers to this file, to compare two programs")
    parser.add_argument("--data", type=pathlib.Path, help="keep the data folder here, and use it if it exists")
    parser.add_argument("--cold", action="store_true", help="drop the data folder's pages before each start")
    parser.add_argument("--store", help="a PostgreSQL database in place of the data folder, whose collection `long` is kept")
    options = parser.parse_args()
    text = long_text(novels(options.corpora), options.megabytes * 1_000_000)
    with tempfile.TemporaryDirectory() as folder:
        data = options.data or pathlib.Path(folder) / "data"
        place = ["--store", options.store] if options.store else ["--data", str(data)]
        collection = [*place, "--collection", "long"]
        stats = subprocess.run([options.akin, "stats", *collection, "--lang", "en"], capture_output=True, check=False)
        if stats.returncode != 0:
            begin = time.monotonic()
            subprocess.run([options.akin, "index", "-", "--id", "long", *collection, "--lang", "en"],
                           input=text.encode(), check=True, stdout=subprocess.DEVNULL)
            print(f"indexed in {time.monotonic() - begin:.1f} s")
        chance = random.Random(2)
        print(f"a document of {len(text.encode()) / 1e6:.0f} MB")
        for _ in range(options.queries):
            begin = chance.randrange(len(text) - QUERY_BYTES)
            query = text[begin:].encode()[:QUERY_BYTES].decode(errors="ignore").encode()
            print(f"a query of {len(query)} bytes:")
            if options.cold:
                drop_pages(data)
            measure(options.akin, place, query, options)


if __name__ == "__main__":
    main()
