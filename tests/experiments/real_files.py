#!/usr/bin/env python3
"""Compares what akin reads of real files with what independent programs read of them.

Usage: real_files.py [--akin PROGRAM] [--jobs N] [--list] FOLDER...

The files below the folders are stored in a collection of their own, and their texts are compared with those of mutool
(PDF), antiword (DOC), djvutxt (DjVu), w3m (HTML) and pandoc (DOCX, ODT, EPUB, FB2, RTF), where they give 20 words or
more. Words have a letter, and two characters or more, so the numbers of lists and notes do not count. Recall is the share
of the reader's words that akin reads too, precision the share of akin's words that the reader has. Printed are, by type of
file, how many were read, refused, and refused though the reader gives a text, the medians of both shares, and how many
files have less than 0.9. With --list, a line for each of these says which it is. The exit code is 1 if a file is refused
though the reader gives a text. honest_files.py tells which alerts such files raise.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEAST_WORDS = 20
LEAST_SHARE = 0.9
SECONDS = 120

# The command of each reader, by the end of the names; the file stands for {}.
PANDOC = ["pandoc", "-t", "plain", "--wrap=none", "-f"]
W3M = ["w3m", "-dump", "-cols", "1000", "-O", "UTF-8", "-T", "text/html"]
READERS = {
    "pdf": ["mutool", "draw", "-q", "-F", "txt", "{}"],
    "docx": [*PANDOC, "docx", "{}"],
    "odt": [*PANDOC, "odt", "{}"],
    "epub": [*PANDOC, "epub", "{}"],
    "fb2": [*PANDOC, "fb2", "{}"],
    "doc": ["antiword", "-m", "UTF-8.txt", "-w", "0", "{}"],
    "rtf": [*PANDOC, "rtf", "{}"],
    "djvu": ["djvutxt", "{}"],
    "html": W3M,
    "htm": W3M,
    "xhtml": W3M,
}
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|(?:(?![\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])[^\W_]){2,}")
PICTURE = re.compile(rb"(?i)<(?:img|embed)\b")  # whose name and description w3m gives
IGNORED = re.compile("-\n|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def end_of(path: pathlib.Path) -> str:
    """The end of a file's name, by which its reader is chosen."""
    return path.suffix.lower().lstrip(".")


def words_of(text: str) -> collections.Counter:
    """The words of a text without case, hyphens at the ends of lines and invisible characters, with their counts."""
    plain = IGNORED.sub("", unicodedata.normalize("NFKC", text)).casefold()
    return collections.Counter(word for word in WORD.findall(plain) if not word.isdecimal())


def read_by_peer(path: pathlib.Path) -> str:
    """What the independent reader gives; nothing if it fails or takes too long."""
    command = [part.replace("{}", str(path)) for part in READERS[end_of(path)]]
    page = PICTURE.sub(b"<x", path.read_bytes()) if command == W3M else b""
    try:
        done = subprocess.run(command, input=page, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout.decode("utf-8", "replace")


def read_by_akin(akin: str, folder: pathlib.Path) -> tuple[dict[pathlib.Path, str], dict[pathlib.Path, str]]:
    """The texts that akin stores of the files below a folder, and why it refuses the others."""
    with tempfile.TemporaryDirectory() as data:
        base = [akin, "--data", data]
        command = [*base, "--scheme", "sentences", "index", str(folder), "--json", "--encoding", "auto"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        refused = {pathlib.Path(one["what"]): one["reason"] for one in json.loads(done.stdout)["refused"]}
        lines = subprocess.run([*base, "export"], capture_output=True, check=True).stdout.splitlines()
        documents = map(json.loads, lines)
        return {folder / document["id"]: document["text"] for document in documents}, refused


class Counts:
    """What is counted of the files of one type."""

    def __init__(self) -> None:
        self.files, self.refused, self.valid = 0, 0, 0
        self.recall: list[float] = []
        self.precision: list[float] = []

    def row(self, name: str) -> str:
        cells = [name, self.files, self.refused, self.valid, len(self.recall)]
        for shares in (self.recall, self.precision):
            cells += [f"{statistics.median(shares):.3f}" if shares else "-", sum(one < LEAST_SHARE for one in shares)]
        return "| " + " | ".join(map(str, cells)) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--akin", default=str(ROOT / "build/dev/cli/akin"), help="the program akin")
    parser.add_argument("--jobs", type=int, default=1, help="files that are read at a time by other programs")
    parser.add_argument("--list", action="store_true", help="print a line for each file that the two read differently")
    parser.add_argument("folder", nargs="+", type=pathlib.Path, help="folders of files")
    options = parser.parse_args()
    types: dict[str, Counts] = collections.defaultdict(Counts)
    for folder in options.folder:
        texts, refused = read_by_akin(options.akin, folder)
        files = sorted(path for path in folder.rglob("*") if path.is_file() and end_of(path) in READERS)
        pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
        for path, peer in zip(files, pool.map(read_by_peer, files)):
            counts = types[end_of(path)]
            theirs, ours = words_of(peer), words_of(texts.get(path, ""))
            enough = theirs.total() >= LEAST_WORDS
            counts.files += 1
            counts.refused += path in refused
            counts.valid += path in refused and enough
            found = ""
            if path in refused:
                found = f"refused, {theirs.total()} words: {refused[path]}"
            elif enough:
                recall = (theirs & ours).total() / theirs.total()
                precision = (theirs & ours).total() / max(ours.total(), 1)
                counts.recall.append(recall)
                counts.precision.append(precision)
                if min(recall, precision) < LEAST_SHARE:
                    found = f"recall {recall:.3f}, precision {precision:.3f}, {theirs.total()} words"
            if options.list and found:
                print(f"{path}: {found}", flush=True)
    print("| files | number | refused | with a text | compared | recall | < .9 | precision | < .9 |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in sorted(types):
        print(types[name].row(name))
    return 1 if any(counts.valid for counts in types.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
