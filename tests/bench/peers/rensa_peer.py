"""rensa's MinHash LSH (128 permutations, 32 bands, threshold 0.5) on the same features; what datasketch_peer.py says of completeness
holds here too. Runs in a virtual environment of its own."""
import time

import exported

exported.need_packages("rensa")
import rensa  # noqa: E402

PERMUTATIONS = 128
BANDS = 32
THRESHOLD = 0.5


def sketch(features: dict[int, int]) -> "rensa.RMinHash":
    made = rensa.RMinHash(PERMUTATIONS, 1)
    made.update([str(feature) for feature in features])
    return made


def main() -> None:
    documents = exported.features("documents.tsv")
    queries = exported.features("queries.tsv")

    begun = time.monotonic()
    index = rensa.RMinHashLSH(THRESHOLD, PERMUTATIONS, BANDS)
    stored = [(number, sketch(features)) for number, features in documents.items()]
    index.insert_pairs(stored)
    exported.row("rensa: build", time.monotonic() - begun, "s",
                 f"rensa's RMinHash of {PERMUTATIONS} permutations, LSH of {BANDS} bands, threshold {THRESHOLD}; in memory")

    milliseconds, found = [], set()
    for number, features in queries.items():
        begun = time.monotonic()
        hits = index.query(sketch(features))
        milliseconds.append((time.monotonic() - begun) * 1000)
        found.update((number, hit) for hit in hits)
    exported.row_of_queries("rensa", milliseconds, "from features, one core")
    exported.rows_of_documents_found("rensa", found)
    exported.row_of_duplicates("rensa", ((number, hit) for number, one in stored for hit in index.query(one)))


main()
