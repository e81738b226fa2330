"""Files that a form brings are stored in one request, as curl and browsers send them."""
import io
import json
import shutil
import subprocess
import tarfile
import unittest
import zipfile

from program import AkinTest
from server_process import Server
from test_files import make_docx, make_pdf
from test_stored_files import TEXT, docx

OLD = ("Мельница стояла у самой реки, и никто в деревне не помнил, кто её построил. "
       "Каждое утро старый мельник спускался к воде и подолгу смотрел на колесо.")
BOUNDARY = "----form"
MEDIA = f"multipart/form-data; boundary={BOUNDARY}"


def form(parts: list[tuple[str, str | None, bytes]]) -> bytes:
    """Of (field, file name, bytes); without a file name it is a plain field."""
    body = b""
    for field, name, content in parts:
        file = "" if name is None else f'; filename="{name}"'
        body += f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"{file}\r\n\r\n'.encode() + content + b"\r\n"
    return body + f"--{BOUNDARY}--\r\n".encode()


def archive(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in members.items():
            package.writestr(name, content)
    return out.getvalue()


def tarball(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as package:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            package.addfile(entry, io.BytesIO(content))
    return out.getvalue()


class UploadTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.server = Server(self)
        self.assertEqual(self.server.call("PUT", "/books", {"store_file": True})[0], 201)

    def request(self, method: str, path: str, body: bytes | None = None, **fields) -> tuple[int, bytes]:
        connection = self.server.connect()
        self.addCleanup(connection.close)
        connection.request(method, "/v1/collections/books" + path, body=body, headers=fields)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def upload(self, body: bytes, media: str = MEDIA, query: str = "") -> list[dict]:
        status, answer = self.request("POST", f"/upload{query}", body, **{"Content-Type": media})
        self.assertEqual(status, 200, answer)
        return [json.loads(line) for line in answer.decode().splitlines()]

    def outcomes(self, lines: list[dict]) -> dict[str, str]:
        return {line["name"]: line["error"]["code"] if line["status"] == "error" else line["status"] for line in lines if "status" in line}

    def test_documents_of_all_kinds_are_stored_and_kept(self):
        pdf = make_pdf([TEXT])
        files = [("file", "thesis.pdf", pdf), ("file", "deep/essay.docx", docx(TEXT)), ("file", "note.txt", TEXT.encode()),
                 ("file", "broken.pdf", pdf[:300]), ("file", "books.zip", archive({"a.txt": TEXT.encode(), "b/c.docx": docx(TEXT), ".x": b"x"}))]
        lines = self.upload(form([("metadata", None, b'{"source": "inbox"}'), *files]))
        self.assertEqual(self.outcomes(lines), {
            "thesis.pdf": "created", "deep/essay.docx": "created", "note.txt": "created", "broken.pdf": "file_damaged",
            "books.zip!/a.txt": "created", "books.zip!/b/c.docx": "created"})
        self.assertEqual(lines[0]["file"]["type"], "pdf")
        summary = lines[-1]["summary"]
        self.assertEqual((summary["files"], summary["created"], summary["errors"], summary["hidden"]), (5, 5, 1, 1))
        self.assertEqual(self.request("GET", "/files/thesis.pdf"), (200, pdf))
        stored = self.server.call("GET", "/books/documents/deep/essay.docx")[1]
        self.assertEqual(stored["metadata"], {"format": "docx", "source": "inbox"})
        again = self.upload(form([("metadata", None, b'{"source": "inbox"}'), *files]))
        self.assertEqual(set(self.outcomes(again).values()), {"unchanged", "file_damaged"})
        self.akin("verify", "--collection", "books", code=0)

    def test_a_line_says_what_put_says(self):
        hidden = make_docx(TEXT.replace("mill", "m\u200bill"), hidden="Nobody sees this sentence.")
        files = {"thesis.pdf": make_pdf([TEXT.replace(". ", ".\n")] * 2), "hidden.docx": hidden, "mended.txt": OLD.encode("cp1251").decode("latin-1").encode(),
                 "page.html": f"<meta charset=koi8-r><p>{OLD}".encode("koi8-r"), "essay.pdf": docx(TEXT)}
        lines = self.upload(form([("file", name, content) for name, content in files.items()]))
        for line, (name, content) in zip(lines, files.items()):
            status, answer = self.request("PUT", f"/documents/put-{name}?file_name={name}", content, **{"Content-Type": "application/octet-stream"})
            self.assertEqual(status, 201, answer)
            put = json.loads(answer)
            self.assertEqual({key: line.get(key) for key in put if key not in ("id", "replaced", "stored")},
                             {key: put[key] for key in put if key not in ("id", "replaced", "stored")}, name)
        self.assertEqual([alert["kind"] for alert in lines[1]["alerts"]], ["zero_width", "zero_width"])
        self.assertEqual([[alert["kind"] for alert in line.get("file", {"alerts": []})["alerts"]] for line in lines[:-1]],
                         [[], ["hidden_text"], ["mended_encoding"], [], ["type_contradicted"]])

    def test_an_archive_may_be_the_body(self):
        members = {"a.txt": TEXT.encode(), "deep/b.docx": docx(TEXT)}
        for name, body, media in (("x.zip", archive(members), "application/zip"), ("y.tgz", tarball(members), "application/gzip")):
            lines = self.upload(body, media, f"?file_name={name}&prefix=in/")
            self.assertEqual([line["id"] for line in lines[:-1]], [f"in/{name}!/a.txt", f"in/{name}!/deep/b.docx"])
            self.assertEqual(lines[-1]["summary"]["created"], 2)
        bomb = self.upload(archive({"zeros.txt": bytes(300 << 20)}), "application/zip", "?file_name=bomb.zip")
        self.assertEqual(self.outcomes(bomb), {"bomb.zip": "file_too_large"})

    def test_a_request_without_a_right_to_write_is_refused(self):
        key = self.akin("key", "create", "--scope", "read", code=0).out.strip()
        body = form([("file", "a.txt", TEXT.encode())])
        fields = {"Content-Type": MEDIA, "Authorization": f"Bearer {key}"}
        status, answer = self.request("POST", "/upload", body, **fields)
        self.assertEqual(status, 403, answer)

    @unittest.skipUnless(shutil.which("curl"), "curl is not installed")
    def test_curl_sends_forms(self):
        (self.folder / "Чехов «Ванька».txt").write_text(TEXT)
        (self.folder / 'b "c".html').write_text(f"<title>B</title><p>{TEXT}")
        answer = subprocess.run(
            ["curl", "-sS", "-F", "title=Vanka", "-F", "file=@Чехов «Ванька».txt", "-F", r'file=@"b \"c\".html"',
             f"http://127.0.0.1:{self.server.port}/v1/collections/books/upload"],
            cwd=self.folder, check=True, stdout=subprocess.PIPE).stdout.decode()
        lines = [json.loads(line) for line in answer.splitlines()]
        self.assertEqual([line.get("id") for line in lines], ["Чехов «Ванька».txt", 'b "c".html', None])
        self.assertEqual(lines[-1]["summary"]["created"], 2, answer)


if __name__ == "__main__":
    unittest.main()
