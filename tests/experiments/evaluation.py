#!/usr/bin/env python3
"""Measures akin's methods on the corpora's labelled sets, and writes what docs/evaluation.md is about:

    python3 tests/experiments/evaluation.py build/release/cli/akin [NAME…]

Each set gets docs/evaluation/NAME.csv, and NAME.svg if its method draws a figure; each measure_… program beside that akin gets one CSV
file for each of its tables. The command of each set is printed, so that it can be repeated alone. With names only those are written.
Run it from the source folder. Schemes and programs that are not installed are left out, with a note.
"""
import csv
import io
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

CORPORA = pathlib.Path("build/corpora/corpora")
MADE = pathlib.Path("build/evaluation")
RESULTS = pathlib.Path("docs/evaluation")

SCHEMES = [
    "sentence-pairs", "sentences", "paper-2009",
    # Zagorulko et al. 2013: all shingles, those divisible by 25, the 160 smallest; four words, without stop words.
    "shingles(w=4,unit=word,stop=ru+en,sample=all,count=set)",
    "shingles(w=4,unit=word,stop=ru+en,sample=mod:25,count=set)",
    "shingles(w=4,unit=word,stop=ru+en,sample=min:160)",
    # Bykov and Krizhanovsky 2023: bigrams of words.
    "shingles(w=2,unit=word,count=set)",
    # What generates candidate pairs that the shingles verify.
    "minhash(k=84,of=shingles(w=4,unit=word,stop=ru+en,count=set))",
    "supershingles(groups=14,size=6,of=shingles(w=4,unit=word,stop=ru+en,count=set))",
    "megashingles(groups=6,size=14,of=shingles(w=4,unit=word,stop=ru+en,count=set))",
]
BIGRAMS = "shingles(w=2,unit=word,count=set)"
LOW = ["--at", "0.1,0.2,0.3,0.4,0.5,0.6,0.7"]

# Programs that print tables in Markdown: their name, the names of the tables, their flags.
PROGRAMS = [
    ("measure_recall", ["recall"], ["--svg", str(RESULTS / "recall.svg")]),
    ("measure_unknown", ["unknown-words"], []),
    ("measure_synonyms", ["synonyms", "synonyms-works", "synonyms-sets"], []),
    ("measure_arrival", ["arrival"], []),
    ("measure_honest_words", ["honest-words"], []),
    ("measure_disguise", ["disguised-text", "disguised-files", "honest-documents", "honest-reviewed"], []),
    ("measure_parity", ["parity"], ["--browser", "chromium"] if shutil.which("chromium") else []),
]


def fresh(name: str) -> pathlib.Path:
    folder = MADE / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def rows_of(path: pathlib.Path) -> list[list[str]]:
    """The rows of a table below its headline."""
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def write_pairs(path: pathlib.Path, rows: list[tuple]) -> pathlib.Path:
    path.write_text("".join("\t".join(row) + "\n" for row in [("a", "b", "label"), *rows]), encoding="utf-8")
    return path


class Preparation:
    """Brings the corpora's sets into the form that akin-lab evaluate reads, with akin's own commands where there are some."""

    def __init__(self, akin: str):
        self.akin = akin
        self.lab = akin + "-lab"
        schemes = [scheme for scheme in SCHEMES if self.knows(scheme)]
        for scheme in SCHEMES:
            if scheme not in schemes:
                print(f"left out, this akin does not know it: {scheme}")
        self.flags = [flag for scheme in schemes for flag in ("--scheme", scheme)]

    def run(self, *arguments, **options) -> subprocess.CompletedProcess:
        return subprocess.run([self.akin, *map(str, arguments)], check=True, text=True, **options)

    def knows(self, scheme: str) -> bool:
        command = [self.lab, "features", "-", "--scheme", scheme]
        return subprocess.run(command, input=b"One.", capture_output=True, check=False).returncode == 0

    def indexed(self, name: str, folder: pathlib.Path, scheme: str) -> list:
        """Stores the texts below a folder; gives the flags that name the collection."""
        data = fresh(name) / "data"
        shutil.rmtree(data, ignore_errors=True)
        flags = ["--data", data, "--collection", "set"]
        self.run("index", folder, "--scheme", scheme, *flags, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return flags

    def threshold(self, *arguments) -> tuple:
        return ("threshold", [*map(str, arguments), *self.flags])

    def articles(self) -> pathlib.Path:
        """One article a line, "id text"; the truth names pairs of ids, every other pair is different."""
        folder, source = fresh("articles"), CORPORA / "en-pairs/minhash-articles"
        for line in (source / "articles_1000.txt").read_text(encoding="utf-8").splitlines():
            name, text = line.split(" ", 1)
            (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        pairs = [line.split() for line in (source / "articles_1000.truth").read_text(encoding="utf-8").splitlines()]
        write_pairs(folder / "pairs.tsv", [(f"{a}.txt", f"{b}.txt", "yes") for a, b in pairs])
        return folder

    def pan(self) -> pathlib.Path:
        """Suspicious documents with passages of sources. What else shares text is listed by the corpus, and not judged."""
        folder, source = fresh("pan13"), (CORPORA / "en-pairs/pan13-no-obfuscation").resolve()
        for part in ("susp", "src"):
            if not (folder / part).exists():
                os.symlink(source / part, folder / part)
        cases = {(f"susp/{row[0]}", f"src/{row[1]}") for row in rows_of(source / "cases.tsv")}
        listed = {frozenset(pair) for pair in cases}
        overlaps = {(row[0], row[1]) for row in rows_of(source / "measured_overlaps.tsv") if frozenset(row[:2]) not in listed}
        write_pairs(folder / "pairs.tsv", [(*pair, "yes") for pair in sorted(cases)] + [(*pair, "") for pair in sorted(overlaps)])
        return folder

    def passages(self, *schemes: str) -> tuple:
        """The passages of PAN's cases, by the default scheme of a collection or by others."""
        folder = CORPORA / "en-pairs/pan13-no-obfuscation"
        flags = [flag for scheme in schemes for flag in ("--scheme", scheme)]
        return ("passages", [str(folder / "cases.tsv"), "--texts", str(folder / "susp"), "--sources", str(folder / "src"),
                             "--others", str(folder / "measured_overlaps.tsv"), *flags])

    def ranked(self, name: str, folder: pathlib.Path, labels: list[tuple]) -> tuple:
        """All pairs that share a bigram, by `akin pairs --csv`, with the labels beside."""
        flags = self.indexed(name, folder, BIGRAMS)
        told = self.run("pairs", "--bound", "0", "--csv", *flags, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        label_of = {frozenset(pair): label for *pair, label in labels}
        table = MADE / name / "pairs.csv"
        with table.open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out)
            for i, row in enumerate(csv.reader(io.StringIO(told))):
                writer.writerow([*row, label_of.get(frozenset(row[:2]), "") if i else "label"])
        return ("rank", [str(table)])

    def ranked_answers(self) -> tuple:
        """Clough and Stevenson's four levels, from 3 (copied) to 0 (written without the source)."""
        folder, grades = CORPORA / "en-pairs/clough-stevenson", {"cut": "3", "light": "2", "heavy": "1", "non": "0"}
        return self.ranked("rank-answers", folder, [(row[0], row[1], grades[row[2]]) for row in rows_of(folder / "pairs.tsv")])

    def ranked_editions(self) -> tuple:
        """Editions of one work are duplicates, all other pairs are none."""
        folder = CORPORA / "ru-pairs/editions"
        texts = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.txt"))
        same = {frozenset(row[1:3]) for row in rows_of(folder / "pairs.tsv")}
        last = lambda path: path.rsplit("/", 1)[-1]
        labels = [(a, b, "yes" if frozenset((last(a), last(b))) in same else "no")
                  for i, a in enumerate(texts) for b in texts[i + 1:]]
        return self.ranked("rank-editions", folder, labels)

    def groups(self, name: str, folder: pathlib.Path, *flags) -> tuple:
        """I-Match with two bands of IDF, and chains of pairs, by `akin groups`."""
        ways = {"imatch-0.2-0.8": ["--method", "imatch"],
                "imatch-0.5-0.8": ["--method", "imatch", "--low", "0.5"],
                "pairs-0.5": ["--min-resemblance", "0.5"]}
        collection = self.indexed(name, folder, "sentences")
        arguments = [str(folder), *flags]
        for way, conditions in ways.items():
            table = MADE / name / f"{way}.csv"
            with table.open("w", encoding="utf-8") as out:
                self.run("groups", "--csv", *conditions, *collection, stdout=out, stderr=subprocess.DEVNULL)
            arguments += ["--groups", str(table)]
        return ("groups", arguments)

    def judged(self) -> tuple:
        news = CORPORA / "news"
        return ("judge", [*(str(news / f"{lang}_same_event_pairs.tsv") for lang in ("ru", "en")),
                          *(flag for lang in ("ru", "en") for flag in ("--background", str(news / f"{lang}_background.tsv"))),
                          "--both-ways", "--splits", "20", "--sizes", "20,50,70,80,90"])

    def sets(self) -> dict:
        """By region, what prepares its set: method and arguments."""
        ru, en = CORPORA / "ru-pairs", CORPORA / "en-pairs"
        return {
            "editions": lambda: self.threshold(ru / "editions"),
            "debian-ru": lambda: self.threshold(ru / "debian-install-guide"),
            "debian-en": lambda: self.threshold(en / "debian-install-guide"),
            "news-ru": lambda: self.threshold(CORPORA / "news/ru_same_event_pairs.tsv", *LOW),
            "news-en": lambda: self.threshold(CORPORA / "news/en_same_event_pairs.tsv", *LOW),
            "clough-stevenson": lambda: self.threshold(en / "clough-stevenson", "--positive", "cut,light,heavy", *LOW),
            "articles": lambda: self.threshold(self.articles(), "--unlisted", "different"),
            "pan13": lambda: self.threshold(self.pan(), "--unlisted", "different", "--at", "0.05,0.1,0.2,0.3,0.5,0.7,0.9"),
            "groups-editions": lambda: self.groups("groups-editions", ru / "editions"),
            "groups-articles": lambda: self.groups("groups-articles", self.articles(), "--unlisted", "different"),
            "rank-answers": self.ranked_answers,
            "rank-editions": self.ranked_editions,
            "judge-news": self.judged,
            "passages-pan13": self.passages,
            "passages-pan13-schemes": lambda: self.passages("sentence-pairs", "sentences", "shingles(w=5)"),
        }


def write_csv(name: str, rows: list[list]) -> None:
    with (RESULTS / f"{name}.csv").open("w", encoding="utf-8", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows(rows)


def records(entries: list[dict]) -> list[list]:
    """A heading and a row for each entry: its numbers and words; what it lists goes elsewhere."""
    flat = [{name: len(value) if isinstance(value, list) else value for name, value in entry.items()} for entry in entries]
    names = list(dict.fromkeys(name for entry in flat for name in entry))
    return [names, *([entry.get(name, "") for name in names] for entry in flat)]


def write_judged(name: str, told: dict) -> None:
    """The curves, the scores without training and the ways to generate candidates."""
    points = [{"criteria": curve["criteria"], **{key: value for key, value in point.items() if key != "decided"}, **point["decided"]}
              for curve in told["curves"] for point in curve["points"]]
    scores = [{"file": one["file"], **score} for one in told["untrained"] for score in one["scores"]]
    for part, entries in (("", points), ("-untrained", scores), ("-candidates", told["nominations"])):
        write_csv(name + part, records(entries))


def measure(akin: str, name: str, method: str, arguments: list[str]) -> int:
    """Runs one set's command and writes its table and figure."""
    command = [akin + "-lab", "evaluate", method, *arguments]
    print(shlex.join(command), flush=True)
    as_json = method in ("judge", "passages")
    figure = RESULTS / f"{name}.svg" if method in ("threshold", "judge") else None
    flags = ["--json" if as_json else "--csv", *(["--svg", str(figure)] if figure else [])]
    finished = subprocess.run([*command, *flags], check=False, text=True, stdout=subprocess.PIPE)
    if finished.returncode:
        return finished.returncode
    if figure:  # its heading is the path of the set
        figure.write_text(figure.read_text(encoding="utf-8").replace(arguments[0], name), encoding="utf-8")
    if method == "judge":
        write_judged(name, json.loads(finished.stdout))
    elif method == "passages":
        write_csv(name, records(json.loads(finished.stdout)["methods"]))
    else:
        (RESULTS / f"{name}.csv").write_text(finished.stdout, encoding="utf-8")
    return 0


def tables_of(markdown: str) -> list[list[list[str]]]:
    """The tables of a text in Markdown, each with its heading."""
    tables = re.findall(r"(?:^\|.*\|\n)+", markdown, re.MULTILINE)
    cells = lambda line: [cell.strip().strip("`") for cell in line.strip("|").split("|")]
    return [[cells(line) for line in table.splitlines() if not re.fullmatch(r"[|:-]+", line)] for table in tables]


def run_program(program: pathlib.Path, names: list[str], flags: list[str]) -> int:
    print(shlex.join([str(program), *flags]), flush=True)
    finished = subprocess.run([program, *flags], check=False, text=True, stdout=subprocess.PIPE)
    for name, table in zip(names, tables_of(finished.stdout)):
        write_csv(name, table)
    return finished.returncode


def main() -> int:
    akin, *wanted = sys.argv[1:]
    preparation = Preparation(akin)
    known = preparation.sets()
    programs = [(pathlib.Path(akin).parents[1] / "tests/experiments" / name, names, flags) for name, names, flags in PROGRAMS]
    unknown = set(wanted) - set(known) - {names[0] for _, names, _ in programs}
    if unknown:
        print(f"no such set: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    status = 0
    for name in known:
        if not wanted or name in wanted:
            status = measure(akin, name, *known[name]()) or status
    for program, names, flags in programs:
        if wanted and names[0] not in wanted:
            continue
        if program.exists():
            status = run_program(program, names, flags) or status
        else:
            print(f"left out, not built: {program.name}")
    return status


if __name__ == "__main__":
    sys.exit(main())
