#!/usr/bin/env python3
"""Measures the schemes on the corpora's labelled sets, and rewrites the tables and figures of docs/evaluation.md:

    python3 tests/experiments/evaluation.py build/release/server/cli/akin [SET…]

Every table is written by `akin evaluate threshold` itself; this script only says which, and brings two sets into the form
that the command reads (in build/evaluation). Run it from the source folder. Schemes that this akin does not know are left out.
"""
import os
import pathlib
import subprocess
import sys

CORPORA = pathlib.Path("build/corpora/corpora")
MADE = pathlib.Path("build/evaluation")
PAGE = "docs/evaluation.md"
FIGURES = pathlib.Path("docs/evaluation")

SCHEMES = [
    "sentence-pairs", "sentences", "paper-2009",
    # Zagorulko et al. 2013: all shingles, those divisible by 25, the 160 smallest; four words, without stop words.
    "shingles(w=4,unit=word,stop=ru+en,sample=all,count=set)",
    "shingles(w=4,unit=word,stop=ru+en,sample=mod:25,count=set)",
    "shingles(w=4,unit=word,stop=ru+en,sample=min:160)",
    # Bykov and Krizhanovsky 2023: bigrams of words.
    "shingles(w=2,unit=word,count=set)",
]


def known(akin: str, scheme: str) -> bool:
    return subprocess.run([akin, "features", "-", "--scheme", scheme], input=b"One.", capture_output=True, check=False).returncode == 0


def fresh(name: str) -> pathlib.Path:
    folder = MADE / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_pairs(folder: pathlib.Path, rows: list[tuple]) -> None:
    lines = ["\t".join(row) + "\n" for row in [("a", "b", "label"), *rows]]
    (folder / "pairs.tsv").write_text("".join(lines), encoding="utf-8")


def articles() -> pathlib.Path:
    """One article a line, "id text"; the truth names pairs of ids, every other pair is different."""
    folder, source = fresh("articles"), CORPORA / "en-pairs/minhash-articles"
    for line in (source / "articles_1000.txt").read_text(encoding="utf-8").splitlines():
        name, text = line.split(" ", 1)
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    pairs = [line.split() for line in (source / "articles_1000.truth").read_text(encoding="utf-8").splitlines()]
    write_pairs(folder, [(f"{a}.txt", f"{b}.txt", "yes") for a, b in pairs])
    return folder


def pan() -> pathlib.Path:
    """Suspicious documents with passages of sources. What else shares text is listed by the corpus, and not judged."""
    folder, source = fresh("pan13"), (CORPORA / "en-pairs/pan13-no-obfuscation").resolve()
    for part in ("susp", "src"):
        if not (folder / part).exists():
            os.symlink(source / part, folder / part)
    read = lambda name: [line.split("\t") for line in (source / name).read_text(encoding="utf-8").splitlines()[1:]]
    cases = {(f"susp/{row[0]}", f"src/{row[1]}") for row in read("cases.tsv")}
    listed = {frozenset(pair) for pair in cases}
    overlaps = {(row[0], row[1]) for row in read("measured_overlaps.tsv") if frozenset(row[:2]) not in listed}
    write_pairs(folder, [(*pair, "yes") for pair in sorted(cases)] + [(*pair, "") for pair in sorted(overlaps)])
    return folder


SETS = {
    "editions": lambda: [CORPORA / "ru-pairs/editions"],
    "debian-ru": lambda: [CORPORA / "ru-pairs/debian-install-guide"],
    "debian-en": lambda: [CORPORA / "en-pairs/debian-install-guide"],
    "news-ru": lambda: [CORPORA / "news/ru_same_event_pairs.tsv", "--at", "0.1,0.2,0.3,0.4,0.5,0.6,0.7"],
    "news-en": lambda: [CORPORA / "news/en_same_event_pairs.tsv", "--at", "0.1,0.2,0.3,0.4,0.5,0.6,0.7"],
    "clough-stevenson": lambda: [CORPORA / "en-pairs/clough-stevenson", "--positive", "cut,light,heavy", "--at", "0.1,0.2,0.3,0.4,0.5,0.6,0.7"],
    "articles": lambda: [articles(), "--unlisted", "different"],
    "pan13": lambda: [pan(), "--unlisted", "different", "--at", "0.05,0.1,0.2,0.3,0.5,0.7,0.9"],
}


def main() -> int:
    akin, *wanted = sys.argv[1:]
    schemes = [scheme for scheme in SCHEMES if known(akin, scheme)]
    for scheme in SCHEMES:
        if scheme not in schemes:
            print(f"left out, this akin does not know it: {scheme}")
    FIGURES.mkdir(exist_ok=True)
    for name in wanted or SETS:
        flags = [flag for scheme in schemes for flag in ("--scheme", scheme)]
        command = [akin, "evaluate", "threshold", *map(str, SETS[name]()), *flags, "--into", PAGE, "--region", name, "--svg", str(FIGURES / f"{name}.svg")]
        print(name, flush=True)
        subprocess.run(command, check=True)
    return 0


sys.exit(main())
