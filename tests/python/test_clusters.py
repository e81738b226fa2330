"""The examples on Spark and on Ray find the pairs of `akin pairs`, with the same X."""

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


class ClusterTest(PackageTest):
    def setUp(self):
        super().setUp()
        self.rows = edited_texts()
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows)
        self.akin("import", "-", "--scheme", "sentence-pairs", stdin=lines.encode(), code=0)
        told = [json.loads(line) for line in self.akin("pairs", "--bound", BOUND, "--json", code=0).out.splitlines()]
        self.expected = sorted((*sorted((row["a"], row["b"])), row["x"]) for row in told)
        self.assertGreater(len(self.expected), 100)
        self.environ = {**os.environ}
        self.addCleanup(os.environ.update, self.environ)
        os.environ.update(AKIN_LANG="ru,en", PYTHONPATH=str(SOURCE / "python" / "examples"))

    def test_spark(self):
        from pyspark.sql import SparkSession
        from spark_pairs import find_pairs

        os.environ["PYSPARK_PYTHON"] = sys.executable
        spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "4")
        spark = spark.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
        self.addCleanup(spark.stop)
        documents = spark.createDataFrame(pandas.DataFrame(self.rows)).repartition(3)
        self.assertEqual(sorted(map(tuple, find_pairs(documents, BOUND).select("a", "b", "x").collect())), self.expected)

    def test_ray(self):
        import ray
        from ray_pairs import find_pairs

        ray.init(num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1", object_store_memory=100 * 2**20)
        self.addCleanup(ray.shutdown)
        documents = [(row["id"], row["text"]) for row in self.rows]
        self.assertEqual(find_pairs(documents, BOUND, at_once=30, shares=3), self.expected)


if __name__ == "__main__":
    unittest.main()
