"""Which pairs of different forms of one lemma change class, by cause, each form once; then, what is left of X if 20 %
of the nouns, adjectives, verbs and pronouns that have another form in the treebanks get one. Misspelt and abbreviated
forms are not put in.

    python3 tests/experiments/form_pairs.py AKIN LANGUAGE TREEBANK.conllu…

Names, numbers, symbols, foreign words and words with a hyphen are left out. A pair belongs to the first cause that applies:
a word that no dictionary has, a participle, a degree of comparison, else the part of speech.
"""
import collections
import itertools
import json
import random
import subprocess
import sys
import tempfile

LEFT_OUT = ("PUNCT", "SYM", "X", "NUM", "PROPN")
WORDS_AT_ONCE = 2000
INFLECTED = ("NOUN", "ADJ", "VERB", "PRON", "DET")
EDITED_SHARE = 0.2


def form_and_lemma(fields):
    """The form and (lemma, part of speech) of a treebank's line; None if the word is left out."""
    if len(fields) < 10 or not fields[0].isdigit() or fields[3] in LEFT_OUT or not fields[1].isalpha():
        return None
    form, lemma = (field.lower().replace("ё", "е") for field in fields[1:3])
    return form, (lemma, "VERB" if fields[3] == "AUX" else fields[3])


def read_lines(file):
    return [line.rstrip("\n").split("\t") for line in open(file, encoding="utf-8")]


def read_lemmas(files):
    """(lemma, part of speech) → form → features."""
    lemmas = collections.defaultdict(dict)
    for file in files:
        for fields in read_lines(file):
            if word := form_and_lemma(fields):
                form, lemma = word
                lemmas[lemma][form] = lemmas[lemma].get(form, "") + " " + fields[5]
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


def sentences_with(lines, change):
    """The text of a treebank, its words put through `change`; a word in several lines stays as it is written."""
    text, words, written_until = [], [], 0
    for fields in lines + [[""]]:
        if len(fields) < 10:
            if fields[0] == "" and words:
                text.append("".join(words).strip())
                words, written_until = [], 0
            continue
        space = "" if "SpaceAfter=No" in fields[9] else " "
        if "-" in fields[0]:
            written_until = int(fields[0].split("-")[1])
            words.append(fields[1] + space)
        elif fields[0].isdigit() and int(fields[0]) > written_until:
            words.append(change(fields) + space)
    return "\n\n".join(text)


def features_of(akin, language, text):
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        command = [akin + "-lab", "features", file.name, "--lang", language, "--scheme", "sentence-pairs", "--json"]
        answer = subprocess.run(command, capture_output=True, text=True, check=True)
    return collections.Counter(feature["hash"] for feature in json.loads(answer.stdout)["features"])


def kept_after_edit(akin, language, file, lemmas):
    """X/|A| for a treebank's text and the same text with other forms of some of its words."""
    choice = random.Random(1)

    def other_form(fields):
        form, lemma = form_and_lemma(fields) or (None, None)
        if lemma is None or lemma[1] not in INFLECTED:
            return fields[1]
        others = [other for other, features in sorted(lemmas[lemma].items())
                  if other != form and not any(mark in features for mark in ("Typo=Yes", "Abbr=Yes"))]
        return choice.choice(others) if others and choice.random() < EDITED_SHARE else fields[1]

    lines = read_lines(file)
    before = features_of(akin, language, sentences_with(lines, lambda fields: fields[1]))
    after = features_of(akin, language, sentences_with(lines, other_form))
    return (before & after).total() / before.total()


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
    for file in files:
        print(f"{kept_after_edit(akin, language, file, lemmas):.3f} of X is left of {file} after the edit")


if __name__ == "__main__":
    main(*sys.argv[1:])
