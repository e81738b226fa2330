"""akin gate, akin index --admit: texts that are new enough, duplicates in groups."""
import json
import shutil
import subprocess
import unittest

from program import LIBRARY, QUERY, AkinTest, story


class GateTest(AkinTest):
    def admit(self, *arguments) -> list[dict]:
        """The outcomes of all documents that were not simply admitted."""
        answer = self.akin("index", "--admit", *arguments, "--json", "--verbose", code=0).json
        return [one["outcome"] for one in answer["gate_documents"]]

    def test_text_like_a_stored_one_is_refused_and_the_stored_one_named(self):
        self.index_library()
        self.akin("gate", "set", "--measure", "containment", "--threshold", "0.3", code=0)
        (refused,) = self.admit(QUERY)
        self.assertEqual((refused["verdict"], refused["reason"]), ("refused", "duplicate"))
        words = self.akin("index", QUERY, "--admit", "--verbose", code=0).out
        self.assertIn(f"refused {QUERY}: duplicate of {refused['nearest']['id']}, containment", words)

    def test_preset_brings_its_gate(self):
        gate = self.akin("gate", "set", "--preset", "web", "--json", code=0).json
        self.assertEqual((gate["measure"], gate["threshold"]), ("resemblance", 0.5))
        self.akin("index", LIBRARY, "--admit", code=0)
        shutil.copy(LIBRARY / "chekhov-vanka.txt", self.folder / "copy.txt")
        (refused,) = self.admit("copy.txt")
        self.assertEqual((refused["verdict"], refused["nearest"]["id"]), ("refused", "chekhov-vanka.txt"))
        own = self.akin("gate", "set", "--threshold", "0.6", "--json", code=0).json
        self.assertEqual((own["measure"], own["threshold"]), ("resemblance", 0.6))
        own = self.akin("gate", "set", "--measure", "sorensen", "--json", code=0).json
        self.assertEqual((own["measure"], own["threshold"]), ("sorensen", 0.7))

    def test_refusal_lists_the_nearest_documents_with_their_passages(self):
        self.index_library()
        self.akin("gate", "set", "--threshold", "0.3", code=0)
        (refused,) = self.admit(QUERY)
        self.assertEqual(refused["similar"][0]["id"], refused["nearest"]["id"])
        self.assertGreaterEqual(len(refused["similar"][0]["passages"]), 1)
        said = self.akin("index", QUERY, "--admit", "--verbose", code=0).out
        self.assertRegex(said, rf"\n  [\d.]+ %  {refused['nearest']['id']}, \d+ passage")

    def test_copy_that_a_search_finds_is_refused_without_naming_a_measure(self):
        self.index_library()
        self.akin("gate", "set", code=0)
        words = story("chekhov-vanka.txt").split(" ")
        words[::10] = ["иначе"] * len(words[::10])
        self.write("edited.txt", " ".join(words))
        self.assertEqual(self.akin("similar", "edited.txt", "--json", code=0).json["results"][0]["id"], "chekhov-vanka.txt")
        (refused,) = self.admit("edited.txt")
        self.assertEqual((refused["verdict"], refused["nearest"]["id"]), ("refused", "chekhov-vanka.txt"))
        self.assertLess(refused["nearest"]["sorensen"], 0.5)

    def test_gate_says_that_it_takes_another_measure_where_texts_cannot_be_aligned(self):
        self.akin("index", QUERY, "--no-text", code=0)
        answer = self.akin("gate", "set", code=0)
        self.assertIn("the measure is sorensen", answer.err)
        self.assertIn("measure         sorensen", answer.out)

    def test_duplicates_share_a_group_that_a_person_splits(self):
        self.index_library()
        self.akin("gate", "set", "--action", "group", "--quota", "3", code=0)
        for name in "ab":
            self.write(f"{name}.txt", story())
        outcomes = self.admit("a.txt", "b.txt")
        self.assertEqual([one["verdict"] for one in outcomes], ["grouped", "grouped"])
        (group,) = [json.loads(line) for line in self.akin("gate", "groups", "--json", code=0).out.splitlines()]
        self.assertEqual(group["documents"][1:], ["a.txt", "b.txt"])
        self.write("c.txt", story())
        self.assertEqual(self.admit("c.txt")[0]["reason"], "group_full")
        self.akin("gate", "split", group["id"], "b.txt", code=0)
        self.assertEqual(self.akin("gate", "groups", code=0).out.count("group-"), 2)
        self.assertEqual(self.admit("c.txt")[0]["verdict"], "grouped")

    def test_processes_that_admit_copies_at_once_store_one(self):
        self.index_library()
        self.akin("gate", "set", code=0)
        text = "".join(f"Это совершенно новый рассказ номер {n}, которого ещё нет. " for n in "один два три четыре пять шесть".split())
        for number in range(6):
            self.write(f"{number}.txt", text)
        running = [
            subprocess.Popen(self.command("index", f"{number}.txt", "--admit", "--json"), cwd=self.folder, env=self.environment, stdout=subprocess.PIPE)
            for number in range(6)
        ]
        gates = [json.loads(process.communicate()[0])["gate"] for process in running]
        self.assertEqual((sum(gate["admitted"] for gate in gates), sum(gate["refused"]["duplicate"] for gate in gates)), (1, 5))

    def test_without_a_gate_the_remedy_is_told(self):
        self.index_library()
        self.assertIn("akin gate set", self.akin("index", QUERY, "--admit", code=2).err)
        self.assertIn("akin gate set", self.akin("gate", "show", code=2).err)

    def test_gate_is_shown_as_it_was_set_and_removed(self):
        self.index_library()
        self.akin("gate", "set", "--measure", "either", "--threshold", "0.5", "--min-characters", "2000", "--max-characters", "6000", code=0)
        gate = self.akin("gate", "show", "--json", code=0).json
        self.assertEqual((gate["measure"], gate["threshold"], gate["min_characters"], gate["max_characters"]), ("either", 0.5, 2000, 6000))
        self.akin("gate", "remove", code=0)
        self.akin("gate", "remove", code=2)
        self.akin("gate", "set", "--threshold", "0", code=2)
        self.akin("gate", "set", "--measure", "jaccard", code=2)


if __name__ == "__main__":
    unittest.main()
