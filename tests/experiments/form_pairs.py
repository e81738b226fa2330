"""Which pairs of different forms of one lemma change class, by cause, each form once.

    python3 tests/experiments/form_pairs.py AKIN LANGUAGE TREEBANK.conllu…

Names, numbers, symbols, foreign words and words with a hyphen are left out. A pair belongs to the first cause that applies:
a word that no dictionary has, a participle, a degree of comparison, else the part of speech.
"""
import collections
import itertools
import json
import subprocess
import sys

LEFT_OUT = ("PUNCT", "SYM", "X", "NUM", "PROPN")
WORDS_AT_ONCE = 2000


def read_lemmas(files):
    """(lemma, part of speech) → form → features."""
    lemmas = collections.defaultdict(dict)
    for file in files:
        for line in open(file, encoding="utf-8"):
            fields = line.rstrip("\n").split("\t")
            if len(fields) < 10 or not fields[0].isdigit() or fields[3] in LEFT_OUT or not fields[1].isalpha():
                continue
            form, lemma = (field.lower().replace("ё", "е") for field in fields[1:3])
            part = "VERB" if fields[3] == "AUX" else fields[3]
            features = lemmas[lemma, part].setdefault(form, "")
            lemmas[lemma, part][form] = features + " " + fields[5]
    return lemmas


def look_up(akin, language, words):
    """word → its object in `akin dict --json`."""
    found = {}
    for begin in range(0, len(words), WORDS_AT_ONCE):
        some = words[begin:begin + WORDS_AT_ONCE]
        command = [akin, "dict", "--lang", language, "--json", "--", *some]
        answer = subprocess.run(command, capture_output=True, text=True, check=True)
        found.update(zip(some, json.loads(answer.stdout)))
    return found


def cause(part, words, features):
    if not all(word["known"] for word in words):
        return "unknown word"
    if "VerbForm=Part" in features:
        return "participle"
    if "Degree=Cmp" in features or "Degree=Sup" in features:
        return "degree"
    return part


def main(akin, language, *files):
    lemmas = read_lemmas(files)
    found = look_up(akin, language, sorted({form for forms in lemmas.values() for form in forms}))
    pairs = 0
    examples = collections.defaultdict(list)
    for (_, part), forms in lemmas.items():
        for a, b in itertools.combinations(sorted(forms), 2):
            pairs += 1
            if found[a]["hash"] != found[b]["hash"]:
                examples[cause(part, (found[a], found[b]), forms[a] + forms[b])].append(f"{a}/{b}")
    changed = sum(map(len, examples.values()))
    print(f"{changed} of {pairs} pairs change class, {100 * changed / pairs:.1f} %")
    for name, of_cause in sorted(examples.items(), key=lambda item: -len(item[1])):
        print(f"{100 * len(of_cause) / pairs:6.2f} %  {name}: {' '.join(of_cause[:: max(1, len(of_cause) // 8)][:8])}")


if __name__ == "__main__":
    main(*sys.argv[1:])
