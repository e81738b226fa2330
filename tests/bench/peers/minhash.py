"""datasketch's MinHash LSH (128 permutations, threshold 0.5) on the same features. It searches by resemblance, so its
completeness is reported twice: against all documents with X > 3, which akin answers, and against what the method is made for,
pairs of documents with a resemblance of at least one half. Runs in a virtual environment of its own."""
import os
import pathlib
import subprocess
import sys
import time

import exported

PERMUTATIONS = 128
THRESHOLD = 0.5


def enter_environment() -> None:
    """Starts this script again under a virtual environment that has datasketch; one is made in AKIN_BENCH_VENV, else in the
    scratch folder, if there is none yet."""
    place = pathlib.Path(os.environ.get("AKIN_BENCH_VENV") or exported.folder() / "venv")
    python = place / "bin" / "python3"
    if pathlib.Path(sys.prefix).resolve() == place.resolve():
        exported.skip("datasketch cannot be imported from the virtual environment that was made for it")
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(place)], check=True, capture_output=True)
        if subprocess.run([str(python), "-c", "import datasketch"], capture_output=True).returncode != 0:
            subprocess.run([str(python), "-m", "pip", "install", "-q", "datasketch"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        exported.skip(f"datasketch cannot be installed ({error})")
    os.execv(str(python), [str(python), *sys.argv])


try:
    import datasketch
    import numpy
except ImportError:
    enter_environment()


def sketches(documents: dict[int, dict[int, int]]) -> dict[int, "datasketch.MinHash"]:
    made = {}
    for number, features in documents.items():
        values = [numpy.int64(feature).tobytes() for feature in features]
        sketch = datasketch.MinHash(num_perm=PERMUTATIONS, seed=1)
        sketch.update_batch(values)
        made[number] = sketch
    return made


def main() -> None:
    documents = exported.features("documents.tsv")
    queries = exported.features("queries.tsv")

    begun = time.monotonic()
    index = datasketch.MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS)
    stored = sketches(documents)
    for number, sketch in stored.items():
        index.insert(number, sketch)
    exported.row("datasketch: build", time.monotonic() - begun, "s",
                 f"datasketch {datasketch.__version__}: MinHash of {PERMUTATIONS} permutations, LSH, threshold {THRESHOLD}")

    milliseconds, found = [], set()
    for number, features in queries.items():
        begun = time.monotonic()
        hits = index.query(sketches({number: features})[number])
        milliseconds.append((time.monotonic() - begun) * 1000)
        found.update((number, hit) for hit in hits)
    expected = {(query, document) for query, document, _ in exported.numbers("answers.tsv")}
    exported.row("datasketch: query p50", exported.percentile(milliseconds, 0.5), "ms",
                 f"from features, one core; p99 {exported.percentile(milliseconds, 0.99):.3g} ms")
    exported.row("datasketch: completeness for X > 3", 100 * len(found & expected) / len(expected), "%",
                 f"of {len(expected)} documents; {len(found - expected)} that do not belong")

    pairs = {(min(a, b), max(a, b)) for a, b in exported.numbers("duplicates.tsv")}
    alike = {(min(number, hit), max(number, hit)) for number, sketch in stored.items() for hit in index.query(sketch)
             if hit != number}
    exported.row("datasketch: completeness for resemblance of one half", 100 * len(alike & pairs) / max(len(pairs), 1), "%",
                 f"of {len(pairs)} pairs of documents; {len(alike - pairs)} that do not belong")


main()
