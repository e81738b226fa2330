#!/usr/bin/env python3
"""Measures whether fragments in another orthography find their book. Prints the table of docs/evaluation.md, "Other orthographies".

    tests/experiments/orthographies.py build/release/cli/akin

Of each language the first 100,000 characters of every book of the corpora are stored, with its dictionary. Fragments of 1,500 characters
(a fixed seed) are written in another orthography and searched for without flags; those of Russian also in a collection that has English
too. Printed is how many find their book, the mean share of their words that it matches, and how many other books the searches list.
"""
import argparse
import random
import re
import unicodedata

from asked_server import asked, texts_below

BOOK, CHARACTERS = 100_000, 1_500
FOLDERS = {"ru": "ru-novels", "cs": "other-lang/eltec-cze", "hu": "other-lang/eltec-hun", "pl": "other-lang/eltec-pol"}
LETTERS = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
LATIN = {
    "ISO 9": "a b v g d e ž z i j k l m n o p r s t u f h c č š ŝ ʺ y ʹ è û â".split(),
    "GOST 7.79 B": "a b v g d e zh z i j k l m n o p r s t u f x cz ch sh shh `` y` ` e` yu ya".split(),
    "passports": "a b v g d e zh z i i k l m n o p r s t u f kh ts ch sh shch ie y - e iu ia".split(),
    "scholarly": "a b v g d e ž z i j k l m n o p r s t u f x c č š šč ʺ y ʹ ė ju ja".split(),
}
ROOTS = ("бег бед бел бес век вер вес вет гнев грех дев дед дел дет езд ех звер здесь зме лев лен лес лет мер мес мех меш нем нет плен пен рез рек реч реш "
         "свеж свет сед сен сер след слеп смел смех снег спех стен стрел тел тем тен хлеб цвет цел цен человек")
YAT = re.compile(rf"\b(?:по|на|при|от|за|вы|не|у|о|с|пере|рас|об)?(?:{ROOTS.replace(' ', '|')})", re.IGNORECASE)
CONSONANT = "бвгджзклмнпрстфхцчшщ"


def in_latin(name: str):
    table = dict(zip(LETTERS, ("" if letter == "-" else letter for letter in LATIN[name]))) | {"ё": {"ISO 9": "ë"}.get(name, "e")}
    return lambda text: re.sub("[а-яё]+", lambda word: "".join(table[letter] for letter in word.group()), text.lower())


def before_1918(text: str) -> str:
    """With ѣ in frequent roots and endings, і before vowels, ъ behind a final consonant, the old endings of adjectives."""
    text = YAT.sub(lambda start: start.group()[:-4] + start.group()[-4:].replace("е", "ѣ"), text)
    text = re.sub(r"и(?=[аеёийоуыэюя])", "і", text)
    text = re.sub(r"(?<=[нктв])ого\b", "аго", text)
    text = re.sub(r"(?<=[нктв])ые\b", "ыя", text)
    text = re.sub(r"(?<=[нк])ие\b", "ія", text)
    text = re.sub(r"\b(бе|ра|и|во)с(?=[кпсх])", r"\1з", text)
    return re.sub(rf"(?<=[{CONSONANT}])\b(?![-'])", "ъ", text)


def without_accents(text: str) -> str:
    plain = unicodedata.normalize("NFD", text.replace("ł", "l").replace("Ł", "L"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


WRITTEN = [("ru", "ru", "as it is", lambda text: text), ("ru", "ru", "before 1918", before_1918)]
WRITTEN += [(languages, "ru", f"in Latin letters, {name}", in_latin(name)) for languages in ("ru", "ru,en") for name in LATIN]
WRITTEN += [(language, language, "without accents", without_accents) for language in ("cs", "hu", "pl")]


def fragments(books: dict[str, str], count: int) -> list[tuple[str, str]]:
    chance = random.Random(43)
    cut = []
    for id in chance.choices([id for id in books if len(books[id]) > 10 * CHARACTERS], k=count):
        begin = chance.randrange(len(books[id]) - CHARACTERS)
        cut.append((id, books[id][begin:begin + CHARACTERS].partition(" ")[2].rpartition(" ")[0]))
    return cut


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("akin")
    parser.add_argument("--fragments", type=int, default=40, help="of each language")
    options = parser.parse_args()
    print(f"| dictionaries | written | found, of {options.fragments} | words matched | other books |\n|---|---|---:|---:|---:|")
    for languages in dict.fromkeys(row[0] for row in WRITTEN):
        rows = [row for row in WRITTEN if row[0] == languages]
        books = {id: text[:BOOK] for id, text in texts_below(FOLDERS[rows[0][1]]).items()}
        with asked(options.akin, books, "--lang", languages) as server:
            for _, _, name, write in rows:
                found, others, shares = 0, 0, 0.0
                for id, text in fragments(books, options.fragments):
                    answer = server.similar(write(text))["results"]
                    hits = [hit for hit in answer if hit["id"] == id]
                    found += bool(hits)
                    shares += hits[0]["words"]["a_share"] if hits else 0
                    others += len(answer) - len(hits)
                print(f"| {languages} | {name} | {found} | {shares / options.fragments:.2f} | {others} |", flush=True)


if __name__ == "__main__":
    main()
