"""What akin_bench hands to the scripts of its peers, and how they answer."""
import json
import pathlib
import sys


def folder() -> pathlib.Path:
    """Where documents.tsv, queries.tsv (number, feature, count), answers.tsv (query, document, x: every document with x > 3,
    as akin answers) and duplicates.tsv (document, document: resemblance of at least one half) lie."""
    return pathlib.Path(sys.argv[1])


def features(name: str) -> dict[int, dict[int, int]]:
    """number -> feature -> count."""
    found: dict[int, dict[int, int]] = {}
    with open(folder() / name, encoding="ascii") as lines:
        for line in lines:
            number, feature, count = line.split("\t")
            found.setdefault(int(number), {})[int(feature)] = int(count)
    return found


def numbers(name: str) -> list[tuple[int, ...]]:
    with open(folder() / name, encoding="ascii") as lines:
        return [tuple(int(cell) for cell in line.split("\t")) for line in lines]


def row(name: str, value: float, unit: str, yardstick: str) -> None:
    print(json.dumps({"name": name, "value": value, "unit": unit, "yardstick": yardstick}), flush=True)


def skip(reason: str) -> None:
    print(json.dumps({"skipped": reason}), flush=True)
    sys.exit(0)


def percentile(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[max(1, -int(-part * len(ordered) // 1)) - 1]
