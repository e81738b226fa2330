"""All pairs and groups of a collection."""
import csv
import io
import itertools
import json
import random
import signal
import subprocess
import time
import unittest

from program import LIBRARY, AkinTest, edited_story, story


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

    def test_without_a_bound_pairs_are_those_that_similar_finds_without_one(self):
        self.akin("index", LIBRARY, code=0)
        self.write("edited.txt", edited_story())
        self.akin("index", "edited.txt", code=0)
        found = set()
        for record in self.ids() | {"whole.txt", "first half.txt", "other, story.txt", "other, again.txt", "edited.txt"}:
            hits = self.akin("similar", "--id", record, "--limit", "1000", "--json").json
            found |= {tuple(sorted([record, hit["id"]])) for hit in hits["results"]}
        pairs = self.pairs()
        self.assertEqual({(pair["a"], pair["b"]) for pair in pairs}, found)
        (edited,) = [pair for pair in pairs if (pair["a"], pair["b"]) == ("edited.txt", "whole.txt")]
        self.assertEqual(edited["x"], 1)
        self.assertIn(edited, self.pairs("--min-resemblance", "0.6"))
        self.assertNotIn("edited.txt", str(self.pairs("--min-resemblance", "0.1", "--tier", "pairs")))
        self.assertIn("words of a", self.akin("pairs", code=0).out)
        self.assertIn("edited.txt", self.akin("groups", "--min-resemblance", "0.6", code=0).out)

    def test_without_stored_texts_a_condition_is_needed_and_pairs_are_found_by_features(self):
        self.akin("index", self.folder / "texts", "--collection", "bare", "--no-text", code=0)
        self.assertIn("none of the conditions", self.akin("pairs", "--collection", "bare", code=2).err)
        pairs = self.pairs("--min-containment", "0.9", "--collection", "bare")
        self.assertEqual(pairs, self.pairs("--min-containment", "0.9", "--tier", "pairs"))

    def test_resumed_without_a_bound_they_are_the_same(self):
        whole = self.akin("pairs", "--json", code=0).out
        self.akin("pairs", "--json", "--resume", "pairs.ndjson", code=0)
        self.assertEqual((self.folder / "pairs.ndjson").read_text(encoding="utf-8"), whole)

    def test_containment_takes_a_part_of_a_whole(self):
        pairs = self.pairs("--min-containment", "0.9", "--tier", "pairs")
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

    def test_common_limit_takes_no_pair_by_what_more_documents_have(self):
        self.assertEqual(len(self.pairs("--bound", "0")), 2)
        self.assertEqual(self.pairs("--bound", "0", "--common-limit", "1"), [])
        self.assertEqual(self.pairs("--bound", "0", "--common-limit", "2"), self.pairs("--bound", "0"))
        report = self.akin("pairs", "--bound", "0", "--common-limit", "1", code=0).out
        self.assertRegex(report, r"^0 pairs \(without \d+ features that more than 1 document has\) among 4 documents")
        report = self.akin("groups", "--bound", "0", "--common-limit", "1", code=0).out
        self.assertRegex(report, r"0 groups of 0 documents \(without \d+ features that more than 1 document has\)")
        self.akin("pairs", "--bound", "0", "--common-limit", "1", "--table", "-", code=2)

    def test_a_common_limit_alone_leaves_out_passages_that_more_documents_have(self):
        chance = random.Random(6)
        words = lambda count: " ".join("".join(chance.choices("abdegiklmnoprstu", k=7)) for _ in range(count))
        notice, quoted = words(30), words(30)
        for name, shared in (("one", quoted), ("two", quoted), ("three", "")):
            self.write(f"news/{name}.txt", f"{words(200)} {shared} {words(100)} {notice}")
        self.akin("index", self.folder / "news", "--collection", "news", code=0)
        self.assertEqual(len(self.pairs("--collection", "news")), 3)
        (pair,) = self.pairs("--collection", "news", "--common-limit", "2")
        self.assertEqual((pair["a"], pair["b"], pair["words"]["a"]), ("one.txt", "two.txt", 60))
        self.assertIn("one.txt", self.akin("groups", "--collection", "news", "--common-limit", "2", code=0).out)

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
        self.assertIn("2 groups of 5 documents among 5 documents", answer.err)

    def test_groups_by_complete_linkage_have_no_chains(self):
        condition = ("groups", "--min-containment", "0.4", "--json")
        chained = lines(self.akin(*condition, code=0).out)
        linked = lines(self.akin(*condition, "--linkage", "complete", code=0).out)
        pairs = {frozenset((pair["a"], pair["b"])) for pair in self.pairs("--min-containment", "0.4")}
        for group in linked:
            for a, b in itertools.combinations(group["ids"], 2):
                self.assertIn(frozenset((a, b)), pairs)
        self.assertLessEqual(max(group["size"] for group in linked), max(group["size"] for group in chained))
        self.akin("groups", "--linkage", "average", code=2)

    def test_many_copies_are_one_group_in_little_memory_by_either_linkage(self):
        for number in range(200):
            self.write(f"copies/{number:03}.txt", story("chekhov-vanka.txt"))
        self.akin("index", self.folder / "copies", "--set", "copy=yes", code=0)
        condition = ("groups", "--min-containment", "0.9", "--memory", "1M", "--json")
        for linkage in ("single", "complete"):
            groups = lines(self.akin(*condition, "--linkage", linkage, code=0).out)
            self.assertEqual([group["size"] for group in groups], [202, 2])
            groups = lines(self.akin(*condition, "--linkage", linkage, "--filter", 'copy = "yes"', code=0).out)
            self.assertEqual([group["size"] for group in groups], [200])

    def test_groups_as_csv_number_each_id(self):
        rows = list(csv.DictReader(io.StringIO(self.akin("groups", "--min-resemblance", "0.9", "--csv", code=0).out)))
        self.assertEqual(rows, [{"group": "1", "id": "other, again.txt"}, {"group": "1", "id": "other, story.txt"}])


class ResumedPairsTest(AkinTest):
    """Documents of words from one small vocabulary: every two share many, so there are many pairs to report."""

    DOCUMENTS = 1500
    CONDITION = ("--bound", "57", "--memory", "1M")

    def setUp(self):
        super().setUp()
        chance = random.Random(7)
        words = ["".join(chance.choice("бвгджзклмн") + chance.choice("аеиоу") for _ in range(3)) for _ in range(600)]
        for number in range(self.DOCUMENTS):
            self.write(f"texts/d{number:04}.txt", " ".join(chance.choices(words, k=200)))
        self.akin("index", self.folder / "texts", "--scheme", "shingles(w=1)", code=0)
        self.file = self.folder / "pairs.out"
        self.progress = self.folder / "pairs.out.progress"

    def resume(self, *flags, code: int = 0, condition=CONDITION):
        return self.akin("pairs", *condition, "--resume", self.file.name, *(flags or ["--json"]), code=code)

    def refused(self, *flags, condition=CONDITION) -> dict:
        return json.loads(self.resume("--json", *flags, code=2, condition=condition).err)

    def interrupt(self, how: signal.Signals, size: int, form: str = "--json") -> dict:
        """Runs until the file has more bytes than `size`, and than before, then ends the run; its progress."""
        if self.file.exists():
            size = max(size, self.file.stat().st_size)
        with subprocess.Popen(
            self.command("pairs", *self.CONDITION, "--resume", self.file.name, form),
            env=self.environment,
            cwd=self.folder,
            stderr=subprocess.PIPE,
        ) as process:
            while process.poll() is None and not (self.file.exists() and self.file.stat().st_size > size):
                time.sleep(0.001)
            process.send_signal(how)
            self.message = process.communicate()[1].decode()
        self.assertEqual(process.returncode, 2 if how == signal.SIGINT else -how, self.message)
        progress = json.loads(self.progress.read_bytes())
        self.assertLessEqual(progress["bytes"], self.file.stat().st_size)
        return progress

    def test_killed_and_interrupted_runs_give_the_bytes_of_a_whole_one(self):
        for form in ("--json", "--csv"):
            whole = self.akin("pairs", *self.CONDITION, form, code=0)
            total = len(whole.out.encode())
            self.assertGreater(total, 4_000_000)
            self.interrupt(signal.SIGKILL, 0, form)
            stopped = self.interrupt(signal.SIGINT, total // 5, form)
            self.assertIn("stopped by a signal", self.message)
            self.assertGreater(stopped["next"], 0)
            self.assertGreater(stopped["bytes"], 0)
            for part in (0.4, 0.6):
                now = self.interrupt(signal.SIGKILL, int(total * part), form)
                self.assertGreaterEqual(now["bytes"], stopped["bytes"])
            answer = self.resume(form)
            self.assertEqual(self.file.read_bytes(), whole.out.encode())
            self.assertEqual(answer.out, "")
            self.assertEqual(answer.err.split(" among ")[0], whole.err.split(" among ")[0])
            self.assertEqual([path.name for path in self.folder.glob("pairs.out*")], ["pairs.out"])
            self.file.unlink()

    def test_run_that_nothing_interrupts_gives_the_same(self):
        self.resume()
        self.assertEqual(self.file.read_text(), self.akin("pairs", *self.CONDITION, "--json", code=0).out)
        self.assertEqual(self.refused()["code"], "already_exists")
        self.assertGreater(self.file.stat().st_size, 0)

    def test_other_memory_goes_on_too(self):
        self.interrupt(signal.SIGINT, 200_000)
        self.resume("--json", "--memory", "64M", condition=self.CONDITION[:2])
        self.assertEqual(self.file.read_text(), self.akin("pairs", *self.CONDITION, "--json", code=0).out)

    def test_changed_collection_or_condition_is_refused(self):
        self.interrupt(signal.SIGINT, 200_000)
        before = self.file.read_bytes()
        error = self.refused(condition=("--bound", "61"))
        self.assertEqual(error["code"], "precondition_failed")
        self.assertIn("belongs to other pairs: bound 57; now it would be bound 61", error["reason"])
        self.assertIn("delete", error["remedy"])
        self.assertIn('format "csv"', self.resume("--csv", code=2).err)
        self.akin("index", self.write("more/one.txt", "Мама мыла раму."), code=0)
        reason = self.refused()["reason"]
        self.assertIn("last_revision", reason)
        self.assertIn(f"documents {self.DOCUMENTS}", reason)
        self.akin("delete", "one.txt", code=0)
        self.assertNotIn("documents", self.refused()["reason"])
        self.akin("reindex", code=0)
        self.assertIn("generation", self.refused()["reason"])
        self.assertEqual(self.file.read_bytes(), before)

    def test_damaged_progress_is_refused(self):
        self.interrupt(signal.SIGINT, 200_000)
        whole = self.progress.read_bytes()
        number = b'"bytes":'
        digit = whole.index(number) + len(number)
        garbled = whole[:digit] + (b"1" if whole[digit : digit + 1] != b"1" else b"2") + whole[digit + 1 :]
        for damaged in (b"", whole[: len(whole) // 2], garbled, b"[]", b'{"of":{}}', b"\xff"):
            self.progress.write_bytes(damaged)
            error = self.refused()
            self.assertEqual((error["code"], error["what"][-8:]), ("corrupt", "progress"), damaged)
            self.assertIn("to start over", error["remedy"])
        self.progress.write_bytes(whole)
        self.file.write_bytes(b"short")
        self.assertEqual(self.refused()["code"], "corrupt")
        self.assertEqual(self.file.read_bytes(), b"short")
        self.file.unlink()
        self.assertEqual(self.refused()["code"], "not_found")

    def test_file_that_another_process_writes_is_refused(self):
        command = self.command("pairs", *self.CONDITION, "--resume", self.file.name, "--json")
        with subprocess.Popen(command, env=self.environment, cwd=self.folder, stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and not (self.file.exists() and self.file.stat().st_size > 0):
                time.sleep(0.001)
            process.send_signal(signal.SIGSTOP)
            self.assertEqual(self.refused()["code"], "busy")
            process.send_signal(signal.SIGCONT)
            self.assertEqual(process.wait(), 0)
        self.assertEqual(self.file.read_text(), self.akin("pairs", *self.CONDITION, "--json", code=0).out)

    def test_form_must_be_given(self):
        self.assertIn("--resume", self.akin("pairs", *self.CONDITION, "--resume", self.file, code=2).err)
        self.assertFalse(self.progress.exists())


if __name__ == "__main__":
    unittest.main()
