"""akin.similar, akin.compare and akin.features."""

import concurrent.futures
import itertools
import json
import os
import unittest
import unittest.mock

import akin
from package import TEXTS, PackageTest, story

TALES = ["The fox saw grapes. They hung high. She jumped & failed.", "They hung high. The fox saw <grapes>. She jumped & failed."]


class SimilarTest(PackageTest):
    def test_pairs_are_those_of_the_program(self):
        lines = "".join(json.dumps({"id": str(at), "text": text}) + "\n" for at, text in enumerate(TEXTS))
        self.akin("import", "-", stdin=lines.encode(), code=0)
        told = [json.loads(line) for line in self.akin("pairs", "--json", code=0).out.splitlines()]
        found = akin.similar(TEXTS)
        self.assertEqual(sorted((pair.a, pair.b, pair.resemblance) for pair in found),
                         sorted((*sorted((int(row["a"]), int(row["b"]))), row["resemblance"]) for row in told))  # fmt: skip
        self.assertEqual([(pair.a, pair.b) for pair in found], [(0, 2), (1, 3), (1, 4), (3, 4)])
        self.assertAlmostEqual(found[0].b_share, 0.848, 3)

    def test_flags_of_the_program_are_taken(self):
        self.assertEqual([(pair.a, pair.b) for pair in akin.similar(TEXTS, min_containment=0.7)], [(0, 2), (1, 3), (1, 4), (3, 4)])
        self.assertEqual(akin.similar(TEXTS, scheme="shingles(w=40)", bound=0), [])

    def test_more_than_nine_texts_keep_their_places(self):
        texts = [f"Number {at} {'a' * at} is alone." for at in range(11)] + [story(), story()]
        self.assertEqual([(pair.a, pair.b) for pair in akin.similar(texts)], [(11, 12)])

    def test_a_notebook_shows_pairs_and_their_passages(self):
        found = akin.similar([*TEXTS[:3], "<b>"])
        self.assertIn("<td>84.8%</td>", found._repr_html_())
        self.assertEqual(found[0]._repr_html_(), found[0].compare()._repr_html_())


class CompareTest(PackageTest):
    def test_passages_are_ranges_of_both_texts(self):
        compared = akin.compare(story()[:2000], "Начало. " + story()[:2000])
        self.assertEqual(compared.a_share, 1.0)
        (passage,) = compared.passages
        self.assertEqual(compared.text_a[slice(*passage.a)], compared.text_b[slice(*passage.b)])

    def test_passages_are_marked_and_texts_are_escaped(self):
        shown = akin.compare(*TALES, scheme="sentences")._repr_html_()
        self.assertIn("&lt;grapes&gt;", shown)
        self.assertNotIn("<grapes>", shown)
        self.assertIn('<mark style="background:#ffe9a8">', shown)

    def test_texts_without_a_common_word(self):
        compared = akin.compare("eins zwei", "drei")
        self.assertEqual((compared.passages, compared.a_share), ([], 0.0))
        self.assertNotIn("<mark", compared._repr_html_())
        self.assertEqual(akin.compare("", "").passages, [])


@unittest.skipUnless(os.environ.get("AKIN_LIBRARY"), "AKIN_LIBRARY names no library")
class AlignTest(PackageTest):
    def test_passages_and_shares_are_those_of_the_program(self):
        whole = story()
        parts = [whole[:3000], "😀 " + whole[2000:6000].replace("собак", "кошк"), whole[1000:2500] + whole[:1500], ""]
        for a, b in itertools.product(parts, parts):
            compared, aligned = akin.compare(a, b), akin.align(a, b)
            self.assertEqual((aligned.a_share, aligned.b_share), (compared.a_share, compared.b_share))
            passages = lambda found: sorted((one.a, one.b, one.words) for one in found.passages)
            self.assertEqual(passages(aligned), passages(compared))

    def test_a_library_that_is_missing_is_an_error(self):
        with unittest.mock.patch.dict(os.environ, {"AKIN_LIBRARY": "/nowhere.so"}), self.assertRaisesRegex(akin.ProgramError, "nowhere"):
            akin.align("a", "b")


class FeaturesTest(PackageTest):
    def test_those_of_one_text(self):
        self.assertEqual(akin.features(TEXTS[0]), next(akin.features([TEXTS[0]])))

    def test_they_are_those_of_the_program(self):
        for scheme in (None, "shingles(w=3)"):
            rows = list(akin.features(iter(TEXTS), scheme=scheme))
            for row, text in zip(rows, TEXTS, strict=True):
                flags = ["--scheme", scheme] if scheme else []
                shown = self.lab("features", "-", "--json", *flags, stdin=text.encode(), code=0).json["features"]
                self.assertEqual([f"{one:016x}" for one in row.hashes for _ in range(row.counts[row.hashes.index(one)])],
                                 sorted(feature["hash"] for feature in shown))  # fmt: skip

    @unittest.skipUnless(os.environ.get("AKIN_LIBRARY"), "AKIN_LIBRARY names no library")
    def test_the_library_and_the_program_give_the_same(self):
        texts = [*TEXTS, "", "\ud800 a\0b\n", story()]
        for flags in ({}, {"scheme": "tiers(pairs=sentence-pairs,passages=winnow(k=5,t=12))"}, {"lang": ["en"], "scheme": "shingles(w=3)"}):
            with concurrent.futures.ThreadPoolExecutor(4) as threads:
                in_process = list(threads.map(lambda text, flags=flags: next(akin.features([text], **flags)), texts))
            with unittest.mock.patch.dict(os.environ):
                del os.environ["AKIN_LIBRARY"]
                self.assertEqual(list(akin.features(texts, **flags)), in_process, flags)
        for flags, said in (({"scheme": "guess"}, "guess"), ({"lang": "xx"}, "xx")):
            with self.assertRaisesRegex(akin.ProgramError, said):
                list(akin.features(["a"], **flags))

    def test_a_library_that_is_missing_is_an_error(self):
        with unittest.mock.patch.dict(os.environ, {"AKIN_LIBRARY": "/nowhere.so"}), self.assertRaisesRegex(akin.ProgramError, "nowhere"):
            list(akin.features(["a"]))

    def test_any_text_is_taken(self):
        self.assertEqual([row.words for row in akin.features(["", "\ud800 a\0b\n", "Да"])][2], 1)


if __name__ == "__main__":
    unittest.main()
