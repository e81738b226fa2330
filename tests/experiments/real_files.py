#!/usr/bin/env python3
"""Compares what akin reads of real files with what independent programs read of them.

Usage: real_files.py [--akin PROGRAM] [--jobs N] [--list] FOLDER...

The files below the folders are stored in a collection of their own, and their texts are compared with those of mutool
(PDF), antiword (DOC), djvutxt (DjVu), w3m (HTML) and pandoc (DOCX, ODT, EPUB, FB2, RTF), where they give 20 words or
more. Words have a letter, and two characters or more, and are no Roman numerals, so the numbers of lists and notes do not
count; nor do names and descriptions of pictures, and formulas, which pandoc writes in TeX. Recall is the share
of the reader's words that akin reads too, precision the share of akin's words that the reader has. Printed are, by type of
file, how many were read, refused, and refused though the reader gives a text, the medians of both shares, and how many
files have less than 0.9. Why recall is below that is found out by reading again: with the letters alone, with the
reader's text in another code page than it took, with the page of HTML without its menus and hidden elements, and with an
RTF in which pandoc loses and adds nothing; what none of these explains is counted as unexplained. With --list, a line for each of these files says which it is. The exit code is 1 if a file is refused
though the reader gives a text. honest_files.py tells which alerts such files raise.
"""

import argparse
import collections
import concurrent.futures
import html.parser
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Callable

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEAST_WORDS = 20
LEAST_SHARE = 0.9
SECONDS = 120

# The command of each reader, by the end of the names; the file stands for {}.
NO_PICTURES = pathlib.Path(__file__).with_name("no_pictures.lua")
PANDOC = ["pandoc", "-t", "plain", "--wrap=none", f"--lua-filter={NO_PICTURES}", "-f"]
W3M = ["w3m", "-dump", "-cols", "1000", "-O", "UTF-8", "-T", "text/html"]
READERS = {
    "pdf": ["mutool", "draw", "-q", "-F", "txt", "{}"],
    "docx": [*PANDOC, "docx", "{}"],
    "odt": [*PANDOC, "odt", "{}"],
    "epub": [*PANDOC, "epub", "{}"],
    "fb2": [*PANDOC, "fb2", "{}"],
    "doc": ["antiword", "-m", "UTF-8.txt", "-w", "0", "{}"],
    "rtf": [*PANDOC, "rtf"],
    "djvu": ["djvutxt", "{}"],
    "html": W3M,
    "htm": W3M,
    "xhtml": W3M,
}
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|(?:(?![\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])[^\W_]){2,}")
PICTURE = re.compile(rb"(?i)<(?:img|embed)\b")  # whose name and description w3m gives
MARK_OF_PICTURE = "[pic]"  # antiword's
ROMAN = re.compile("[ivx]+")
# Other code pages of Windows than the one that readers take for the bytes of a text that names another.
TAKEN, CODE_PAGES = "cp1252", ("cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp932", "gbk")
IGNORED = re.compile("-\n|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def end_of(path: pathlib.Path) -> str:
    """The end of a file's name, by which its reader is chosen."""
    return path.suffix.lower().lstrip(".")


def words_of(text: str) -> collections.Counter:
    """The words of a text without case, hyphens at the ends of lines and invisible characters, with their counts."""
    plain = IGNORED.sub("", unicodedata.normalize("NFKC", text)).casefold()
    words = WORD.findall(plain.replace(MARK_OF_PICTURE, ""))
    return collections.Counter(word for word in words if not word.isdecimal() and not ROMAN.fullmatch(word))


class ShownAtOnce(html.parser.HTMLParser):
    """A page of HTML without menus, and without what is hidden until a script or a click shows it."""

    LEFT_OUT = {"nav", "aside", "footer", "select", "button", "dialog", "noscript", "template", "iframe"}
    HIDDEN = re.compile(r"display:none|visibility:hidden|opacity:0(?![.\d])")
    VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}

    RULE = re.compile(r"([.#][\w-]+)(?=\s*(?:,[^{}]*)?\{[^{}]*(?:display\s*:\s*none|visibility\s*:\s*hidden))")

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=False)
        self.hidden = set(self.RULE.findall(page))  # by a style sheet in the page
        self.shown: list[str] = []
        self.left_out: list[str] = []  # open elements from the first that is left out on

    def handle_starttag(self, tag: str, attrs: list) -> None:
        named = {name: (value or "") for name, value in attrs}
        style = re.sub(r"\s", "", named.get("style", "")).lower()
        selectors = {"." + name for name in named.get("class", "").split()} | {"#" + named.get("id", "")}
        hidden = selectors & self.hidden or "hidden" in named or named.get("role") == "navigation" or self.HIDDEN.search(style)
        if tag not in self.VOID and (self.left_out or tag in self.LEFT_OUT or hidden):
            self.left_out.append(tag)
        if not self.left_out:
            self.shown.append(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        if not self.left_out:
            self.shown.append(f"</{tag}>")
        elif tag in self.left_out:
            while self.left_out.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not self.left_out:
            self.shown.append(data)

    def handle_entityref(self, name: str) -> None:
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.handle_data(f"&#{name};")


def without_menus(page: bytes) -> bytes:
    """The page as a reader sees it at once."""
    text = page.decode("utf-8", "surrogateescape")
    parser = ShownAtOnce(text)
    parser.feed(text)
    return "".join(parser.shown).encode("utf-8", "surrogateescape")


def with_two_replacements(rtf: bytes) -> bytes:
    """An RTF in which two characters replace each one of Unicode: pandoc up to 2.17 takes the next one for it, too."""
    return re.sub(rb"(\\u-?\d+)\?", rb"\1??", rtf)


def without_style_names(rtf: bytes) -> bytes:
    """An RTF without its styles of letters, whose names pandoc up to 2.17 writes before the text."""
    return re.sub(rb"\{\\\*\\cs[^{}]*\}", b"", rtf)


def runs_of(text: str) -> collections.Counter:
    """The runs of five letters of a text, wherever its words begin and end."""
    letters = "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalpha())
    return collections.Counter(letters[at : at + 5] for at in range(len(letters) - 4))


def recall_of(theirs: collections.Counter, ours: collections.Counter) -> float:
    """The share of their words that are ours, too."""
    return (theirs & ours).total() / max(theirs.total(), 1)


def why_less(path: pathlib.Path, peer: str, text: str) -> str:
    """Why akin reads less than the reader; empty if that is not known."""
    ours, our_runs = words_of(text), runs_of(text)
    if recall_of(runs_of(peer), our_runs) >= LEAST_SHARE:
        return "words are divided otherwise"
    bytes_read = peer.encode(TAKEN, "replace")
    for page in CODE_PAGES:
        decoded = bytes_read.decode(page, "replace")
        if recall_of(words_of(decoded), ours) >= LEAST_SHARE or recall_of(runs_of(decoded), our_runs) >= LEAST_SHARE:
            return f"the reader takes {TAKEN} for {page}"
    for name, change, why in AGAIN:
        if READERS[end_of(path)] == READERS[name] and recall_of(words_of(read_by_peer(path, change)), ours) >= LEAST_SHARE:
            return why
    return ""


# How files of a type are read again, and what it explains if akin then has the reader's words.
AGAIN = (
    ("html", without_menus, "menus and hidden elements"),
    ("rtf", with_two_replacements, "the reader loses the character after one of Unicode"),
    ("rtf", without_style_names, "the reader writes names of styles"),
)


def read_by_peer(path: pathlib.Path, change: Callable[[bytes], bytes] = lambda page: page) -> str:
    """What the independent reader gives, of a page of HTML changed so; nothing if it fails or takes too long."""
    command = [part.replace("{}", str(path)) for part in READERS[end_of(path)]]
    given = b"" if "{}" in READERS[end_of(path)] else change(path.read_bytes())
    if command == W3M:
        given = PICTURE.sub(b"<x", given)
    try:
        done = subprocess.run(command, input=given, capture_output=True, timeout=SECONDS, check=False)
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
        self.why: collections.Counter = collections.Counter()

    def row(self, name: str) -> str:
        cells = [name, self.files, self.refused, self.valid, len(self.recall)]
        for shares in (self.recall, self.precision):
            cells += [f"{statistics.median(shares):.3f}" if shares else "-", sum(one < LEAST_SHARE for one in shares)]
        cells.append(", ".join(f"{count} {why}" for why, count in sorted(self.why.items())) or "-")
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
                recall = recall_of(theirs, ours)
                precision = (theirs & ours).total() / max(ours.total(), 1)
                counts.recall.append(recall)
                counts.precision.append(precision)
                if min(recall, precision) < LEAST_SHARE:
                    found = f"recall {recall:.3f}, precision {precision:.3f}, {theirs.total()} words"
                if recall < LEAST_SHARE:
                    why = why_less(path, peer, texts.get(path, "")) or "unexplained"
                    counts.why[why] += 1
                    found += f": {why}"
            if options.list and found:
                print(f"{path}: {found}", flush=True)
    print("| files | number | refused | with a text | compared | recall | < .9 | precision | < .9 | recall < .9 because of |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name in sorted(types):
        print(types[name].row(name))
    return 1 if any(counts.valid for counts in types.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
