#!/usr/bin/env python3
"""The experiments of 2009 at a small size: `akin_bench novels sentences` measures, and what it finds is right.

    tests/bench/test_experiments.py build/dev/tests/bench/akin_bench

Exit status 77 without corpora.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

# What must be 0, whatever the size.
NOTHING = [
    "novels: fragments that miss their source",
    "novels: unrelated novels with similar fragments",
    "sentences: near-duplicates missed",
    "sentences: other pairs found",
]


def main():
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "rows.json"
        run = subprocess.run(
            [sys.argv[1], "--output", output, "--scratch", folder, "--bytes", "30M", "novels", "sentences"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        print(run.stdout)
        if run.returncode != 0:
            sys.exit(f"akin_bench ended with exit status {run.returncode}")
        values = {row["name"]: row["value"] for row in json.loads(output.read_text())["rows"]}
    if not values:
        sys.exit(77)
    wrong = [f"{name}: {values.get(name, 'not measured')}" for name in NOTHING if values.get(name) != 0]
    if values.get("novels: size", 0) == 0 or values.get("sentences: size", 0) == 0:
        wrong.append("nothing was loaded")
    if wrong:
        sys.exit("expected 0: " + "; ".join(wrong))


if __name__ == "__main__":
    main()
