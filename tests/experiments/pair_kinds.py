#!/usr/bin/env python3
"""Measures which kinds of edited copies `akin pairs` finds, without flags and tier by tier.

    tests/experiments/pair_kinds.py build/release/cli/akin --texts 100

Cuts texts of 4,000 characters out of the Russian and the English novels of the corpora (a fixed seed), and makes one copy
of each by each of eight kinds of edits. For each kind it indexes the originals and the copies, and prints the share of the
copies that each command pairs with their originals, and how many other pairs it reports; those of the kinds that put
sentences of other texts in are not counted, since these texts share them.
"""
import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CORPORA = pathlib.Path(os.environ.get("AKIN_CORPORA", SOURCE / "build" / "corpora" / "corpora"))
COMMANDS = {
    "no flag": [],
    "containment 0.5": ["--min-containment", "0.5"],
    "resemblance 0.5": ["--min-resemblance", "0.5"],
    "pairs, containment 0.5": ["--tier", "pairs", "--min-containment", "0.5"],
    "pairs, X > 3": ["--tier", "pairs", "--bound", "3"],
    "passages, containment 0.2, X > 10": ["--tier", "passages", "--min-containment", "0.2", "--bound", "10"],
}
WITH_OTHERS = ("a sentence put in after each", "half of it in a text as long")
LENGTH = 4_000


class Editor:
    """A text is a list of sentences; a sentence a list of words with their marks."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.words: list[str] = []
        self.sentences: list[list[str]] = []

    def every(self, text: list[list[str]], step: int, edit) -> list[list[str]]:
        """`edit` for one word in `step`, at random places: the words in its place."""
        return [[new for word in sentence for new in (edit(word) if self.random.random() < 1 / step else [word])] for sentence in text]

    def other(self, _word: str) -> list[str]:
        return [self.random.choice(self.words)]

    def shuffled(self, text: list) -> list:
        return self.random.sample(text, len(text))

    def with_words_shuffled(self, sentence: list[str]) -> list[str]:
        """The mark at its end stays there."""
        bare, mark = re.subn(r"[.!?…]+$", "", sentence[-1])
        words = self.shuffled([*sentence[:-1], bare])
        return [*words[:-1], words[-1] + sentence[-1][len(bare):]] if mark else words

    def with_other_sentences(self, text: list[list[str]]) -> list[list[str]]:
        return [each for sentence in text for each in (sentence, self.random.choice(self.sentences))]

    def quoting(self, text: list[list[str]]) -> list[list[str]]:
        half = text[: len(text) // 2]
        return self.random.choices(self.sentences, k=len(half)) + half

    def kinds(self) -> dict:
        return {
            "one word in 30 replaced": lambda text: self.every(text, 30, self.other),
            "one word in 10 replaced": lambda text: self.every(text, 10, self.other),
            "one word in 10 left out": lambda text: self.every(text, 10, lambda word: []),
            "sentences shuffled": self.shuffled,
            "words shuffled in each sentence": lambda text: [self.with_words_shuffled(sentence) for sentence in text],
            "a sentence put in after each": self.with_other_sentences,
            "half of it in a text as long": self.quoting,
            "without marks and capitals": lambda text: [[re.sub(r"\W", "", word).lower() for word in sentence] for sentence in text],
        }


def excerpts(files: list[pathlib.Path], count: int, chance: random.Random) -> list[list[list[str]]]:
    texts = []
    for file in chance.sample(files, count):
        content = file.read_text(encoding="utf-8", errors="replace")
        begin = chance.randrange(max(1, len(content) - 2 * LENGTH))
        sentences = re.split(r"(?<=[.!?…])\s+", content[begin:begin + LENGTH])[1:-1]
        texts.append([sentence.split() for sentence in sentences if sentence.split()])
    return [text for text in texts if len(text) > 10]


def write(folder: pathlib.Path, name: str, text: list[list[str]]):
    (folder / name).write_text("\n".join(" ".join(sentence) for sentence in text), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("akin")
    parser.add_argument("--texts", type=int, default=100, help="of each language")
    options = parser.parse_args()
    akin = str(pathlib.Path(options.akin).resolve())
    editor = Editor(41)
    texts = []
    for language in ("ru-novels", "en-novels"):
        files = sorted((CORPORA / language).rglob("*.txt"))
        files = [file for file in files if file.stat().st_size > 4 * LENGTH and file.name != "SOURCE.txt"]
        texts += excerpts(files, min(options.texts, len(files)), editor.random)
    editor.sentences = [sentence for text in texts for sentence in text]
    editor.words = [word for sentence in editor.sentences for word in sentence]
    print(f"{len(texts)} texts, {sum(len(text) for text in texts)} sentences, {len(editor.words)} words")
    print("| kind of edit | " + " | ".join(COMMANDS) + " |\n|---|" + "---:|" * len(COMMANDS))
    others, seconds = dict.fromkeys(COMMANDS, 0), dict.fromkeys(COMMANDS, 0.0)
    for kind, edit in editor.kinds().items():
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place) / "texts"
            folder.mkdir()
            for number, text in enumerate(texts):
                write(folder, f"{number}.txt", text)
                write(folder, f"{number}-copy.txt", edit(text))

            def run(*arguments) -> str:
                return subprocess.run([akin, *arguments, "--data", f"{place}/data"], check=True, capture_output=True, text=True).stdout

            run("index", str(folder))
            cells = []
            for name, flags in COMMANDS.items():
                begin = time.monotonic()
                pairs = [json.loads(line) for line in run("pairs", *flags, "--json").splitlines()]
                seconds[name] += time.monotonic() - begin
                planted = sum(pair["a"].replace("-copy", "") == pair["b"].replace("-copy", "") for pair in pairs)
                if kind not in WITH_OTHERS:
                    others[name] += len(pairs) - planted
                cells.append(f"{planted / len(texts):.0%}")
            print(f"| {kind} | " + " | ".join(cells) + " |", flush=True)
    print("| other pairs, six kinds | " + " | ".join(str(count) for count in others.values()) + " |")
    print("| seconds, eight kinds | " + " | ".join(f"{spent:.1f}" for spent in seconds.values()) + " |")


if __name__ == "__main__":
    main()
