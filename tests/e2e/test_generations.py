"""akin reindex and compact beside a writer; backup, restore, export, import, verify --all."""
import csv
import gzip
import io
import json
import subprocess
import threading
import time
import unittest

from program import CHAMELEON, LIBRARY, AkinTest, story
from server_process import Server


class GenerationsTest(AkinTest):
    def documents(self, *flags) -> int:
        return self.akin("stats", "--json", *flags, code=0).json["documents"]

    def test_writes_of_another_process_go_on_during_reindex_and_compact(self):
        self.index_library()
        written = []
        done = threading.Event()

        def write():
            while not done.is_set() or not written:
                name = f"w{len(written)}"
                self.akin("index", "-", "--id", name, stdin=f"{story()} {name}".encode(), code=0)
                written.append(name)

        writer = threading.Thread(target=write)
        writer.start()
        try:
            self.akin("reindex", "--scheme", "sentences", code=0)
            self.akin("compact", code=0)
        finally:
            done.set()
            writer.join()
        self.assertEqual(self.documents(), 11 + len(written))
        self.akin("verify", "--deep", code=0)

    def test_reindex_without_texts_names_the_collection(self):
        self.index_library("--collection", "bare", "--no-text")
        answer = self.akin("reindex", "--collection", "bare", code=2)
        self.assertIn("collection 'bare': it keeps no texts", answer.err)

    def test_compact_tells_the_size_before_and_after(self):
        for _ in range(3):
            self.index_library()
        answer = self.akin("compact", "--json", code=0).json
        self.assertLess(answer["bytes_after"], answer["bytes_before"])
        self.assertEqual(self.akin("stats", "--json", code=0).json["disk_bytes"], answer["bytes_after"])

    def test_backup_comes_back_into_another_data_folder(self):
        self.index_library()
        self.index_library("--collection", "bare", "--no-text")
        self.akin("backup", "copy", code=0)
        manifest = json.loads((self.folder / "copy" / "akin-backup.json").read_text())
        self.assertEqual([one["name"] for one in manifest["collections"]], ["bare", "default"])
        answer = self.akin("restore", "copy", "--data", "other", "--json", code=0).json
        self.assertEqual([one["documents"] for one in answer["collections"]], [11, 11])
        self.akin("verify", "--all", "--deep", "--data", "other", code=0)

    def test_labels_and_models_come_back_with_a_backup(self):
        self.index_library()
        one, other = "copy-1", "copy-2"
        for name in (one, other):
            self.akin("index", "-", "--id", name, stdin=story().encode(), code=0)
        self.akin("pairs", "--labels", "-", stdin=f"a\tb\tlabel\n{one}\t{other}\tyes\n".encode(), code=0)
        pairs = LIBRARY.parent / "news" / "pairs.ndjson"
        train = ("train", "--labels", pairs, "--model", "duplicate")
        self.lab(*train, code=0)
        told = self.akin("backup", "copy", "--json", code=0).json
        self.assertTrue(told["state"])
        answer = self.akin("restore", "copy", "--data", "other", "--json", code=0).json
        self.assertEqual([answer[key] for key in ("state", "labels", "models", "kept_models")],
                         ["restored", ["default"], ["duplicate"], []])  # fmt: skip
        self.assertEqual(self.label("--data", "other"), ["yes"])
        self.assertEqual(self.score("--data", "other"), self.score())

        self.akin("pairs", "--labels", "-", stdin=f"a\tb\tlabel\n{one}\t{other}\tno\n".encode(), code=0)
        self.lab(*train, "--criteria", "words,sentences", code=0)
        trained = self.score()
        self.assertNotEqual(trained, self.score("--data", "other"))
        text = self.akin("restore", "copy", "--only", "default", "--as", "second", code=0).out
        self.assertIn("restored the labels of collection 'second'\n", text)
        self.assertEqual((self.label("--collection", "second"), self.label()), (["yes"], ["no"]))
        self.assertEqual(self.score(), trained)
        text = self.akin("restore", "copy", "--replace", code=0).out
        self.assertIn("restored the labels of collection 'default'\n", text)
        self.assertIn("restored model 'duplicate'\n", text)
        self.assertIn("left the server's state unchanged", text)
        self.assertEqual((self.label(), self.score()), (["yes"], self.score("--data", "other")))

    def label(self, *flags) -> list:
        """The labels that a table of all pairs shows."""
        table = self.akin("pairs", "--bound", "0", "--table", "-", *flags, code=0).out
        rows = csv.DictReader(io.StringIO(table), delimiter="\t")
        return [row["label"] for row in rows if row["label"]]

    def score(self, *flags) -> float:
        """What the model "duplicate" says of two documents that share a sentence."""
        lines = [json.dumps({"id": name, "text": f"A first text, and a long one. It has {name}."}) for name in ("two", "three")]
        answer = self.akin("stream", "--model", "duplicate", "-", *flags, stdin="\n".join(lines).encode(), code=0).out
        return json.loads(answer.splitlines()[1])["score"]

    def test_backup_is_never_made_over_something(self):
        self.index_library()
        self.write("copy/precious", "x")
        self.assertIn("a file or folder with this name exists", self.akin("backup", "copy", code=2).err)
        self.assertEqual([path.name for path in (self.folder / "copy").iterdir()], ["precious"])

    def test_restore_refuses_what_is_there_and_what_is_no_backup(self):
        self.index_library()
        self.akin("backup", "copy", code=0)
        self.assertIn("nothing was restored", self.akin("restore", "copy", code=2).err)
        self.akin("restore", "copy", "--only", "default", "--as", "second", code=0)
        self.akin("restore", "copy", "--replace", code=0)
        self.assertIn("akin-backup.json", self.akin("restore", "nowhere", "--data", "new", code=2).err)
        self.assertFalse((self.folder / "new").exists())

    def test_restored_collection_of_other_dictionaries_is_told(self):
        self.index_library()
        self.akin("backup", "copy", code=0)
        answer = self.akin("restore", "copy", "--data", "other", "--lang", "ru", code=0)
        self.assertIn("akin reindex --collection default", answer.out)

    def test_verify_all_goes_on_behind_a_collection_that_cannot_be_opened(self):
        self.write("mine.txt", "go: zorbling\n")
        self.index_library("--collection", "a", "--supplement", "mine.txt")
        self.index_library("--collection", "b")
        (self.data / "collections" / "a" / "gen-1" / "dictionary").unlink()
        answer = self.akin("verify", "--all", code=2)
        self.assertIn("collection 'a'", answer.err)
        self.assertEqual(answer.out, "b: clean\n")


class TemporaryTest(AkinTest):
    def expire(self, name: str = "default"):
        self.akin("ttl", "1s", "--collection", name, code=0)
        time.sleep(1.1)

    def test_temporary_collection_is_gone_when_its_time_is_over_and_a_promoted_one_stays(self):
        self.write("a.txt", story())
        for name in ("short", "kept"):
            self.akin("index", "a.txt", "--collection", name, "--ttl", "1h", code=0)
            self.assertIn("expires", self.akin("ttl", "--collection", name, code=0).out)
        self.akin("ttl", "none", "--collection", "kept", code=0)
        self.expire("short")
        self.akin("stats", "--collection", "short", code=2)
        self.assertFalse((self.data / "collections" / "short").exists())
        self.assertEqual(self.akin("stats", "--collection", "kept", "--json", code=0).json["expires"], None)
        self.akin("ttl", "tomorrow", "--collection", "kept", code=2)

    def test_a_time_in_the_past_removes_no_collection(self):
        self.write("a.txt", story())
        self.akin("index", "a.txt", code=0)
        self.assertIn("WHEN '2001-01-01': is in the past", self.akin("ttl", "2001-01-01", code=2).err)
        self.assertIn("--ttl '2001-01-01': is in the past", self.akin("index", "a.txt", "--ttl", "2001-01-01", code=2).err)
        self.assertIn("permanent", self.akin("ttl", code=0).out)

    def test_labels_go_with_a_temporary_collection(self):
        self.write("a.txt", story())
        self.write("b.txt", story())

        def index_and_label(*flags) -> dict:
            self.akin("index", "a.txt", "b.txt", *flags, code=0)
            labels = b"a\tb\tlabel\na.txt\tb.txt\tyes\n"
            return self.akin("pairs", "--labels", "-", "--json", *flags, stdin=labels, code=0).json

        for name in ("default", "other"):
            self.assertEqual(index_and_label("--collection", name)["added"], 1)
        self.expire()
        self.assertEqual(index_and_label()["added"], 1)
        self.assertEqual(index_and_label("--collection", "other")["same"], 1)

    def test_gate_watches_and_groups_go_with_a_temporary_collection_that_a_command_removes(self):
        self.write("a.txt", story())
        self.akin("index", "a.txt", code=0)
        server = Server(self)
        self.assertIn(server.call("PUT", "/default/gate", {"action": "group"})[0], (200, 201))
        self.assertEqual(server.call("POST", "/default/admissions", {"id": "copy", "text": story()})[1]["verdict"], "grouped")
        self.assertEqual(server.call("PUT", "/default/watches/fox", {"text": story(), "bound": 1})[0], 201)
        server.close()
        self.expire()
        self.akin("index", "a.txt", code=0)
        server = Server(self)
        self.assertEqual(server.call("GET", "/default/gate")[0], 404)
        self.assertEqual(server.call("GET", "/default/watches")[1]["watches"], [])
        self.assertEqual(server.call("GET", "/default/duplicate-groups")[1]["groups"], [])


class LinesTest(AkinTest):
    def exported(self, *arguments) -> list[dict]:
        return [json.loads(line) for line in self.akin("export", *arguments, code=0).out.splitlines()]

    def test_export_tells_every_document_in_the_order_of_ids(self):
        self.index_library()
        lines = self.exported()
        self.assertEqual([line["id"] for line in lines], sorted(self.ids()))
        (one,) = [line for line in lines if line["id"] == CHAMELEON]
        self.assertEqual(list(one), ["id", "title", "metadata", "stored", "text"])
        self.assertEqual(one["text"], story())

    def test_import_takes_what_export_wrote_however_compressed(self):
        self.index_library()
        self.akin("export", "all.ndjson", code=0)
        plain = (self.folder / "all.ndjson").read_bytes()
        # Several members, as concatenated files have.
        middle = plain.index(b"\n") + 1
        self.write("all.gz", gzip.compress(plain[:middle]) + gzip.compress(plain[middle:]))
        self.akin("export", "all.ndjson.zst", code=0)
        self.assertEqual(
            subprocess.run(["zstd", "-dc", "all.ndjson.zst"], cwd=self.folder, capture_output=True, check=True).stdout,
            plain,
        )
        self.akin("export", "all.ndjson.gz", code=0)
        self.assertEqual(gzip.decompress((self.folder / "all.ndjson.gz").read_bytes()), plain)
        for name in ["all.ndjson", "all.gz", "all.ndjson.gz", "all.ndjson.zst"]:
            answer = self.akin("import", name, "--collection", name, "--json", code=0).json
            self.assertEqual((answer["imported"], answer["refused"]), (11, 0))
            without = [{**line, "stored": ""} for line in self.exported("--collection", name)]
            self.assertEqual(without, [{**line, "stored": ""} for line in self.exported()])

    def test_export_pipes_into_import(self):
        self.index_library()
        lines = subprocess.run(
            self.command("export", "--zstd"), cwd=self.folder, env=self.environment, capture_output=True, check=True
        ).stdout
        self.akin("import", "-", "--collection", "copy", stdin=lines, code=0)
        self.assertEqual(self.akin("stats", "--collection", "copy", "--json", code=0).json["documents"], 11)

    def test_refused_lines_are_named_and_the_others_go_in(self):
        lines = [
            '{"id":"a","text":"A text."}',
            "",
            '{"id":"b"}',
            "no JSON",
            '{"id":"c\\u0001","text":"x"}',
            '{"id":"d","text":"x","stored":"yesterday"}',
            '{"id":"e","text":"x","more":1}',
            '{"id":"a","delete":true}',
            '{"id":"f","text":"The last one has no line end."}',
        ]
        self.write("lines", "\n".join(lines))
        answer = self.akin("import", "lines", code=2)
        for number in [3, 4, 5, 6, 7, 8]:
            self.assertIn(f"lines line {number}:", answer.err)
        self.assertIn("2 new, 0 replaced, 6 refused", answer.out)
        self.assertEqual([line["id"] for line in self.exported()], ["a", "f"])

    def test_documents_after_much_that_is_refused_go_in(self):
        refused = '{"id":"b","more":"' + "x" * (3 << 20) + '"}'
        self.write("lines", refused + '\n{"id":"c","text":"A text."}\n')
        self.assertIn("1 new, 0 replaced, 1 refused", self.akin("import", "lines", code=2).out)

    def test_cut_off_or_broken_compression_is_an_error_not_an_end(self):
        self.index_library()
        self.akin("export", "all.zst", code=0)
        whole = (self.folder / "all.zst").read_bytes()
        self.write("cut.zst", whole[:-10])
        self.assertIn("cut off", self.akin("import", "cut.zst", "--collection", "x", code=2).err)
        packed = gzip.compress(b'{"id":"a","text":"x"}\n')
        self.write("cut.gz", packed[:-4])
        self.assertIn("cut off", self.akin("import", "cut.gz", "--collection", "x", code=2).err)
        for name in ["empty.jsonl.gz", "empty.jsonl.zst"]:
            self.write(name, b"")
            self.assertIn("cut off", self.akin("import", name, "--collection", "x", code=2).err)
            self.assertIn("cut off", self.akin("dedup", name, "--out", "kept.jsonl", code=2).err)
            self.assertIn("cut off", self.akin("stream", name, code=2).err)
        self.write("broken.gz", packed[:12] + b"\xff\xff" + packed[14:])
        self.assertIn("compressed data are corrupt", self.akin("import", "broken.gz", "--collection", "x", code=2).err)

    def test_export_without_texts_is_refused(self):
        self.index_library("--no-text")
        self.assertIn("keeps no texts", self.akin("export", "all", code=2).err)
        self.assertEqual([path.name for path in self.folder.iterdir() if path.name.startswith("all")], [])

    def test_metadata_and_titles_come_through(self):
        line = {"id": "ж", "title": "Т\u0301", "metadata": {"n": [1, None, {"x": 0.5}]}, "text": "Слово.\n"}
        self.akin("import", "-", stdin=json.dumps(line).encode(), code=0)
        (back,) = self.exported()
        self.assertEqual({name: back[name] for name in line}, line)


if __name__ == "__main__":
    unittest.main()
