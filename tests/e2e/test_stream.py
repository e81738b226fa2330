"""akin-lab train, akin stream and akin-lab evaluate judge: models of labelled pairs, documents judged as they come."""
import contextlib
import gzip
import json
import os
import pathlib
import select
import signal
import subprocess
import time
import unittest

from program import SOURCE, AkinTest

CORPORA = pathlib.Path(os.environ.get("AKIN_CORPORA", SOURCE / "build" / "corpora" / "corpora"))
WORDS = "дом лес река город поле дорога мост завод школа театр рынок порт берег остров гора озеро сад парк вокзал музей".split()


def sentence(number: int) -> str:
    """One of many sentences; no two are alike."""
    first, second = WORDS[number % 20], WORDS[number // 20 % 20]
    return f"В статье {number} сказано, что {first} и {second} видели {number % 7 + 2} человек."


def text(*numbers: int) -> str:
    return " ".join(map(sentence, numbers))


def line(name: str, body: str, **fields) -> str:
    return json.dumps({"id": name, "text": body, **fields}, ensure_ascii=False)


def labelled(count: int) -> str:
    """Pairs of which those with the label share three of four sentences, the others one."""
    rows = []
    for i in range(count):
        first, same = i * 20, i % 2 == 0
        shared = range(first, first + (3 if same else 1))
        a = text(*shared, first + 5, *([] if same else [first + 6, first + 7]))
        b = text(*shared, first + 9, *([] if same else [first + 10, first + 11]))
        rows.append(json.dumps({"a": {"text": a}, "b": {"text": b}, "label": same}, ensure_ascii=False))
    return "\n".join(rows) + "\n"


class Streaming(AkinTest):
    """Runs akin stream with the rule of copied sentences, which these made-up texts differ by; keeps its summary."""

    def stream(self, lines: list[str], *flags, code: int = 0, stdin: bytes | None = None) -> list[dict]:
        body = "\n".join(lines).encode() + b"\n" if stdin is None else stdin
        answer = self.akin("stream", "--rule", "sentences", *flags, stdin=body, code=code)
        self.summary = answer.err
        return [json.loads(one) for one in answer.out.splitlines()]


class StreamTest(Streaming):
    def test_lines_of_feeds_and_of_web_archives_are_documents(self):
        """What `akin-python lines` prints of a WARC, trafilatura of a page, a reader of feeds of an entry."""
        lines = [{"id": "b.example/1", "url": "https://b.example/1", "date": "2024-05-17T08:30:00Z", "text": text(1, 2, 3)},
                 {"source": "https://c.example/2", "hostname": "c.example", "title": None, "date": "2024-05-17", "text": text(3, 2, 1)},
                 {"link": "https://d.example/3", "published": "Fri, 17 May 2024 10:00:00 GMT", "summary": "…", "text": text(3, 2, 1)}]
        answers = self.stream([json.dumps(one, ensure_ascii=False) for one in lines])
        self.assertEqual([(one["id"], one["answer"], one["group"]) for one in answers],
                         [("b.example/1", "new", "b.example/1"), ("https://c.example/2", "duplicate", "b.example/1"),
                          ("https://d.example/3", "duplicate", "b.example/1")])

    def test_each_document_is_answered_with_its_original_or_new(self):
        answers = self.stream(
            [line("a", text(1, 2, 3, 4)), line("b", text(11, 12, 13)), line("c", text(4, 9, 2, 1)), line("d", text(21))]
        )
        self.assertEqual([(one["id"], one["answer"], one["original"]) for one in answers],
                         [("a", "new", None), ("b", "new", None), ("c", "duplicate", "a"), ("d", "new", None)])
        self.assertEqual([one["line"] for one in answers], [1, 2, 3, 4])
        self.assertGreater(answers[2]["score"], 0.6)
        self.assertIn("4 documents: 3 new, 1 duplicate, 0 undecided; 0 lines refused", self.summary)

    def test_default_rule_finds_one_event_in_other_words(self):
        lines = [line("a", "Governor Smith told reporters so. The bridge at Springfield opened after 3 years.",
                      title="Bridge opens in Springfield"),
                 line("b", "Reporters heard it from Governor Smith: after 3 years of work, Springfield has opened its bridge.",
                      title="Springfield opens a bridge")]
        self.assertEqual([one["answer"] for one in self.stream(lines)], ["new", "new"])
        background = self.write("background.ndjson", line("c", text(1)) + "\n" + line("d", text(2)) + "\n")
        for flags in ([], ["--background", background]):
            answer = self.akin("stream", *flags, stdin="\n".join(lines).encode(), code=0)
            self.assertEqual([json.loads(one)["answer"] for one in answer.out.splitlines()], ["new", "duplicate"], flags)

    def test_background_and_model_exclude_one_another(self):
        self.lab("train", "--labels", self.write("labels.ndjson", labelled(30)), "--model", "duplicate", code=0)
        answer = self.akin("stream", "--background", "labels.ndjson", "--model", "duplicate", code=2)
        self.assertIn("cannot be combined with --model", answer.err)

    def test_broken_lines_are_answered_and_the_rest_goes_on(self):
        answers = self.stream(
            [line("a", text(1, 2, 3)), "{broken", "", '{"id": "x"}', '{"text": "no id"}',
             line("later", text(5), time="2999-01-01"), line("b", text(1, 2, 3))], code=2)
        self.assertEqual([one["line"] for one in answers], [1, 2, 4, 5, 6, 7])
        self.assertEqual([one["error"]["code"] if "error" in one else one["answer"] for one in answers],
                         ["new", "invalid_json", "invalid_argument", "invalid_argument", "invalid_argument", "duplicate"])
        self.assertIn("4 lines refused", self.summary)

    def test_id_that_comes_again_replaces_its_document(self):
        answers = self.stream([line("a", text(1, 2, 3)), line("a", text(1, 2, 3)), line("b", text(1, 2, 3))])
        self.assertEqual([(one["answer"], one.get("replaced", False), one["original"]) for one in answers],
                         [("new", False, None), ("new", True, None), ("duplicate", False, "a")])

    def test_window_ends_by_the_documents_times(self):
        lines = [line("a", text(1, 2, 3), time="2020-05-01T00:00:00Z"),
                 line("b", text(1, 2, 3), time="2020-05-02T00:00:00Z"),
                 line("c", text(1, 2, 3), time="2020-05-03T12:00:00Z")]
        self.assertEqual([one["answer"] for one in self.stream(lines, "--window", "24h")], ["new", "duplicate", "new"])
        self.assertEqual([one["answer"] for one in self.stream(lines, "--window", "2d")], ["new", "duplicate", "duplicate"])

    def test_number_of_documents_is_bounded(self):
        lines = [line("a", text(1, 2)), line("b", text(3, 4)), line("c", text(5, 6)), line("d", text(1, 2))]
        self.assertEqual(self.stream(lines, "--most", "2")[3]["answer"], "new")
        self.assertEqual(self.stream(lines, "--most", "3")[3]["answer"], "duplicate")

    def test_compressed_input_is_read(self):
        body = gzip.compress((line("a", text(1, 2)) + "\n" + line("b", text(1, 2)) + "\n").encode())
        self.assertEqual([one["answer"] for one in self.stream([], stdin=body)], ["new", "duplicate"])

    def test_threads_make_no_difference(self):
        lines = [line(str(i), text(*(j * j % 90 for j in range(i, i + 4)))) for i in range(200)]
        self.assertEqual(self.stream(lines, "--threads", "1"), self.stream(lines, "--threads", "7"))

    def test_answers_come_before_the_next_document(self):
        with subprocess.Popen(self.command("stream"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=self.environment) as process:
            for name in "abc":
                process.stdin.write(line(name, text(1, 2, 3)).encode() + b"\n")
                process.stdin.flush()
                self.assertEqual(json.loads(process.stdout.readline())["id"], name)
            process.stdin.close()
            self.assertEqual(process.wait(60), 0)

    def test_sigterm_ends_the_stream_behind_what_was_read(self):
        with subprocess.Popen(self.command("stream"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=self.environment) as process:
            process.stdin.write(line("a", text(1, 2, 3)).encode() + b"\n")
            process.stdin.flush()
            self.assertEqual(json.loads(process.stdout.readline())["answer"], "new")
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(30), 0)
            self.assertIn(b"1 document: 1 new", process.stderr.read())

    def test_closed_pipe_is_no_error(self):
        body = self.write("in.ndjson", "".join(line(str(i), text(i)) + "\n" for i in range(5000)))
        command = " ".join(f"'{part}'" for part in self.command("stream", body))
        finished = subprocess.run(["bash", "-o", "pipefail", "-c", f"{command} | head -n 1"], env=self.environment,
                                  capture_output=True, check=False, timeout=120)
        self.assertEqual(finished.returncode, 0, finished.stderr)

    def test_wrong_flags_are_errors(self):
        for flags in (["--window", "soon"], ["--nominate", "guess"], ["--threshold", "2"], ["--model", "nobody"],
                      ["--rule", "guess"], ["--background", "nowhere.tsv"]):
            self.assertEqual(self.akin("stream", *flags, code=2).out, "")


class FolderStreamTest(Streaming):
    """Files that collectors put into a folder."""

    def put(self, name: str, *lines: str, age: float = 10) -> pathlib.Path:
        path = self.write(f"incoming/{name}", "\n".join(lines))
        written = time.time() - age
        os.utime(path, (written, written))
        return path

    def stream_folder(self, *flags, code: int = 0) -> list[dict]:
        return self.stream([], "incoming", *flags, code=code, stdin=b"")

    def test_files_are_read_in_the_order_of_their_writing(self):
        self.put("b.jsonl", line("copy", text(1, 2, 3)), line("other", text(7, 8)), age=10)
        self.put("sub/c.ndjson", line("first", text(1, 2, 3)), age=20)
        self.put(".unfinished.jsonl", line("unfinished", text(1, 2, 3)))
        answers = self.stream_folder()
        self.assertEqual([(one["file"], one["line"], one["id"], one["answer"]) for one in answers],
                         [("sub/c.ndjson", 1, "first", "new"), ("b.jsonl", 1, "copy", "duplicate"), ("b.jsonl", 2, "other", "new")])

    def test_items_of_newsml_name_their_provider_as_the_first_source(self):
        item = ('<?xml version="1.0"?>\n<newsItem guid="urn:x:1"><itemMeta><provider literal="Agency"/>'
                "<versionCreated>2026-05-01T09:00:00Z</versionCreated></itemMeta><contentMeta><headline>H</headline></contentMeta>"
                f"<contentSet><inlineXML><html><body><p>{text(1, 2, 3)}</p></body></html></inlineXML></contentSet></newsItem>")
        self.put("portal.jsonl", line("portal/1", text(1, 2, 3), time="2026-05-01T10:00:00Z", source="portal"), age=20)
        self.put("item.xml", item)
        _, late = self.stream_folder()
        self.assertEqual((late["id"], late["answer"], late["group"], late["corrects"]), ("item.xml", "duplicate", "portal/1", "portal/1"))
        self.assertEqual(late["first"], {"id": "item.xml", "source": "Agency", "time": "2026-05-01T09:00:00.000000Z"})

    def test_a_file_that_cannot_be_read_is_answered_and_the_rest_goes_on(self):
        self.write("incoming/a.jsonl.gz", b"\x1f\x8bbroken")
        self.put("b.jsonl", line("b", text(1)), age=-10)
        broken, b = self.stream_folder(code=2)
        self.assertEqual(broken["file"], "a.jsonl.gz")
        self.assertIn("error", broken)
        self.assertEqual(b["answer"], "new")

    @contextlib.contextmanager
    def following(self):
        with subprocess.Popen(self.command("stream", "--rule", "sentences", "incoming", "--follow"), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment, cwd=self.folder) as process:
            yield process, lambda: json.loads(process.stdout.readline())
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(30), 0)

    def test_following_answers_files_that_are_put_there(self):
        self.put("a.jsonl", line("a", text(1, 2, 3)))
        with self.following() as (_, answer):
            self.assertEqual(answer()["id"], "a")
            self.put("b.jsonl", line("b", text(1, 2, 3)))
            self.assertEqual(answer()["original"], "a")

    def test_following_finds_what_arrives_in_new_folders(self):
        self.put("a.jsonl", line("a", text(1, 2, 3)))
        self.write("elsewhere/deep/c.jsonl", line("c", text(7, 8)))
        with self.following() as (_, answer):
            self.assertEqual(answer()["id"], "a")
            (self.folder / "incoming" / "day" / "hour").mkdir(parents=True)
            self.put("day/hour/b.jsonl", line("b", text(1, 2, 3)))
            self.assertEqual(answer()["file"], "day/hour/b.jsonl")
            os.rename(self.folder / "elsewhere", self.folder / "incoming" / "moved")
            self.assertEqual(answer()["file"], "moved/deep/c.jsonl")
            self.put("moved/deep/.hidden.jsonl", line("hidden", text(1)))
            self.put("moved/deep/d.jsonl", line("d", text(7, 8)))
            self.assertEqual(answer()["original"], "c")

    def test_following_reads_a_renamed_file_at_once_and_another_when_it_is_at_rest(self):
        self.put("a.jsonl", line("a", text(1, 2, 3)))
        with self.following() as (_, answer):
            self.assertEqual(answer()["id"], "a")
            self.put("growing.jsonl", line("growing", text(7, 8)), age=-2)
            os.utime(self.write("whole.jsonl", line("whole", text(1, 2, 3))), (time.time() + 60,) * 2)
            os.rename(self.folder / "whole.jsonl", self.folder / "incoming" / "whole.jsonl")
            self.assertEqual([answer()["id"] for _ in range(2)], ["whole", "growing"])

    def test_following_an_idle_folder_costs_next_to_nothing(self):
        for number in range(3000):
            self.put(f"{number % 7}/{number}.jsonl", line(str(number), text(number)))
        with self.following() as (process, answer):
            for _ in range(3000):
                answer()
            spent = lambda: sum(map(int, pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]))
            time.sleep(0.5)
            before = spent()
            time.sleep(2)
            self.assertLessEqual(spent() - before, 10)  # hundredths of a second

    def test_a_stream_with_state_continues_where_it_ended(self):
        self.put("a.jsonl", line("a", text(1, 2, 3), time="2026-05-01T10:00:00Z", source="one"))
        self.assertEqual([one["answer"] for one in self.stream_folder("--state", "window")], ["new"])
        self.assertEqual(self.stream_folder("--state", "window"), [])
        self.put("b.jsonl", line("b", text(1, 2, 3), time="2026-05-01T11:00:00Z"))
        (b,) = self.stream_folder("--state", "window")
        self.assertEqual((b["original"], b["group"], b["first"]["source"]), ("a", "a", "one"))

    def test_a_story_outlives_its_first_document_in_the_state(self):
        flags = ("--state", "window", "--window", "24h")
        for day, name in enumerate("abc"):
            (answer,) = self.stream([line(name, text(1, 2, 3), time=f"2026-05-0{day + 1}T00:00:00Z")], *flags)
            self.assertEqual(answer["group"], "a", name)

    def test_what_has_left_the_window_leaves_the_state(self):
        def large(name: str, day: int, *numbers: int) -> str:
            return line(name, text(*numbers), time=f"2026-05-0{day}T00:00:00Z", metadata={"pad": "x" * (17 << 20)})

        flags = ("--state", "window", "--window", "24h")
        self.stream([large("a", 1, 1, 2, 3), large("b", 2, 1, 2, 3), large("c", 4, 7, 8), large("d", 5, 7, 8)], *flags)
        parts = sorted(path.name for path in (self.folder / "window").glob("window-*"))
        self.assertEqual(parts[0], "window-00000003.ndjson")
        (e,) = self.stream([line("e", text(7, 8), time="2026-05-05T01:00:00Z")], *flags)
        self.assertEqual((e["group"], e["first"]["id"]), ("c", "c"))

    def test_a_killed_stream_answers_what_one_in_one_piece_does(self):
        for number in range(12):
            lines = [line(f"{number}/{i}", text(*(j * j % 90 for j in range(number + i, number + i + 4))),
                          time=f"2026-05-01T{(number * 7 + i) % 24:02}:00:00Z", source=f"s{i}") for i in range(25)]
            self.put(f"{number:02}.jsonl", *lines, "{broken", age=100 - number)
        key = lambda one: (one["file"], one["line"])
        expected = {key(one): one for one in self.stream_folder(code=2)}
        answers: dict[tuple, dict] = {}
        kills = 0
        # From before a fast machine has answered anything until a slow one has answered all.
        for delay in (*(0.005 * 1.25**attempt for attempt in range(22)), None):
            with subprocess.Popen(self.command("stream", "--rule", "sentences", "incoming", "--state", "window", "--threads", "2"),
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self.environment,
                                  cwd=self.folder) as process:
                if delay is not None:
                    time.sleep(delay)
                    process.kill()
                out = process.stdout.read()
                kills += process.wait(60) < 0
            for one in map(json.loads, out[: out.rfind(b"\n") + 1].splitlines()):
                replaced = one.pop("replaced", False)
                if replaced:
                    continue
                self.assertEqual(one, expected[key(one)])
                answers[key(one)] = one
        self.assertGreater(kills, 3)
        self.assertEqual(answers, expected)

    def test_two_streams_do_not_share_a_state(self):
        with subprocess.Popen(self.command("stream", "--state", "window"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=self.environment, cwd=self.folder) as process:
            process.stdin.write(line("a", text(1)).encode() + b"\n")
            process.stdin.flush()
            process.stdout.readline()
            self.assertIn("another stream", self.akin("stream", "--state", "window", stdin=b"", code=2).err)
            process.stdin.close()
            process.wait(30)

    def test_a_damaged_state_is_an_error(self):
        self.stream([line("a", text(1))], "--state", "window")
        (part,) = (self.folder / "window").glob("window-*.ndjson")
        part.write_text("{}\n")
        self.assertIn("window-00000001.ndjson", self.akin("stream", "--state", "window", stdin=b"", code=2).err)


class CollectionStreamTest(Streaming):
    """Documents of a collection, as they are stored."""

    def store(self, *documents: tuple[str, str], **metadata):
        lines = "".join(json.dumps({"id": name, "text": body, "metadata": metadata}, ensure_ascii=False) + "\n" for name, body in documents)
        self.akin("import", "-", "--collection", "news", stdin=lines.encode(), code=0)

    def collection(self, *flags, code: int = 0) -> list[dict]:
        return self.stream([], "--collection", "news", *flags, code=code, stdin=b"")

    def test_each_stored_document_is_answered_in_order(self):
        for name, body in (("z", text(1, 2, 3, 4)), ("m", text(11, 12, 13)), ("a", text(4, 9, 2, 1))):
            self.store((name, body))
        answers = self.collection("--from", "1970-01-01")
        self.assertEqual([(one["line"], one["id"], one["answer"], one["original"]) for one in answers],
                         [(1, "z", "new", None), (2, "m", "new", None), (3, "a", "duplicate", "z")])
        stored = [one["stored"] for one in answers]
        self.assertEqual(stored, sorted(stored))
        self.assertIn("3 documents: 2 new, 1 duplicate", self.summary)

    def test_a_filter_leaves_documents_out(self):
        self.store(("other", text(1, 2, 3)), language="vep")
        self.store(("copy", text(1, 2, 3)), language="krl")
        (copy,) = self.collection("--from", "1970-01-01", "--filter", 'language = "krl"')
        self.assertEqual((copy["id"], copy["answer"]), ("copy", "new"))
        self.assertIn("--filter", self.akin("stream", "--filter", 'language = "krl"', stdin=b"", code=2).err)

    def test_a_stream_goes_on_where_one_ended(self):
        self.store(("first", text(1, 2, 3)))
        (first,) = self.collection("--from", "1970-01-01")
        self.assertEqual(self.collection("--from", first["stored"]), [])
        self.store(("copy", text(1, 2, 3)))
        (copy,) = self.collection("--from", first["stored"])
        self.assertEqual((copy["line"], copy["answer"], copy["original"]), (1, "duplicate", "first"))

    def test_documents_before_the_window_are_not_known(self):
        self.store(("old", text(1, 2, 3)), date="2020-05-01")
        self.store(("middle", text(1, 2, 3)), date="2020-05-20")
        self.store(("last", text(1, 2, 3)), date="2020-05-21")
        answers = self.collection("--from", "1970-01-01", "--window", "2d")
        self.assertEqual([(one["id"], one["original"]) for one in answers], [("old", None), ("middle", None), ("last", "middle")])

    def test_a_model_judges_a_collection(self):
        labels = self.write("labels.ndjson", labelled(60))
        self.lab("train", "--labels", labels, "--model", "duplicate", code=0)
        self.store(("a", text(1001, 1002, 1003, 1004)))
        self.store(("b", text(1001, 1002, 1003, 1009)))
        self.store(("c", text(1001, 1011, 1012, 1013)))
        answers = self.collection("--from", "1970-01-01", "--model", "duplicate")
        self.assertEqual([one["answer"] for one in answers], ["new", "duplicate", "new"])

    def test_following_answers_what_is_stored_from_now_on(self):
        self.store(("first", text(1, 2, 3)))
        with subprocess.Popen(self.command("stream", "--rule", "sentences", "--collection", "news", "--follow"), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment, cwd=self.folder) as process:
            marks = 0
            while not select.select([process.stdout], [], [], 1)[0]:  # documents stored before it begins belong to the window
                self.store((f"mark{marks}", text(100 + marks)))
                marks += 1
            self.store(("copy", text(1, 2, 3)))
            while (copy := json.loads(process.stdout.readline()))["id"].startswith("mark"):
                self.assertEqual(copy["answer"], "new")
            self.assertEqual((copy["id"], copy["answer"], copy["original"]), ("copy", "duplicate", "first"))
            self.akin("reindex", "--collection", "news", code=0)
            self.store(("other", text(7, 8, 9)))
            self.assertEqual(json.loads(process.stdout.readline())["answer"], "new")
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(30), 0)
            self.assertRegex(process.stderr.read(), rb"documents: \d+ new, 1 duplicate")

    def test_wrong_calls_are_errors(self):
        self.store(("a", text(1)))
        for flags, said in ((["--from", "yesterday"], "is not a time"), (["--from", "1970-01-01", "labels.ndjson"], "cannot be combined")):
            self.assertIn(said, self.akin("stream", "--collection", "news", *flags, code=2).err)
        self.assertIn("nowhere", self.akin("stream", "--collection", "nowhere", "--follow", code=2).err)
        self.akin("index", self.write("one.txt", text(1)), "--collection", "bare", "--no-text", code=0)
        self.assertIn("keeps no texts", self.akin("stream", "--collection", "bare", "--follow", code=2).err)


class BoundsTest(Streaming):
    """The answer reports what the bounds of the window left out."""

    def test_more_candidates_than_are_compared(self):
        lines = [line(str(i), text(1, 100 + i)) for i in range(4)]
        answers = self.stream(lines, "--candidates", "2", "--verbose")
        self.assertEqual([(one["nominated"], one["compared"]) for one in answers], [(0, 0), (1, 1), (2, 2), (3, 2)])
        self.assertIn("1 document had more candidates than were compared", self.summary)
        self.stream(lines)
        self.assertNotIn("candidates", self.summary)

    def test_what_stands_in_very_many_documents(self):
        lines = [line(str(i), text(1, 1000 + i)) for i in range(303)]
        answers = self.stream(lines, "--verbose")
        self.assertNotIn("cut_features", answers[300])
        self.assertEqual(answers[301]["cut_features"], 1)
        self.assertIn("2 documents had something in common with more than 300 others", self.summary)


class TrainTest(Streaming):
    def train(self, *flags, code: int = 0):
        labels = self.write("labels.ndjson", labelled(60))
        return self.lab("train", "--labels", labels, "--model", "duplicate", *flags, code=code)

    def test_model_judges_a_stream(self):
        told = self.train("--json").json
        self.assertEqual((told["model"], told["pairs"], told["positives"]), ("duplicate", 60, 30))
        self.assertGreater(told["held_out"]["f"], 0.9)
        answers = self.stream(
            [line("a", text(1001, 1002, 1003, 1004)), line("b", text(1001, 1002, 1003, 1009)),
             line("c", text(1001, 1011, 1012, 1013))], "--model", "duplicate", "--verbose")
        self.assertEqual([one["answer"] for one in answers], ["new", "duplicate", "new"])
        self.assertEqual(answers[1]["models"]["duplicate"]["verdict"], "yes")
        self.assertEqual(answers[2]["nearest"], "a")
        self.assertIsNone(answers[1]["criteria"]["time"])

    def test_several_models_judge_at_once(self):
        self.train()
        other = self.folder / "models" / "same.json"
        self.lab("train", "--labels", "labels.ndjson", "--model", other, "--criteria", "words,sentences", code=0)
        answers = self.stream([line("a", text(1001, 1002, 1003)), line("b", text(1001, 1002, 1003))],
                              "--model", "duplicate", "--model", str(other))
        self.assertEqual(list(answers[1]["models"]), ["duplicate", "same"])
        self.assertEqual(answers[1]["models"]["same"]["original"], "a")

    def test_same_labels_and_seed_make_the_same_file(self):
        labels, model = self.write("labels.ndjson", labelled(60)), self.folder / "models" / "duplicate.json"
        made = []
        for _ in range(2):
            self.lab("train", "--labels", labels, "--model", model, code=0)
            made.append(model.read_bytes())
        self.assertEqual(made[0], made[1])

    def test_labels_may_name_documents(self):
        self.train()
        rows, documents = [], []
        for number, row in enumerate(map(json.loads, (self.folder / "labels.ndjson").read_text().splitlines())):
            for side in "ab":
                documents.append(json.dumps({"id": f"{side}{number}", **row[side]}, ensure_ascii=False))
            rows.append(json.dumps({"a": f"a{number}", "b": f"b{number}", "label": row["label"]}))
        self.write("documents.ndjson", "\n".join(documents))
        self.write("ids.ndjson", "\n".join(rows))
        told = self.lab("train", "--labels", "ids.ndjson", "--documents", "documents.ndjson", "--model", "by-id", "--json", code=0)
        self.assertEqual(told.json["pairs"], 60)
        lost = self.lab("train", "--labels", "ids.ndjson", "--model", "by-id", code=2)
        self.assertIn("ids.ndjson line 1: document 'a0'", lost.err)

    def test_broken_model_is_a_clear_error(self):
        labels, model = self.write("labels.ndjson", labelled(60)), self.folder / "models" / "duplicate.json"
        self.lab("train", "--labels", labels, "--model", model, code=0)
        model.write_bytes(model.read_bytes()[:-20])
        answer = self.akin("stream", "--model", model, code=2)
        self.assertIn("duplicate.json", answer.err)
        self.assertIn("akin-lab train", answer.err)

    def test_model_of_other_dictionaries_is_refused(self):
        self.train()
        self.assertIn("ru,en", self.akin("stream", "--model", "duplicate", "--lang", "en", code=2).err)

    def test_labels_that_cannot_train_are_errors(self):
        for labels in ("", labelled(4), labelled(60).replace("true", "false"), "{", '{"a": "x"}', "label\ttext_a\nOK\tx"):
            self.write("few.ndjson", labels)
            answer = self.lab("train", "--labels", "few.ndjson", "--model", "m", code=2)
            self.assertRegex(answer.err, r"^akin-lab: .+ \(.+\)\n$")
        self.lab("train", "--labels", "few.ndjson", "--model", "no name", code=2)


class EvaluateJudgeTest(AkinTest):
    FLAGS = ("--sizes", "20,30", "--splits", "2")

    def setUp(self):
        super().setUp()
        self.write("labels.ndjson", labelled(60))

    def test_figures_are_the_same_each_time_and_in_each_form(self):
        first = self.lab("evaluate", "judge", "labels.ndjson", *self.FLAGS, "--json", code=0).json
        self.assertEqual(self.lab("evaluate", "judge", "labels.ndjson", *self.FLAGS, "--json", code=0).json, first)
        curves = {curve["criteria"]: curve["points"] for curve in first["curves"]}
        self.assertEqual(curves["sentences"][-1]["f"], 1.0)
        table = self.lab("evaluate", "judge", "labels.ndjson", *self.FLAGS, "--csv", code=0).out
        self.assertIn("sentences,30,2,1.000,1.000,1.000,0.000", table)
        self.assertRegex(self.lab("evaluate", "judge", "labels.ndjson", *self.FLAGS, code=0).out, r"two-heaviest +\d+ of 30")

    def test_curves_are_drawn(self):
        self.lab("evaluate", "judge", "labels.ndjson", *self.FLAGS, "--svg", "f.svg", code=0)
        drawn = (self.folder / "f.svg").read_text()
        self.assertTrue(drawn.startswith("<svg") and drawn.endswith("</svg>\n"))
        self.assertIn("polyline", drawn)

    def test_csv_and_json_exclude_one_another(self):
        self.assertIn("--csv", self.lab("evaluate", "judge", "labels.ndjson", "--csv", "--json", code=2).err)

    @unittest.skipUnless((CORPORA / "news").is_dir(), "no corpora")
    def test_news_pairs_are_judged_better_by_all_criteria_than_by_chance(self):
        news = CORPORA / "news"
        figures = self.lab("evaluate", "judge", news / "ru_same_event_pairs.tsv", "--background", news / "ru_background.tsv",
                            "--both-ways", "--sizes", "70", "--splits", "5", "--json", code=0).json
        points = {curve["criteria"]: curve["points"] for curve in figures["curves"]}
        self.assertEqual((figures["pairs"], figures["positives"]), (120, 61))
        self.assertGreater(points["all"][0]["f"], 0.7)


if __name__ == "__main__":
    unittest.main()
