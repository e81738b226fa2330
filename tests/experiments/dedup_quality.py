#!/usr/bin/env python3
"""Measures which kinds of copies `akin dedup` drops, what else it drops, and how long it takes; beside it MinHash with LSH.

    tests/experiments/dedup_quality.py build/release/cli/akin --texts 2000 --copies 100

Cuts texts of 100 to 400 words out of the Russian and the English novels of the corpora (a fixed seed; the texts of one novel
do not overlap), and adds copies of some of them, as many of each kind. A copy of a kind that should be dropped counts as found
if it is dropped; of a kind that should stay, if it is kept. Prints a row for each kind, with the share that is treated as it
should be, and the number of originals that were dropped.

With datasketch in the Python that runs this (pip install datasketch), the same set goes through MinHash with LSH over shingles
of five words, as text-dedup and datatrove use it: a text is dropped if the signature of an earlier one is a neighbour. Words
are runs of letters and digits in lower case, 128 functions, thresholds 0.8 and 0.5.
"""
import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import tempfile
import time

from pair_kinds import CORPORA, Editor

DROPPED = ("equal", "other line breaks", "without marks and capitals", "one word in 30 replaced", "one word in 10 replaced",
           "one word in 10 left out", "every word inflected that can be", "sentences shuffled", "words shuffled in each sentence",
           "two thirds of it")
KEPT = ("half of it in a text as long", "a sentence put in after each", "one notice before each")
THRESHOLDS = (0.8, 0.5)


def flat(text: list[list[str]]) -> str:
    return " ".join(" ".join(sentence) for sentence in text)


class Inflector:
    """Other forms of words, from the treebanks: forms with the same lemma and part of speech."""

    def __init__(self, chance: random.Random):
        self.random = chance
        forms = collections.defaultdict(set)
        readings = collections.defaultdict(set)
        for file in sorted((CORPORA / "ud").rglob("*.conllu")):
            if "ru_" not in file.name and "en_" not in file.name:
                continue
            for line in file.read_text(encoding="utf-8").splitlines():
                cells = line.split("\t")
                if len(cells) == 10 and cells[3] in ("NOUN", "VERB", "ADJ"):
                    lemma = (cells[2].lower(), cells[3], file.name[:2])
                    forms[lemma].add(cells[1].lower())
                    readings[cells[1].lower()].add(lemma)
        self.others = {form: sorted(forms[next(iter(lemmas))] - {form}) for form, lemmas in readings.items() if len(lemmas) == 1}

    def __call__(self, word: str) -> list[str]:
        found = re.fullmatch(r"(\w+)(\W*)", word)
        others = self.others.get(found[1], []) if found else []
        return [self.random.choice(others) + found[2]] if others else [word]


def cut_texts(count: int, chance: random.Random) -> list[list[list[str]]]:
    """Of each language half of them."""
    texts = []
    for language in ("ru-novels", "en-novels"):
        found = []
        for file in sorted((CORPORA / language).rglob("*.txt")):
            if file.name == "SOURCE.txt":
                continue
            text, words, wanted = [], 0, chance.randint(100, 400)
            for sentence in re.split(r"(?<=[.!?…])\s+", file.read_text(encoding="utf-8", errors="replace")):
                text.append(sentence.split())
                words += len(text[-1])
                if words >= wanted:
                    found.append([each for each in text if each])
                    text, words, wanted = [], 0, chance.randint(100, 400)
        texts += chance.sample(found, min(count // 2, len(found)))
    chance.shuffle(texts)
    return texts


def make_copies(editor: Editor, text: list[list[str]], notice: str, inflect: Inflector) -> dict[str, str]:
    edits = editor.kinds()
    copies = {kind: flat(edits[kind](text)) for kind in (*DROPPED, *KEPT) if kind in edits}
    copies["equal"] = flat(text)
    copies["other line breaks"] = re.sub(r" ", lambda _: editor.random.choice((" ", "\n", "  ")), flat(text))
    copies["every word inflected that can be"] = flat([[new for word in sentence for new in inflect(word)] for sentence in text])
    words = flat(text).split()
    copies["two thirds of it"] = " ".join(words[: len(words) * 2 // 3])
    return copies


def make_corpus(texts: int, copies: int) -> list[dict]:
    """Originals come before all copies."""
    editor = Editor(41)
    originals = cut_texts(texts, editor.random)
    editor.sentences = [sentence for text in originals for sentence in text]
    editor.words = [word for sentence in editor.sentences for word in sentence]
    inflect = Inflector(editor.random)
    notice = flat(editor.random.choices(editor.sentences, k=8))
    lines = [{"id": f"original {number}", "kind": "original", "text": flat(text)} for number, text in enumerate(originals)]
    of_kinds = editor.random.sample(range(len(originals)), copies)
    for number in of_kinds:
        for kind, text in make_copies(editor, originals[number], notice, inflect).items():
            lines.append({"id": f"{kind} {number}", "kind": kind, "text": text})
    for _ in range(copies):
        words = [editor.random.choice(editor.sentences) for _ in range(10)]
        lines.append({"id": f"notice {len(lines)}", "kind": KEPT[-1], "text": notice + " " + flat(words)})
    return lines


def by_akin(akin: str, lines: list[dict], *flags: str) -> set[str]:
    with tempfile.TemporaryDirectory() as place:
        corpus = pathlib.Path(place) / "corpus.jsonl"
        corpus.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
        subprocess.run([akin, "dedup", corpus, "--out", f"{place}/kept.jsonl", *flags], check=True, capture_output=True)
        kept = (json.loads(line)["id"] for line in (pathlib.Path(place) / "kept.jsonl").open(encoding="utf-8"))
        return {line["id"] for line in lines} - set(kept)


def by_minhash(lines: list[dict], threshold: float) -> set[str]:
    import datasketch

    index, dropped = datasketch.MinHashLSH(threshold=threshold, num_perm=128), set()
    for line in lines:
        words = re.findall(r"\w+", line["text"].lower())
        signature = datasketch.MinHash(num_perm=128)
        shingles = {" ".join(words[at : at + 5]) for at in range(max(1, len(words) - 4))}
        signature.update_batch([shingle.encode() for shingle in shingles])
        if index.query(signature):
            dropped.add(line["id"])
        else:
            index.insert(line["id"], signature)
    return dropped


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("akin")
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("--copies", type=int, default=100, help="of each kind")
    options = parser.parse_args()
    akin = str(pathlib.Path(options.akin).resolve())
    lines = make_corpus(options.texts, options.copies)
    print(f"{len(lines)} texts, {sum(len(line['text'].split()) for line in lines)} words")
    ways = {"akin dedup": lambda: by_akin(akin, lines)}
    ways |= {f"containment {share}": lambda share=share: by_akin(akin, lines, "--min-containment", str(share)) for share in (0.9, 0.7, 0.5)}
    ways |= {f"resemblance {share}": lambda share=share: by_akin(akin, lines, "--min-resemblance", str(share)) for share in (0.8, 0.5)}
    shingles = ("--scheme", "shingles(w=5)")
    ways |= {"shingles, containment 0.5": lambda: by_akin(akin, lines, *shingles, "--min-containment", "0.5")}
    try:
        import datasketch  # noqa: F401  it may be missing

        ways |= {f"MinHash {threshold}": lambda threshold=threshold: by_minhash(lines, threshold) for threshold in THRESHOLDS}
    except ImportError:
        pass
    dropped, seconds = {}, {}
    for way, run in ways.items():
        begin = time.monotonic()
        dropped[way] = run()
        seconds[way] = time.monotonic() - begin
    print("| kind | " + " | ".join(ways) + " |\n|---|" + "---:|" * len(ways))
    for kind in (*DROPPED, *KEPT):
        ids = {line["id"] for line in lines if line["kind"] == kind}
        right = (len(ids & dropped[way] if kind in DROPPED else ids - dropped[way]) / len(ids) for way in ways)
        print(f"| {kind} | " + " | ".join(f"{share:.0%}" for share in right) + " |")
    originals = {line["id"] for line in lines if line["kind"] == "original"}
    print("| originals dropped | " + " | ".join(str(len(originals & dropped[way])) for way in ways) + " |")
    print("| seconds | " + " | ".join(f"{seconds[way]:.1f}" for way in ways) + " |")


if __name__ == "__main__":
    main()
