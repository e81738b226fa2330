#!/usr/bin/env python3
"""Measures whether a long work hides a passage of a stored one. Prints the table of docs/evaluation.md, "Long works".

    tests/experiments/long_works.py build/release/cli/akin

Every other Russian and English novel of the corpora is stored. Hosts of 10,000 to 200,000 words are made of the others; in the middle
of each is a passage of 12 to 500 words of a stored novel, word by word (a fixed seed). Printed is how many of the passages a search
without flags and a check find, and how many novels the searches list beyond those that they list for the host alone. Then a thesis of
62,000 words that has 100 words of each of 20 stored novels.
"""
import argparse
import random

from asked_server import asked, texts_below

HOSTS = (10_000, 40_000, 80_000, 200_000)
PASSAGES = (12, 20, 30, 60, 100, 200, 500)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("akin")
    parser.add_argument("--passages", type=int, default=5, help="of each length in a host of each length, of each language")
    options = parser.parse_args()
    chance = random.Random(43)
    stored, hosts = {}, []
    for language in ("ru-novels/ruslit/prose", "en-novels/eltec-eng"):
        novels = texts_below(language)
        stored |= {id: novels[id] for id in list(novels)[::2]}
        others = [word for id in list(novels)[1::2] for word in novels[id].split()]
        hosts.append(([id for id in stored if id.startswith(language) and len(stored[id]) > 50_000], others))

    def passage(id: str, words: int) -> list[str]:
        all_words = stored[id].split()
        begin = chance.randrange(len(all_words) // 4, 3 * len(all_words) // 4)
        return all_words[begin:begin + words]

    with asked(options.akin, stored) as server:

        def sources(text: str) -> list[str]:
            report = server.answer("checks", {"text": text, "collections": ["stored"]})
            return [source["id"] for source in report["sources"]]

        print("| host, words | " + " | ".join(f"{words} words" for words in PASSAGES) + " | other novels |\n|---:|" + "---|" * len(PASSAGES) + "---:|")
        for words in HOSTS:
            found, checked, others = dict.fromkeys(PASSAGES, 0), dict.fromkeys(PASSAGES, 0), 0
            for ids, foreign in hosts:
                for _ in range(options.passages):
                    begin = chance.randrange(len(foreign) - words)
                    host = foreign[begin:begin + words]
                    alone = set(server.ids(" ".join(host)))
                    for length in PASSAGES:
                        source = chance.choice(ids)
                        text = " ".join(host[:words // 2] + passage(source, length) + host[words // 2:])
                        hits = set(server.ids(text))
                        found[length] += source in hits
                        checked[length] += source in sources(text)
                        others += len(hits - alone - {source})
            print(f"| {words:,} | " + " | ".join(f"{found[each]}, {checked[each]}" for each in PASSAGES) + f" | {others} |", flush=True)
        print(f"A search and a check, of {2 * options.passages}.")

        ids, foreign = hosts[1]
        thesis, quoted = [], chance.sample(ids, 20)
        for number, id in enumerate(quoted):
            thesis += foreign[number * 3_000:(number + 1) * 3_000] + passage(id, 100)
        hits, report = set(server.ids(" ".join(thesis))), set(sources(" ".join(thesis)))
        print(f"A thesis of {len(thesis):,} words with 100 words of each of 20 novels: a search finds {len(hits & set(quoted))} "
              f"and {len(hits - set(quoted))} others, a check {len(report & set(quoted))} and {len(report - set(quoted))} others.")


if __name__ == "__main__":
    main()
