"""datasketch's MinHash LSH (128 permutations, threshold 0.5) on the same features. It searches by resemblance, so its
completeness is reported twice: against all documents with X > 3, which akin answers, and against what the method is made for,
pairs of documents with a resemblance of at least one half. Runs in a virtual environment of its own."""
import time

import exported

exported.need_packages("datasketch", "numpy")
import datasketch  # noqa: E402
import numpy  # noqa: E402

PERMUTATIONS = 128
THRESHOLD = 0.5


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
    exported.row_of_queries("datasketch", milliseconds, "from features, one core")
    exported.rows_of_documents_found("datasketch", found)

    exported.row_of_duplicates("datasketch", ((number, hit) for number, sketch in stored.items() for hit in index.query(sketch)))


main()
