"""The judge itself: it takes what the server may say, and nothing else."""
import unittest

import judge
import texts
from oracle import Oracle


class JudgeTest(unittest.TestCase):
    def setUp(self):
        self.oracle = Oracle("sentences")

    def stored(self, id_, numbers, moment, **fields):
        version = self.begun(id_, numbers, **fields)
        self.oracle.done(version, moment)
        return version

    def begun(self, id_, numbers, **fields):
        return self.oracle.begin_write(id_, numbers, str(numbers), fields)

    def answer(self, *results, total=None, size=4):
        """Of a question of `size` sentences; each result is id, x and features."""
        return {
            "total": len(results) if total is None else total,
            "results": [
                {"id": id_, "x": x, "features": n, "containment": x / size, "contained": x / n,
                 "resemblance": x / (size + n - x)}
                for id_, x, n in results
            ],
        }

    def judged(self, answer, read=None, **question):
        asked = judge.Question([1, 2, 3, 4], **{"bound": 1, **question})
        if read is not None:
            read.answered()
            return judge.search(self.oracle, asked, read, answer)
        with self.oracle.reading() as read:
            read.answered()
            return judge.search(self.oracle, asked, read, answer)

    def test_exact_answer_has_no_fault(self):
        self.stored("a", [1, 2, 3, 9], 1)
        self.stored("b", [4, 8], 2)
        self.assertEqual(self.judged(self.answer(("a", 3, 4))), [])

    def test_every_deviation_is_a_fault(self):
        self.stored("a", [1, 2, 3, 9], 1)
        self.stored("b", [2, 3], 2)
        self.stored("c", [4, 8], 3)
        for name, answer in {
            "one is missing": self.answer(("a", 3, 4)),
            "one is missing, and counted": self.answer(("a", 3, 4), total=2),
            "one is under the bound": self.answer(("a", 3, 4), ("b", 2, 2), ("c", 1, 2)),
            "x is wrong": self.answer(("a", 2, 4), ("b", 2, 2)),
            "features are wrong": self.answer(("a", 3, 5), ("b", 2, 2)),
            "order is wrong": self.answer(("b", 2, 2), ("a", 3, 4)),
            "one stands twice": self.answer(("a", 3, 4), ("b", 2, 2), ("b", 2, 2)),
            "total is wrong": self.answer(("a", 3, 4), ("b", 2, 2), total=3),
            "one was never stored": self.answer(("a", 3, 4), ("b", 2, 2), ("z", 2, 2)),
        }.items():
            with self.subTest(name):
                self.assertNotEqual(self.judged(answer), [])
        self.assertEqual(self.judged(self.answer(("a", 3, 4), ("b", 2, 2))), [])

    def test_limit_cuts_off_the_last_only(self):
        self.stored("a", [1, 2, 3, 9], 1)
        self.stored("b", [2, 3], 2)
        self.assertEqual(self.judged(self.answer(("a", 3, 4), total=2), limit=1), [])
        self.assertNotEqual(self.judged(self.answer(("b", 2, 2), total=2), limit=1), [])

    def test_filter_decides_what_counts(self):
        self.stored("a", [1, 2, 3], 1, author="x")
        self.stored("b", [1, 2, 3], 2, author="y")
        accepts = lambda id_, fields: fields.get("author") == "y"  # noqa: E731
        self.assertEqual(self.judged(self.answer(("b", 3, 3)), accepts=accepts), [])
        self.assertNotEqual(self.judged(self.answer(("a", 3, 3), ("b", 3, 3)), accepts=accepts), [])

    def test_write_during_the_search_may_be_seen_or_not(self):
        self.stored("a", [1, 2, 3], 1)
        with self.oracle.reading() as read:
            self.stored("a", [1, 2], 2)
            for x, n in [(3, 3), (2, 2)]:
                self.assertEqual(self.judged(self.answer(("a", x, n)), read), [])
            self.assertNotEqual(self.judged(self.answer(), read), [])
            self.assertNotEqual(self.judged(self.answer(("a", 3, 2)), read), [])

    def test_replaced_version_is_never_seen_again(self):
        self.stored("a", [1, 2, 3], 1)
        self.stored("a", [1, 2], 2)
        self.assertNotEqual(self.judged(self.answer(("a", 3, 3))), [])
        self.assertEqual(self.judged(self.answer(("a", 2, 2))), [])

    def test_removed_document_is_never_seen_again(self):
        self.stored("a", [1, 2, 3], 1)
        self.oracle.done(self.oracle.begin_write("a"))
        self.assertEqual(self.judged(self.answer()), [])
        self.assertNotEqual(self.judged(self.answer(("a", 3, 3))), [])

    def test_lost_write_leaves_both_until_the_next_one(self):
        self.stored("a", [1, 2, 3], 1)
        self.oracle.lost(self.begun("a", [1, 2]), dead=True)
        for x, n in [(3, 3), (2, 2)]:
            self.assertEqual(self.judged(self.answer(("a", x, n))), [])
        self.stored("a", [1, 2, 3, 4], 5)
        self.assertEqual(self.judged(self.answer(("a", 4, 4))), [])
        self.assertNotEqual(self.judged(self.answer(("a", 2, 2))), [])

    def test_refused_write_leaves_nothing(self):
        self.oracle.refused(self.begun("a", [1, 2, 3]))
        self.assertEqual(self.judged(self.answer()), [])
        self.assertNotEqual(self.judged(self.answer(("a", 3, 3))), [])

    def test_moments_of_storing_order_writes_that_overlap(self):
        one, other = self.begun("a", [1, 2, 3]), self.begun("a", [1, 2])
        self.oracle.done(one, 2)
        self.oracle.done(other, 1)
        self.assertEqual(self.judged(self.answer(("a", 3, 3))), [])
        self.assertNotEqual(self.judged(self.answer(("a", 2, 2))), [])

    def test_scheme_is_one_for_the_whole_answer(self):
        # By pairs a has 3 in common with 1 2 3 4, by sentences 4; b has 1 and 2.
        self.stored("a", [1, 2, 3, 4, 9], 1)
        self.stored("b", [1, 2, 8], 2)
        by_pairs, by_sentences = self.answer(("a", 3, 5), ("b", 1, 3)), self.answer(("a", 4, 5), ("b", 2, 3))
        mixed = self.answer(("a", 3, 5), ("b", 2, 3))
        with self.oracle.reading() as read:
            self.oracle.schemes.begin("sentence-pairs")
            self.oracle.schemes.end("sentence-pairs")
            for answer in (by_pairs, by_sentences):
                self.assertEqual(self.judged(answer, read, bound=0), [])
            self.assertNotEqual(self.judged(mixed, read, bound=0), [])
        self.assertEqual(self.judged(by_pairs, bound=0), [])
        self.assertNotEqual(self.judged(by_sentences, bound=0), [])

    def test_pairs_are_all_and_only_those(self):
        self.stored("a", [1, 2, 3], 1)
        self.stored("b", [2, 3, 4], 2)
        self.stored("c", [4, 5], 3)
        with self.oracle.reading() as read:
            read.answered()
            for lines, right in [
                ([("a", "b", 2)], True), ([], False), ([("a", "b", 3)], False), ([("b", "a", 2)], False),
                ([("a", "b", 2), ("b", "c", 1)], False), ([("a", "b", 2)] * 2, False),
            ]:
                told = [{"a": a, "b": b, "x": x} for a, b, x in lines]
                self.assertEqual(judge.pairs(self.oracle, read, told, bound=1) == [], right, lines)

    def test_forgotten_versions_leave_nothing_behind(self):
        for moment in range(100):
            self.stored("a", [moment, moment + 1], moment)
        self.assertEqual(len(self.oracle.versions["a"]), 1)
        self.assertEqual(len(self.oracle.index["sentences"]), 2)


class FeaturesTest(unittest.TestCase):
    def test_pairs_do_not_know_their_order_and_the_last_sentence_stands_alone(self):
        one, other = (texts.features(numbers, "sentence-pairs") for numbers in ([1, 2, 3], [3, 2, 1]))
        self.assertEqual(texts.overlap(one, other), 2)
        self.assertEqual(sum(one.values()), 3)


if __name__ == "__main__":
    unittest.main()
