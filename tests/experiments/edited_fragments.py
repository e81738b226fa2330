#!/usr/bin/env python3
"""Measures by which edits a search without flags loses the source of a fragment, and what each scheme costs.

    tests/experiments/edited_fragments.py build/release/cli/akin 'paper' 'library'

Cuts the Russian and English novels of the corpora into documents of some 40,000 characters; every tenth novel is kept out.
Fragments of 500, 2,000 and 10,000 bytes (a fixed seed) are edited and searched for in a collection of each scheme. Prints for
each scheme and edit how many of the fragments of each length find the document they were cut from, and how many other documents
the searches list. Then what it costs: processor time of `akin index` and of a search for pages of the novels kept out (500
and 3,000 words), documents that share a seed with these, documents that these find, and the bytes on the disk.
"""
import argparse
import json
import pathlib
import random
import re
import resource
import subprocess
import tempfile

from asked_server import CORPORA, Asked, ServerProcess

DOCUMENT = 40_000
BYTES = (500, 2_000, 10_000)
STRANGE_WORDS = (500, 3_000)
MARKS = re.compile(r"^(\W*)(.*?)(\W*)$", re.DOTALL)


class Editor:
    def __init__(self, words: list[str]):
        self.random = random.Random(43)
        self.words = words

    def replaced(self, word: str) -> str:
        """Another word with the same marks around it."""
        before, _, after = MARKS.match(word).groups()
        return before + MARKS.match(self.random.choice(self.words)).group(2) + after

    def every(self, step: int):
        return lambda words: [self.replaced(word) if at % step == step - 1 else word for at, word in enumerate(words)]

    def share(self, share: float):
        return lambda words: [self.replaced(word) if self.random.random() < share else word for word in words]

    def with_another(self, word: str, share: float) -> list[str]:
        return [self.random.choice(self.words), word] if self.random.random() < share else [word]

    def permuted(self, words: list[str]) -> list[str]:
        """The words of every sentence in another order, its marks where they were."""
        out, sentence = [], []
        for word in words:
            sentence.append(word)
            if re.search(r"[.!?…]\W*$", word):
                out += self.shuffled(sentence)
                sentence = []
        return out + self.shuffled(sentence)

    def shuffled(self, sentence: list[str]) -> list[str]:
        parts = [MARKS.match(word).groups() for word in sentence]
        bare = self.random.sample([part[1] for part in parts], len(parts))
        return [before + word + after for (before, _, after), word in zip(parts, bare)]

    def edits(self) -> dict:
        return {
            "none": lambda words: words,
            "20 % of words replaced": self.share(.2),
            "30 %": self.share(.3),
            "50 %": self.share(.5),
            "every 6th word": self.every(6),
            "every 5th": self.every(5),
            "every 4th": self.every(4),
            "20 % of words left out": lambda words: [word for word in words if self.random.random() >= .2],
            "20 % of words put in": lambda words: [new for word in words for new in self.with_another(word, .2)],
            "words of up to three letters left out": lambda words: [word for word in words if len(MARKS.match(word).group(2)) > 3],
            "words permuted in each sentence": self.permuted,
        }


def novels() -> tuple[list[str], list[str]]:
    """The texts of the documents, and of the novels kept out."""
    documents, kept_out = [], []
    for language in ("ru-novels", "en-novels"):
        files = sorted(file for file in (CORPORA / language).rglob("*.txt") if file.stat().st_size > 2 * DOCUMENT)
        for number, file in enumerate(files):
            text = file.read_text(encoding="utf-8", errors="replace")
            if number % 10 == 9:
                kept_out.append(text)
            else:
                documents += [text[at:at + DOCUMENT] for at in range(0, len(text) - DOCUMENT // 2, DOCUMENT)]
    return documents, kept_out


def fragments(documents: list[str], count: int) -> dict[int, list[tuple[str, list[str]]]]:
    """By length: the document's id and the words."""
    chance = random.Random(2009)
    cut = {}
    for length in BYTES:
        cut[length] = []
        for number in chance.sample(range(len(documents)), count):
            text = documents[number].encode()
            begin = chance.randrange(len(text) // 4, 3 * len(text) // 4 - length // 2) if len(text) > 2 * length else 0
            cut[length].append((f"d{number}", text[begin:begin + length].decode(errors="ignore").split()[1:-1]))
    return cut


def measure(akin: str, scheme: str, feed: pathlib.Path, cut: dict, strange: list[str], editor: Editor) -> None:
    with tempfile.TemporaryDirectory() as place:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([akin, "import", feed, "--data", f"{place}/data", "--collection", "stored", "--scheme", scheme],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        disk = sum(file.stat().st_blocks * 512 for file in pathlib.Path(f"{place}/data").rglob("*") if file.is_file())
        server = ServerProcess([akin, "serve", "--data", f"{place}/data", "--min-free-disk", "0"])
        try:
            searches = Asked(server)
            print(f"\n{scheme}: index {spent:.1f} s, {disk / 1e6:.1f} MB")
            for name, edit in editor.edits().items():
                editor.random.seed(name)
                cells, others = [], 0
                for length in BYTES:
                    answers = [(source, searches.ids(" ".join(edit(words)))) for source, words in cut[length]]
                    cells.append(f"{sum(source in ids for source, ids in answers)}")
                    others += sum(len(set(ids) - {source}) for source, ids in answers)
                print(f"| {name} | {' / '.join(cells)} | {others} |", flush=True)
            for words in STRANGE_WORDS:
                pages = [" ".join(text.split()[5_000:5_000 + words]) for text in strange]
                answers = [searches.similar(page) for page in pages]
                found = sum(len(answer["results"]) for answer in answers)
                compared = sum(answer["alignment"]["candidates"] for answer in answers) / len(pages)
                begin = server.processor_seconds()
                for page in pages:
                    searches.ids(page)
                spent = (server.processor_seconds() - begin) / len(pages)
                print(f"{words} words of a novel kept out: {1000 * spent:.2f} ms a search, {compared:.1f} documents compared, {found} found",
                      flush=True)
        finally:
            server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("akin")
    parser.add_argument("schemes", nargs="+")
    parser.add_argument("--fragments", type=int, default=80, help="of each length")
    options = parser.parse_args()
    documents, kept_out = novels()
    editor = Editor(sorted({word for document in documents[::50] for word in document.split()}))
    print(f"{len(documents)} documents, {sum(len(text.encode()) for text in documents) / 1e6:.0f} MB, {len(kept_out)} novels kept out")
    with tempfile.TemporaryDirectory() as place:
        feed = pathlib.Path(place) / "novels.jsonl"
        with feed.open("w", encoding="utf-8") as out:
            out.writelines(json.dumps({"id": f"d{number}", "text": text}) + "\n" for number, text in enumerate(documents))
        for scheme in options.schemes:
            measure(str(pathlib.Path(options.akin).resolve()), scheme, feed, fragments(documents, options.fragments), kept_out, editor)


if __name__ == "__main__":
    main()
