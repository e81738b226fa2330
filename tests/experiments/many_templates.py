#!/usr/bin/env python3
"""Measures what proposing templates costs in a collection whose documents share forms of pages.

    tests/experiments/many_templates.py build/release/cli/akin

Each document has 400 words of its own, and every tenth one a form: 300 forms, so that 10,000 documents have each about three times, or 30,
so that each is in about 30. Prints a line for each collection: the forms that more than 20 documents have, the proposals, the processor
time and the seconds of `GET …/templates`, the slowest search meanwhile, and for how long the server works on after the client has gone.
Exits with 1 unless the proposals are these forms, or if one takes more than a second of processor time.
"""
import argparse
import collections
import json
import random
import sys
import threading
import time
import urllib.parse

from asked_server import asked

FORM_WORDS, OWN_WORDS, MORE_THAN = 120, 400, 20


class Texts:
    def __init__(self):
        self.chance = random.Random(46)
        syllables = [first + second for first in "bcdfghklmnprstvz" for second in "aeiou"]
        self.known = ["".join(self.chance.choices(syllables, k=self.chance.randrange(2, 5))) for _ in range(30_000)]

    def words(self, count: int) -> str:
        words = self.chance.choices(self.known, k=count)
        return " ".join(" ".join(words[at:at + 12]).capitalize() + "." for at in range(0, count, 12))

    def collection(self, documents: int, forms: int, share: float) -> tuple[dict[str, str], collections.Counter]:
        """The documents, and how many have each form."""
        made = [self.words(FORM_WORDS) for _ in range(forms)]
        texts, having = {}, collections.Counter()
        for number in range(documents):
            parts = [self.words(OWN_WORDS // 2), self.words(OWN_WORDS // 2)]
            if self.chance.random() < share:
                parts.insert(1, self.chance.choice(made))
                having[parts[1]] += 1
            texts[f"document-{number}"] = "\n\n".join(parts)
        return texts, having


def proposed(server, timeout: float = 600) -> tuple[list[dict], float, float]:
    connection = server.server.connect(timeout)
    processor, begun = server.server.processor_seconds(), time.perf_counter()
    connection.request("GET", "/v1/collections/stored/templates?" + urllib.parse.urlencode({"more_than": MORE_THAN, "limit": 1000}))
    answer = connection.getresponse()
    content = json.loads(answer.read())
    assert answer.status == 200, content
    return content["templates"], server.server.processor_seconds() - processor, time.perf_counter() - begun


def works_on(server) -> float:
    """Processor seconds after a client has gone that asked for proposals just before."""
    connection = server.server.connect()
    connection.request("GET", f"/v1/collections/stored/templates?more_than={MORE_THAN}")
    time.sleep(0.03)
    connection.close()
    begun = server.server.processor_seconds()
    time.sleep(3)
    return server.server.processor_seconds() - begun


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("akin")
    parser.add_argument("--documents", type=int, default=10_000)
    options = parser.parse_args()
    wrong = 0
    for forms, share in ((30, 0.0), (30, 0.1), (30, 1.0), (300, 1.0)):
        texts, having = Texts().collection(options.documents, forms, share)
        with asked(options.akin, texts) as server:
            proposed(server)
            slowest, done = [0.0], threading.Event()

            def search():
                query = {"text": next(iter(texts.values())), "limit": 5}
                while not done.is_set():
                    begun = time.perf_counter()
                    server.answer("collections/stored/similar", query)
                    slowest[0] = max(slowest[0], time.perf_counter() - begun)
                    time.sleep(0.01)

            other = threading.Thread(target=search)
            other.start()
            found, _, seconds = proposed(server)
            done.set()
            other.join()
            _, processor, alone = proposed(server)
            many = [form for form, documents in having.items() if documents > MORE_THAN]
            known = sum(any(one["text"] in form and one["documents"] == having[form] for form in many) for one in found)
            wrong += not (known == len(found) == len(many) and processor < 1)
            print(f"{len(texts):,} documents, {forms} forms in {share:.0%}: {len(many)} forms in more than {MORE_THAN}, {len(found)} proposals, {known} right; {processor:.2f} s of processor, "
                  f"{alone:.2f} s alone, {seconds:.2f} s with searches, of which the slowest took {slowest[0]:.2f} s; {works_on(server):.2f} s after hanging up", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
