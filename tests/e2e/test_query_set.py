"""One set of queries, asked of every kind of store: all answers must be the same bytes.

With AKIN_CORPORA the library is of whole novels, otherwise of the sample.
"""
import http.client
import itertools
import json
import os
import pathlib
import random
import re
import unittest

import opensearch
from postgresql import Database
from program import LIBRARY, AkinTest
from server_process import Server

BOUNDS = (0, 3, 20)
NOVELS = 40
OWN = re.compile(r'"(stored|revision|seconds|created)": ?("[^"]*"|[0-9.]+),? ?')  # moments, which differ


def library() -> dict[str, str]:
    folder = pathlib.Path(os.environ.get("AKIN_CORPORA", "/nowhere")) / "ru-novels"
    files = sorted(folder.rglob("*.txt"))[:NOVELS] or sorted(LIBRARY.iterdir())
    return {file.name: file.read_text(encoding="utf-8") for file in files}


class QuerySet:
    """Texts and queries made from a library, always the same ones."""

    def __init__(self, texts: dict[str, str]):
        self.random = random.Random(2009)
        self.texts = texts
        self.sentences = {name: re.split(r"(?<=[.!?])\s+", text) for name, text in texts.items()}
        self.names = sorted(texts)
        self.refrain = "Так прошёл ещё один день, и никто ничего не сказал. Потом всё началось сначала."

    def passage(self, least: int, most: int) -> list[str]:
        sentences = self.sentences[self.random.choice(self.names)]
        begin = self.random.randrange(max(1, len(sentences) - most))
        return sentences[begin : begin + self.random.randint(least, most)]

    def edited(self) -> str:
        """A passage with words dropped and its sentences in another order."""
        sentences = [" ".join(word for word in one.split() if self.random.random() > 0.02) for one in self.passage(10, 60)]
        middle = len(sentences) // 2
        return " ".join(sentences[middle:] + sentences[:middle])

    def documents(self, fragments: int) -> list[dict]:
        made = [{"id": name, "text": text} for name, text in self.texts.items()]
        for number in range(fragments):
            text = " ".join(self.passage(5, 40)) if number % 2 else self.edited()
            made.append({"id": f"fragment-{number:04}", "text": f"{text} {self.refrain}" if number % 5 == 0 else text})
        return made

    def queries(self, count: int) -> list[str]:
        made = [self.texts[name] for name in self.random.sample(self.names, 3)]
        made += [self.refrain, "Nothing of this has ever been written there. Not a word of it."]
        while len(made) < count:
            made.append(" ".join(self.passage(3, 30)) if len(made) % 2 else self.edited())
        return made + [self.quotation(words) for words in range(4, 12)]

    def quotation(self, words: int) -> str:
        """So short that all words are read for it."""
        said = " ".join(self.passage(5, 40)).split()
        begin = self.random.randrange(max(1, len(said) - words))
        return " ".join(said[begin : begin + words])


class StoresTest(AkinTest):
    """Asks several stores the same; without tests of its own."""

    def setUp(self):
        super().setUp()
        self.stores = {"folder": (), self.other: ("--store", self.new_address())}
        self.set = QuerySet(library())

    def in_each(self, *command) -> str:
        """What a command prints, the same for every store."""
        printed = {name: self.akin(*command, *store, code=0).out for name, store in self.stores.items()}
        for name, out in printed.items():
            self.expect_same(out, printed["folder"], f"{command}: {name}")
        return printed["folder"]

    def expect_same(self, answer: str, expected: str, what: str):
        lines = [OWN.sub("", text).splitlines() for text in (expected, answer)]
        for one, other in itertools.zip_longest(*lines):
            self.assertEqual(other, one, what)

    def import_documents(self, documents: list[dict]):
        lines = "\n".join(json.dumps(one) for one in documents)
        path = self.write("documents.ndjson", lines)
        for store in self.stores.values():
            self.akin("import", path, *store, code=0)

    def similar(self, connection: http.client.HTTPConnection, query: str, parameters: str) -> tuple[str, int]:
        """The answer without moments, and how many it has found."""
        plain = {"Content-Type": "text/plain; charset=utf-8"}
        connection.request("POST", f"/v1/collections/default/similar?{parameters}", query.encode(), plain)
        answer = connection.getresponse()
        text = answer.read().decode()
        self.assertEqual(answer.status, 200, text[:500])
        return OWN.sub("", text), json.loads(text)["total"]

    def ask_everything(self, queries: list[str]) -> int:
        """Asks all stores; returns how many answers were compared."""
        servers = {name: Server(self, *store) for name, store in self.stores.items()}
        connections = {name: server.connect() for name, server in servers.items()}
        found = compared = 0
        for number, query in enumerate(queries):
            for asked in ("", *(f"bound={bound}&" for bound in BOUNDS)):
                for include in ("measures", "passages") if number % 3 == 0 else ("measures",):
                    parameters = f"{asked}limit=1000&include={include}"
                    expected, total = self.similar(connections["folder"], query, parameters)
                    found += total
                    answer, _ = self.similar(connections[self.other], query, parameters)
                    self.assertTrue(answer == expected, f"query {number}, {parameters}: the {self.other} differs")
                    compared += 1
        self.assertGreater(found, 10 * len(queries))
        for name, server in servers.items():
            connections[name].close()
            server.close()
        for bound in BOUNDS:
            self.assertGreater(self.in_each("pairs", "--bound", str(bound), "--json").count("\n"), 10)
            self.assertTrue(self.in_each("groups", "--bound", str(bound), "--json"))
        return compared

    def give_the_same_bytes(self):
        documents = self.set.documents(600)
        self.import_documents(documents)
        queries = self.set.queries(60)
        compared = self.ask_everything(queries)
        changed = [{"id": one["id"], "text": self.set.edited()} for one in self.set.random.sample(documents[-600:], 80)]
        self.import_documents(changed + [{"id": f"later-{number}", "text": self.set.edited()} for number in range(40)])
        gone = [one["id"] for one in self.set.random.sample(documents[-600:], 40)]
        for store in self.stores.values():
            self.akin("delete", *gone, *store, code=0)
        compared += self.ask_everything(queries)
        for store in self.stores.values():
            self.akin("compact", *store, code=0)
        compared += self.ask_everything(queries[:20] + queries[-8:])
        for store in self.stores.values():
            self.akin("reindex", *store, code=0)
        compared += self.ask_everything(queries[20:30])
        for store in self.stores.values():
            self.akin("verify", "--deep", *store, code=0)
        print(f"{len(documents)} documents, {compared} answers compared")


class QuerySetTest(StoresTest):
    other = "database"

    def new_address(self) -> str:
        return Database().address

    def test_every_store_gives_the_same_bytes(self):
        self.give_the_same_bytes()

    def test_collections_in_several_databases_are_searched_together(self):
        parts = [f"part{number}" for number in range(3)]
        routes = [word for part in parts for word in ("--store-of", f"{part}={Database().address}")]
        documents = self.set.documents(150)
        self.stores = {"folder": ()}
        self.import_documents(documents)
        for number, part in enumerate(parts):
            own = "\n".join(json.dumps(one) for place, one in enumerate(documents) if place % len(parts) == number)
            self.akin("import", self.write(f"{part}.ndjson", own), "--collection", part, *routes, code=0)
        server = Server(self, *routes)
        connection = server.connect()
        found = 0

        def hits(path: str, query: str) -> tuple[int, list[tuple[str, int]]]:
            plain = {"Content-Type": "text/plain; charset=utf-8"}
            connection.request("POST", path, query.encode(), plain)
            answer = connection.getresponse()
            listed = json.loads(answer.read())
            self.assertEqual(answer.status, 200, listed)
            return listed["total"], sorted((one["id"], one["x"]) for one in listed["results"])

        for query in self.set.queries(60):
            for bound in BOUNDS:
                asked = f"bound={bound}&limit=1000&include=measures"
                expected = hits(f"/v1/collections/default/similar?{asked}", query)
                self.assertEqual(hits(f"/v1/similar?collections={','.join(parts)}&{asked}", query), expected)
                found += expected[0]
        self.assertGreater(found, 300)
        connection.close()
        server.close()


class ClusterQuerySetTest(StoresTest):
    other = "cluster"

    def new_address(self) -> str:
        return opensearch.new_address()

    def test_a_cluster_gives_the_same_bytes(self):
        self.give_the_same_bytes()


if __name__ == "__main__":
    unittest.main()
