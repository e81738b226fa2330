"""The examples on Spark and on Ray find the pairs of `akin pairs`, with the same X and shares, and the groups of `akin groups`."""

import collections
import json
import os
import random
import sys
import unittest

import pandas
from package import SOURCE, PackageTest, story

sys.path.insert(0, str(SOURCE / "python" / "examples"))
BOUND = 3


def edited_texts() -> list[dict]:
    """Parts of two stories with one notice before all of them: sentences are left out, repeated and moved."""
    chance = random.Random(7)
    rows = []
    for name in ("chekhov-chameleon.txt", "chekhov-vanka.txt"):
        sentences = story(name).replace("\n", " ").split(". ")
        for number in range(40):
            begin = chance.randrange(len(sentences) - 20)
            part = sentences[begin : begin + chance.randrange(4, 20)]
            part += chance.choices(part, k=chance.randrange(4))
            rows.append({"id": f"{name}/{number:02}", "text": "Все права защищены. Перепечатка запрещена. " * 2 + ". ".join(part) + "."})
    return rows


SHARE = 0.4


class ClusterTest(PackageTest):
    def setUp(self):
        super().setUp()
        self.rows = edited_texts()
        self.environ = {**os.environ}
        self.addCleanup(os.environ.update, self.environ)
        os.environ.update(AKIN_LANG="ru,en", PYTHONPATH=str(SOURCE / "python" / "examples"))

    def expected(self, *scheme: str, flags: tuple) -> tuple[list[tuple], list[list[str]]]:
        """The pairs and the groups of the program."""
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows)
        self.akin("import", "-", *scheme, stdin=lines.encode(), code=0)
        printed = [json.loads(line) for line in self.akin("pairs", *flags, "--json", code=0).out.splitlines()]
        groups = [json.loads(line)["ids"] for line in self.akin("groups", *flags, "--json", code=0).out.splitlines()]
        pairs = [(row["a"], row["b"], row["x"], *(row["words"][side] for side in ("a_share", "b_share") if "words" in row)) for row in printed]
        self.assertGreater(len(pairs), 100)
        return sorted(pairs), sorted(sorted(group) for group in groups)

    def by_features(self) -> tuple[list[tuple], list[list[str]]]:
        return self.expected("--scheme", "sentence-pairs", flags=("--bound", BOUND))

    def by_passages(self) -> tuple[list[tuple], list[list[str]]]:
        pairs, groups = self.expected(flags=("--min-containment", SHARE))
        self.assertGreater(sum(max(shares) >= SHARE for *_, shares in ((*pair[:3], pair[3:]) for pair in pairs)), 100)
        return pairs, groups


class SparkTest(ClusterTest):
    def setUp(self):
        super().setUp()
        from pyspark.sql import SparkSession

        os.environ["PYSPARK_PYTHON"] = sys.executable
        spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "2")
        # Compiling and planning again would take most of the time of so few rows.
        spark = spark.config("spark.sql.codegen.wholeStage", "false").config("spark.sql.adaptive.enabled", "false")
        self.spark = spark.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
        self.addCleanup(self.spark.stop)
        self.documents = self.spark.createDataFrame(pandas.DataFrame(self.rows)).repartition(3)

    def check(self, found, expected: tuple[list[tuple], list[list[str]]]):
        from spark_pairs import find_groups

        found = found.persist()
        groups = collections.defaultdict(list)
        for name, group in find_groups(found).collect():
            groups[group].append(name)
        self.assertEqual((sorted(map(tuple, found.collect())), sorted(map(sorted, groups.values()))), expected)

    def test_pairs_by_features(self):
        from spark_pairs import find_pairs

        self.check(find_pairs(self.documents, BOUND).select("a", "b", "x"), self.by_features())

    def test_pairs_by_passages(self):
        from spark_pairs import find_reuse

        self.check(find_reuse(self.documents, SHARE), self.by_passages())

    def test_groups_of_long_chains(self):
        from spark_pairs import find_groups

        ids = [f"{number:02}" for number in range(60)]
        random.Random(3).shuffle(ids)
        links = [sorted(pair) for pair in [*zip(ids[:40], ids[1:41]), *zip(ids[41:59], ids[42:60])]]
        groups = collections.defaultdict(set)
        for name, group in find_groups(self.spark.createDataFrame(links, ["a", "b"])).collect():
            groups[group].add(name)
        self.assertEqual(dict(groups), {min(chain): set(chain) for chain in (ids[:41], ids[41:])})


class RayTest(ClusterTest):
    def setUp(self):
        super().setUp()
        import ray

        ray.init(num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1", object_store_memory=100 * 2**20)
        self.addCleanup(ray.shutdown)
        self.documents = [(row["id"], row["text"]) for row in self.rows]

    def check(self, found: list[tuple], expected: tuple[list[tuple], list[list[str]]]):
        from ray_pairs import find_groups

        self.assertEqual((found, sorted(map(sorted, find_groups(found)))), expected)

    def test_pairs_by_features(self):
        from ray_pairs import find_pairs

        self.check(find_pairs(self.documents, BOUND, at_once=30, shares=3), self.by_features())

    def test_pairs_by_passages(self):
        from ray_pairs import find_reuse

        self.check(find_reuse(self.documents, SHARE, at_once=30, shares=3), self.by_passages())


if __name__ == "__main__":
    unittest.main()
