#!/usr/bin/env python3
"""Measures what a search without flags finds for texts of 17 genres that nobody copied. Prints the table of docs/evaluation.md, "Honest texts".

    tests/experiments/honest_texts.py build/release/cli/akin [--list FILE.tsv]

Of each genre of the corpora some texts are searched for (of books 40,000 characters from their middle), and all others are stored.
Passages of which one has half of another's runs of three words are one. Each distinct passage belongs to the first class that applies:

    common     three stored texts or more have it: notices, licences, formulas, what agencies write under their reports
    numbers    fewer than half of its words have three letters or more
    phrase     fewer than 20 words are matched
    text       what is left: a reader would call it shared text

--list writes the distinct passages, for a reader to judge.
"""
import argparse
import csv
import pathlib
import re

from asked_server import CORPORA, asked, texts_below

BOOKS = {"novels, Russian": "ru-novels/ruslit/prose", "verse, Russian": "ru-novels/ruslit/poems", "novels, English": "en-novels/eltec-eng",
         "books of Project Gutenberg": "en-novels/gutenberg", "novels, German": "other-lang/eltec-deu", "novels, Ukrainian": "other-lang/eltec-ukr",
         "novels, Polish": "other-lang/eltec-pol", "novels, Czech": "other-lang/eltec-cze", "novels, Hungarian": "other-lang/eltec-hun"}
TREEBANK = {"reviews": ("reviews",), "questions answered": ("answers",), "newsgroups and e-mail": ("newsgroup", "email"), "weblogs": ("weblog",)}
CLASSES = ("common", "numbers", "phrase", "text")


def treebank_documents() -> dict[str, str]:
    """The texts of the English Web Treebank, by the names of its documents, which begin with the genre."""
    documents = {}
    for file in sorted((CORPORA / "ud").glob("en_ewt-*.conllu")):
        for part in file.read_text(encoding="utf-8").split("# newdoc id = ")[1:]:
            documents[part.split("\n", 1)[0]] = " ".join(re.findall(r"^# text = (.*)$", part, re.MULTILINE))
    return documents


def genres() -> dict[str, dict[str, str]]:
    """By genre: the texts by name."""
    texts = {genre: texts_below(folder) for genre, folder in BOOKS.items()}
    for language, genre in (("ru", "news, Russian"), ("en", "news, English")):
        with (CORPORA / f"news/{language}_background.tsv").open(encoding="utf-8", newline="") as lines:
            texts[genre] = {row["url"]: row["text"] for row in csv.DictReader(lines, delimiter="\t")}
    folder = CORPORA / "en-pairs/minhash-articles"
    copies = set((folder / "articles_1000.truth").read_text(encoding="utf-8").split())
    articles = dict(line.split(" ", 1) for line in (folder / "articles_1000.txt").read_text(encoding="utf-8").splitlines())
    texts["agency reports"] = {id: text for id, text in articles.items() if id not in copies}
    texts["web pages"] = texts_below("en-pairs/pan13-no-obfuscation/src")
    for genre, kinds in TREEBANK.items():
        texts[genre] = {id: text for id, text in treebank_documents().items() if id.startswith(kinds)}
    return texts


def runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[at:at + 3]) for at in range(len(words) - 2)}


class Passages:
    """The distinct passages, each with the stored texts that have it."""

    def __init__(self):
        self.all: list[dict] = []

    def add(self, genre: str, words: int, text: str, stored: str) -> None:
        own = runs(text)
        for one in self.all:
            if 2 * len(own & one["runs"]) >= min(len(own), len(one["runs"])):
                one["stored"].add(stored)
                return
        self.all.append({"genre": genre, "words": words, "text": text, "runs": own, "stored": {stored}})

    @staticmethod
    def kind(one: dict) -> str:
        words = re.findall(r"\w+", one["text"])
        if len(one["stored"]) >= 3:
            return "common"
        if 2 * sum(len(re.sub(r"\d", "", word)) >= 3 for word in words) < len(words):
            return "numbers"
        return "phrase" if one["words"] < 20 else "text"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("akin")
    parser.add_argument("--texts", type=int, default=24, help="most texts of a genre that are searched for")
    parser.add_argument("--list", type=pathlib.Path)
    options = parser.parse_args()
    stored, queries = {}, {}
    for genre, texts in genres().items():
        step = max(2, len(texts) // options.texts)
        chosen = list(texts)[step - 1::step][:options.texts]
        stored |= {f"{genre}: {id}": text for id, text in texts.items() if id not in chosen}
        middle = lambda text: text[(begin := max(0, len(text) // 2 - 20_000)):begin + 40_000]
        queries[genre] = [middle(texts[id]) if genre in BOOKS else texts[id] for id in chosen]
    passages = Passages()
    print(f"{len(stored)} texts stored, {sum(map(len, queries.values()))} searched for")
    print("| genre | texts | find something | texts found | distinct passages |\n|---|---:|---:|---:|---:|")
    with asked(options.akin, stored) as server:
        for genre, texts in queries.items():
            hits, before = [server.similar(text)["results"] for text in texts], len(passages.all)
            for text, found in zip(texts, hits):
                for hit in found:
                    for passage in hit["passages"]:
                        passages.add(genre, passage["words"], text[slice(*passage["a"])], hit["id"])
            print(f"| {genre} | {len(texts)} | {sum(map(bool, hits))} | {sum(map(len, hits))} | {len(passages.all) - before} |", flush=True)
    kinds = [passages.kind(one) for one in passages.all]
    print(f"{len(kinds)} distinct passages: " + ", ".join(f"{kind} {kinds.count(kind)}" for kind in CLASSES))
    if options.list:
        with options.list.open("w", encoding="utf-8", newline="") as out:
            rows = [(kind, one["genre"], one["words"], len(one["stored"]), min(one["stored"]), " ".join(one["text"].split())[:300])
                    for kind, one in zip(kinds, passages.all)]
            csv.writer(out, delimiter="\t").writerows([("class", "genre", "words", "stored", "one", "beginning"), *sorted(rows)])


if __name__ == "__main__":
    main()
