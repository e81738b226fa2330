"""Files of many formats: indexed, searched for and checked by the same commands as texts, with pages and parts."""
import datetime
import email.message
import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import tarfile
import textwrap
import unittest
import zipfile

from program import CHAMELEON, QUERY, SOURCE, AkinTest, story
from server_process import Server

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"


def make_zip(members: dict[str, str | bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def make_tar(members: dict[str, str | bytes], mode: str = "") -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=f"w:{mode}") as archive:
        for name, content in members.items():
            content = content.encode() if isinstance(content, str) else content
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return file.getvalue()


def docx_of(body: str) -> bytes:
    """With this body in WordprocessingML."""
    return make_zip({
        "_rels/.rels": f'<Relationships><Relationship Type="{OFFICE}" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f"<w:document {W}><w:body>{body}</w:body></w:document>",
    })


def make_docx(text: str, hidden: str = "") -> bytes:
    paragraphs = "".join(f"<w:p><w:r><w:t>{one}</w:t></w:r></w:p>" for one in text.split("\n\n"))
    if hidden:
        paragraphs += f"<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>{hidden}</w:t></w:r></w:p>"
    return docx_of(paragraphs)


def make_fb2(text: str) -> bytes:
    paragraphs = "".join(f"<p>{one}</p>" for one in text.split("\n\n"))
    return (f'<?xml version="1.0" encoding="windows-1251"?><FictionBook><description><title-info><book-title>Хамелеон</book-title>'
            f"<author><first-name>Антон</first-name><last-name>Чехов</last-name></author><lang>ru</lang></title-info></description>"
            f"<body><section><title><p>Глава</p></title>{paragraphs}</section></body></FictionBook>").encode("cp1251", "xmlcharrefreplace")


def make_pdf(pages: list[str]) -> bytes:
    """In a font with Latin letters only."""
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    kids = []
    for page in pages:
        lines = " ".join(f"({line}) Tj T*" for line in page.split("\n"))
        content = f"BT /F 11 Tf 14 TL 60 700 Td {lines} ET"
        kids.append(f"{len(objects) + 1} 0 R")
        objects += [f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {len(objects) + 2} 0 R/Resources<</Font<</F 3 0 R>>>>>>",
                    f"<</Length {len(content)}>>stream\n{content}\nendstream "]
    objects[1] = f"<</Type/Pages/Kids[{' '.join(kids)}]/Count {len(kids)}>>"
    body = "".join(f"{number} 0 obj{one}endobj\n" for number, one in enumerate(objects, 1))
    return f"%PDF-1.4\n{body}trailer<</Root 1 0 R>>\n".encode()


def passage(novel: str) -> str:
    """Thirty short lines, in ASCII."""
    text = (SOURCE / "sample" / "english" / novel).read_text(encoding="utf-8")[1000:4000]
    words = text.translate({ord("("): None, ord(")"): None, ord("\u2019"): "'"}).encode("ascii", "ignore").decode()
    return "\n".join(textwrap.wrap(words, 80)[:30])


FIRST, SECOND, THIRD = sorted(path.name for path in (SOURCE / "sample" / "english").iterdir())[:3]


class FilesTest(AkinTest):
    def paragraphs(self) -> str:
        return story().strip().replace("<", "&lt;")

    def test_a_tree_of_many_formats_is_indexed_and_what_cannot_be_read_is_named(self):
        self.write("tree/a.docx", make_docx(self.paragraphs()))
        self.write("tree/b.fb2", make_fb2(self.paragraphs()))
        self.write("tree/c.txt", story())
        self.write("tree/d.pdf", make_pdf([passage(FIRST), passage(SECOND)]))
        self.write("tree/e.djvu", (SOURCE / "tests" / "data" / "files" / "mill.djvu").read_bytes())
        self.write("tree/f.doc", (SOURCE / "tests" / "data" / "files" / "mill.doc").read_bytes())
        self.write("tree/broken.docx", make_docx(self.paragraphs())[:-200])
        self.write("tree/broken.pdf", b"%PDF-1.4\n1 0 obj")
        self.write("tree/old.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
        answer = self.akin("index", "tree", "--json", code=2).json
        self.assertEqual(answer["indexed"], 6)
        self.assertEqual({error["what"].rpartition("/")[2]: error["code"] for error in answer["refused"]},
                         {"broken.docx": "file_damaged", "broken.pdf": "file_damaged", "old.doc": "file_damaged"})
        book = self.akin("show", "b.fb2", "--json", code=0).json
        self.assertEqual(book["title"], "Хамелеон")
        self.assertEqual(book["metadata"], {"format": "fb2", "author": "Антон Чехов", "language": "ru"})
        self.assertEqual(self.akin("show", "e.djvu", "--json", code=0).json["metadata"], {"format": "djvu", "pages": 4, "author": "Ada Byron", "date": "1843", "pages_without_text": 0.25})
        self.assertEqual(self.akin("show", "d.pdf", "--json", code=0).json["metadata"], {"format": "pdf", "pages": 2})

    def test_members_of_an_archive_are_documents(self):
        inner = make_zip({"deep.txt": "The deepest text.", "page.html": "<title>Page</title><p>Seen.<p hidden>Unseen."})
        self.write("tree/books.zip", make_zip({"a.txt": "The first text.", "папка/b.fb2": make_fb2(self.paragraphs()), "wrong.txt": b"\xc3\xff",
                                               "picture.gif": b"GIF89a", "no-name": make_docx("A second text."), ".hidden": "x", "inner.zip": inner}))
        answer = self.akin("index", "tree", "--json", code=2).json
        self.assertEqual((answer["indexed"], answer["files"], answer["skipped"]["hidden"]), (5, 1, 1))
        self.assertEqual({error["what"]: error["code"] for error in answer["refused"]},
                         {"tree/books.zip!/wrong.txt": "invalid_utf8", "tree/books.zip!/picture.gif": "type_unsupported"})
        record = self.akin("show", "books.zip!/папка/b.fb2", "--json", code=0).json
        self.assertEqual((record["title"], record["metadata"]["format"]), ("Хамелеон", "fb2"))
        self.assertEqual(record["file_sha256"], hashlib.sha256(make_fb2(self.paragraphs())).hexdigest())
        self.assertEqual(self.akin("show", "books.zip!/no-name", "--text", code=0).out, "A second text.")
        page = self.akin("show", "books.zip!/inner.zip!/page.html", "--json", code=0).json
        self.assertEqual((page["title"], page["code_points"]), ("Page", len("Seen.")))
        again = self.akin("index", "tree", "--json", code=2).json
        self.assertEqual((again["indexed"], again["unchanged"], len(again["refused"])), (0, 5, 2))

    def test_every_kind_of_archive_is_read_and_known_by_its_content(self):
        for mode in ("", "gz", "bz2", "xz"):
            self.write(f"tree/{mode or 'tar'}.dat", make_tar({"./книга.txt": f"The text in {mode}."}, mode))
        if shutil.which("zstd"):
            packed = subprocess.run(["zstd", "-c"], input=make_tar({"a.txt": "The text in zstd."}), stdout=subprocess.PIPE, check=True).stdout
            self.write("tree/zst.dat", packed)
        files = len(list((self.folder / "tree").iterdir()))
        self.assertEqual(self.akin("index", "tree", "--json", code=0).json["indexed"], files)
        self.assertEqual(self.akin("show", "xz.dat!/книга.txt", "--text", code=0).out, "The text in xz.")

    def test_an_archive_may_have_many_small_members(self):
        self.write("tree/small.tar", make_tar({f"{number}.txt": f"The text number {number}." for number in range(20_000)}, ""))
        self.assertEqual(self.akin("index", "tree", "--json", code=0).json["indexed"], 20_000)

    def test_a_device_and_a_named_pipe_are_refused_at_once(self):
        os.mkfifo(self.folder / "pipe")
        for name in ("/dev/zero", "pipe"):
            refused = self.akin("index", name, code=2)
            self.assertIn(f"{name}: is a device or a pipe, not a file", refused.err)
        read, write = os.pipe()
        os.write(write, story().encode())
        os.close(write)
        shell = subprocess.run(["bash", "-c", 'exec "$0" "$@" /dev/fd/0', *self.command("index", "--id", "a")], stdin=read, capture_output=True, timeout=60,
                               cwd=self.folder, env=self.environment)
        os.close(read)
        self.assertEqual(shell.returncode, 0, shell.stderr)

    def test_archives_have_limits_and_the_rest_is_indexed(self):
        nested = make_zip({"deep.txt": "Too deep."})
        for name in ("c.zip", "b.zip"):
            nested = make_zip({name: nested, "beside.txt": f"The text beside {name}."})
        self.write("tree/nested.zip", nested)
        self.write("tree/bomb.tar.gz", make_tar({f"{i}.txt": bytes(1 << 20) for i in range(300)}, "gz"))
        self.write("tree/cut.tar", make_tar({"a.txt": "Whole.", "b.txt": "x" * 2000})[:2000])
        self.write("tree/wiki.zip", make_zip({"wiki.xml": "<mediawiki></mediawiki>"}))
        self.write("tree/text.txt.gz", gzip.compress(b"A text alone."))
        answer = self.akin("index", "tree", "--json", code=2).json
        refused = {error["what"].removeprefix("tree/"): (error["code"], error["reason"]) for error in answer["refused"]}
        self.assertEqual(answer["indexed"], 3)
        self.assertEqual(refused["bomb.tar.gz"], ("file_too_large", "is an archive that unpacks to more than 256 MiB"))
        self.assertEqual(refused["nested.zip!/b.zip!/c.zip"][0], "type_unsupported")
        self.assertIn("within 2 others", refused["nested.zip!/b.zip!/c.zip"][1])
        self.assertEqual(refused["wiki.zip!/wiki.xml"][0], "type_unsupported")
        self.assertEqual(refused["text.txt.gz"][0], "type_unsupported")
        self.assertEqual((refused["cut.tar!/b.txt"][0], refused["cut.tar"][0]), ("file_damaged", "file_damaged"))
        self.assertEqual(len(refused), 6)

    def test_the_title_of_an_archive_is_refused(self):
        self.write("books.zip", make_zip({"a.txt": "One."}))
        refused = self.akin("index", "books.zip", "--title", "Books", code=2)
        self.assertIn("leave the title out", refused.err)

    def test_an_archive_is_no_query(self):
        self.index_library()
        self.write("books.zip", make_zip({"a.txt": "One."}))
        refused = self.akin("similar", "books.zip", code=2).err
        self.assertIn("is not plain text but a ZIP archive", refused)
        self.assertIn("akin index", refused)

    def test_files_that_are_read_at_once_keep_their_ids(self):
        texts = {f"{number:02}.docx": f"The document of number {number} is only here." for number in range(30)}
        for name, text in texts.items():
            self.write(f"many/{name}", make_docx(text))
            self.write(f"many/{name}.txt", text)
        self.assertEqual(self.akin("index", "many", "--json", code=0).json["indexed"], 60)
        for name, text in texts.items():
            self.assertEqual(self.akin("show", name, "--text", code=0).out, text)

    def test_one_text_in_several_formats_is_one_text(self):
        self.index_library()
        for name, bytes in (("a.docx", make_docx(self.paragraphs())), ("a.fb2", make_fb2(self.paragraphs()))):
            self.write(name, bytes)
            best = self.akin("similar", name, "--json", code=0).json["results"][0]
            self.assertEqual(best["id"], CHAMELEON)
            self.assertGreater(best["containment"], 0.98)
            self.assertGreater(best["contained"], 0.98)

    def test_an_email_is_checked_by_its_text(self):
        message = email.message.EmailMessage()
        message["From"], message["Subject"] = "Иван Иванов <ivan@example.org>", "Рассказ"
        message["Date"] = datetime.datetime(2026, 11, 30, 13, 19, 18, tzinfo=datetime.timezone.utc)
        message.set_content(QUERY.read_text(encoding="utf-8"), cte="base64")
        message.add_alternative(f"<p>{QUERY.read_text(encoding='utf-8')}</p>", subtype="html")
        message.add_attachment(b"x", maintype="application", subtype="pdf", filename="Диплом.pdf")
        self.write("letter.eml", bytes(message))
        self.index_library()
        check = self.akin("check", "letter.eml", "--json", code=0).json
        self.assertEqual((check["file"]["title"], check["file"]["authors"]), ("Рассказ", ["Иван Иванов"]))
        self.assertEqual([source["id"] for source in check["sources"]], [CHAMELEON])
        self.assertEqual([(alert["kind"], alert["sample"]) for alert in check["file"]["alerts"]], [("part_missing", "Диплом.pdf")])
        self.akin("index", "letter.eml", code=0)
        metadata = self.akin("show", "letter.eml", "--json", code=0).json["metadata"]
        self.assertGreater(metadata.pop("part_missing"), 0)
        self.assertEqual(metadata, {"format": "mail", "author": "Иван Иванов", "created": "2026-11-30T13:19:18+00:00"})

    def test_passages_of_a_pdf_have_their_pages(self):
        self.akin("index", SOURCE / "sample" / "english" / SECOND, code=0)
        self.write("thesis.pdf", make_pdf([passage(FIRST), passage(SECOND), passage(THIRD)]))
        found = self.akin("similar", "thesis.pdf", "--json", code=0).json
        self.assertEqual((found["file"]["type"], found["file"]["pages"]), ("pdf", 3))
        self.assertEqual([passage["a_pages"] for passage in found["results"][0]["passages"]], [[2, 2]])
        check = self.akin("check", "thesis.pdf", "--json", code=0).json
        self.assertEqual([passage["a_pages"] for passage in check["sources"][0]["passages"]], [[2, 2]])
        self.assertIn("page 2", self.akin("check", "thesis.pdf", code=0).out)

    def test_passages_of_a_book_have_their_parts(self):
        self.index_library()
        self.write("a.fb2", make_fb2(self.paragraphs()))
        found = self.akin("similar", "a.fb2", "--json", code=0).json
        self.assertEqual({passage.get("a_part") for passage in found["results"][0]["passages"]}, {"Глава"})

    def test_passages_of_stored_files_have_their_places(self):
        self.write("thesis.pdf", make_pdf([passage(FIRST), passage(SECOND), passage(THIRD)]))
        self.write("a.fb2", make_fb2(self.paragraphs()))
        self.akin("index", "thesis.pdf", "a.fb2", code=0)
        self.akin("index", "-", "--id", "second", stdin=passage(SECOND).encode(), code=0)
        self.akin("reindex", code=0)
        self.write("second.txt", passage(SECOND))
        for query in (("second.txt",), ("--id", "second")):
            found = self.akin("similar", *query, "--json", code=0).json["results"]
            thesis = next(result for result in found if result["id"] == "thesis.pdf")
            self.assertEqual([passage["b_pages"] for passage in thesis["passages"]], [[2, 2]])
        own = self.akin("similar", "--id", "thesis.pdf", "--json", code=0).json["results"][0]
        self.assertEqual([(passage["a_pages"], "b_pages" in passage) for passage in own["passages"]], [([2, 2], False)])
        self.assertIn("page 2", self.akin("similar", "second.txt", code=0).out)
        check = self.akin("check", "second.txt", "--json", code=0).json
        sources = {source["id"]: source["passages"] for source in check["sources"]}
        self.assertTrue(any("b_pages" in passage for passages in sources.values() for passage in passages))
        found = self.akin("similar", QUERY, "--json", code=0).json
        self.assertEqual({passage["b_part"] for passage in found["results"][0]["passages"]}, {"Глава"})

    def test_places_of_stored_files_are_exported_and_imported(self):
        self.write("thesis.pdf", make_pdf([passage(FIRST), passage(SECOND), passage(THIRD)]))
        self.akin("index", "thesis.pdf", code=0)
        exported = self.akin("export", code=0).out
        self.assertEqual([range[2] for range in json.loads(exported)["places"]["ranges"]], [1, 2, 3])
        self.write("books.ndjson", exported)
        self.akin("import", "books.ndjson", "--collection", "copy", code=0)
        self.assertEqual(json.loads(self.akin("export", "--collection", "copy", code=0).out)["places"], json.loads(exported)["places"])

    def test_an_admitted_file_has_its_places(self):
        self.akin("index", QUERY, code=0)
        self.akin("delete", QUERY.name, code=0)
        self.akin("gate", "set", "--threshold", "0.9", code=0)
        self.write("thesis.pdf", make_pdf([passage(FIRST), passage(SECOND)]))
        self.write("more.pdf", make_pdf([passage(THIRD), passage(SECOND)]))
        self.akin("index", "thesis.pdf", "--admit", code=0)
        self.akin("index", "more.pdf", "--admit", code=0)
        places = [json.loads(line)["places"]["ranges"] for line in self.akin("export", code=0).out.splitlines()]
        self.assertEqual([[range[2] for range in ranges] for ranges in places], [[1, 2], [1, 2]])

    def test_hidden_text_is_left_out_and_reported(self):
        self.index_library()
        self.write("disguised.docx", make_docx(QUERY.read_text(encoding="utf-8").replace("<", "&lt;"), hidden="слова, которых не видно"))
        check = self.akin("check", "disguised.docx", "--json", code=0).json
        self.assertEqual(check["verdict"], "refuse")
        alert = check["file"]["alerts"][0]
        self.assertEqual((alert["kind"], alert["characters"], alert["sample"]), ("hidden_text", 23, "слова, которых не видно"))
        self.assertEqual(alert["hidden_by"], ["switched_off"])
        self.assertEqual(alert["at"], check["query"]["code_points"])
        self.assertEqual([reason["alert"] for reason in check["reasons"] if reason["kind"] == "disguise"], ["hidden_text"])
        words = self.akin("check", "disguised.docx", code=0).out
        self.assertIn("hidden text, left out: 23 characters", words)
        self.assertRegex(words, r"review: hidden text: \d+\.\d % of the file, the threshold is 1\.0 %")

    def test_hidden_text_is_compared_if_the_policy_says_so(self):
        self.index_library()
        self.write("disguised.docx", make_docx("My own words alone.", hidden=QUERY.read_text(encoding="utf-8").replace("<", "&lt;")))
        apart = self.akin("check", "disguised.docx", "--json", code=0).json
        self.assertEqual((apart["verdict"], apart["share"]), ("review", 0.0))
        self.write("hidden.json", '{"compare_hidden": true}')
        together = self.akin("check", "disguised.docx", "--policy", "hidden.json", "--json", code=0).json
        self.assertGreater(together["share"], 0.9)

    def test_long_text_that_is_left_out_is_reported(self):
        self.index_library()
        self.write("beside.fb2", make_fb2("My own words alone, and nobody else's.").replace(
            b"<lang>", b"<annotation><p>" + 60 * b"Beside it. " + b"</p></annotation><lang>"))
        check = self.akin("check", "beside.fb2", "--json", code=0).json
        self.assertEqual(check["verdict"], "review")
        self.assertEqual([alert["kind"] for alert in check["file"]["alerts"]], ["text_left_out"])
        self.assertIn("left out: 659 characters", self.akin("check", "beside.fb2", code=0).out)

    def test_a_page_of_html_is_read_as_one_whatever_its_name_is(self):
        self.index_library()
        self.write("essay.doc", f"<html xmlns:o='urn:o'><meta charset=utf-8><p>{QUERY.read_text(encoding='utf-8')}</p></html>")
        found = self.akin("similar", "essay.doc", "--json", code=0).json
        self.assertEqual((found["results"][0]["id"], found["file"]["type"]), (CHAMELEON, "html"))

    def test_cyrillic_in_a_wrong_encoding_is_restored_and_reported(self):
        self.index_library()
        self.write("wrong.txt", story().replace("—", "-").encode("cp1251", "replace").decode("cp1252", "replace"))
        found = self.akin("similar", "wrong.txt", "--json", code=0).json
        self.assertEqual(found["results"][0]["id"], CHAMELEON)
        self.assertGreater(found["results"][0]["containment"], 0.95)
        self.assertEqual([alert["kind"] for alert in found["file"]["alerts"]], ["mended_encoding"])
        self.assertEqual(found["file"]["type"], "text")

    def test_a_name_that_contradicts_the_content_is_reported(self):
        self.index_library()
        self.write("essay.pdf", make_docx(self.paragraphs()))
        found = self.akin("similar", "essay.pdf", "--json", code=0).json
        self.assertEqual(found["results"][0]["id"], CHAMELEON)
        self.assertEqual([(alert["kind"], alert["sample"], alert["share"]) for alert in found["file"]["alerts"]], [("type_contradicted", "essay.pdf", 1)])
        self.write("essay.docx", make_docx(self.paragraphs()))
        self.assertEqual(self.akin("similar", "essay.docx", "--json", code=0).json["file"]["alerts"], [])

    def test_a_file_on_standard_input_is_read_by_its_content(self):
        self.index_library()
        best = self.akin("similar", "-", "--json", stdin=make_docx(self.paragraphs()), code=0).json["results"][0]
        self.assertEqual(best["id"], CHAMELEON)

    def test_a_text_in_another_encoding_is_read_by_every_command(self):
        self.index_library()
        self.write("old.txt", QUERY.read_text(encoding="utf-8").encode("koi8-r", "replace"))
        refused = self.akin("similar", "old.txt", code=2).err
        self.assertIn("--encoding koi8-r", refused)
        for encoding in ("koi8-r", "auto"):
            best = self.akin("similar", "old.txt", "--encoding", encoding, "--json", code=0).json["results"][0]
            self.assertEqual(best["id"], CHAMELEON)
        self.akin("check", "old.txt", "--encoding", "auto", code=0)
        self.akin("compare", "old.txt", "old.txt", "--encoding", "auto", code=0)
        self.lab("features", "old.txt", "--encoding", "auto", code=0)
        self.assertIn("encoding 'klingon'", self.akin("similar", "old.txt", "--encoding", "klingon", code=2).err)

    def test_the_format_can_be_forced(self):
        self.write("a.txt", "<p>One.</p>")
        self.akin("index", "a.txt", "--format", "html", code=0)
        self.assertEqual(self.akin("show", "a.txt", "--text", code=0).out, "One.")


class ServedFilesTest(AkinTest):
    """Over HTTP, by the content of the body."""

    def setUp(self):
        super().setUp()
        self.akin("index", SOURCE / "sample" / "english" / SECOND, code=0)
        self.server = Server(self)
        self.thesis = make_pdf([passage(FIRST), passage(SECOND), passage(THIRD)])

    def call(self, method: str, path: str, body: bytes = b"", type: str = "application/octet-stream") -> tuple[int, dict]:
        connection = self.server.connect()
        self.addCleanup(connection.close)
        connection.request(method, path, body, {"Content-Type": type})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())

    def test_ready_says_what_confines_the_reader(self):
        status, ready = self.call("GET", "/readyz")
        self.assertEqual(status, 200)
        self.assertEqual({name: ready["extraction"][name] for name in ("ready", "no_new_privileges", "seccomp", "limits")},
                         dict.fromkeys(("ready", "no_new_privileges", "seccomp", "limits"), True))

    def test_a_query_has_its_pages(self):
        for path in ("/v1/collections/default/similar", "/v1/similar?collections=default"):
            status, found = self.call("POST", path, self.thesis, "application/pdf")
            self.assertEqual(status, 200)
            self.assertEqual(found["file"]["pages"], 3)
            self.assertEqual([passage["a_pages"] for passage in found["results"][0]["passages"]], [[2, 2]])

    def test_a_content_type_that_contradicts_the_content_is_reported(self):
        for type, kinds in (("application/rtf", ["type_contradicted"]), ("text/html", ["type_contradicted"]), ("application/pdf", [])):
            status, found = self.call("POST", "/v1/collections/default/similar", self.thesis, type)
            self.assertEqual((status, found["file"]["type"]), (200, "pdf"))
            self.assertEqual([alert["kind"] for alert in found["file"]["alerts"]], kinds)

    def test_a_document_is_stored_with_its_metadata(self):
        status, stored = self.call("PUT", "/v1/collections/default/documents/thesis.pdf", self.thesis)
        self.assertEqual((status, stored["file"]["type"]), (201, "pdf"))
        self.assertEqual(self.akin("show", "thesis.pdf", "--json", code=0).json["metadata"], {"format": "pdf", "pages": 3})
        status, stored = self.call("PUT", "/v1/collections/default/documents/page", b"<title>T</title><p>Seen.<p hidden>Unseen.", "text/html")
        self.assertEqual((status, stored["file"]["alerts"][0]["sample"]), (201, "Unseen."))
        self.assertEqual(self.akin("show", "page", "--text", code=0).out, "Seen.")

    def test_a_text_is_read_in_the_charset_of_its_content_type(self):
        document = "/v1/collections/default/documents/old"
        for type in ("text/plain; charset=windows-1251", 'text/html; charset="Windows-1251"'):
            status, _ = self.call("PUT", document, "Толстый и тонкий встретились.".encode("cp1251"), type)
            self.assertIn(status, (200, 201))
            self.assertEqual(self.akin("show", "old", "--text", code=0).out, "Толстый и тонкий встретились.")

    def test_a_plain_text_is_checked_as_a_file_is(self):
        path = "/v1/checks?collections=default&title=Essay&owner=me"
        for type, encoding in (("text/plain", "utf-8"), ("text/plain; charset=utf-8", "utf-8"), ("text/plain; charset=windows-1251", "cp1251")):
            status, made = self.call("POST", path, "Толстый и тонкий встретились.".encode(encoding), type)
            self.assertEqual((status, made.get("title"), made.get("owner")), (201, "Essay", "me"), made)
            status, check = self.call("GET", f"/v1/checks/{made['id']}?include=text")
            self.assertEqual(check["text"], "Толстый и тонкий встретились.")
        self.assertEqual(self.call("POST", "/v1/checks", b"A text.", "text/plain")[1]["collections"], ["default"])

    def test_passages_of_a_stored_file_have_their_pages(self):
        self.call("PUT", "/v1/collections/default/documents/thesis.pdf", self.thesis)
        for path, query in (("/v1/collections/default/similar", {"id": SECOND}), ("/v1/similar?collections=default", {"id": SECOND, "collection": "default"})):
            status, found = self.call("POST", path, json.dumps(query).encode(), "application/json")
            self.assertEqual((status, found["results"][0]["passages"][0]["b_pages"]), (200, [2, 2]))
        query = {"id": "thesis.pdf", "collection": "default", "collections": ["default"]}
        status, check = self.call("POST", "/v1/checks", json.dumps(query).encode(), "application/json")
        self.assertEqual((status, check["sources"][0]["passages"][0]["a_pages"]), (201, [2, 2]))
        self.assertEqual(self.call("POST", f"/v1/checks/{check['id']}/repeat")[1]["same"], True)
        query["id"] = SECOND
        status, check = self.call("POST", "/v1/checks", json.dumps(query).encode(), "application/json")
        self.assertEqual((status, check["sources"][0]["passages"][0]["b_pages"]), (201, [2, 2]))
        self.assertEqual(self.call("POST", f"/v1/checks/{check['id']}/repeat")[1]["same"], True)

    def test_an_event_has_the_pages_of_the_stored_file(self):
        watch = {"text": passage(SECOND), "bound": 1}
        self.assertEqual(self.call("PUT", "/v1/collections/default/watches/second", json.dumps(watch).encode(), "application/json")[0], 201)
        self.call("PUT", "/v1/collections/default/documents/thesis.pdf", self.thesis)
        self.when(lambda: self.call("GET", "/v1/collections/default/events")[1]["total"], "no event")
        event = self.call("GET", "/v1/collections/default/events")[1]["events"][0]
        self.assertEqual([passage["b_pages"] for passage in event["passages"]], [[2, 2]])

    def test_an_archive_is_refused_as_a_document(self):
        books = make_zip({"a.txt": "One."})
        for method, path in (("PUT", "/v1/collections/default/documents/books"), ("POST", "/v1/collections/default/similar")):
            status, refused = self.call(method, path, books, "application/zip")
            self.assertEqual((status, refused["code"]), (415, "type_unsupported"))
            self.assertIn("akin index", refused["remedy"])

    def test_a_check_has_its_pages_and_its_repetition_is_the_same(self):
        status, check = self.call("POST", "/v1/checks?collections=default&title=Thesis", self.thesis)
        self.assertEqual((status, check["title"], check["file"]["type"]), (201, "Thesis", "pdf"))
        self.assertEqual([passage["a_pages"] for passage in check["sources"][0]["passages"]], [[2, 2]])
        status, repeated = self.call("POST", f"/v1/checks/{check['id']}/repeat")
        self.assertEqual((status, repeated["same"]), (200, True))
        self.assertEqual(self.call("POST", "/v1/checks?collections=", self.thesis)[1]["what"], "query parameter 'collections'")

    def test_a_file_that_cannot_be_read_is_refused_by_name(self):
        path = "/v1/collections/default/similar"
        for body, status, code in ((b"%PDF-1.4\n1 0 obj", 422, "file_damaged"), (b"GIF89a", 415, "type_unsupported")):
            answer = self.call("POST", path, body)
            self.assertEqual((answer[0], answer[1]["code"]), (status, code))
        self.assertEqual(self.call("POST", path, b"x", "image/gif")[0], 415)


if __name__ == "__main__":
    unittest.main()
