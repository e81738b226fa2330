"""All pairs and groups of a collection."""
import csv
import io
import json
import subprocess
import unittest

from program import LIBRARY, AkinTest, story


def lines(out: str) -> list:
    return [json.loads(line) for line in out.splitlines()]


class PairsTest(AkinTest):
    def setUp(self):
        super().setUp()
        sentences = story().split(".")
        whole = self.write("texts/whole.txt", story())
        self.write("texts/first half.txt", ".".join(sentences[: len(sentences) // 2]))
        self.write("texts/other, story.txt", story("chekhov-vanka.txt"))
        self.write("texts/other, again.txt", story("chekhov-vanka.txt"))
        self.akin("index", whole.parent, code=0)

    def pairs(self, *flags) -> list:
        return lines(self.akin("pairs", *flags, "--json", code=0).out)

    def test_pairs_are_those_that_similar_finds(self):
        self.akin("index", LIBRARY, code=0)
        found = set()
        for record in self.ids() | {"whole.txt", "first half.txt", "other, story.txt", "other, again.txt"}:
            hits = self.akin("similar", "--id", record, "--bound", "0", "--limit", "1000", "--json").json
            found |= {(*sorted([record, hit["id"]]), hit["x"]) for hit in hits["results"]}
        self.assertEqual({(pair["a"], pair["b"], pair["x"]) for pair in self.pairs("--bound", "0")}, found)

    def test_containment_takes_a_part_of_a_whole(self):
        pairs = self.pairs("--min-containment", "0.9")
        self.assertEqual(
            {(pair["a"], pair["b"]) for pair in pairs},
            {("first half.txt", "whole.txt"), ("other, again.txt", "other, story.txt")},
        )
        self.assertTrue(all(max(pair["containment"], pair["contained"]) >= 0.9 for pair in pairs))

    def test_resemblance_takes_equals_alone(self):
        (pair,) = self.pairs("--min-resemblance", "0.9")
        self.assertEqual(
            (pair["a"], pair["b"], pair["containment"], pair["contained"], pair["resemblance"]),
            ("other, again.txt", "other, story.txt", 1.0, 1.0, 1.0),
        )

    def test_csv_holds_the_same(self):
        answer = self.akin("pairs", "--bound", "3", "--csv", code=0)
        rows = list(csv.DictReader(io.StringIO(answer.out)))
        for row, pair in zip(rows, self.pairs("--bound", "3"), strict=True):
            self.assertEqual((row["a"], row["b"], int(row["x"])), (pair["a"], pair["b"], pair["x"]))
            for measure in ("containment", "contained", "resemblance"):
                self.assertEqual(float(row[measure]), pair[measure])
        self.assertRegex(answer.err, r"^2 pairs among 4 documents, in \d+\.\d s\n$")

    def test_table_ends_with_the_summary(self):
        out = self.akin("pairs", "--bound", "3", code=0).out
        self.assertEqual(len(out.splitlines()), 4)
        self.assertRegex(out.splitlines()[-1], r"^2 pairs among 4 documents, in \d+\.\d s$")

    def test_nothing_found_is_exit_0(self):
        self.assertRegex(self.akin("pairs", "--bound", "100000", code=0).out, r"^0 pairs among 4 documents")

    def test_least_memory_gives_the_same(self):
        self.assertEqual(self.pairs("--bound", "0", "--memory", "1M"), self.pairs("--bound", "0"))

    def test_csv_and_json_exclude_one_another(self):
        answer = self.akin("pairs", "--bound", "3", "--csv", "--json", code=2)
        self.assertEqual(json.loads(answer.err)["what"], "--csv")

    def test_closed_pipe_is_no_error(self):
        command = " ".join(f"'{part}'" for part in self.command("pairs", "--bound", "3"))
        finished = subprocess.run(
            ["bash", "-o", "pipefail", "-c", f"{command} | true"], env=self.environment, capture_output=True, check=False
        )
        self.assertEqual((finished.returncode, finished.stderr), (0, b""))

    def test_groups_are_told_largest_first(self):
        self.write("more/third.txt", story("chekhov-vanka.txt"))
        self.akin("index", self.folder / "more", code=0)
        answer = self.akin("groups", "--min-containment", "0.9", "--json", code=0)
        self.assertEqual(
            lines(answer.out),
            [
                {"size": 3, "ids": ["other, again.txt", "other, story.txt", "third.txt"]},
                {"size": 2, "ids": ["first half.txt", "whole.txt"]},
            ],
        )
        self.assertIn("2 groups of 5 documents by 4 pairs among 5 documents", answer.err)

    def test_groups_as_csv_number_each_id(self):
        rows = list(csv.DictReader(io.StringIO(self.akin("groups", "--min-resemblance", "0.9", "--csv", code=0).out)))
        self.assertEqual(rows, [{"group": "1", "id": "other, again.txt"}, {"group": "1", "id": "other, story.txt"}])


if __name__ == "__main__":
    unittest.main()
