"""akin gate, akin admit: texts that are new enough, duplicates in groups."""
import json
import subprocess
import unittest

from program import QUERY, AkinTest, story


class GateTest(AkinTest):
    def admit(self, *arguments, code: int) -> list[dict]:
        return [json.loads(line) for line in self.akin("admit", *arguments, "--json", code=code).out.splitlines()]

    def test_text_like_a_stored_one_is_refused_and_the_stored_one_named(self):
        self.index_library()
        self.akin("gate", "set", "--measure", "containment", "--threshold", "0.3", code=0)
        (refused,) = self.admit(QUERY, code=0)
        self.assertEqual((refused["verdict"], refused["reason"]), ("refused", "duplicate"))
        words = self.akin("admit", QUERY, code=0).out
        self.assertIn(f"refused, duplicate; nearest {refused['nearest']['id']} with containment", words)

    def test_duplicates_share_a_group_that_a_person_splits(self):
        self.index_library()
        self.akin("gate", "set", "--action", "group", "--quota", "3", code=0)
        for name in "ab":
            self.write(f"{name}.txt", story())
        outcomes = self.admit("a.txt", "b.txt", code=0)
        self.assertEqual([one["verdict"] for one in outcomes], ["grouped", "grouped"])
        (group,) = [json.loads(line) for line in self.akin("gate", "groups", "--json", code=0).out.splitlines()]
        self.assertEqual(group["documents"][1:], ["a.txt", "b.txt"])
        self.write("c.txt", story())
        self.assertEqual(self.admit("c.txt", code=0)[0]["reason"], "group_full")
        self.akin("gate", "split", group["id"], "b.txt", code=0)
        self.assertEqual(self.akin("gate", "groups", code=0).out.count("group-"), 2)
        self.assertEqual(self.admit("c.txt", code=0)[0]["verdict"], "grouped")

    def test_processes_that_admit_copies_at_once_store_one(self):
        self.index_library()
        self.akin("gate", "set", code=0)
        text = "".join(f"Это совершенно новый рассказ номер {n}, которого ещё нет. " for n in "один два три четыре пять шесть".split())
        for number in range(6):
            self.write(f"{number}.txt", text)
        running = [
            subprocess.Popen(self.command("admit", f"{number}.txt", "--json"), cwd=self.folder, env=self.environment, stdout=subprocess.PIPE)
            for number in range(6)
        ]
        verdicts = sorted(json.loads(process.communicate()[0])["verdict"] for process in running)
        self.assertEqual(verdicts, ["admitted"] + ["refused"] * 5)

    def test_without_a_gate_the_remedy_is_told(self):
        self.index_library()
        self.assertIn("akin gate set", self.akin("admit", QUERY, code=2).err)
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
