"""akin index: which files are indexed, under which ids, and which are refused."""
import hashlib
import json
import os
import signal
import subprocess
import time
import unittest

from program import LIBRARY, AkinTest, story


class IndexTest(AkinTest):
    def documents(self) -> int:
        return self.akin("stats", "--json", code=0).json["documents"]

    def test_folder_is_indexed_under_relative_paths(self):
        self.write("books/a/one.txt", story())
        self.write("books/two.txt", story("chekhov-vanka.txt"))
        answer = self.akin("index", "books", "--json", code=0).json
        self.assertEqual((answer["indexed"], answer["replaced"], answer["refused"]), (2, 0, []))
        self.assertEqual(self.akin("show", "a/one.txt", "--json", code=0).json["title"], "one")
        self.assertEqual(self.akin("show", "two.txt", "--json", code=0).json["id"], "two.txt")

    def test_single_file_gets_its_name_as_id(self):
        self.akin("index", LIBRARY / "chekhov-vanka.txt", "--title", "Ванька", code=0)
        record = self.akin("show", "chekhov-vanka.txt", "--json", code=0).json
        self.assertEqual(record["title"], "Ванька")
        self.assertEqual(record["code_points"], len(story("chekhov-vanka.txt")))
        self.assertEqual(record["text_bytes"], len(story("chekhov-vanka.txt").encode()))

    def test_indexing_again_adds_only_what_changed(self):
        for name in ("a.txt", "b.txt", "c.html"):
            self.write(f"books/{name}", f"The text of {name}.")
        self.akin("index", "books", code=0)
        stored = self.akin("show", "a.txt", "--json", code=0).json["stored"]
        self.write("books/b.txt", "Another text of b.")
        self.write("books/d.txt", "A new text.")
        answer = self.akin("index", "books", "--json", code=0).json
        self.assertEqual([answer[name] for name in ("indexed", "replaced", "unchanged", "files")], [2, 1, 2, 4])
        self.assertEqual(answer["file_bytes"], sum(path.stat().st_size for path in (self.folder / "books").iterdir()))
        self.assertEqual(self.akin("show", "a.txt", "--json", code=0).json["stored"], stored)
        self.assertEqual(self.akin("show", "b.txt", "--text", code=0).out, "Another text of b.")
        self.assertIn("0 new, 0 replaced, 4 unchanged, 0 refused, of 4 files (", self.akin("index", "books", code=0).out)

    def test_unchanged_files_are_read_again_on_request(self):
        self.index_library()
        answer = self.index_library("--again", "--json").json
        self.assertEqual((answer["indexed"], answer["replaced"], answer["unchanged"]), (11, 11, 0))
        self.assertEqual(self.documents(), 11)

    def test_a_file_is_read_again_when_it_would_be_stored_differently(self):
        book = self.write("a.txt", "<p>One.</p>")
        def replaced(*flags: object) -> int:
            return self.akin("index", book, "--json", *flags, code=0).json["replaced"]
        replaced()
        self.assertEqual(replaced(), 0)
        catalogue = self.write("catalogue.csv", "id,title\na.txt,A\n")
        for flags in (["--title", "B"], ["--format", "html"], ["--encoding", "windows-1251"], ["--set", "n=1"], ["--set", "n=2"], ["--meta", catalogue]):
            self.assertEqual((replaced(*flags), replaced(*flags)), (1, 0), flags)
        self.write("catalogue.csv", "id,title\na.txt,Z\n")
        self.assertEqual(replaced("--meta", catalogue), 1)
        self.assertEqual(self.akin("show", "a.txt", "--json", code=0).json["title"], "Z")

    def test_a_document_that_was_replaced_by_another_text_is_indexed_again(self):
        book = self.write("a.txt", "One.")
        self.akin("index", book, code=0)
        self.akin("import", "-", stdin=b'{"id": "a.txt", "text": "Two."}\n', code=0)
        self.assertEqual(self.akin("index", book, "--json", code=0).json["replaced"], 1)

    def test_unchanged_documents_count_as_described(self):
        book = self.write("a.txt", "One.")
        catalogue = self.write("catalogue.csv", "id,title\na.txt,A\n")
        self.akin("index", book, "--meta", catalogue, code=0)
        self.assertEqual(self.akin("index", book, "--meta", catalogue, code=0).err, "")

    def test_the_digests_of_file_and_text_are_shown(self):
        mark = b"\xef\xbb\xbf"
        self.write("a.txt", mark + b"One.")
        self.akin("index", "a.txt", code=0)
        record = self.akin("show", "a.txt", "--json", code=0).json
        self.assertEqual(record["file_sha256"], hashlib.sha256(mark + b"One.").hexdigest())
        self.assertEqual(record["text_sha256"], hashlib.sha256(b"One.").hexdigest())
        self.assertIn(record["file_sha256"], self.akin("show", "a.txt", code=0).out)
        self.akin("reindex", code=0)
        again = self.akin("show", "a.txt", "--json", code=0).json
        self.assertEqual((again["file_sha256"], again["text_sha256"]), (record["file_sha256"], record["text_sha256"]))

    def test_failures_are_written_as_lines(self):
        self.write("books/a.txt", "One.")
        self.write("books/b.txt", b"\xc3\xff")
        self.write("books/c.gif", b"GIF89a")
        answer = self.akin("index", "books", "--failures", "failed.ndjson", code=2)
        self.assertIn("2 refused (1 invalid_utf8, 1 type_unsupported)", answer.out)
        lines = [json.loads(line) for line in (self.folder / "failed.ndjson").read_text(encoding="utf-8").splitlines()]
        self.assertEqual([(line["path"], line["code"]) for line in lines], [("books/b.txt", "invalid_utf8"), ("books/c.gif", "type_unsupported")])
        self.assertIn("convert it to PNG", lines[1]["remedy"])
        self.akin("index", "books/a.txt", "--failures", "failed.ndjson", code=0)
        self.assertEqual((self.folder / "failed.ndjson").read_text(encoding="utf-8"), "")

    def test_lines_of_json_are_for_import(self):
        self.write("lines.jsonl", '{"id": "a", "text": "One text."}\n{"id": "b", "text": "Another."}\n')
        answer = self.akin("index", "lines.jsonl", code=2)
        self.assertIn("lines.jsonl: has a document on each line (akin import FILE stores them; ", answer.err)
        self.akin("index", "lines.jsonl", "--format", "text")
        self.assertEqual(self.akin("stats", "--json").json["documents"], 1)
        self.write("books/a.txt", "One text.")
        self.write("books/more.jsonl", '{"id": "c", "text": "A third."}\n')
        answer = self.akin("index", "books", "--collection", "books", code=2)
        self.assertIn("books/more.jsonl: has a document on each line (akin import FILE stores them; ", answer.err)
        self.assertEqual(self.akin("stats", "--json", "--collection", "books").json["documents"], 1)
        self.write("books/more.jsonl", '{"id": "a.txt", "title": "The first"}\n')
        self.akin("index", "books", "--meta", "books/more.jsonl", "--collection", "books", "--again", code=0)
        self.assertEqual(self.akin("show", "a.txt", "--json", "--collection", "books").json["title"], "The first")

    def test_standard_input_needs_an_id(self):
        refused = self.akin("index", "-", stdin=story().encode(), code=2)
        self.assertIn("--id", refused.err)
        self.akin("index", "-", "--id", "a/b", stdin=story().encode(), code=0)
        self.assertEqual(self.akin("show", "a/b", "--text", code=0).out, story())

    def test_two_arguments_with_one_id_are_refused_before_anything_is_written(self):
        first = self.write("a/same.txt", story())
        second = self.write("b/same.txt", story("chekhov-vanka.txt"))
        answer = self.akin("index", LIBRARY, "a", "b", code=2)
        self.assertIn(str(first.relative_to(self.folder)), answer.err)
        self.assertIn(str(second.relative_to(self.folder)), answer.err)
        self.assertFalse(self.data.exists(), answer)

    def test_missing_path_is_refused_before_anything_is_written(self):
        answer = self.akin("index", LIBRARY, "no-such-folder", code=2)
        self.assertIn("no-such-folder", answer.err)
        self.assertFalse(self.data.exists(), answer)

    def test_file_that_is_not_utf8_is_refused_by_name_and_the_others_go_in(self):
        self.write("books/good.txt", story())
        self.write("books/bad.txt", "good so far\n".encode() + story().encode("cp1251"))
        answer = self.akin("index", "books", code=2)
        self.assertIn("books/bad.txt", answer.err)
        self.assertIn("byte 12", answer.err)
        self.assertIn("1 refused", answer.out)
        self.assertEqual(self.documents(), 1)

    def test_refused_files_are_error_objects_in_json(self):
        self.write("books/bad.txt", b"\xc3\xff")
        answer = self.akin("index", "books", "--json", code=2)
        (refused,) = answer.json["refused"]
        self.assertEqual(refused["code"], "invalid_utf8")
        self.assertEqual(refused["what"], "books/bad.txt")

    def test_hidden_files_and_folders_are_skipped_and_counted(self):
        self.write("books/.git/config", b"\xff")
        self.write("books/.hidden.txt", "x")
        self.write("books/~$seen.docx", b"\x05lock")
        self.write("books/seen.txt", story())
        answer = self.akin("index", "books", "--json", code=0).json
        self.assertEqual((answer["indexed"], answer["skipped"]["hidden"]), (1, 3))

    def test_links_to_files_are_followed_and_links_to_folders_are_not(self):
        self.write("books/one.txt", story())
        (self.folder / "books" / "loop").symlink_to(self.folder / "books")
        (self.folder / "books" / "link.txt").symlink_to("one.txt")
        answer = self.akin("index", "books", "--json", code=0).json
        self.assertEqual((answer["indexed"], answer["skipped"]["other"]), (2, 1))
        self.akin("show", "link.txt", code=0)

    def test_dangling_link_is_refused_by_name(self):
        self.write("books/one.txt", story())
        (self.folder / "books" / "gone.txt").symlink_to("nowhere")
        answer = self.akin("index", "books", code=2)
        self.assertIn("gone.txt", answer.err)
        self.assertEqual(self.documents(), 1)

    def test_name_that_is_not_utf8_is_refused_readably(self):
        os.makedirs(self.folder / "books")
        with open(os.fsencode(self.folder / "books") + b"/\xea\xed.txt", "wb") as file:
            file.write(b"text")
        answer = self.akin("index", "books", code=2)
        self.assertIn(r"\xea\xed.txt", answer.err)

    def test_byte_order_mark_is_removed(self):
        self.write("mark.txt", b"\xef\xbb\xbf" + story().encode())
        self.akin("index", "mark.txt", code=0)
        self.assertEqual(self.akin("show", "mark.txt", "--text", code=0).out, story())

    def test_files_that_are_no_text_are_refused_by_their_first_bytes_and_the_others_go_in(self):
        self.write("mixed/a.djvu", b"AT&TFORM")
        self.write("mixed/b.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
        self.write("mixed/c.mobi", bytes(60) + b"BOOKMOBI")
        self.write("mixed/d.gif", b"GIF89a")
        self.write("mixed/f.txt", story().encode("utf-16-le"))
        self.write("mixed/g.txt", story().encode("koi8-r", "replace"))
        self.write("mixed/h.txt", story())
        answer = self.akin("index", "mixed", "--json", code=2).json
        self.assertEqual(answer["indexed"], 1)
        refused = {error["what"].rpartition("/")[2]: error["reason"] + " " + error["remedy"] for error in answer["refused"]}
        wanted = {"a.djvu": "DjVu", "b.doc": "DOC", "c.mobi": "MOBI", "d.gif": "GIF", "f.txt": "UTF-16", "g.txt": "KOI8-R"}
        self.assertEqual(set(refused), set(wanted))
        for name, word in wanted.items():
            self.assertIn(word, refused[name])
            self.assertNotIn("1251", refused[name])

    def test_encoding_is_found_by_the_bytes_or_named(self):
        for encoding in ("windows-1251", "koi8-r", "utf-16", "utf-8", "utf-8-sig", "iso-8859-5"):
            self.write(f"old/{encoding}.txt", story().replace("—", "-").replace("…", "...").encode(encoding, "replace"))
        self.assertEqual(self.akin("index", "old", "--json", code=2).json["indexed"], 3)
        self.assertIn("akin: 3 files are probably texts in other encodings than UTF-8: --encoding auto finds that of each file\n",
                      self.akin("index", "old", code=2).err)
        self.assertEqual(self.akin("index", "old", "--encoding", "auto", "--again", "--json", code=0).json["indexed"], 6)
        lengths = {line["code_points"] for line in map(lambda id: self.akin("show", id, "--json", code=0).json,
                                                       ("windows-1251.txt", "koi8-r.txt", "utf-16.txt", "utf-8-sig.txt"))}
        self.assertEqual(len(lengths), 1)
        self.write("dos.txt", "Мороз и солнце, день чудесный".encode("cp866"))
        self.akin("index", "dos.txt", "--encoding", "cp866", code=0)
        self.assertIn("Мороз и солнце", self.akin("show", "dos.txt", "--text", code=0).out)
        self.assertIn("windows-1251", self.akin("index", "old", "--encoding", "klingon", code=2).err)

    def test_table_of_metadata_has_the_encoding_of_the_texts_or_is_utf_8(self):
        self.write("a.txt", "Мама мыла раму.".encode("cp1251"))
        for name, encoding in (("old.csv", "cp1251"), ("new.csv", "utf-8")):
            table = self.write(name, "id;title;author\na.txt;Рама;Чехов\n".encode(encoding))
            self.akin("index", "a.txt", "--encoding", "windows-1251", "--meta", table, "--collection", name[:3], code=0)
            record = self.akin("show", "a.txt", "--collection", name[:3], "--json", code=0).json
            self.assertEqual((record["title"], record["metadata"]["author"]), ("Рама", "Чехов"))

    def test_titles_and_metadata_come_from_a_table_or_lines_and_from_flags(self):
        self.write("books/a.txt", story())
        self.write("books/b.txt", story("chekhov-vanka.txt"))
        table = self.write("catalogue.csv", 'id,title,author,date\na.txt,"Chameleon, the",Chekhov,1884-09-08\nz.txt,,Nobody,\n')
        answer = self.akin("index", "books", "--meta", table, "--set", "source=library", "--set", "author=unknown", code=0)
        self.assertIn("1 id is not among the documents: 'z.txt'", answer.err)
        self.assertIn("it has nothing for 1 document", answer.err)
        first, second = (self.akin("show", name, "--json", code=0).json for name in ("a.txt", "b.txt"))
        self.assertEqual((first["title"], second["title"]), ("Chameleon, the", "b"))
        self.assertEqual(first["metadata"], {"author": "Chekhov", "date": "1884-09-08", "source": "library"})
        self.assertEqual(second["metadata"], {"author": "unknown", "source": "library"})
        lines = self.write("catalogue.jsonl", '{"id": "b.txt", "title": "Vanka", "year": 1886, "tags": ["letter"]}\n')
        self.akin("index", "books/b.txt", "--meta", lines, code=0)
        record = self.akin("show", "b.txt", "--json", code=0).json
        self.assertEqual((record["title"], record["metadata"]), ("Vanka", {"year": 1886, "tags": ["letter"]}))

    def test_a_wrong_catalogue_is_refused_with_its_line_before_anything_is_stored(self):
        self.write("a.txt", story())
        for name, content, reason in (
            ("a.csv", "title\nx\n", "id"),
            ("b.csv", "id,date\na.txt,yesterday\n", "line 2"),
            ("c.csv", "id,author\na.txt,x\na.txt,y\n", "second time"),
            ("d.jsonl", '{"id": "a.txt", "author": 1}', "author"),
            ("e.jsonl", '{"id": "a.txt"}\n{"title": "x"}', "line 2"),
            ("f.jsonl", "[1]", "is a JSON array"),
            ("g.jsonl", "%PDF-1.7\n1 0 obj\n", "is not plain text but a PDF (akin index reads documents"),
        ):
            self.assertIn(reason, self.akin("index", "a.txt", "--meta", self.write(name, content), code=2).err)
        for wrong in ("author", "=x", "date=soon"):
            self.akin("index", "a.txt", "--set", wrong, code=2)
        self.assertFalse(self.data.exists())

    def test_data_folder_inside_the_indexed_folder_is_left_out(self):
        self.write("books/one.txt", story())
        for counted in ("indexed", "unchanged"):
            answer = self.akin("index", "books", "--data", "books/akin-data", "--json", code=0).json
            self.assertEqual((answer[counted], answer["files"]), (1, 1))

    def test_file_over_the_limit_is_refused_by_name_without_being_read(self):
        self.write("books/good.txt", story())
        self.write("books/huge.txt", "")
        os.truncate(self.folder / "books" / "huge.txt", 5 * 2**30)
        answer = self.akin("index", "books", code=2)
        self.assertIn("books/huge.txt: longer than the limit", answer.err)
        self.assertEqual(self.documents(), 1)

    def test_files_without_words_are_counted_and_named_and_the_others_go_in(self):
        self.write("books/story.txt", story())
        self.write("books/empty.txt", "")
        self.write("books/marks.txt", " — …\n\n***\n")
        answer = self.akin("index", "books", code=0)
        self.assertIn("books/empty.txt: left out, it has no words", answer.err)
        self.assertIn("books/marks.txt: left out, it has no words", answer.err)
        self.assertIn("1 new, 0 replaced, 0 refused, 2 left out (2 no_words)", answer.out)
        self.assertEqual(self.documents(), 1)
        counted = self.akin("index", "books", "--json", "--verbose", code=0).json
        self.assertEqual((counted["unchanged"], counted["left_out"]["no_words"]), (1, 2))
        self.assertEqual([one["reason"] for one in counted["left_out_documents"]], ["no_words", "no_words"])

    def test_only_the_first_files_without_words_are_named(self):
        self.write("books/story.txt", story())
        for number in range(13):
            self.write(f"books/{number:02}.txt", "\n")
        err = self.akin("index", "books", code=0).err
        self.assertIn("books/09.txt", err)
        self.assertNotIn("books/10.txt", err)
        self.assertIn("and 3 more without words", err)

    def test_a_file_without_words_is_an_error_with_its_name(self):
        file = self.write("empty.txt", "")
        answer = self.akin("index", file, code=2)
        self.assertRegex(answer.err, r"^akin: .*empty.txt: it has no words, so no search could find it; nothing was stored \(index texts")
        self.assertEqual(answer.err.count("empty.txt"), 1)
        self.assertIn("it has no words", self.akin("index", "-", "--id", "x", stdin=b"...", code=2).err)
        self.write("two/a.txt", "")
        self.write("two/b.txt", "-")
        self.assertIn("none of the 2 documents has a word", self.akin("index", "two", code=2).err)

    def test_a_file_that_has_lost_its_words_leaves_its_document(self):
        self.write("books/story.txt", story())
        self.write("books/other.txt", story("chekhov-vanka.txt"))
        self.akin("index", "books", code=0)
        self.write("books/story.txt", "")
        self.akin("index", "books", code=0)
        self.assertEqual(self.documents(), 2)

    def test_empty_folder_is_fine(self):
        (self.folder / "nothing").mkdir()
        self.assertEqual(self.akin("index", "nothing", "--json", code=0).json["indexed"], 0)

    def test_least_memory_is_enough_for_files_larger_than_its_share(self):
        self.write("books/long.txt", (story() + "\n\n") * 400)
        self.write("books/short.txt", story())
        answer = self.akin("index", "books", "--memory", "16M", "--json", code=0).json
        self.assertEqual((answer["indexed"], answer["refused"]), (2, []))
        self.akin("verify", "--deep", code=0)

    def test_title_for_many_files_is_refused(self):
        self.assertIn("--title", self.akin("index", LIBRARY, "--title", "x", code=2).err)

    def test_interrupted_index_keeps_whole_batches_and_says_so(self):
        # Enough text for several transactions.
        text = (story() + "\n\n") * 400
        for number in range(24):
            self.write(f"books/{number}.txt", text)
        running = subprocess.Popen(
            self.command("index", "books", "--json", "--memory", "16M"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=self.environment,
        )
        while running.poll() is None and self.akin("show", "0.txt").code != 0:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=300)
        summary = json.loads(out)
        if not summary["interrupted"]:
            self.skipTest("the machine was faster than the signal")
        self.assertEqual(running.returncode, 2, err)
        self.assertIn("signal", err.decode())
        self.assertLess(summary["indexed"], 24)
        self.assertEqual(self.documents(), summary["indexed"])
        self.akin("verify", code=0)


if __name__ == "__main__":
    unittest.main()
