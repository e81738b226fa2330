#!/usr/bin/env python3
"""What `akin index` and `akin similar` find without a flag, beside X > 3 over sentence pairs (--bound 3), on texts whose reuse is known.
Prints the table of docs/evaluation.md, "As shipped":

    python3 tests/experiments/as_shipped.py build/release/server/cli/akin [--unrelated FILE.tsv]

With --unrelated it also compares 300 works that have nothing to do with each other, and writes the 100 longest passages that any two of
them share, for a reader to judge. Run it from the source folder; it needs the corpora.
"""
import argparse
import collections
import csv
import json
import pathlib
import re
import shutil
import subprocess
import sys

CORPORA = pathlib.Path("build/corpora/corpora")
MADE = pathlib.Path("build/evaluation/as-shipped")
WAYS = {"bound 3": ["--bound", "3"], "as shipped": []}


def table(path: pathlib.Path) -> list[dict]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


class Akin:
    def __init__(self, program: str):
        self.program = program
        self.data = MADE / "data"
        shutil.rmtree(self.data, ignore_errors=True)
        MADE.mkdir(parents=True, exist_ok=True)

    def index(self, collection: str, folder: pathlib.Path, *flags: str) -> None:
        subprocess.run([self.program, "index", folder, "--data", self.data, "--collection", collection, *flags], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def similar(self, collection: str, query: list, *flags: str) -> list[dict]:
        found = subprocess.run([self.program, "similar", *map(str, query), "--data", self.data, "--collection", collection, "--json", "--limit",
                                "100000", *flags], check=True, capture_output=True, text=True)
        return json.loads(found.stdout)["results"]

    def ids(self, collection: str, query: list, *flags: str) -> set[str]:
        return {hit["id"] for hit in self.similar(collection, query, "--no-evidence", *flags)}

    def sentences(self, path: pathlib.Path) -> list[str]:
        analysed = subprocess.run([self.program, "features", path, "--json"], check=True, capture_output=True, text=True)
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
    """The author where the name of the file has one; otherwise the file itself."""
    eltec = re.match(r"[A-Z]{2,3}\d+_?([^_.]+)", path.stem)
    return eltec.group(1) if eltec else path.stem


def unrelated(akin: Akin, table_file: pathlib.Path) -> list[tuple]:
    """300 works, of different authors as far as file names say so, all compared with all."""
    works = [path for part in ("ru-novels", "en-novels", "other-lang") for path in sorted((CORPORA / part).rglob("*.txt"))
             if path.name != "SOURCE.txt" and not any(name in path.parts for name in ("debian-install-guide", "genesis", "udhr2"))]
    step = max(1, len(works) // 300)
    folder = MADE / "unrelated"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    chosen = works[::step][:300]
    for number, path in enumerate(chosen):
        shutil.copy(path, folder / f"{number:03} {path.name}")
    akin.index("unrelated", folder)
    pairs, figures, passages = collections.defaultdict(set), [], []
    for path in sorted(folder.iterdir()):
        text = path.read_text(encoding="utf-8")
        for way, flags in WAYS.items():
            for hit in akin.similar("unrelated", ["--id", path.name], *flags):
                if hit["id"] == path.name or (hit["id"], path.name) in pairs[way]:
                    continue
                pairs[way].add((path.name, hit["id"]))
                if not flags:
                    passages += [(p["words"], path.name, hit["id"], " ".join(text[slice(*p["a"])].split())[:300]) for p in hit["passages"]]
    passages.sort(key=lambda passage: (-passage[0], passage[1:]))
    with table_file.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out, delimiter="\t").writerows([("words", "a", "b", "beginning"), *passages[:100]])
    figures = [str(len(pairs[way])) for way in WAYS]
    return [(f"{len(chosen)} works: pairs found", *figures)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("akin")
    parser.add_argument("--unrelated", type=pathlib.Path)
    arguments = parser.parse_args()
    akin = Akin(arguments.akin)
    rows = [*pan(akin), *answers(akin), *essay(akin), *editions(akin), *quotations(akin)]
    if arguments.unrelated:
        rows += unrelated(akin, arguments.unrelated)
    print("| texts that are found | X > 3 | as shipped |\n|---|---:|---:|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    return 0


sys.exit(main())
