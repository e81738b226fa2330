#!/usr/bin/env python3
"""Measures the tables of docs/papers.md in which akin's figures stand beside those of the papers, and that of the seven edits in
docs/definitions.md.

    papers.py BUILD                    measures all and writes the tables; ./bench papers builds first
    papers.py BUILD --full             with the sizes of 2009: 4.28 GB of novels and fragments, 86 GB of made documents
    papers.py BUILD NAME…              only these tables
    papers.py BUILD --hold             writes nothing; exit status 1 if the page shows other figures

Times are written and not held. Exit status 77 without corpora. BUILD is a folder such as build/release.
"""
import argparse
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PAPERS, DEFINITIONS = SOURCE / "docs/papers.md", SOURCE / "docs/definitions.md"
CORPORA = pathlib.Path(os.environ.get("AKIN_CORPORA", SOURCE / "build/corpora/corpora"))
SMALL, FULL = ("200M", "200M"), ("4.28G", "86G")  # of novels and fragments, of made documents

# Zagorulko et al. 2013, table 2: threshold, and the sums of the duplicates found by mod 25, all and min 160; table 3 in per cent.
FOUND_2013 = {"0.5": (356, 326, 215), "0.6": (298, 287, 206), "0.7": (261, 238, 192), "0.8": (216, 209, 188),
              "0.9": (191, 193, 181), "1.0": (191, 174, 171)}  # fmt: skip
MISSED_2013 = {"0.5": ("12.5 %", "12.5 %", "26.5 %"), "0.6": ("25 %", "16.7 %", "31 %")}
SAMPLES = ("mod:25", "all", "min:160")
# Shingle method, table 2: bits, and the least numbers of shingles by formula (8) for .01, .1 and .4.
SHINGLES_FOR_A_COLLISION = {
    32: (9291.486835, 30083.8817, 66241.66888), 40: (148663.7894, 481342.1072, 1059866.702),
    48: (2378620.63, 7701473.715, 16957867.23), 56: (38057930.08, 123223579.4, 271325875.7),
    64: (608926881.2, 1971577271, 4341214012), 72: (9742830100, 31545236336, 69459424188),
}  # fmt: skip


def table(head: list[str], rows: list[list], left: int = 1) -> str:
    """Markdown; the first `left` columns to the left, the others to the right."""
    line = lambda cells: "| " + " | ".join(str(cell) for cell in cells) + " |\n"
    marks = "|" + "|".join("---" if i < left else "---:" for i in range(len(head))) + "|\n"
    return line(head) + marks + "".join(line(row) for row in rows)


class Programs:
    """The built programs. What they print is kept, as one run serves several tables."""

    def __init__(self, build: pathlib.Path, sizes: tuple[str, str], shown: str):
        self.build, self.sizes, self.shown = build, sizes, shown
        self.printed: dict[tuple, str] = {}

    def run(self, program: str, *arguments: str, status: tuple = (0,)) -> str:
        key = (program, *arguments)
        if key not in self.printed:
            done = subprocess.run([self.build / program, *arguments], stdout=subprocess.PIPE, text=True, cwd=SOURCE, check=False)
            if done.returncode not in status:
                sys.exit(f"{program} {' '.join(arguments)}: exit status {done.returncode}\n{done.stdout}")
            self.printed[key] = done.stdout
        return self.printed[key]

    def experiment(self, *arguments: str) -> str:
        return self.run("tests/experiments/paper_2009", *arguments)

    def calc(self, *arguments: str) -> dict:
        return json.loads(self.run("cli/akin-lab", "calc", *arguments, "--json"))


def karamazov(programs: Programs) -> str:
    rows = re.findall(r"^ {3}([1-5]) ((?: +[\d.]+ [.+ ])+)", programs.experiment("table"), re.MULTILINE)
    paper = {"1": "2", "2": "1", "3": "1, 2", "4": "1, 2, 5", "5": "1, 2"}
    cells = []
    for number, line in rows:
        found = re.findall(r"([\d.]+) ([.+ ])", line)
        cells.append([number, paper[number], ", ".join(str(i) for i, (_, mark) in enumerate(found, 1) if mark == "+"),
                      *(f"**{share}**" if mark == "+" else "–" if mark == "." else share for share, mark in found)])
    return table(["file", "the paper found", "akin found", "in 1", "2", "3", "4", "5"], cells)


def fragments(programs: Programs) -> str:
    """One row for each scheme and set of works."""
    rows = [["639 files, the paper", "63,900", "0", "not given", "not given", "not given", "19, all the same texts"]]
    for name, arguments in (("Russian works", []), ("Russian works, `paper-2009`", ["--scheme", "paper-2009"]),
                            ("English works", ["--works", "en-novels"]),
                            ("Polish works", ["--works", "other-lang/eltec-pol", "--lang", "pl"])):  # fmt: skip
        answer = programs.run("tests/experiments/paper_2009", "fragments", *arguments, status=(0, 1))
        works, short = map(int, re.search(r"^(\d+) novels, (\d+) too short", answer, re.MULTILINE).groups())
        found, count = map(int, re.search(r"Condition 1: (\d+) of (\d+)", answer).groups())
        least, median, high, some = re.search(r"least ([\d.]+), median ([\d.]+); (\d+) from 0.99 on, \d+ from 0.97, (\d+) from 0.9,", answer).groups()
        foreign = re.search(r"other sources found by fragments: (\d+) pairs", answer)[1]
        unrelated = re.search(r"^(\d+) pairs whose sources do not", answer, re.MULTILINE)[1]
        share = f"{int(some) / count:.1%}".replace("%", " %")
        rows.append([f"{works - short} {name}", f"{count:,}", count - found, least, median, share, f"{foreign}, {unrelated} of them unrelated"])
    return table(["works", "fragments", "miss their source", "least containment", "median", "of .9 or more", "pairs of other sources"], rows)


def bytes_of(size: str) -> float:
    return float(size[:-1]) * {"M": 1e6, "G": 1e9}[size[-1]]


def sizes(programs: Programs) -> str:
    """The rows of this run take the place of those of the same sizes on the page."""
    head = ["text", "documents", "read, hashed and stored", "all pairs", "memory of the search", "missed", "unrelated pairs"]
    known = {row[0]: row for row in ([cell.strip() for cell in line.strip("|").split("|")] for line in programs.shown.splitlines()[2:])}
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "rows.json"
        for name, size in zip(("novels", "sentences"), programs.sizes):
            texts = ["--no-texts"] if bytes_of(size) > bytes_of("20G") else []  # more than most disks have free
            programs.run("tests/bench/akin_bench", name, "--bytes", size, *texts, "--scratch", folder, "--output", str(output))
            row = {one["name"].removeprefix(name + ": "): one for one in json.loads(output.read_text(encoding="utf-8"))["rows"]}
            taken = {step: float(re.search(r"processor time ([\d.]+) s", row[step]["yardstick"])[1]) for step in ("bulk load", "all pairs")}
            missed, unrelated = (("fragments that miss their source", "unrelated novels with similar fragments") if name == "novels"
                                 else ("near-duplicates missed", "other pairs found"))
            title = f"{'novels and fragments' if name == 'novels' else 'made documents'}, {row['size']['value']:.3g} GB"
            known[title] = [title, f"{int(row['size']['yardstick'].split()[0]):,}", f"{taken['bulk load']:.0f} s", f"{taken['all pairs']:.1f} s",
                            f"{row['all pairs, peak memory']['value']:.0f} MB", f"{row[missed]['value']:.0f}", f"{row[unrelated]['value']:.0f}"]
    paper = [["2009: novels and fragments, 4.28 GB", "64,539", "not counted", "54 s", "1 GB", "0", "0"],
             ["2009: documents, 86 GB", "400,000", "not counted", "69 min", "1 GB", "–", "–"]]  # fmt: skip
    made = sorted((row for row in known.values() if not row[0].startswith("2009")), key=lambda row: (row[0][:4], float(row[0].split()[-2])))
    return table(head, paper + made)


def thresholds(programs: Programs) -> str:
    schemes = {sample: f"shingles(w=4,unit=word,stop=ru,sample={sample},count=set)" for sample in SAMPLES}
    flags = [flag for scheme in schemes.values() for flag in ("--scheme", scheme)]
    answer = programs.run("cli/akin-lab", "evaluate", "threshold", str(CORPORA / "ru-pairs/editions"), *flags, "--measure", "resemblance", "--csv")
    cells = {}
    for row in csv.DictReader(io.StringIO(answer)):
        sample = next(sample for sample in SAMPLES if f"sample={sample}," in row["scheme"])
        cells[float(row["threshold"]), sample] = f"{row['found']}, {row['wrong']} wrong"
    rows = [[t, *FOUND_2013[t], *(f"{missed}" for missed in MISSED_2013.get(t, ("–",) * 3)), *(cells[float(t), sample] for sample in SAMPLES)]
            for t in FOUND_2013]  # fmt: skip
    return table(["t", "found 2013: mod 25", "all", "min 160", "missed 2013: mod 25", "all", "min 160", "akin, of 26: `mod:25`", "`all`", "`min:160`"], rows)


def widths(programs: Programs) -> str:
    rows, equal = [], 0
    for bits, printed in SHINGLES_FOR_A_COLLISION.items():
        answer = programs.calc("collisions", "--shingles", "100", "--bits", str(bits))
        ours = [answer["rough_rule"], *(at["shingles"] for at in answer["shingles_at"])]
        equal += sum(abs(a / b - 1) < 1e-9 for a, b in zip(ours, (2.0 ** (bits / 2), *printed), strict=True))
        rows.append([bits, *(f"{number:,.2f}" for number in ours)])
    return table(["bits", "√R", "P = .01", "P = .1", "P = .4"], rows) + f"\n{equal} of the 24 cells are those that the paper prints.\n"


def collisions(programs: Programs) -> str:
    answer = programs.run("tests/experiments/measure_collisions")
    rows = {name.strip(): (lost, expected, deviation) for name, lost, expected, deviation in
            re.findall(r"^(.+?) +\d+ +(\d+) +([\d.e+-]+) +([+-][\d.]+σ)", answer, re.MULTILINE)}  # fmt: skip
    paper = {"CRC32": "12,320", "the paper's prime": "13,089", "Karp-Rabin 48": "0", "Karp-Rabin 56": "0", "Karp-Rabin 64": "0", "CRC64": "0"}
    shown = {"the paper's prime": "Karp-Rabin, modulo 4,049,561,377"}
    cells = [[shown.get(name, name), count, f"{int(rows[name][0]):,}", f"{float(rows[name][1]):,.1f}", rows[name][2]] for name, count in paper.items()]
    return table(["function", "the paper", "akin, 10,376,876 different shingles", "expected", "deviation"], cells)


def supershingles(programs: Programs) -> str:
    rows = []
    for groups, size, similarity, printed in ((6, 14, 0.9, "about .98"), (6, 14, 0.7, ".04"), (6, 14, 0.5, ".0003"), (14, 6, 0.7, "about .83")):
        answer = programs.calc("supershingles", "--similarity", str(similarity), "--groups", str(groups), "--size", str(size))
        rows.append([f"{groups} of {size}, similarity {similarity}", printed, f"{answer['supershingle']:.4g}"])
    for similarity, printed in ((0.95, "about .90"), (0.75, "nearly 0")):
        answer = programs.calc("supershingles", "--similarity", str(similarity), "--groups", "6", "--size", "14")
        rows.append([f"a megashingle of 6 of 14, similarity {similarity}", printed, f"{answer['megashingle']:.4g}"])
    return table(["a common supershingle of", "the papers", "by their formulas"], rows)


def edits(programs: Programs) -> str:
    """What measure_edits prints, and the row of other forms, of the treebank of each language that keeps least."""
    head, marks, *rows = programs.run("tests/experiments/measure_edits").splitlines()
    forms = []
    for language in ("ru", "en", "de", "uk"):
        files = sorted(map(str, (CORPORA / "ud").glob(f"{language}_*.conllu")))
        answer = programs.run(sys.executable, str(SOURCE / "tests/experiments/form_pairs.py"), str(programs.build / "cli/akin"), language, *files)
        forms.append(min(re.findall(r"^([\d.]+) of X is left", answer, re.MULTILINE)))
    rows.append(f"| 5 | a fifth of the inflected words with another form in the treebank put into it | {' | '.join(forms)} |")
    return "\n".join((head, marks, *sorted(rows, key=lambda row: row[2]))) + "\n"


def evaluated(name: str) -> list[dict]:
    """A table that tests/experiments/evaluation.py has written."""
    with (SOURCE / f"docs/evaluation/{name}.csv").open(encoding="utf-8", newline="") as rows:
        return list(csv.DictReader(rows))


def short(number: str, digits: int = 3) -> str:
    return f"{float(number):.{digits}f}".removeprefix("0")


def ranking(_: Programs) -> str:
    """The measures for which the paper gives its own correlation."""
    names = {"containment": "containment 1", "contained": "containment 2", "resemblance": "resemblance"}
    rows = [[names[row["measure"]], short(row["paper_tau_a"]), row["paper_z"], short(row["tau_a"]), short(row["z_without_ties"], 2), short(row["tau_b"])]
            for row in evaluated("rank-answers") if row["against"] == "label" and row["measure"] in names]  # fmt: skip
    return table(["τ against the expert", "the paper", "z", "akin, τ by the same formula", "z", "τ-b"], rows)


def judging(_: Programs) -> str:
    found = {row["nomination"]: f"{row['positives_found']} of {row['positives']}" for row in evaluated("judge-news-candidates")}
    best = {row["criteria"]: row for row in evaluated("judge-news")}  # the last row of each has most pairs
    f = {name: f"{short(row['f'], 2)} ± {short(row['deviation'], 2)}, {row['pairs']} pairs" for name, row in best.items()}
    return table(["experiment", "the paper", "akin"], [
        ["table 1: duplicates among the candidates by the two heaviest words", "151 of 189, .80; 58 % of the candidates are duplicates",
         f"{found['two-heaviest']} by `two-heaviest`, {found['both']} by `both`"],
        ["figure 3: F by words alone", ".67", f["words"]],
        ["figure 3: F by all criteria", ".82, from 400 pairs on", f["all"]]], left=3)  # fmt: skip


TABLES = {one.__name__: one for one in (karamazov, fragments, sizes, thresholds, supershingles, widths, collisions, ranking, judging, edits)}
TIMED = {"sizes"}


def page_of(name: str) -> pathlib.Path:
    return DEFINITIONS if name == "edits" else PAPERS


def marks(name: str) -> tuple[str, str]:
    return f"<!-- begin papers:{name} -->\n", f"<!-- end papers:{name} -->\n"


def shown(name: str) -> str:
    page, (begin, end) = page_of(name).read_text(encoding="utf-8"), marks(name)
    if page.count(begin) != 1 or page.count(end) != 1:
        sys.exit(f"{page_of(name).name}: there must be one {begin.strip()} and one {end.strip()}")
    return page.split(begin)[1].split(end)[0]


def write(name: str, made: str) -> None:
    page, (begin, end) = page_of(name).read_text(encoding="utf-8"), marks(name)
    page_of(name).write_text(page.replace(begin + shown(name) + end, begin + made + end), encoding="utf-8")


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("names", nargs="*", metavar="NAME", help=", ".join(TABLES))
    options.add_argument("--full", action="store_true")
    options.add_argument("--novels", help="size of novels and fragments, as 200M")
    options.add_argument("--sentences", help="size of the made documents")
    options.add_argument("--hold", action="store_true")
    given = options.parse_intermixed_args()
    if unknown := set(given.names) - set(TABLES):
        options.error(f"no such table: {', '.join(sorted(unknown))}")
    if not CORPORA.is_dir():
        print("no corpora (AKIN_CORPORA)")
        return 77
    usual = FULL if given.full else SMALL
    chosen = (given.novels or usual[0], given.sentences or usual[1])
    programs = Programs(given.build.resolve(), chosen, shown("sizes"))
    differing = []
    for name in given.names or TABLES:
        if given.hold and name in TIMED:
            continue
        made = TABLES[name](programs)
        print(f"{name}\n{made}", flush=True)
        if made != shown(name):
            differing.append(name)
            if not given.hold:
                write(name, made)
    if given.hold and differing:
        print(f"the pages show other figures: {', '.join(differing)}; ./bench papers writes these", file=sys.stderr)
        return 1
    return 0


sys.exit(main())
