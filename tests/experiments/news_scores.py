#!/usr/bin/env python3
"""Measures how well scores of `akin compare` order pairs of news: reports of one event before reports of another one on a like subject.

    tests/experiments/news_scores.py build/release/cli/akin

Prints the table of docs/evaluation.md, "What orders news": the area under the ROC curve of each score over the labelled pairs of the
corpora, title and text, and how many pairs of either label a search for reuse would find.
"""
import argparse
import csv

from asked_server import CORPORA, asked

SCHEMES = {"sentences": "sentences", "runs of four words": "shingles(w=4)", "runs of three words": "shingles(w=3)",
           "runs of two words": "shingles(w=2)", "single words": "shingles(w=1)"}


def area(scores: list[float], labels: list[bool]) -> float:
    """The probability that a pair with the label has a higher score than one without; equal ones count half."""
    same = [score for score, label in zip(scores, labels) if label]
    other = [score for score, label in zip(scores, labels) if not label]
    return sum((a > b) + (a == b) / 2 for a in same for b in other) / (len(same) * len(other))


def pairs(language: str) -> tuple[list[dict], list[bool]]:
    with (CORPORA / f"news/{language}_same_event_pairs.tsv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    return [{side: f"{row['title_' + side]}\n\n{row['text_' + side]}" for side in "ab"} for row in rows], [row["label"] == "OK" for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("akin")
    options = parser.parse_args()
    sets = {language: pairs(language) for language in ("ru", "en")}
    with asked(options.akin, {"none": "No text."}) as server:
        def table(name: str, scheme: dict, score) -> None:
            cells = [area([score(server.answer("compare", {**pair, **scheme})) for pair in texts], labels) for texts, labels in sets.values()]
            print(f"| {name} | " + " | ".join(f"{cell:.3f}" for cell in cells) + " |", flush=True)

        print("| score | ru | en |\n|---|---:|---:|")
        table("share of words in passages, the larger", {}, lambda found: max(found["words"]["a_share"], found["words"]["b_share"]))
        table("X in the tier of pairs", {}, lambda found: found["x"])
        table("X in the tier of passages", {}, lambda found: found["tiers"][1]["x"])
        for name, scheme in SCHEMES.items():
            table(f"{name}: resemblance", {"scheme": scheme}, lambda found: found["resemblance"])
            table(f"{name}: the larger containment", {"scheme": scheme}, lambda found: max(found["containment"], found["contained"]))
        for language, (texts, labels) in sets.items():
            found = [server.answer("compare", pair)["tier"] is not None for pair in texts]
            print(f"{language}: found {sum(one and label for one, label in zip(found, labels))} of {sum(labels)} of one event, "
                  f"{sum(one and not label for one, label in zip(found, labels))} of {len(labels) - sum(labels)} others")


if __name__ == "__main__":
    main()
