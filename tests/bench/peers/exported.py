"""What akin_bench hands to the scripts of its peers, and how they answer."""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterable


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


def row(name: str, value: float, unit: str, yardstick: str, better: str = "lower", goal: float | None = None) -> None:
    print(json.dumps({"name": name, "value": value, "unit": unit, "better": better, "goal": goal, "yardstick": yardstick}), flush=True)


def skip(reason: str) -> None:
    print(json.dumps({"skipped": reason}), flush=True)
    sys.exit(0)


def percentile(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[max(1, -int(-part * len(ordered) // 1)) - 1]


def row_of_queries(peer: str, milliseconds: list[float], how: str) -> None:
    row(f"{peer}: query p50", percentile(milliseconds, 0.5), "ms", f"{how}; p99 {percentile(milliseconds, 0.99):.3g} ms")


def rows_of_documents_found(peer: str, found: set[tuple[int, int]]) -> None:
    """`found`: (query, document). How many of akin's answers are among them, and how many others."""
    expected = {(query, document) for query, document, _ in numbers("answers.tsv")}
    row(f"{peer}: completeness for X > 3", 100 * len(found & expected) / len(expected), "%",
        f"of {len(expected)} documents; {len(found - expected)} that do not belong", better="higher")


def row_of_duplicates(peer: str, alike: Iterable[tuple[int, int]]) -> None:
    """`alike`: pairs of documents in either order, of a document with itself too."""
    pairs = {(min(a, b), max(a, b)) for a, b in numbers("duplicates.tsv")}
    found = {(min(a, b), max(a, b)) for a, b in alike if a != b}
    row(f"{peer}: completeness for resemblance of one half", 100 * len(found & pairs) / max(len(pairs), 1), "%",
        f"of {len(pairs)} pairs of documents; {len(found - pairs)} that do not belong", better="higher")


def size(path: pathlib.Path) -> int:
    """Bytes of the files of a folder."""
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def need_packages(*packages: str) -> None:
    """Packages of PyPI that carry the name of their module: where one is missing, this script starts again in a virtual
    environment that has them, AKIN_BENCH_VENV or one in the scratch folder, which is made if there is none yet. Skips the peer
    where they cannot be installed."""
    if all(importlib.util.find_spec(package) for package in packages):
        return
    names = ", ".join(packages)
    place = pathlib.Path(os.environ.get("AKIN_BENCH_VENV") or folder() / "venv")
    if pathlib.Path(sys.prefix).resolve() == place.resolve():
        skip(f"{names} cannot be imported from the virtual environment that was made for it")
    python = place / "bin" / "python3"
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(place)], check=True, capture_output=True)
        imported = "import " + names
        if subprocess.run([str(python), "-c", imported], capture_output=True, check=False).returncode != 0:
            subprocess.run([str(python), "-m", "pip", "install", "-q", *packages], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        skip(f"{names} cannot be installed ({error})")
    os.execv(str(python), [str(python), *sys.argv])
