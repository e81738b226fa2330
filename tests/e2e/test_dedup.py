"""Duplicates of a corpus: which documents are dropped, and what is written of the others."""
import gzip
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import unittest

from program import SOURCE, AkinTest, edited_story, story

VANKA = "chekhov-vanka.txt"
TEXTS = 8000  # a run over them takes long enough to be killed


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?…])\s+", text)


def line(**fields) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"


def unlike_texts(count: int, words: int = 60) -> list[str]:
    """Texts of made-up words that share nothing."""
    chance = random.Random(5)
    return [" ".join("".join(chance.choices("bdfgklmnprst", k=2)) + chance.choice("aeiou") + "".join(chance.choices("bdfgklmnprst", k=3))
                     for _ in range(words)) + "." for _ in range(count)]


class DedupTest(AkinTest):
    def dedup(self, *arguments, code: int = 0, **options):
        return self.akin("dedup", *arguments, code=code, **options)

    def kept(self, *arguments, code: int = 0) -> list[str]:
        """Ids of the lines that are left of corpus.jsonl."""
        self.dedup("corpus.jsonl", "--out", "kept.jsonl", *arguments, code=code)
        return [json.loads(kept)["id"] for kept in self.lines("kept.jsonl")]

    def lines(self, name: str) -> list[str]:
        return (self.folder / name).read_text(encoding="utf-8").splitlines()

    def corpus(self, **texts: str):
        self.write("corpus.jsonl", "".join(line(id=name, text=text) for name, text in texts.items()))


class KindsTest(DedupTest):
    """One kind of copy beside another story."""

    def assert_dropped(self, copy: str, *flags):
        self.corpus(whole=story(), copy=copy, other=story(VANKA))
        self.assertEqual(self.kept(*flags), ["whole", "other"])

    def test_an_equal_text(self):
        self.assert_dropped(story())

    def test_other_line_breaks_marks_and_capitals(self):
        self.assert_dropped(re.sub(r"\s+", " ", re.sub(r"[^\w\s.]", "", story())).lower())

    def test_a_near_copy(self):
        words = story().split(" ")
        words[20::20] = ["иначе"] * len(words[20::20])
        self.assert_dropped(" ".join(words))

    def test_a_part(self):
        self.assert_dropped(" ".join(sentences(story())[5:40]))

    def test_reordered_sentences(self):
        parts = sentences(story())
        self.assert_dropped(" ".join(parts[30:60] + parts[60:] + parts[:30]))

    def test_shuffled_short_sentences(self):
        """Fewer words than a passage has, but the same words: alignment alone finds too little of such a text."""
        words = iter(unlike_texts(1, 300)[0].split())
        parts = [" ".join(next(words) for _ in range(length)).strip(".").capitalize() + "." for length in [6, 7, 8, 14] * 8]
        self.corpus(whole=" ".join(parts), copy=" ".join(random.Random(3).sample(parts, len(parts))), other=story())
        answer = self.dedup("corpus.jsonl", "--out", "kept.jsonl", "--why", "copy", code=0)
        self.assertEqual([json.loads(kept)["id"] for kept in self.lines("kept.jsonl")], ["whole", "other"])
        self.assertIn("'copy': dropped, 'whole' has 100.0 % of its words\n", answer.out)
        self.assertRegex(answer.out, r"\d+ sentences outside of passages with the same words\n      dropped  ")

    def test_inflected_words(self):
        forms = {"площадь": "площади", "полицейский": "полицейского", "толпа": "толпою", "собака": "собаку", "человек": "человека"}
        inflected = story()
        for form, other in forms.items():
            inflected = re.sub(rf"\b{form}\b", other, inflected)
        self.assertNotEqual(inflected, story())
        self.assert_dropped(inflected, "--min-resemblance", "0.99")

    def test_a_longer_text_is_not_covered_by_its_part(self):
        half = " ".join(sentences(story())[:40])
        self.corpus(half=half, whole=story())
        self.assertEqual(self.kept(), ["half", "whole"])
        self.assertEqual(self.kept("--keep", "longest"), ["whole"])

    def test_the_threshold_decides(self):
        self.corpus(whole=story(), edited=edited_story())
        self.assertEqual(self.kept(), ["whole", "edited"])
        self.assertEqual(self.kept("--min-containment", "0.6"), ["whole"])
        self.assertEqual(self.kept("--min-resemblance", "0.6"), ["whole"])
        self.assertEqual(self.kept("--min-resemblance", "0.95"), ["whole", "edited"])

    def test_texts_without_words_are_kept_unless_equal(self):
        self.corpus(a="", b="", c="…", d="Да.", e="Нет.")
        self.assertEqual(self.kept(), ["a", "c", "d", "e"])


class SelectionTest(DedupTest):
    def test_a_dropped_document_drops_no_other(self):
        words = story().split()
        self.corpus(a=" ".join(words[:200]), b=" ".join(words[50:250]), c=" ".join(words[100:300]))
        self.assertEqual(self.kept("--min-containment", "0.7"), ["a", "c"])

    def test_the_oldest_or_the_greatest_field_is_kept(self):
        self.write("corpus.jsonl", line(id="a", text=story(), date="2024-05-02", score=3)
                   + line(id="b", text=story(), date="2024-05-01", score=2)
                   + line(id="c", text=story() + " Конец.", metadata={"score": 17, "date": "2025-01-01"}) + line(id="d", text=story()))
        self.assertEqual(self.kept("--keep", "oldest"), ["b"])
        self.assertEqual(self.kept("--keep", "score"), ["c"])
        self.assertEqual(self.kept("--keep", "first"), ["a"])
        answer = self.dedup("corpus.jsonl", "--out", "kept.jsonl", "--keep", "score")
        self.assertIn("1 document without a value that --keep could use came last", answer.out)

    def test_a_shared_notice_makes_no_pair_to_compare(self):
        notice, *texts = unlike_texts(131)
        near = " ".join("иначе" if at % 20 == 19 else word for at, word in enumerate(texts[7].split()))
        self.corpus(**{f"t{at}": f"{notice} {text}" for at, text in enumerate([*texts, near])})
        summary = json.loads(self.dedup("corpus.jsonl", "--out", "kept.jsonl", "--json", code=0).out)
        self.assertEqual([json.loads(kept)["id"] for kept in self.lines("kept.jsonl")], [f"t{at}" for at in range(130)])
        self.assertLessEqual(summary["compared_pairs"], 3)  # 8,515 share the notice

    def test_documents_with_one_id_are_documents(self):
        self.write("corpus.jsonl", line(id="a", text=story()) + line(id="a", text=story(VANKA)) + line(id="a", text=story()))
        self.assertEqual(self.kept(), ["a", "a"])

    def test_only_what_a_known_file_does_not_have_is_kept(self):
        self.write("old.jsonl", line(id="known", text=story()))
        self.corpus(again=story(), new=story(VANKA), near=story() + " Ещё слово.")
        self.assertEqual(self.kept("--against", "old.jsonl", "--pairs", "pairs.jsonl"), ["new"])
        pairs = [json.loads(pair) for pair in self.lines("pairs.jsonl")]
        self.assertEqual([(pair["kept"], pair["dropped"], pair["shares"]) for pair in pairs],
                         [("known", "again", "equal text"), ("known", "near", "features")])

    def test_only_what_a_collection_does_not_have_is_kept(self):
        self.write("old.txt", story())
        self.akin("index", "old.txt", "--collection", "last-year", code=0)
        self.corpus(again=story(), new=story(VANKA))
        self.assertEqual(self.kept("--against", "last-year"), ["new"])
        summary = self.dedup("corpus.jsonl", "--out", "kept.jsonl", "--against", "last-year", "--json", code=0).json
        self.assertEqual((summary["known"], summary["read"]), (1, 2))
        answer = self.dedup("corpus.jsonl", "--out", "kept.jsonl", "--against", "next-year", code=2)
        self.assertIn("--against 'next-year': is neither a file nor a folder, and collection 'next-year': there is no", answer.err)
        self.assertIn("last-year", answer.err)

    def test_both_conditions_are_refused_together(self):
        self.corpus(a="a")
        self.dedup("corpus.jsonl", "--out", "k", "--min-containment", "0.5", "--min-resemblance", "0.5", code=2)
        self.dedup("corpus.jsonl", "--out", "k", "--min-containment", "0", code=2)


class OutputTest(DedupTest):
    LINES = ('{ "id" : "a", "text" : "' + "Один раз, два раза. " * 20 + '" , "n":1.0, "e":"\\u0041"}\r', '{"id":"b","text":"eins"}',
             '{"id":"c","text":"' + "Один раз, два раза. " * 20 + '"}')

    def test_kept_lines_are_the_same_bytes(self):
        self.write("corpus.jsonl", "\n".join(self.LINES))
        self.dedup("corpus.jsonl", "--out", "kept.jsonl")
        self.assertEqual((self.folder / "kept.jsonl").read_bytes().decode(), "\n".join(self.LINES[:2]) + "\n")

    def test_input_and_output_may_be_compressed_or_pipes(self):
        text = "\n".join(self.LINES)
        expected = "\n".join(self.LINES[:2]) + "\n"
        self.write("a.jsonl.gz", gzip.compress(text[:200].encode()) + gzip.compress(text[200:].encode()))
        self.write("a.jsonl.zst", subprocess.run(["zstd", "-q"], input=text.encode(), capture_output=True, check=True).stdout)
        self.dedup("a.jsonl.gz", "--out", "kept.jsonl.gz")
        self.assertEqual(gzip.decompress((self.folder / "kept.jsonl.gz").read_bytes()).decode(), expected)
        self.dedup("a.jsonl.zst", "--out", "kept.jsonl.zst")
        unpacked = subprocess.run(["zstd", "-dqc", self.folder / "kept.jsonl.zst"], capture_output=True, check=True).stdout
        self.assertEqual(unpacked.decode(), expected)
        answer = self.dedup("-", "--out", "-", stdin=gzip.compress(text.encode()))
        self.assertEqual(answer.out, expected)
        self.assertIn("read 3 documents, kept 2: 0 near-duplicates, 1 equal; 161 words before, 81 after; ", answer.err)

    def test_an_input_is_not_written_over(self):
        self.write("corpus.jsonl", "\n".join(self.LINES))
        for by in ("document", "line"):
            refused = self.dedup("corpus.jsonl", "--out", f"{self.folder}/./corpus.jsonl", "--by", by, code=2).err
            self.assertIn("--out: is a file that is read: what is dropped would be gone (name another file)", refused)
        self.write("known.jsonl", "\n".join(self.LINES))
        for flag, *others in (["--pairs", "--out", "o"], ["--clusters", "--out", "o"], ["--out", "--against", "corpus.jsonl"]):
            refused = self.dedup("known.jsonl" if "--against" in others else "corpus.jsonl", *others, flag, "corpus.jsonl", code=2).err
            self.assertIn(f"{flag}: is a file that is read", refused)
        self.assertIn("--out: is a file that is read", self.akin("features", "corpus.jsonl", "--out", "corpus.jsonl", code=2).err)
        with (self.folder / "corpus.jsonl").open() as read:
            command = [os.environ["AKIN"], "dedup", "-", "--out", self.folder / "corpus.jsonl"]
            self.assertIn(b"--out: is a file that is read", subprocess.run(command, stdin=read, capture_output=True, check=False).stderr)
        self.assertEqual((self.folder / "corpus.jsonl").read_bytes().decode(), "\n".join(self.LINES))

    def test_a_named_pipe_is_written_not_replaced(self):
        self.write("corpus.jsonl", "\n".join(self.LINES))
        pipe = self.folder / "kept.jsonl"
        os.mkfifo(pipe)
        reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
        self.addCleanup(reader.kill)
        self.dedup("corpus.jsonl", "--out", "kept.jsonl", code=0)
        self.assertEqual(reader.communicate(timeout=60)[0].decode(), "\n".join(self.LINES[:2]) + "\n")
        self.assertTrue(pipe.is_fifo())
        self.assertEqual(list(self.folder.glob("*.tmp")), [])

    def test_several_files_are_one_corpus(self):
        self.write("a.jsonl", line(text="один два три"))
        self.write("b.jsonl", "\n" + line(text="один два три") + line(text="vier"))
        self.dedup("a.jsonl", "b.jsonl", "--out", "kept.jsonl", "--pairs", "pairs.jsonl")
        self.assertEqual(self.lines("kept.jsonl"), ['{"text": "один два три"}', '{"text": "vier"}'])
        self.assertEqual(json.loads(self.lines("pairs.jsonl")[0]),
                         {"kept": "a.jsonl:1", "dropped": "b.jsonl:2", "share": 1.0, "shares": "equal text"})

    def test_a_folder_of_lines_is_its_files(self):
        (self.folder / "shards" / "more").mkdir(parents=True)
        self.write("shards/b.jsonl", line(id="b", text=story()))
        self.write("shards/a.ndjson", line(id="a", text=story()))
        self.write("shards/more/c.json", line(id="c", text=story(VANKA)))
        self.dedup("shards", "--out", "kept.jsonl")
        self.assertEqual([json.loads(kept)["id"] for kept in self.lines("kept.jsonl")], ["a", "c"])
        self.dedup("shards/b.jsonl", "--against", "shards/more", "--out", "kept.jsonl")
        self.write("shards/README.md", "Two stories.")
        answer = self.dedup("shards", "--out", "kept.jsonl", code=2)
        self.assertIn("shards: has lines of JSON beside other files, such as 'README.md' (name the files", answer.err)

    def test_tables_and_web_archives_are_for_the_package_for_python(self):
        for name in ("crawl.warc.gz", "news.PARQUET"):
            self.write(name, "any")
            answer = self.dedup(name, "--out", "kept.jsonl", code=2)
            self.assertTrue(answer.err.startswith(f"akin: {name}: is read by the package for Python"), answer.err)
        for name in ("texts.csv", "texts.TSV.gz"):
            self.write(name, "id,text\na,One story.\nb,Another one.\n")
            answer = self.dedup(name, "--out", "kept.txt", code=2)
            self.assertTrue(answer.err.startswith(f"akin: {name}: is a table, whose rows are not read (convert it to lines of JSON"), answer.err)
            self.write("corpus.jsonl", line(id="a", text=story()))
            self.assertIn(f"{name}: is a table", self.dedup("corpus.jsonl", "--against", name, "--out", "kept.jsonl", code=2).err)

    def test_a_damaged_line_is_named_and_the_others_are_compared(self):
        self.write("corpus.jsonl", line(id="a", text=story()) + '{"id":"b","text":"x\n' + line(id="c", texts="") + line(id="d", text=story()))
        answer = self.dedup("corpus.jsonl", "--out", "kept.jsonl", code=2)
        self.assertIn("corpus.jsonl line 2: ", answer.err)
        self.assertIn("corpus.jsonl line 3: field 'text': is missing", answer.err)
        self.assertIn("read 2 documents, kept 1: 0 near-duplicates, 1 equal; ", answer.out)
        self.assertIn("; 2 refused; ", answer.out)
        self.assertEqual(len(self.lines("kept.jsonl")), 1)
        summary = self.dedup("corpus.jsonl", "--out", "kept.jsonl", "--json", code=2).json
        self.assertEqual((summary["read"], summary["kept"], summary["equal"], summary["refused"]), (2, 1, 1, 2))

    def test_broken_compression_leaves_no_output(self):
        packed = gzip.compress(line(id="a", text=story()).encode())
        self.write("corpus.jsonl.gz", packed[: len(packed) // 2])
        self.dedup("corpus.jsonl.gz", "--out", "kept.jsonl", code=2)
        self.assertFalse((self.folder / "kept.jsonl").exists())
        self.assertEqual(list(self.folder.glob("*.tmp")), [])

    def test_a_file_that_is_not_lines_is_refused_once(self):
        for name, content, remedy in (
            ("array.json", b'[{"id": "a",\n "text": "one"}]\n', "jq -c '.[]'"),
            ("short.json", b' [{"id": "a", "text": "one"}]', "jq -c '.[]'"),
            ("pretty.json", b'{\r\n  "id": "a",\r\n  "text": "one"\r\n}\r\n', "jq -c ."),
            ("wide.jsonl", '{"id": "a", "text": "one"}\n'.encode("utf-16"), "iconv -f utf-16 -t utf-8"),
        ):  # fmt: skip
            self.write(name, content)
            answer = self.dedup(name, "--out", "out.jsonl", code=2)
            self.assertEqual(len(answer.err.splitlines()), 1, answer.err)
            self.assertTrue(answer.err.startswith(f"akin: {name}: "), answer.err)
            self.assertIn(remedy, answer.err)
            self.assertFalse((self.folder / "out.jsonl").exists())

    def test_marked_lines_say_what_covers_them(self):
        self.corpus(whole=story(), again=story(), part=" ".join(sentences(story())[:40]), other=story(VANKA))
        self.dedup("corpus.jsonl", "--out", "marked.jsonl", "--mark", "--clusters", "clusters.jsonl")
        marked = {row["id"]: row for row in map(json.loads, self.lines("marked.jsonl"))}
        self.assertEqual([(name, row["cluster"], row["duplicate_of"]) for name, row in marked.items()],
                         [("whole", 1, None), ("again", 1, "whole"), ("part", 1, "whole"), ("other", 4, None)])
        self.assertEqual((marked["again"]["share"], marked["whole"]["share"]), (1.0, None))
        self.assertGreaterEqual(marked["part"]["share"], 0.8)
        (cluster,) = map(json.loads, self.lines("clusters.jsonl"))
        self.assertEqual((cluster["cluster"], cluster["kept"], [one["id"] for one in cluster["dropped"]]), (1, "whole", ["again", "part"]))
        self.dedup("marked.jsonl", "--out", "twice.jsonl", "--mark", code=2)

    def test_why_shows_the_passages(self):
        self.corpus(whole=story(), again=story(), edited=edited_story(), other=story(VANKA))
        answer = self.dedup("corpus.jsonl", "--out", "kept.jsonl", "--min-containment", "0.6", "--why", "edited", "--why", "again",
                            "--why", "whole", "--why", "nobody", code=2)
        self.assertRegex(answer.out, r"'edited': dropped, 'whole' has \d\d\.\d % of its words\n")
        self.assertIn("passage of ", answer.out)
        self.assertIn("'again': dropped, 'whole' has the same text\n", answer.out)
        self.assertIn("'whole': kept, no kept document covers it; it covers 2 dropped documents\n", answer.out)
        self.assertIn("nobody", answer.err)

    def test_files_are_listed(self):
        self.write("texts/a/whole.txt", story())
        self.write("texts/b.html", "<p>" + story())
        self.write("texts/other.txt", story(VANKA))
        self.dedup("texts", "--out", "kept.txt")
        self.assertEqual(self.lines("kept.txt"), ["a/whole.txt", "other.txt"])
        self.dedup("texts", "--out", "marked.jsonl", "--mark")
        self.assertEqual([json.loads(row)["duplicate_of"] for row in self.lines("marked.jsonl")], [None, "a/whole.txt", None])
        self.corpus(a="a")
        self.dedup("texts", "corpus.jsonl", "--out", "kept.txt", code=2)

    def test_exit_code_1_means_that_something_was_dropped(self):
        self.corpus(a=story(), b=story())
        self.dedup("corpus.jsonl", "--out", "kept.jsonl", "--exit-code", code=1)
        self.dedup("kept.jsonl", "--out", "again.jsonl", "--exit-code", code=0)

    def test_a_scheme_of_features_alone_needs_no_alignment(self):
        self.corpus(whole=story(), part=" ".join(sentences(story())[:40]), other=story(VANKA))
        self.assertEqual(self.kept("--scheme", "shingles(w=5)"), ["whole", "other"])


class ScratchTest(DedupTest):
    def setUp(self):
        super().setUp()
        texts = unlike_texts(TEXTS)
        rows = [line(id=str(number), text=text) for number, text in enumerate(texts)]
        rows += [line(id=f"copy {number}", text=text + " Noch ein Wort.") for number, text in enumerate(texts[::3])]
        self.write("corpus.jsonl", "".join(rows))
        self.environment["TMPDIR"] = str(self.folder / "tmp")
        (self.folder / "tmp").mkdir()

    def test_nothing_is_left(self):
        self.dedup("corpus.jsonl", "--out", "kept.jsonl", "--scratch", "scratch")
        self.assertEqual(len(self.lines("kept.jsonl")), TEXTS)
        self.assertEqual(list((self.folder / "scratch").iterdir()), [])
        self.dedup("corpus.jsonl", "--out", "kept.jsonl")
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])

    def test_killed_runs_are_resumed(self):
        self.dedup("corpus.jsonl", "--out", "expected.jsonl")
        command = self.command("dedup", "corpus.jsonl", "--out", "kept.jsonl", "--scratch", "scratch", "--resume")
        kills, wait, code = 0, 0.05, -signal.SIGKILL
        while code != 0:  # each run gets a little further than the one before
            process = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL)
            time.sleep(wait)
            process.send_signal(signal.SIGKILL)
            code = process.wait()
            self.assertIn(code, (0, -signal.SIGKILL))
            kills, wait = kills + 1, wait * 1.2
        self.assertGreater(kills, 1)
        self.assertEqual(self.lines("kept.jsonl"), self.lines("expected.jsonl"))
        self.assertEqual(list((self.folder / "scratch").iterdir()), [])

    def test_what_an_earlier_run_did_is_not_done_again(self):
        flags = ("corpus.jsonl", "--out", "kept.jsonl", "--scratch", "scratch", "--resume")
        scratch = self.folder / "scratch" / "akin-dedup"
        process = subprocess.Popen(self.command("dedup", *flags), cwd=self.folder, env=self.environment)
        self.when(lambda: (scratch / "seeds").exists() or process.poll() is not None, "no candidates")
        process.send_signal(signal.SIGKILL)
        process.wait()
        before = (scratch / "measured").stat().st_mtime_ns
        self.assertIn("is of a run with another --min-containment (", self.dedup(*flags, "--min-containment", "0.7", code=2).err)
        changed = self.dedup(*flags, "--min-resemblance", "0.7", "--lang", "en", code=2)
        self.assertIn("another --min-containment, --min-resemblance, --lang (", changed.err)
        touched = (self.folder / "corpus.jsonl").stat().st_mtime_ns
        os.utime(self.folder / "corpus.jsonl", ns=(touched, touched + 10**9))
        self.assertIn("another PATH, or content of it (", self.dedup(*flags, code=2).err)
        os.utime(self.folder / "corpus.jsonl", ns=(touched, touched))
        self.assertIn("--resume continues", self.dedup(*flags[:-1], code=2).err)
        self.assertEqual((scratch / "measured").stat().st_mtime_ns, before)
        self.dedup(*flags)
        self.assertEqual(len(self.lines("kept.jsonl")), TEXTS)

    def test_ctrl_c_says_how_to_continue(self):
        process = subprocess.Popen(self.command("dedup", "corpus.jsonl", "--out", "kept.jsonl", "--scratch", "scratch"),
                                   cwd=self.folder, env=self.environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        self.when((self.folder / "scratch" / "akin-dedup" / "index").exists, "no index")
        process.send_signal(signal.SIGINT)
        error = process.communicate()[1].decode()
        self.assertIn("stopped by a signal", error)
        self.dedup("corpus.jsonl", "--out", "kept.jsonl", "--scratch", "scratch", "--resume")

    def test_standard_input_cannot_be_resumed(self):
        self.dedup("-", "--out", "kept.jsonl", "--scratch", "scratch", "--resume", code=2)
        self.dedup("corpus.jsonl", "--out", "kept.jsonl", "--resume", code=2)


class TwoRunsTest(DedupTest):
    """A second run that begins while the first one reads standard input."""

    def setUp(self):
        super().setUp()
        self.corpus(second=story(VANKA))

    def begin(self, *flags) -> subprocess.Popen:
        """A run that has opened its files, and ends when its standard input does."""
        process = subprocess.Popen(self.command("dedup", "-", *flags), cwd=self.folder, env=self.environment,
                                   stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        self.addCleanup(self.kill, process)
        self.when((self.folder / (flags[1] + ".tmp")).exists, "no output")
        if "--scratch" in flags:
            self.when((self.folder / "scratch" / "akin-dedup" / "run.json").exists, "no scratch folder")
        return process

    @staticmethod
    def kill(process: subprocess.Popen):
        process.kill()
        process.communicate()

    def end(self, process: subprocess.Popen):
        process.communicate(line(id="first", text=story()).encode(), timeout=60)
        self.assertEqual(process.returncode, 0)

    def ids_in(self, name: str) -> list[str]:
        return [json.loads(kept)["id"] for kept in self.lines(name)]

    def test_the_output_of_one_run_is_refused_to_another(self):
        first = self.begin("--out", "kept.jsonl", "--pairs", "pairs.jsonl")
        refusal = "is being written already (wait until the other run has ended, or name another file)"
        for flags in (["--out", "kept.jsonl"], ["--out", "kept.jsonl", "--by", "line"], ["--out", f"{self.folder}/./kept.jsonl"]):
            self.assertIn(f"kept.jsonl: {refusal}", self.dedup("corpus.jsonl", *flags, code=2).err)
        self.assertIn(f"pairs.jsonl: {refusal}", self.dedup("corpus.jsonl", "--out", "other.jsonl", "--pairs", "pairs.jsonl", code=2).err)
        self.assertEqual(self.dedup("corpus.jsonl", "--out", "other.jsonl", code=0).code, 0)
        self.end(first)
        self.assertEqual((self.ids_in("kept.jsonl"), self.ids_in("other.jsonl")), (["first"], ["second"]))
        self.assertEqual(list(self.folder.glob("*.tmp")), [])

    def test_one_file_cannot_be_two_outputs(self):
        for out, pairs in (("a", "a"), ("a", "./a"), ("-", "-")):
            answer = self.dedup("corpus.jsonl", "--out", out, "--pairs", pairs, code=2)
            self.assertEqual((answer.out, answer.err), ("", "akin: --pairs and --out: name the same file (name another one)\n"))

    def test_the_scratch_folder_of_one_run_is_refused_to_another(self):
        first = self.begin("--out", "kept.jsonl", "--scratch", "scratch")
        for resume in ([], ["--resume"]):
            refused = self.dedup("corpus.jsonl", "--out", "other.jsonl", "--scratch", "scratch", *resume, code=2)
            self.assertIn("scratch/akin-dedup: another run is at work in it (wait until it has ended, or give --scratch another", refused.err)
        self.end(first)
        self.assertEqual(self.ids_in("kept.jsonl"), ["first"])
        self.assertEqual(list((self.folder / "scratch").iterdir()), [])

    def test_a_killed_run_leaves_nothing_locked(self):
        self.kill(self.begin("--out", "kept.jsonl", "--scratch", "scratch"))
        refused = self.dedup("corpus.jsonl", "--out", "kept.jsonl", "--scratch", "scratch", code=2)
        self.assertIn("an earlier run that did not end left it", refused.err)
        self.dedup("corpus.jsonl", "--out", "kept.jsonl", code=0)
        self.assertEqual(self.ids_in("kept.jsonl"), ["second"])


class ParagraphTest(DedupTest):
    NOTICE = "Эта книга принадлежит библиотеке, и выносить её из читального зала нельзя."

    def test_repeated_paragraphs_are_left_out(self):
        first = line(id="a", text=f"Начало первой книги.\n\n{self.NOTICE}\n\nКонец.", n=1.0)
        second = '{"n": 1.50, "text": "' + self.NOTICE.replace("книга", "книги").upper() + '\\n\\nДругое начало.\\n\\nКонец.", "id": "b"}\n'
        self.write("corpus.jsonl", first + second + line(id="c", text=self.NOTICE) + line(id="d", text="Без повторов."))
        answer = self.dedup("corpus.jsonl", "--out", "kept.jsonl", "--by", "paragraph")
        self.assertEqual((self.folder / "kept.jsonl").read_text(encoding="utf-8"),
                         first + '{"n": 1.50, "text": "Другое начало.\\n\\nКонец.", "id": "b"}\n' + line(id="d", text="Без повторов."))
        self.assertIn("read 4 documents, kept 3, 1 of them shorter: 2 of 8 paragraphs repeated; ", answer.out)

    def test_lines_and_the_least_number_of_words(self):
        self.write("corpus.jsonl", line(id="a", text="Меню\nОдин два три\nЧетыре") + line(id="b", text="Меню\nодин, два — три!\nПять"))
        self.assertEqual(self.paragraphs("--by", "line", "--min-words", "3"), ["Меню\nОдин два три\nЧетыре", "Меню\nПять"])
        self.assertEqual(self.paragraphs("--by", "line", "--min-words", "1"), ["Меню\nОдин два три\nЧетыре", "Пять"])
        self.assertEqual(self.paragraphs("--by", "paragraph", "--min-words", "1"), ["Меню\nОдин два три\nЧетыре", "Меню\nодин, два — три!\nПять"])

    def paragraphs(self, *flags) -> list[str]:
        self.dedup("corpus.jsonl", "--out", "kept.jsonl", *flags)
        return [json.loads(row)["text"] for row in self.lines("kept.jsonl")]

    def test_paragraphs_of_a_known_file_are_left_out(self):
        self.write("old.jsonl", line(text=self.NOTICE))
        self.write("corpus.jsonl", line(text=f"Новое.\n\n{self.NOTICE}"))
        self.assertEqual(self.paragraphs("--by", "paragraph", "--against", "old.jsonl"), ["Новое.\n\n"])

    def test_flags_of_documents_are_refused(self):
        self.corpus(a="a")
        for flags in (["--mark"], ["--why", "a"], ["--keep", "longest"], ["--min-containment", "0.5"], ["--pairs", "p"], ["--clusters", "c"]):
            self.dedup("corpus.jsonl", "--out", "kept.jsonl", "--by", "paragraph", *flags, code=2)


class PassageTest(DedupTest):
    """Words are w0, w1 …: no dictionary has them, so each is equal to itself alone."""

    @staticmethod
    def words(begin: int, end: int) -> str:
        return " ".join(f"w{number}" for number in range(begin, end))

    def left(self, *flags) -> list[str]:
        self.dedup("corpus.jsonl", "--out", "kept.jsonl", "--by", "passage", *flags)
        return [json.loads(row)["text"] for row in self.lines("kept.jsonl")]

    def test_a_repeated_run_is_cut_out_wherever_it_stands(self):
        self.corpus(a=f"a b {self.words(0, 60)} c", b=f"d {self.words(5, 57)}. e f", c=f"g {self.words(5, 54)} h")
        self.assertEqual(self.left(), [f"a b {self.words(0, 60)} c", "d e f", f"g {self.words(5, 54)} h"])
        self.assertEqual(self.left("--min-words", "49"), [f"a b {self.words(0, 60)} c", "d e f", "g h"])

    def test_a_mark_stands_for_the_passage(self):
        self.corpus(a=self.words(0, 20), b=f"x {self.words(0, 12)}. Y {self.words(8, 18)}")
        self.assertEqual(self.left("--min-words", "10", "--cut", "[…]")[1], "x […]. Y […]")

    def test_forms_of_a_word_are_equal_and_order_counts(self):
        notice = ParagraphTest.NOTICE
        self.corpus(a=notice, b="Да, " + notice.replace("книга", "книги").upper() + " Нет", c=" ".join(reversed(notice.split())))
        self.assertEqual(self.left("--min-words", "10")[1:], ["Да, Нет", " ".join(reversed(notice.split()))])

    def test_a_run_may_repeat_in_its_own_text_but_not_overlap_itself(self):
        self.corpus(a=f"{self.words(0, 10)} x {self.words(0, 10)} y", b="zz " * 25 + "end")
        self.assertEqual(self.left("--min-words", "10"), [f"{self.words(0, 10)} x y", "zz " * 10 + "end"])

    def test_random_texts_are_cut_as_a_slow_twin_cuts_them(self):
        chance, seen, expected = random.Random(3), set(), []
        texts = [[chance.choice("abc") for _ in range(chance.randrange(1, 30))] for _ in range(300)]
        for text in texts:
            runs = [tuple(text[at : at + 5]) for at in range(len(text) - 4)]
            cut = {at + word for at, run in enumerate(runs) for word in range(5) if run in seen or run in runs[: max(0, at - 4)]}
            seen.update(runs)
            left = [f"{word}{word}w" for at, word in enumerate(text) if at not in cut]
            expected += [left] if left else []
        self.corpus(**{str(number): " ".join(f"{word}{word}w" for word in text) for number, text in enumerate(texts)})
        self.assertEqual([text.split() for text in self.left("--min-words", "5")], expected)

    def test_texts_of_repeated_words_alone_are_dropped_and_counted(self):
        self.corpus(a=self.words(0, 30), b=self.words(2, 28), c="other")
        answer = self.dedup("corpus.jsonl", "--out", "kept.jsonl", "--by", "passage", "--min-words", "10")
        self.assertEqual(len(self.lines("kept.jsonl")), 2)
        self.assertIn("read 3 documents, kept 2, 0 of them shorter: 1 passage repeated; 57 words before, 31 after; ", answer.out)

    def test_passages_of_a_known_file_are_cut_out(self):
        self.write("old.jsonl", line(text=self.words(0, 60)))
        self.corpus(a=f"x {self.words(0, 60)}")
        self.assertEqual(self.left("--against", "old.jsonl"), ["x "])

    def test_a_cut_is_for_passages(self):
        self.corpus(a="a")
        for by in ("document", "line"):
            self.assertIn("--cut", self.dedup("corpus.jsonl", "--out", "k", "--by", by, "--cut", "…", code=2).err)


class BenchTest(DedupTest):
    def test_planted_copies_are_measured(self):
        command = [sys.executable, "-B", SOURCE / "tests" / "bench" / "dedup.py", os.environ["AKIN"], "--documents", "200"]
        answer = self.run_command(command, b"", 0, {"AKIN_PEERS": "false"})
        rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in answer.out.splitlines() if row.startswith("| ")]
        self.assertEqual(rows[0][:3], ["way", "precision", "exact"])
        self.assertEqual([row[1:4] for row in rows[2:4]], [["100.0%"] * 3] * 2)
        self.assertIn("skipped: datasketch is not installed", answer.err)


if __name__ == "__main__":
    unittest.main()
