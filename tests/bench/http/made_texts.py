"""Page-long texts put together from sentences of the Russian novels of the corpora, and questions about them.

A document has four passages of 5 to 15 sentences drawn from anywhere, and one or two of 500 passages that many
documents have (drawn by Zipf's law: the commonest stands in every eighth). Every hundredth is a near-duplicate of a former
one with a tenth of its sentences replaced. A question has half of the sentences of a stored document, a passage that many
documents have, and sentences of its own. The seed is fixed: every run makes the same.
"""
import itertools
import json
import os
import pathlib
import random
import re

SOURCE = pathlib.Path(__file__).resolve().parents[3]
SENTENCE = re.compile(r"[А-ЯЁ][^.!?…]{30,400}[.!?…]")


def sentences() -> list[str]:
    folder = pathlib.Path(os.environ.get("AKIN_CORPORA", SOURCE / "build/corpora/corpora")) / "ru-novels"
    found = []
    for path in sorted(folder.rglob("*.txt")):
        found += (" ".join(piece.split()) for piece in SENTENCE.findall(path.read_text(encoding="utf-8")))
    if not found:
        raise SystemExit(f"no Russian novels in {folder}: set AKIN_CORPORA")
    return found


class Texts:
    COMMON = 500

    def __init__(self, seed=2009):
        self.random = random.Random(seed)
        self.pool = sentences()
        self.common = [self.passage(4) for _ in range(self.COMMON)]
        self.weights = list(itertools.accumulate(1 / (rank + 1) for rank in range(self.COMMON)))
        self.kept = []  # sentences of documents that may come back

    def passage(self, count: int) -> list[str]:
        return [self.pool[self.random.randrange(len(self.pool))] for _ in range(count)]

    def some_common(self) -> list[str]:
        return self.random.choices(self.common, cum_weights=self.weights)[0]

    def document(self, number: int) -> list[str]:
        if number % 100 == 99:
            former = self.random.choice(self.kept)
            return [one if self.random.random() > 0.1 else self.passage(1)[0] for one in former]
        parts = [self.passage(self.random.randint(5, 15)) for _ in range(4)]
        parts += [self.some_common() for _ in range(self.random.randint(1, 2))]
        self.random.shuffle(parts)
        text = list(itertools.chain(*parts))
        if number % 50 == 0:
            self.kept.append(text)
        return text

    def question(self) -> list[str]:
        former = self.random.choice(self.kept)
        at = self.random.randrange(len(former) // 2)
        return former[at:at + len(former) // 3] + self.some_common() + self.passage(6)


def lines(count: int, questions: int, documents_file, questions_file) -> int:
    """Writes documents, {"id","text"} a line, and questions, {"text"} a line; bytes of the texts."""
    texts = Texts()
    total = 0
    for number in range(count):
        text = " ".join(texts.document(number))
        total += len(text.encode())
        documents_file.write(json.dumps({"id": f"s{number:09}", "text": text}, ensure_ascii=False) + "\n")
    for _ in range(questions):
        questions_file.write(json.dumps({"text": " ".join(texts.question())}, ensure_ascii=False) + "\n")
    return total
