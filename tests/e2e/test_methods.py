"""Shingles, signatures and groups by words, and what akin-lab calc says of them."""
import json
import re
import unittest
import xml.etree.ElementTree as ElementTree

from program import LIBRARY, AkinTest, story


class CalcTest(AkinTest):
    def test_supershingles_of_the_paper(self):
        answer = self.lab(
            "calc", "supershingles", "--similarity", "0.7", "--groups", "14", "--size", "6", "--json", code=0
        ).json
        self.assertAlmostEqual(answer["supershingle"], 1 - (1 - 0.7**6) ** 14, 12)
        self.assertEqual(answer["functions"], 84)

    def test_text_tells_formula_and_value(self):
        answer = self.lab("calc", "supershingles", "--similarity", "0.7", "--groups", "14", "--size", "6", code=0)
        self.assertIn("1 - (1 - 0.7^6)^14 = 0.826628", answer.out)

    def test_what_is_wanted_chooses_the_groups(self):
        wanted = ["--similarity", "0.7", "--recall", "0.82", "--functions", "84"]
        answer = self.lab("calc", "supershingles", *wanted, "--json", code=0).json
        self.assertEqual((answer["groups"], answer["size"]), (14, 6))
        self.assertGreaterEqual(answer["supershingle"], 0.82)

    def test_what_cannot_be_is_told(self):
        wanted = ["--similarity", "0.1", "--recall", "0.9", "--functions", "10"]
        self.assertIn("0.651322 at best", self.lab("calc", "supershingles", *wanted, code=2).err)
        self.lab("calc", "supershingles", "--groups", "14", code=2)
        self.lab("calc", "supershingles", "--groups", "14", "--size", "6", "--recall", "0.5", code=2)

    def test_table_and_curve(self):
        picture = self.folder / "curve.svg"
        signature = ["--groups", "6", "--size", "14", "--table", "--svg", picture, "--json"]
        table = self.lab("calc", "supershingles", *signature, code=0).json["table"]
        self.assertEqual(len(table), 21)
        for row in table:
            self.assertAlmostEqual(row["supershingle"], 1 - (1 - row["similarity"] ** 14) ** 6, 12)
        root = ElementTree.parse(picture).getroot()
        self.assertEqual(len(root.findall(".//{http://www.w3.org/2000/svg}polyline")), 2)
        self.lab("calc", "supershingles", "--groups", "6", "--size", "14", "--svg", self.folder / "no/curve.svg", code=2)

    def test_collisions_are_those_of_the_papers_table(self):
        answer = self.lab("calc", "collisions", "--shingles", "10376876", "--bits", "32", "--json", code=0).json
        self.assertAlmostEqual(answer["expected_equal_pairs"], 10376876 * 10376875 / 2 / 2**32, 6)
        self.assertEqual(answer["rough_rule"], 65536)
        for row, printed in zip(answer["shingles_at"], (9291.486835, 30083.8817, 66241.66888), strict=True):
            self.assertAlmostEqual(row["shingles"] / printed, 1, 9)
        self.assertIn("9291.486835", self.lab("calc", "collisions", "--shingles", "100", "--bits", "32", code=0).out)
        prime = self.lab("calc", "collisions", "--shingles", "10291000", "--modulus", "4049561377", "--json", code=0).json
        self.assertAlmostEqual(prime["expected_lost_values"], 13065, delta=1)
        self.lab("calc", "collisions", "--shingles", "5", "--modulus", "7", "--bits", "8", code=2)
        self.lab("calc", "collisions", "--shingles", "-1", code=2)
        self.lab("calc", "collisions", "--shingles", "5", "--bits", "0", code=2)


class PaperFeaturesTest(AkinTest):
    """akin-lab features --scheme paper-2009 in the letters of the paper."""

    TEXT = "Мама мыла раму. Рама чиста. Брюмзик рад."

    def features(self, scheme: str) -> str:
        return self.lab("features", "-", "--scheme", scheme, stdin=self.TEXT.encode(), code=0).out

    @staticmethod
    def numbers(pattern: str, text: str) -> list[int]:
        return [int(number.replace(",", "")) for number in re.findall(pattern, text)]

    def test_words_are_sums_of_ids_and_sentences_sums_of_words(self):
        for scheme, power in (("paper-2009", 1), ("paper-2009(ids=squared)", 2)):
            with self.subTest(scheme):
                shown = self.features(scheme)
                sentences = shown.split("sentence ")[1:]
                for sentence in sentences:
                    words = re.findall(r"(.*)  WH ([\d,]+)$", sentence, re.MULTILINE)
                    for terms, word_hash in words:
                        ids = self.numbers(r"[а-я] ([\d,]+)", terms)
                        codes = self.numbers(r"(\d+)⁴", terms)
                        wanted = sum(id**power for id in ids) + sum(code**4 for code in codes)
                        self.assertEqual(int(word_hash.replace(",", "")), wanted % 2**32, terms)
                    (total,) = self.numbers(r"SH ([\d,]+)", sentence)
                    self.assertEqual(total, sum(self.numbers(r"WH ([\d,]+)", sentence)) % 2**32)
                a, b, c = self.numbers(r"SH ([\d,]+)", shown)
                self.assertEqual(self.numbers(r"Seq2 ([\d,]+)", shown), [(a + b) % 2**32, (b + c) % 2**32, c])

    def test_other_schemes_show_the_hashes_that_they_use(self):
        shown = self.features("shingles(w=1,unit=word)")
        self.assertRegex(shown, r"Мама +мама +[0-9a-f]{16}\n")
        spelling = json.loads(self.lab("features", "-", "--scheme", "shingles(w=1,unit=word)", "--json", stdin=self.TEXT.encode(), code=0).out)
        self.assertIn(spelling["sentences"][0]["words"][0]["hash"], shown)


class MethodsTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.changed = story().replace("Очумелов", "Иванов")
        self.write("texts/whole.txt", story())
        self.write("texts/changed.txt", self.changed)
        self.write("texts/other.txt", story("chekhov-vanka.txt"))

    def index(self, scheme: str) -> None:
        self.akin("index", self.folder / "texts", "--scheme", scheme, code=0)

    def test_shingles_find_what_shares_words_in_a_row(self):
        self.index("shingles(w=4,stop=ru)")
        hits = self.akin("similar", self.folder / "texts/whole.txt", "--json", code=0).json["results"]
        self.assertEqual([hit["id"] for hit in hits[:2]], ["whole.txt", "changed.txt"])
        self.assertEqual(hits[0]["resemblance"], 1.0)
        self.assertGreater(hits[1]["resemblance"], 0.7)

    def test_samples_of_one_size_refuse_containment(self):
        self.index("shingles(sample=min:100)")
        query = self.folder / "texts/whole.txt"
        hit = self.akin("similar", query, "--json", code=0).json["results"][0]
        self.assertEqual((hit["id"], hit["containment"], hit["resemblance"]), ("whole.txt", None, 1.0))
        refused = self.akin("similar", query, "--min-containment", "0.5", "--json", code=2)
        self.assertEqual(json.loads(refused.err)["code"], "unsupported")
        self.assertIn("resemblance", self.akin("similar", query, code=0).out)
        self.akin("pairs", "--min-containment", "0.5", code=2)
        (pair,) = [json.loads(line) for line in self.akin("pairs", "--bound", "20", "--json", code=0).out.splitlines()]
        self.assertEqual((pair["a"], pair["b"], pair["contained"]), ("changed.txt", "whole.txt", None))
        self.assertIn(",,", self.akin("pairs", "--bound", "20", "--csv", code=0).out)

    def test_signatures_nominate_and_shingles_judge(self):
        self.index("shingles")
        exact = self.akin("similar", self.folder / "texts/whole.txt", "--json", code=0).json
        self.akin("reindex", "--scheme", "supershingles(groups=20,size=2)", code=0)
        judged = self.akin("similar", self.folder / "texts/whole.txt", "--json", code=0).json
        nomination = judged["nomination"]
        self.assertTrue(nomination["by"].startswith("supershingles(groups=20,size=2,minima=bins,of=shingles("))
        self.assertTrue(nomination["judged_by"].startswith("shingles("))
        self.assertEqual(nomination["nominees"], 2)
        self.assertEqual(judged["results"], [hit for hit in exact["results"] if hit["id"] != "other.txt"])
        out = self.akin("similar", self.folder / "texts/whole.txt", code=0).out
        self.assertIn("2 candidates generated by supershingles", out)
        pairs = self.akin("pairs", "--min-resemblance", "0.5", code=0).out
        self.assertRegex(pairs, r"1 pair of 1 candidates among 3 documents")
        self.akin("verify", "--deep", code=0)

    TIERS = "tiers(pairs=sentence-pairs,sentences=sentences,words=shingles(w=4))"

    def test_a_search_in_tiers_tells_which_found_what(self):
        # Every sentence of `edited` has a word of its own: only its shingles are those of the whole.
        edited = re.sub(r"([.!?])", r" совершенно\1", story())
        self.write("texts/edited.txt", edited)
        self.index(self.TIERS)
        query = self.folder / "texts/whole.txt"
        plain = self.akin("similar", query, "--json", code=0).json
        self.assertEqual([hit["id"] for hit in plain["results"]], ["whole.txt", "changed.txt"])
        self.assertNotIn("tiers", plain)
        answer = self.akin("similar", query, "--tiers", "pairs,words:20", "--json", code=0).json
        self.assertEqual([(tier["tier"], tier["bound"], tier["total"]) for tier in answer["tiers"]],
                         [("pairs", 3, 2), ("words", 20, 3)])  # fmt: skip
        self.assertEqual(answer["total"], 3)
        hits = answer["results"]
        self.assertEqual([(hit["id"], hit["tier"]) for hit in hits],
                         [("whole.txt", "pairs"), ("changed.txt", "pairs"), ("edited.txt", "words")])  # fmt: skip
        self.assertEqual([tier["found"] for tier in hits[2]["tiers"]], [False, True])
        self.assertEqual(sum(passage["features"] for passage in hits[2]["passages"]), hits[2]["x"])
        out = self.akin("similar", query, "--tiers", "pairs,words:20", code=0).out
        self.assertIn("3 documents share text with it, showing 3", out)
        self.assertIn("by pairs (X > 3): 2, by words (X > 20): 3", out)
        self.assertRegex(out, r"by pairs: \d of \d+ \(not found by it\); words: \d+ of")
        self.assertEqual(self.akin("similar", query, "--tiers", "all", "--json", code=0).json["total"], 3)
        self.akin("verify", "--deep", code=0)

    def test_pairs_and_groups_in_a_tier(self):
        self.index(self.TIERS)
        first = self.akin("pairs", "--bound", "20", "--json", code=0).out
        self.assertEqual(self.akin("pairs", "--bound", "20", "--tier", "pairs", "--json", code=0).out, first)
        (pair,) = [json.loads(line) for line in
                   self.akin("pairs", "--bound", "20", "--tier", "words", "--json", code=0).out.splitlines()]  # fmt: skip
        self.assertGreater(pair["x"], json.loads(first)["x"])
        self.assertIn("2 documents", self.akin("groups", "--bound", "20", "--tier", "words", code=0).out)
        table = self.akin("pairs", "--bound", "20", "--tier", "words", "--table", "-", code=0).out
        self.assertIn("changed.txt", table)

    def test_wrong_tiers_are_refused_with_those_there_are(self):
        self.index(self.TIERS)
        query = self.folder / "texts/whole.txt"
        for wrong in ("none", "pairs,pairs", "pairs:x", "", "pairs,,words"):
            self.akin("similar", query, "--tiers", wrong, code=2)
        self.assertIn("the tiers are pairs, sentences, words", self.akin("similar", query, "--tiers", "none", code=2).err)
        self.assertIn("the tiers are", self.akin("pairs", "--bound", "3", "--tier", "none", code=2).err)
        self.akin("reindex", "--scheme", "sentences", code=0)
        self.assertIn("has no tiers", self.akin("similar", query, "--tiers", "all", code=2).err)

    def test_groups_by_words_of_middle_frequency(self):
        self.write("texts/copy.txt", story() + " Абракадабра.")
        self.akin("index", LIBRARY, code=0)
        self.akin("index", self.folder / "texts", code=0)
        lines = self.akin("groups", "--method", "imatch", "--low", "0.1", "--high", "0.7", "--json", code=0).out
        groups = [json.loads(line)["ids"] for line in lines.splitlines()]
        self.assertIn(["chekhov-chameleon.txt", "copy.txt", "whole.txt"], groups)
        self.akin("groups", "--method", "imatch", "--bound", "3", code=2)
        self.akin("groups", "--method", "imatch", "--low", "0.9", "--high", "0.1", code=2)


class SynonymsTest(AkinTest):
    """Edit 7: a collection that joins synonyms beside one that does not, in one data folder."""

    def setUp(self):
        super().setUp()
        self.own = self.write("own.txt", "# one line, one word\nhouse dwelling\nquick speedy\n")
        self.write("a.txt", "The quick house stood there. Another sentence follows it. The end came soon.")
        self.write("b.txt", "The speedy dwelling stood there. Another sentence follows it. The end came soon.")
        self.joining = ("--collection", "joining", "--synonyms", self.own)

    def test_joined_words_change_nothing_where_they_are_asked_for(self):
        self.akin("index", "a.txt", *self.joining, "--scheme", "synonyms", code=0)
        self.akin("index", "a.txt", "--synonyms", self.own, code=0)
        best = ("b.txt", "--bound", "0", "--json")
        self.assertEqual(self.akin("similar", *best, *self.joining, code=0).json["results"][0]["x"], 3)
        self.assertEqual(self.akin("similar", *best, "--synonyms", self.own, code=0).json["results"][0]["x"], 2)
        # A scheme that does not join synonyms works with them and without.
        self.assertEqual(self.akin("similar", *best, code=0).json["results"][0]["x"], 2)
        compared = ("compare", "a.txt", "b.txt", "--json", "--synonyms", self.own)
        self.assertEqual(self.akin(*compared, "--scheme", "synonyms(of=sentences)").json["x"], 3)
        self.assertEqual(self.akin(*compared, "--scheme", "sentences").json["x"], 2)

    def test_collection_has_its_own_synonyms(self):
        self.akin("index", "a.txt", *self.joining, "--scheme", "synonyms", code=0)
        self.akin("similar", "b.txt", "--collection", "joining", code=0)
        self.assertIn("none are configured", self.lab("features", "a.txt", "--scheme", "synonyms", code=2).err)
        self.assertIn("none are configured", self.akin("index", "a.txt", "--collection", "new", "--scheme", "synonyms", code=2).err)
        other = self.write("other.txt", "house dwelling\n")
        mixed = self.akin("similar", "b.txt", "--collection", "joining", "--synonyms", other, code=2).err
        self.assertIn("built without the synonyms", mixed)
        self.assertIn("akin reindex --collection joining", mixed)
        self.akin("reindex", "--collection", "joining", "--synonyms", other, code=0)
        self.akin("verify", "--deep", "--collection", "joining", "--synonyms", other, code=0)
        self.akin("reindex", "--collection", "joining", "--scheme", "sentence-pairs", code=0)
        self.akin("verify", "--deep", "--collection", "joining", code=0)


if __name__ == "__main__":
    unittest.main()
