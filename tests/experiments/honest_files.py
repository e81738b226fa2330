#!/usr/bin/env python3
"""Checks honest files against an empty collection: which alerts they raise, and which go to review.

Usage: honest_files.py [--akin PROGRAM] [--jobs N] [--list] FOLDER...

The files below the folders are checked, small ones first, with the policy of checks that name none. Printed are, by
type of file, how many were read, refused, too short for a verdict, and sent to review although long enough, and how often
each alert was raised. With --list, a line for each file that is refused or goes to review says why. The exit code is 1 if
one goes to review that is long enough. make_honest_files.py writes such files.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 120


def reasons_of(check: dict) -> list[str]:
    """What a check reviews or refuses for, with the kind of an alert."""
    return [reason["kind"] + (f" {reason['alert']}" if "alert" in reason else "") for reason in check["reasons"]]


def alerts_of(check: dict) -> list[str]:
    """The kinds of alerts of the file and of its text."""
    of_file = [alert["kind"] for alert in check.get("file", {}).get("alerts", [])]
    return of_file + [kind for kind, count in check["query"]["alert_counts"].items() if count > 2]


class Counts:
    """What is counted of the files of one type."""

    def __init__(self) -> None:
        self.read, self.refused, self.short, self.reviewed = 0, 0, 0, 0
        self.alerts: collections.Counter = collections.Counter()

    def row(self, name: str) -> str:
        alerts = ", ".join(f"{count} {kind}" for kind, count in sorted(self.alerts.items())) or "-"
        return f"| {name} | {self.read} | {self.refused} | {self.short} | {self.reviewed} | {alerts} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--akin", default=str(ROOT / "build/dev/cli/akin"), help="the program akin")
    parser.add_argument("--jobs", type=int, default=1, help="files that are checked at a time")
    parser.add_argument("--list", action="store_true", help="print a line for each file that does not pass")
    parser.add_argument("folder", nargs="+", type=pathlib.Path, help="folders of honest files")
    options = parser.parse_args()
    found = [path for folder in options.folder for path in folder.rglob("*") if path.is_file()]
    files = sorted(found, key=lambda path: (path.stat().st_size, path))
    types: dict[str, Counts] = collections.defaultdict(Counts)
    with tempfile.TemporaryDirectory() as data:
        empty = pathlib.Path(data, "text.txt")
        empty.write_text("A text that nobody has written before.\n", encoding="utf-8")
        base = [options.akin, "--data", data + "/data"]
        subprocess.run([*base, "index", str(empty)], check=True, capture_output=True)

        def checked(path: pathlib.Path) -> tuple[list[dict], str]:
            """The checks of a file, several of an archive, and what is said of one that is refused."""
            # A name tells how text and HTML are read.
            asked = [*base, "check", str(path), "--json", "--encoding", "auto"]
            try:
                done = subprocess.run(asked, capture_output=True, timeout=SECONDS, check=False)
            except subprocess.TimeoutExpired:
                return [], f"not read in {SECONDS} s"
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            # Not splitlines: a text may have separators of lines of its own.
            lines = done.stdout.decode().split("\n") if done.returncode != 2 else []
            return [json.loads(line) for line in lines if line], (said or ["no answer"])[0]

        pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
        for path, (checks, said) in zip(files, pool.map(checked, files)):
            for kind in (path.suffix.lower().lstrip(".") or "-", "all"):
                counts = types[kind]
                counts.refused += not checks
                for check in checks:
                    counts.read += 1
                    short = any(reason["kind"] == "too_short" for reason in check["reasons"])
                    counts.short += short
                    counts.reviewed += check["verdict"] != "pass" and not short
                    counts.alerts.update(alerts_of(check))
            if options.list and any(check["verdict"] != "pass" for check in checks):
                print(f"{path}: {'; '.join(reason for check in checks for reason in reasons_of(check))}", flush=True)
            elif options.list and not checks:
                print(f"{path}: {said}", flush=True)
    print("| files | read | refused | too short | to review | alerts |\n|---|---|---|---|---|---|")
    for kind in sorted(types, key=lambda name: (name == "all", name)):
        print(types[kind].row(kind))
    return 1 if types["all"].reviewed else 0


if __name__ == "__main__":
    sys.exit(main())
