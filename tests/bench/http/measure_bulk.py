"""How fast documents go in over HTTP beside `akin index` and `akin import` on the same texts, in turns.

    python3 tests/bench/http/measure_bulk.py build/release [--documents N] [--rounds N]

Each way stores page-long texts (made_texts.py) in an empty collection: `akin index` from a file each, `akin import` from
lines, and one POST of the same lines to …/bulk by curl, whose answer goes to a file.
"""
import argparse
import contextlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

import made_texts
from measure_similar import serving

WAYS = ("index", "import", "bulk")


def write(folder: pathlib.Path, documents: int) -> int:
    """The same texts as lines and as files; their bytes."""
    with open(folder / "lines", "w", encoding="utf-8") as out, open(os.devnull, "w", encoding="utf-8") as none:
        size = made_texts.lines(documents, 0, out, none)
    for line in open(folder / "lines", encoding="utf-8"):
        document = json.loads(line)
        place = folder / "files" / document["id"][-3:]
        place.mkdir(parents=True, exist_ok=True)
        (place / document["id"]).write_text(document["text"], encoding="utf-8")
    return size


def seconds(way: str, program, folder: pathlib.Path, documents: int) -> float:
    data = folder / "data"
    environment = {**os.environ, "AKIN_DATA": str(data), "AKIN_LANG": "ru,en"}
    try:
        if way != "bulk":
            begin = time.monotonic()
            subprocess.run([program, way, folder / ("files" if way == "index" else "lines")], env=environment,
                           stdout=subprocess.DEVNULL, check=True)
            return time.monotonic() - begin
        with open(folder / "log", "wb") as log, serving(program, environment, log) as port:
            base = f"http://127.0.0.1:{port}/v1/collections/default"
            subprocess.run(["curl", "-sS", "-o", os.devnull, "-X", "PUT", base], check=True)
            begin = time.monotonic()
            subprocess.run(["curl", "-sS", "-o", folder / "answer", "-H", "Content-Type: application/x-ndjson",
                            "-H", "Expect:", "-T", folder / "lines", "-X", "POST", base + "/bulk"], check=True)
            took = time.monotonic() - begin
        summary = json.loads((folder / "answer").read_text(encoding="utf-8").splitlines()[-1])["summary"]
        if summary["created"] != documents:
            raise SystemExit(f"bulk: {summary}")
        return took
    finally:
        shutil.rmtree(data)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("build", type=pathlib.Path)
    arguments.add_argument("--documents", type=int, default=20_000)
    arguments.add_argument("--rounds", type=int, default=5)
    options = arguments.parse_args()
    program = options.build / "cli/akin"
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        size = write(folder, options.documents)
        rates = {way: [] for way in WAYS}
        for _ in range(options.rounds):
            for way in WAYS:
                rates[way].append(size / 1e6 / seconds(way, program, folder, options.documents))
    print(f"{options.documents} documents, {size / 1e6:.0f} MB")
    for way, measured in rates.items():
        print(f"{way:6} {statistics.median(measured):6.1f} MB/s (from {min(measured):.1f} to {max(measured):.1f})")
    for way in WAYS[:2]:
        ratios = [own / other for own, other in zip(rates["bulk"], rates[way])]
        print(f"bulk / {way}: {statistics.median(ratios):.2f} (from {min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
