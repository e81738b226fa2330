"""akin features: a line of features for each line of JSON."""
import collections
import gzip
import json
import unittest

from program import CHAMELEON, AkinTest, story

VANKA = "chekhov-vanka.txt"


def line(**fields) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"


class FeaturesTest(AkinTest):
    def features(self, *arguments, code: int = 0, **rest) -> list[dict]:
        return list(map(json.loads, self.akin("features", *arguments, code=code, **rest).out.splitlines()))

    def test_they_are_those_of_the_program_that_shows_a_text(self):
        for scheme in ("sentence-pairs", "shingles(w=3)", "tiers(pairs=sentence-pairs,passages=winnow(k=5,t=12))"):
            corpus = line(id="a", text=story()) + line(id="b", text=story(VANKA))
            for row, text in zip(self.features("-", "--scheme", scheme, stdin=corpus.encode()), (story(), story(VANKA))):
                shown = self.lab("features", "-", "--scheme", scheme, "--json", stdin=text.encode(), code=0).json
                counted = collections.Counter(feature["hash"] for feature in shown["features"])
                self.assertEqual(dict(zip(row["features"], row["counts"])), counted)
                self.assertEqual(row["features"], sorted(counted))
                self.assertEqual(row["words"], sum(len(sentence["words"]) for sentence in shown["sentences"]))

    def test_documents_keep_the_order_of_lines_and_files(self):
        self.write("a.jsonl.gz", gzip.compress("".join(line(id=str(number), text=story()[: number % 700]) for number in range(9000)).encode()))
        self.write("b.ndjson", line(url="http://x/", body="eins") + line(body="zwei"))
        self.akin("features", "a.jsonl.gz", "--out", "features.jsonl.gz", code=0)
        rows = map(json.loads, gzip.decompress((self.folder / "features.jsonl.gz").read_bytes()).splitlines())
        self.assertEqual([row["id"] for row in rows], [str(number) for number in range(9000)])
        self.assertEqual([row["id"] for row in self.features("b.ndjson", "--text-field", "body")], ["http://x/", "b.ndjson:2"])

    def test_lines_that_are_no_documents_are_named_and_left_out(self):
        self.write("corpus.jsonl", line(id="a", text="") + "{\n" + line(id="b"))
        answer = self.akin("features", "corpus.jsonl", code=2)
        self.assertEqual(answer.out, '{"id":"a","words":0,"features":[],"counts":[]}\n')
        self.assertIn("corpus.jsonl line 2: ", answer.err)
        self.assertIn("corpus.jsonl line 3: field 'text': is missing", answer.err)

    def test_lines_that_are_not_listed_are_counted(self):
        self.write("corpus.jsonl", "{}\n" * 1200)
        self.assertTrue(self.akin("features", "corpus.jsonl", code=2).err.endswith("\nakin: and 200 more\n"))

    def test_other_files_are_refused(self):
        self.write("a.txt", story(CHAMELEON))
        self.assertIn("a.txt: does not name lines of JSON", self.akin("features", "a.txt", code=2).err)


if __name__ == "__main__":
    unittest.main()
