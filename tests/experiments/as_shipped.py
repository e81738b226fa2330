#!/usr/bin/env python3
"""What `akin index` and `akin similar` find without a flag, beside X > 3 over sentence pairs (--bound 3), on texts whose reuse is known.
Prints the table of docs/evaluation.md, "As shipped":

    python3 tests/experiments/as_shipped.py build/release/cli/akin [--unrelated FILE.tsv | --hold]

With --hold it measures the sets that take less than a minute, and fails if a figure as shipped is worse than that page promises (exit
code 77 without the corpora: left out). With --unrelated it also compares 300 works that have nothing to do with each other, and writes the 100 longest passages that any two of
them share, for a reader to judge. Run it from the source folder; it needs the corpora.
"""
import argparse
import collections
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CORPORA = pathlib.Path(os.environ.get("AKIN_CORPORA") or "build/corpora/corpora")
WAYS = {"bound 3": ["--bound", "3"], "as shipped": []}

# What --hold requires: the figure as shipped is at least, or at most, this.
LEAST = {"Clough and Stevenson: near copies": 8, "Clough and Stevenson: light revisions": 10, "Clough and Stevenson: heavy revisions": 10,
         "editions of one work: ordered pairs": 52, "quotations of 3 sentences": 28, "quotations of 4 sentences": 30,
         "quotations of 5 sentences": 30, "quotations of 6 sentences": 30, "quotations of 8 lines of verse": 25}
MOST = {"Clough and Stevenson: not copied": 0, "editions of different works: ordered pairs": 0}


def table(path: pathlib.Path) -> list[dict]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


class Akin:
    def __init__(self, program: str):
        self.program = program
        self.data = MADE / "data"

    def index(self, collection: str, folder: pathlib.Path, *flags: str) -> None:
        subprocess.run([self.program, "index", folder, "--data", self.data, "--collection", collection, *flags], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def similar(self, collection: str, query: list, *flags: str) -> list[dict]:
        found = subprocess.run([self.program, "similar", *map(str, query), "--data", self.data, "--collection", collection, "--json", "--limit",
                                "100000", *flags], check=True, capture_output=True, text=True)
        return json.loads(found.stdout)["results"]

    def ids(self, collection: str, query: list, *flags: str) -> set[str]:
        return {hit["id"] for hit in self.similar(collection, query, "--include", "measures", *flags)}

    def sentences(self, path: pathlib.Path) -> list[str]:
        analysed = subprocess.run([self.program + "-lab", "features", path, "--json"], check=True, capture_output=True, text=True)
        text = path.read_text(encoding="utf-8")
        return [text[slice(*sentence["range"])] for sentence in json.loads(analysed.stdout)["sentences"]]


def pan(akin: Akin) -> list[tuple]:
    folder = CORPORA / "en-pairs/pan13-no-obfuscation"
    akin.index("pan", folder / "src")
    cases = {(row["susp"], row["source"]) for row in table(folder / "cases.tsv")}
    figures = []
    for flags in WAYS.values():
        found = {(susp, source) for susp in {pair[0] for pair in cases} for source in akin.ids("pan", [folder / "susp" / susp], *flags)}
        figures.append(f"{len(found & cases)} of {len(cases)}")
    return [("PAN 2013, verbatim passages: pairs", *figures)]


def answers(akin: Akin) -> list[tuple]:
    folder = CORPORA / "en-pairs/clough-stevenson"
    made = MADE / "answers"
    made.mkdir(exist_ok=True)
    rows = table(folder / "pairs.tsv")
    for source in {row["source"] for row in rows}:
        shutil.copy(folder / source, made / source)
    akin.index("answers", made)
    found = {way: collections.Counter() for way in WAYS}
    for row in rows:
        for way, flags in WAYS.items():
            found[way][row["category"]] += row["source"] in akin.ids("answers", [folder / row["file"]], *flags)
    total = collections.Counter(row["category"] for row in rows)
    names = {"cut": "near copies", "light": "light revisions", "heavy": "heavy revisions", "non": "not copied"}
    return [(f"Clough and Stevenson: {name}", *(f"{found[way][key]} of {total[key]}" for way in WAYS)) for key, name in names.items()]


def essay(akin: Akin) -> list[tuple]:
    figures = []
    for folder in sorted((CORPORA / "ru-pairs/paraplag-samples").iterdir()):
        if not (folder / "sources").is_dir():
            continue
        akin.index("essay", folder / "sources")
        total = len(list((folder / "sources").iterdir()))
        found = [f"{len(akin.ids('essay', [folder / 'essay.txt'], *flags))} of {total}" for flags in WAYS.values()]
        figures.append((f"ParaPlag, an essay ({folder.name}): sources", *found))
    return figures


def editions(akin: Akin) -> list[tuple]:
    folder = CORPORA / "ru-pairs/editions"
    akin.index("editions", folder)
    texts = sorted(path for path in folder.rglob("*.txt") if path.name != "SOURCE.txt")
    name = lambda path: path.relative_to(folder).as_posix()
    known = {(name(a), name(b)) for a in texts for b in texts if a != b and a.parent == b.parent}
    figures = []
    for flags in WAYS.values():
        found = {(name(text), other) for text in texts for other in akin.ids("editions", [text], *flags)}
        foreign = {pair for pair in found if pair[0].split("/")[0] != pair[1].split("/")[0]}
        figures.append((f"{len(found & known)} of {len(known)}", str(len(foreign))))
    return [("editions of one work: ordered pairs", *(one for one, _ in figures)),
            ("editions of different works: ordered pairs", *(other for _, other in figures))]


def quotations(akin: Akin) -> list[tuple]:
    """Runs of sentences, and of lines of verse, of stored works within twenty sentences of another author."""
    *stored, last = sorted((CORPORA / "ru-novels/eltec-rus").glob("*.txt"))
    host = akin.sentences(last)
    folder = MADE / "quoted"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for path in stored:
        shutil.copy(path, folder / path.name)
    poems = sorted((CORPORA / "ru-novels/ruslit").rglob("*.txt"))
    verses = []
    for path in poems:
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
        runs = [i for i in range(0, len(lines) - 8, 8) if all(15 <= len(line) <= 50 for line in lines[i:i + 8])]
        if runs and len(verses) < 25:
            shutil.copy(path, folder / path.name)
            at = runs[len(runs) // 2]
            verses.append((path.name, "\n".join(lines[at:at + 8])))
    akin.index("quoted", folder)
    query = MADE / "query.txt"

    def found(quoted: str, work: str, flags: list) -> bool:
        query.write_text(" ".join(host[50:60]) + "\n\n" + quoted + "\n\n" + " ".join(host[60:70]), encoding="utf-8")
        return work in akin.ids("quoted", [query], *flags)

    rows = []
    for count in (3, 4, 5, 6):
        runs = []
        for path in stored:
            sentences = akin.sentences(path)
            runs += [(path.name, " ".join(sentences[len(sentences) * part // 7:][:count])) for part in (1, 3, 5)]
        rows.append((f"quotations of {count} sentences", *(f"{sum(found(quoted, work, flags) for work, quoted in runs)} of {len(runs)}"
                                                         for flags in WAYS.values())))
    rows.append(("quotations of 8 lines of verse", *(f"{sum(found(quoted, work, flags) for work, quoted in verses)} of {len(verses)}"
                                                     for flags in WAYS.values())))
    return rows


def author_of(path: pathlib.Path) -> str:
    """The author where the name of the file or its folder has one; otherwise the file itself."""
    eltec = re.match(r"[A-Z]{2,3}\d+_?([^_.]+)", path.stem)
    return eltec.group(1) if eltec else path.parent.name if "ruslit" in path.parts else path.stem


def unrelated(akin: Akin, table_file: pathlib.Path) -> list[tuple]:
    """300 works, all compared with all; counts pairs of works by different authors, as far as file names say so."""
    others = ("eltec-rus", "debian-install-guide", "genesis", "udhr2")  # works that ruslit has too, and texts that are translated
    works = [path for part in ("ru-novels", "en-novels", "other-lang") for path in sorted((CORPORA / part).rglob("*.txt"))
             if path.name != "SOURCE.txt" and not any(name in path.parts for name in others)]
    step = max(1, len(works) // 300)
    folder = MADE / "unrelated"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    chosen = works[::step][:300]
    for number, path in enumerate(chosen):
        shutil.copy(path, folder / f"{number:03} {path.name}")
    authors = {f"{number:03} {path.name}": author_of(path) for number, path in enumerate(chosen)}
    akin.index("unrelated", folder)
    pairs, figures, passages = collections.defaultdict(set), [], []
    for path in sorted(folder.iterdir()):
        text = path.read_text(encoding="utf-8")
        for way, flags in WAYS.items():
            for hit in akin.similar("unrelated", ["--id", path.name], *flags):
                if authors[hit["id"]] == authors[path.name] or (hit["id"], path.name) in pairs[way]:
                    continue
                pairs[way].add((path.name, hit["id"]))
                if not flags:
                    passages += [(p["words"], path.name, hit["id"], " ".join(text[slice(*p["a"])].split())[:300]) for p in hit["passages"]]
    passages.sort(key=lambda passage: (-passage[0], passage[1:]))
    with table_file.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out, delimiter="\t").writerows([("words", "a", "b", "beginning"), *passages[:100]])
    figures = [str(len(pairs[way])) for way in WAYS]
    return [(f"{len(chosen)} works: pairs of different authors", *figures)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("akin")
    parser.add_argument("--unrelated", type=pathlib.Path)
    parser.add_argument("--hold", action="store_true")
    arguments = parser.parse_args()
    if not CORPORA.is_dir():
        print(f"left out: there is no {CORPORA}")
        return 77
    akin = Akin(arguments.akin)
    rows = [] if arguments.hold else [*pan(akin), *essay(akin)]
    rows += [*answers(akin), *editions(akin), *quotations(akin)]
    if arguments.unrelated:
        rows += unrelated(akin, arguments.unrelated)
    print("| texts that are found | X > 3 | as shipped |\n|---|---:|---:|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    return broken(rows) if arguments.hold else 0


def broken(rows: list[tuple]) -> int:
    """Prints the figures that are worse than promised; how many there are."""
    figures = {name: int(shipped.split()[0]) for name, _, shipped in rows}
    worse = [f"{name}: {figures[name]}, at least {least} expected" for name, least in LEAST.items() if figures[name] < least]
    worse += [f"{name}: {figures[name]}, at most {most} expected" for name, most in MOST.items() if figures[name] > most]
    print("\n".join(worse), file=sys.stderr)
    return len(worse)


with tempfile.TemporaryDirectory() as made:
    MADE = pathlib.Path(made)
    STATUS = main()
sys.exit(STATUS)
