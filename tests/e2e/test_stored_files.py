"""Collections that keep the files that documents were read from, and give them back byte by byte."""
import hashlib
import io
import json
import random
import unittest
import zipfile

from program import AkinTest
from server_process import Server
from test_files import make_pdf

TEXT = ("The mill stood by the river, and nobody in the village remembered who had built it. "
        "Every morning the old miller walked down to the water, and looked at the wheel.")


def docx(text: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("_rels/.rels", '<Relationships><Relationship Target="word/document.xml" Type="t/officeDocument"/></Relationships>')
        package.writestr("word/document.xml", f'<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>')
    return out.getvalue()


class StoredFilesTest(AkinTest):
    def setUp(self):
        super().setUp()
        noise = random.Random(1).randbytes(200_000)
        self.files = {
            "thesis.pdf": make_pdf([TEXT]) + b"\n% " + noise.hex().encode() + b"\n",
            "essay.docx": docx(TEXT),
            "note.txt": TEXT.encode("utf-16"),
            "page.html": b"<meta charset=windows-1251><title>T</title><p>" + TEXT.encode() + b"<!-- \xff\xfe -->\r\n\r",
        }
        (self.folder / "in").mkdir()
        for name, content in self.files.items():
            (self.folder / "in" / name).write_bytes(content)

    def shown(self, id: str, *flags) -> bytes:
        self.akin("show", id, "--file", self.folder / "out", *flags, code=0)
        return (self.folder / "out").read_bytes()

    def check_all(self, *flags):
        for name, content in self.files.items():
            self.assertEqual(self.shown(name, *flags), content, name)
        self.akin("verify", *flags, code=0)

    def test_a_named_file_is_replaced_as_a_whole_and_a_folder_is_not(self):
        self.akin("index", "in", "--store-file", "--encoding", "auto", code=0)
        (self.folder / "out").write_bytes(b"old")
        (self.folder / "linked").hardlink_to(self.folder / "out")
        self.assertEqual(self.shown("note.txt"), self.files["note.txt"])
        self.assertEqual((self.folder / "linked").read_bytes(), b"old")  # not written over: it was renamed
        (self.folder / "there").mkdir()
        for command in (("show", "note.txt", "--file", "there"), ("export", "there")):
            self.assertIn("there: is a folder (name a file)", self.akin(*command, code=2).err)
        self.assertEqual(list(self.folder.glob("*.tmp")), [])

    def test_files_are_written_as_they_were_indexed(self):
        self.akin("index", "in", "--store-file", "--encoding", "auto", code=0)
        self.check_all()
        again = self.akin("index", "in", "--encoding", "auto", code=0)
        self.assertIn("4 unchanged", again.out + again.err)
        record = self.akin("show", "thesis.pdf", "--json", code=0).json
        self.assertEqual(record["file_bytes"], len(self.files["thesis.pdf"]))
        self.assertEqual(record["file_sha256"], hashlib.sha256(self.files["thesis.pdf"]).hexdigest())

    def test_members_of_archives_are_files(self):
        with zipfile.ZipFile(self.folder / "in" / "all.zip", "w") as package:
            package.writestr("deep/a.pdf", self.files["thesis.pdf"])
        self.akin("index", "in/all.zip", "--store-file", code=0)
        self.assertEqual(self.shown("all.zip!/deep/a.pdf"), self.files["thesis.pdf"])

    def test_rebuilt_copied_and_restored_collections_keep_them(self):
        self.akin("index", "in", "--store-file", "--encoding", "auto", code=0)
        self.akin("reindex", "--scheme", "sentences", code=0)
        self.check_all()
        self.akin("compact", code=0)
        self.check_all()
        self.akin("store", "copy", self.data, self.folder / "copied", code=0)
        self.check_all("--data", "copied")
        self.akin("backup", "saved", code=0)
        self.akin("restore", "saved", "--data", "restored", code=0)
        self.check_all("--data", "restored")
        exported = self.akin("export", code=0)
        self.assertIn("files of the documents are not exported", exported.err)

    def test_stats_say_what_they_take(self):
        self.akin("index", "in", "--store-file", "--encoding", "auto", code=0)
        total = sum(map(len, self.files.values()))
        stats = self.akin("stats", "--json", code=0).json
        self.assertEqual(stats["file_bytes"], total)
        self.assertLess(200_000, stats["file_stored_bytes"])
        self.assertRegex(self.akin("stats", code=0).out, r"files +\S+ kB, stored in \S+ kB\n")
        self.akin("index", "in/note.txt", "--collection", "plain", "--encoding", "auto", code=0)
        self.assertNotIn("file_bytes", self.akin("stats", "--collection", "plain", "--json", code=0).json)

    def test_all_of_them_are_exported_into_a_folder(self):
        (self.folder / "in" / "deep" / "er").mkdir(parents=True)
        self.files["deep/er/again.pdf"] = self.files["thesis.pdf"]
        (self.folder / "in" / "deep/er/again.pdf").write_bytes(self.files["thesis.pdf"])
        self.akin("index", "in", "--store-file", "--encoding", "auto", code=0)
        written = self.akin("export", "lines.ndjson", "--files", "out", "--json", code=0).json
        self.assertEqual((written["documents"], written["files"], written["not_written"]), (5, 5, []))
        self.assertEqual(written["file_bytes"], sum(map(len, self.files.values())))
        self.assertEqual(len((self.folder / "lines.ndjson").read_text().splitlines()), 5)
        for name, content in self.files.items():
            self.assertEqual((self.folder / "out" / name).read_bytes(), content, name)
        refused = self.akin("export", "--files", "out", code=2)
        self.assertIn("it is not empty", refused.err)
        again = self.akin("index", "out", "--encoding", "auto", code=0)
        self.assertIn("5 unchanged", again.out + again.err)

    def test_files_without_a_path_of_their_own_are_reported_and_the_others_exported(self):
        self.akin("index", "in", "--store-file", "--encoding", "auto", code=0)
        server = Server(self)
        for id in ("..%2Fout.pdf", "thesis.pdf%2Fx.pdf", "a%2F%2Fb.pdf", "z.pdf"):
            connection = server.connect()
            connection.request("PUT", f"/v1/collections/default/documents/{id}", self.files["thesis.pdf"], {"Content-Type": "application/pdf"})
            self.assertEqual(connection.getresponse().status, 201, id)
            connection.close()
        exported = self.akin("export", "--files", "out", code=2)
        self.assertIn("wrote 5 files", exported.out)
        for id in ("'../out.pdf'", "'thesis.pdf/x.pdf'", "'a//b.pdf'"):
            self.assertIn(id, exported.err)
        self.assertFalse((self.folder / "out.pdf").exists())
        self.assertEqual((self.folder / "out" / "z.pdf").read_bytes(), self.files["thesis.pdf"])

    def test_a_collection_without_files_exports_none(self):
        self.akin("index", "in/page.html", code=0)
        self.assertIn("it keeps no files", self.akin("export", "--files", "out", code=2).err)
        self.assertFalse((self.folder / "out").exists())

    def test_other_collections_keep_none_and_say_so(self):
        self.akin("index", "in/page.html", code=0)
        refused = self.akin("show", "page.html", "--file", "out", code=2)
        self.assertIn("this collection keeps no files", refused.err)
        refused = self.akin("index", "in/page.html", "--store-file", code=2)
        self.assertIn("leave --store-file out", refused.err)


class ServedFilesTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.server = Server(self)
        self.connection = self.server.connect()
        self.addCleanup(self.connection.close)
        status, made = self.server.call("PUT", "/shelf", {"store_file": True})
        self.assertEqual((status, made["store_file"]), (201, True))

    def ask(self, method: str, path: str, body: bytes | None = None, **fields):
        self.connection.request(method, "/v1/collections/" + path, body, {name.replace("_", "-"): value for name, value in fields.items()})
        answer = self.connection.getresponse()
        return answer, answer.read()

    def test_a_file_is_returned_with_its_type_and_name(self):
        pdf = make_pdf([TEXT])
        stored, _ = self.ask("PUT", "shelf/documents/a/%D0%BC%20%22b%22.pdf", pdf, Content_Type="application/octet-stream")
        self.assertEqual(stored.status, 201)
        answer, content = self.ask("GET", "shelf/files/a/%D0%BC%20%22b%22.pdf")
        self.assertEqual((answer.status, content), (200, pdf))
        self.assertEqual(answer.headers["Content-Type"], "application/pdf")
        self.assertEqual(answer.headers["Content-Disposition"], "attachment; filename=\"__ _b_.pdf\"; filename*=UTF-8''%d0%bc%20%22b%22.pdf")
        self.assertEqual(answer.headers["ETag"], stored.headers["ETag"])
        self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
        same, content = self.ask("GET", "shelf/files/a/%D0%BC%20%22b%22.pdf", If_None_Match=answer.headers["ETag"])
        self.assertEqual((same.status, content), (304, b""))
        self.assertEqual(self.ask("GET", "shelf/files/a/%D0%BC%20%22b%22.pdf", If_Match='"0"')[0].status, 412)

    def test_text_keeps_the_charset_that_the_request_named(self):
        content = "Мельница стояла у реки. Никто не помнил, кто её построил.".encode("windows-1251")
        self.ask("PUT", "shelf/documents/note", content, Content_Type="text/plain; charset=windows-1251")
        answer, given = self.ask("GET", "shelf/files/note")
        self.assertEqual((answer.headers["Content-Type"], given), ("text/plain; charset=windows-1251", content))

    def test_what_is_not_a_file_has_none(self):
        self.ask("PUT", "shelf/documents/note", b'{"text": "A text that came as JSON."}', Content_Type="application/json")
        for path, status, reason in (("shelf/files/note", 404, "not read from a file"), ("shelf/files/none", 404, "does not exist")):
            answer, problem = self.ask("GET", path)
            self.assertEqual(answer.status, status)
            self.assertIn(reason, json.loads(problem)["reason"])
        self.server.call("PUT", "/plain", {})
        self.ask("PUT", "plain/documents/page", b"<p>" + TEXT.encode(), Content_Type="text/html")
        answer, problem = self.ask("GET", "plain/files/page")
        self.assertEqual(answer.status, 404)
        self.assertIn("keeps no files", json.loads(problem)["reason"])

    def test_a_file_goes_with_its_document(self):
        self.ask("PUT", "shelf/documents/page", b"<p>" + TEXT.encode(), Content_Type="text/html")
        self.ask("PUT", "shelf/documents/page", b"<h1>New</h1><p>" + TEXT.encode(), Content_Type="text/html")
        self.assertEqual(self.ask("GET", "shelf/files/page")[1], b"<h1>New</h1><p>" + TEXT.encode())
        self.ask("PUT", "shelf/documents/page", b'{"text": "A text."}', Content_Type="application/json")
        self.assertEqual(self.ask("GET", "shelf/files/page")[0].status, 404)
        self.ask("PUT", "shelf/documents/page", b"<p>" + TEXT.encode(), Content_Type="text/html")
        self.assertEqual(self.ask("DELETE", "shelf/documents/page")[0].status, 200)
        self.assertEqual(self.ask("GET", "shelf/files/page")[0].status, 404)

    def test_settings_are_fixed(self):
        status, problem = self.server.call("PUT", "/shelf", {})
        self.assertEqual(status, 409)
        self.assertIn("texts and files, not with", problem["reason"])


if __name__ == "__main__":
    unittest.main()
