#!/usr/bin/env python3
"""Measures whether a quotation of 4 to 12 words finds its book. Prints the table of docs/evaluation.md, "Short quotations".

    tests/experiments/short_quotations.py build/release/cli/akin library quotations

All novels and poems of the corpora are stored, some 400 books in seven languages. Runs of words of Russian and English books (a fixed
seed) are searched for as they are, and with every word in another form that the treebanks have another form of; then among 300 words of
a book that is not stored, by a search with `min_words`. Printed is how often the book is found, how often it is the first of the
answer, and how many others a search lists.
"""
import argparse
import random

from asked_server import asked, texts_below
from dedup_quality import Inflector

BOOKS = ("ru-novels", "en-novels", *(f"other-lang/eltec-{language}" for language in ("cze", "deu", "hun", "pol", "ukr")))
LENGTHS = (4, 5, 6, 7, 8, 9, 10, 11, 12)


class Quotations:
    def __init__(self, books: dict[str, str], count: int, chance: random.Random):
        self.inflect = Inflector(chance)
        quoted = [id for id in books if id.startswith(("ru-novels", "en-novels")) and len(books[id]) > 20_000]
        self.places = [(id, chance.random()) for id in chance.choices(quoted, k=count)]
        self.books = books

    def runs(self, words: int) -> list[tuple[str, list[str]]]:
        """The same places for each length."""
        out = []
        for id, place in self.places:
            all_words = self.books[id].split()
            begin = int((.1 + .8 * place) * len(all_words))
            out.append((id, all_words[begin:begin + words]))
        return out

    def inflected(self, words: list[str]) -> list[str]:
        return [new for word in words for new in self.inflect(word)]


def row(server, queries: list[tuple[str, str]], parameters: str = "") -> str:
    found = first = others = 0
    for id, text in queries:
        ids = server.ids(text, parameters)
        found += id in ids
        first += ids[:1] == [id]
        others += len(set(ids) - {id})
    return f"{found}, {first}, {others / len(queries):.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("akin")
    parser.add_argument("schemes", nargs="+")
    parser.add_argument("--quotations", type=int, default=100, help="of each length")
    options = parser.parse_args()
    books = {id: text for folder in BOOKS for id, text in texts_below(folder).items()}
    foreign = books.pop(sorted(id for id in books if id.startswith("en-novels/eltec"))[-1]).split()[5_000:5_300]
    quotations = Quotations(books, options.quotations, random.Random(43))
    print(f"{len(books)} books; of {options.quotations} quotations: found, first, other books a search")
    for scheme in options.schemes:
        with asked(options.akin, books, "--scheme", scheme) as server:
            print(f"\n| `{scheme}`, words | alone | alone, inflected | among 300 words, by `min_words` |\n|---:|---|---|---|")
            for words in LENGTHS:
                runs = quotations.runs(words)
                kinds = ([(id, " ".join(run)) for id, run in runs], [(id, " ".join(quotations.inflected(run))) for id, run in runs],
                         [(id, " ".join(foreign[:150] + run + foreign[150:])) for id, run in runs])
                cells = [row(server, kinds[0]), row(server, kinds[1]), row(server, kinds[2], f"&min_words={words}")]
                print(f"| {words} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
