#!/usr/bin/env python3
"""Measures which texts a check with Russian and English dictionaries reviews because no dictionary has their words. Prints the table of
docs/evaluation.md, "Texts in other languages".

    tests/experiments/other_languages.py build/release/cli/akin

Honest are 12,000 characters of each novel in five languages, and the Universal Declaration of Human Rights in each of its languages.
Disguised are as many characters of Russian and English novels, with letters exchanged in many ways, words altered, or of random
syllables; and texts that have such words beside a language: whole chapters of them, every second sentence, or words strewn one by one.
"""
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from asked_server import CORPORA

LETTERS, WORKS = 12_000, 12
RUSSIAN, ENGLISH = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "abcdefghijklmnopqrstuvwxyz"
SCRIPTS = {"Greek": 0x3B1, "Armenian": 0x561, "Georgian": 0x10D0, "Arabic": 0x621, "Hebrew": 0x5D0, "Devanagari": 0x905, "Thai": 0xE01,
           "Hangul": 0xAC00, "Hiragana": 0x3042, "Han": 0x4E00}
NOVELS = {"German": "deu", "Ukrainian": "ukr", "Polish": "pol", "Czech": "cze", "Hungarian": "hun"}


def excerpts(folder: str, many: int = WORKS) -> list[str]:
    """The middle third of long works."""
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in sorted((CORPORA / folder).rglob("*.txt"))]
    return [text[len(text) // 3:][:LETTERS] for text in texts if len(text) > 3 * LETTERS][:many]


def exchanged(text: str, letters: str, others: str) -> str:
    return text.translate(str.maketrans(letters + letters.upper(), others + others.upper()[: len(letters)].ljust(len(letters), "x")))


def shuffled(letters: str) -> str:
    return "".join(random.sample(letters, len(letters)))


def vowels_apart(letters: str, vowels: str) -> str:
    """As many vowels and consonants, each exchanged for another of its kind."""
    kinds = {True: iter(shuffled("".join(c for c in letters if c in vowels))), False: iter(shuffled("".join(c for c in letters if c not in vowels)))}
    return "".join(next(kinds[c in vowels]) for c in letters)


def words_by(change, text: str) -> str:
    return re.sub(r"\w{4,}", lambda found: change(found.group()), text)


def disguises(text: str, letters: str, vowels: str) -> dict[str, str]:
    at = random.randrange
    changes = {"reversed words": lambda w: w[::-1], "shuffled words": shuffled, "shuffled inside": lambda w: w[0] + shuffled(w[1:-1]) + w[-1],
               "a letter exchanged": lambda w: (lambda i: w[:i] + random.choice(letters) + w[i + 1:])(at(len(w))),
               "a letter left out": lambda w: (lambda i: w[:i] + w[i + 1:])(at(len(w)))}
    made = {kind: words_by(change, text) for kind, change in changes.items()}
    made["letters exchanged"] = exchanged(text, letters, shuffled(letters))
    made["letters moved by one"] = exchanged(text, letters, letters[1:] + letters[0])
    made["vowels and consonants"] = exchanged(text, letters, vowels_apart(letters, vowels))
    for script, first in SCRIPTS.items():
        made[f"{script} letters"] = text.lower().translate({ord(c): first + i for i, c in enumerate(letters)})
    syllables = [c + v for c in letters if c not in vowels for v in vowels]
    made["random syllables"] = ". ".join(" ".join("".join(random.choices(syllables, k=at(1, 5))) for _ in range(12)) for _ in range(100))
    return made


def beside(honest: str, secret: str) -> dict[str, str]:
    def sentences(text):
        return re.split(r"(?<=[.!?])\s+", text)

    def strewn(share):
        words, others = iter(honest.split()), iter(secret.split())
        return " ".join(next(others if random.random() < share else words) for _ in range(1000))
    return {"beside: a quarter of the text": honest[: 3 * LETTERS // 4] + "\n\n" + secret[: LETTERS // 4],
            "beside: every second sentence": " ".join(s for pair in zip(sentences(honest), sentences(secret)) for s in pair)} | {
            f"beside: {share:.0%} of the words": strewn(share) for share in (0.2, 0.3, 0.4, 0.5)}


def texts() -> list[tuple[str, str, str]]:
    """Group, kind, text."""
    random.seed(1)
    made = [("honest", f"novels, {name}", text) for name, code in NOVELS.items() for text in excerpts(f"other-lang/eltec-{code}")]
    made += [("honest", "declarations", file.read_text(encoding="utf-8")) for file in sorted((CORPORA / "other-lang/udhr2").glob("*.txt")) if file.stat().st_size]
    russian, english = excerpts("ru-novels/ruslit/prose"), excerpts("en-novels")
    for text in russian:
        made += [("Russian", kind, one) for kind, one in disguises(text, RUSSIAN, "аеёиоуыэюя").items()]
    for text in english:
        made += [("English", kind, one) for kind, one in disguises(text, ENGLISH, "aeiouy").items()]
    for name, own, letters in (("German", english, ENGLISH), ("Polish", english, ENGLISH), ("Ukrainian", russian, RUSSIAN)):
        for honest, text in zip(excerpts(f"other-lang/eltec-{NOVELS[name]}"), own):
            made += [(name, kind, one) for kind, one in beside(honest, exchanged(text, letters, shuffled(letters))).items()]
    return made


def main() -> None:
    akin = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "library").mkdir()
        for number, text in enumerate(excerpts("ru-novels/eltec-rus", 40)):
            (folder / f"library/{number}.txt").write_text(text, encoding="utf-8")
        subprocess.run([akin, "index", folder / "library", "--data", folder / "data", "--lang", "ru,en"], check=True, capture_output=True)
        counts, reviewed, of = collections.Counter(), collections.Counter(), texts()
        for number, (_, _, text) in enumerate(of):
            (folder / f"{number}.txt").write_text(text, encoding="utf-8")
        for begin in range(0, len(of), 100):
            part = range(begin, min(begin + 100, len(of)))
            answer = subprocess.run([akin, "check", "--data", folder / "data", "--json", *(f"{folder}/{number}.txt" for number in part)],
                                    capture_output=True, text=True, check=True).stdout
            for number, line in zip(part, answer.splitlines(), strict=True):
                counts[of[number][:2]] += 1
                reviewed[of[number][:2]] += any(reason["kind"] == "unknown_words" for reason in json.loads(line)["reasons"])
    for group, kind in counts:
        print(f"| {group} | {kind} | {counts[group, kind]} | {reviewed[group, kind]} |")


if __name__ == "__main__":
    main()
