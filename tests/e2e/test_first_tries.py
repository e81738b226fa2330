"""Forty things that the developer of a client tries first, with curl, and what they get."""
import json
import subprocess
import unittest

from program import CHAMELEON, QUERY, AkinTest
from server_process import Server
from test_files import make_pdf
from test_stored_files import TEXT

JSON = ("-H", "Content-Type: application/json")
FOX = "A hungry fox saw some fine bunches of grapes. They were hanging from a vine along a high trellis."
ORIGIN = "https://app.example"


def body(value) -> tuple[str, ...]:
    return (*JSON, "-d", json.dumps(value))


class FirstTries(AkinTest):
    """Each test is a topic, each row a try: what curl is given, the status, and what the answer holds."""
    authorization: tuple[str, ...] = ()  # what curl is given in each try

    def setUp(self):
        super().setUp()
        self.index_library()
        self.server = Server(self, "--cors-origin", ORIGIN)
        self.write("t.txt", QUERY.read_text(encoding="utf-8"))
        self.write("thesis.pdf", make_pdf([TEXT]))

    def curl(self, path: str, *arguments: str) -> tuple[int, dict, bytes]:
        """Status, fields and body."""
        command = ["curl", "-s", "-D", "fields", "-o", "body", "-w", "%{http_code}", f"{self.server.url}{path}", *self.authorization, *arguments]
        (self.folder / "body").unlink(missing_ok=True)
        status = int(subprocess.run(command, stdout=subprocess.PIPE, check=True, cwd=self.folder).stdout)
        lines = (self.folder / "fields").read_text(encoding="utf-8").replace("\r", "").splitlines()
        fields: dict[str, str] = {}
        for name, _, value in (line.partition(": ") for line in lines):
            fields[name.lower()] = f"{fields[name.lower()]}, {value}" if name.lower() in fields else value
        kept = self.folder / "body"
        return status, fields, kept.read_bytes() if kept.exists() else b""

    def json(self, status: int, path: str, *arguments: str):
        found, _, content = self.curl("/v1" + path, *arguments)
        self.assertEqual(found, status, content.decode())
        return json.loads(content) if content else None

    def test_collections(self):
        self.assertEqual(self.json(201, "/collections/books", "-X", "PUT")["name"], "books")
        self.assertEqual(self.json(200, "/collections/books", "-X", "PUT")["documents"], 0, "again")
        self.assertEqual(self.json(200, "/collections/")["total"], 2, "a slash at the end")
        self.assertEqual(self.json(404, "/collections/boks")["code"], "not_found")
        self.assertIn("PUT makes one", self.json(404, "/collections/boks/documents")["remedy"])
        refused = self.json(405, "/collections/books", "-X", "POST")
        self.assertEqual((refused["code"], refused["remedy"]), ("method_not_allowed", "use one of GET, HEAD, PUT, DELETE"))
        self.assertEqual(self.curl("/v1/collections/books", "-I")[0], 200)

    def test_documents(self):
        books = "/collections/default/documents"
        self.assertEqual(self.json(201, f"{books}/fox", "-X", "PUT", *body({"text": FOX}))["id"], "fox")
        made = self.json(201, books, *body({"text": FOX, "title": "Fox", "metadata": {"author": "N. N."}}))
        self.assertEqual(self.json(200, f"{books}/{made['id']}")["title"], "Fox")
        changed = self.json(200, f"{books}/fox", "-X", "PATCH", *body({"metadata": {"year": 2024}}))
        self.assertEqual(changed["metadata"], {"year": 2024})
        self.json(201, f"{books}/t", "-X", "PUT", "-F", "file=@t.txt", "-F", 'metadata={"author": "Chekhov"}')
        self.assertIn("text/plain", self.json(415, f"{books}/t", "-X", "PUT", "-d", "@t.txt")["remedy"])
        self.assertEqual(self.json(200, f"{books}?limit=1")["total"], 14)
        self.assertEqual(self.json(400, f"{books}?cursor=nonsense")["what"], "query parameter 'cursor'")
        filtered = self.json(200, f"{books}?filter=author+EXISTS")
        self.assertEqual((len(filtered["documents"]), filtered["total"]), (2, None))
        self.assertEqual(self.json(200, f"{books}?filter=author+EXISTS&total=true")["total"], 2)
        self.assertEqual(self.json(200, f"{books}/fox", "-X", "DELETE")["deleted"], True)
        self.json(404, f"{books}/fox", "-X", "DELETE")

    def test_languages_of_a_collection(self):
        made = self.json(201, "/collections/russian", "-X", "PUT", *body({"languages": "ru"}))
        self.assertEqual((made["languages"], self.json(200, "/collections/russian")["dictionaries"]["outdated"]), ("ru", False))
        self.assertEqual(self.json(201, "/collections/both", "-X", "PUT")["languages"], "ru,en")
        refused = self.json(400, "/collections/klingon", "-X", "PUT", *body({"languages": "tlh"}))
        self.assertIn("'languages'", refused["what"])
        self.assertIn("hunspell-tlh", refused["detail"])
        self.json(404, "/collections/klingon")
        self.assertIn("languages ru", self.json(409, "/collections/both", "-X", "PUT", *body({"languages": "ru"}))["detail"])

    def test_lists_and_passages_of_documents(self):
        books = "/collections/default"
        for name in ("second", "first"):
            since = self.json(201, f"{books}/documents/{name}", "-X", "PUT", *body({"text": FOX * 3}))["stored"]
        names = [one["id"] for one in self.json(200, f"{books}/documents?order=stored&limit=1000")["documents"]]
        self.assertEqual(names[-2:], ["second", "first"])
        self.assertEqual([one["id"] for one in self.json(200, f"{books}/documents?since={since}")["documents"]], ["first"])
        shared = self.json(200, f"{books}/passages/first?include=passage_text")["results"]
        self.assertEqual([one["id"] for one in shared], ["second"])
        self.assertIn("hungry fox", shared[0]["passages"][0]["b_text"])

    def test_many_documents(self):
        lines = [{"id": "a", "text": FOX}, {"id": "b", "text": FOX}, {"id": "a", "delete": True}]
        for media, content in (("json", json.dumps(lines)), ("x-ndjson", "".join(json.dumps(line) + "\n" for line in lines))):
            status, _, answer = self.curl("/v1/collections/default/bulk", "-H", f"Content-Type: application/{media}", "-d", content)
            self.assertEqual((status, json.loads(answer.splitlines()[-1])["summary"]["deleted"]), (200, 1))

    def test_searches(self):
        similar = "/collections/default/similar"
        self.assertEqual(self.json(200, similar, "-F", "file=@t.txt", "-F", "limit=1")["results"][0]["id"], CHAMELEON)
        self.assertEqual(self.json(200, similar, *body({"text": FOX, "bound": 0}))["bound"], 0)
        self.assertEqual(self.json(200, similar, *body({"id": CHAMELEON}))["next"], None)
        self.assertIn("'bound'", self.json(400, similar, *body({"text": FOX, "offset": 1}))["remedy"])
        for name in ("a", "b", "c"):
            self.json(201, f"/collections/default/documents/{name}", "-X", "PUT", *body({"text": FOX * 3}))
        seen, cursor = [], ""
        while cursor is not None:
            page = self.json(200, f"{similar}?limit=2", *body({"text": FOX * 3, "cursor": cursor}))
            seen += [one["id"] for one in page["results"]]
            cursor = page["next"]
        self.assertEqual((seen, page["total"]), (["a", "b", "c"], 3))

    def test_checks(self):
        self.assertEqual(self.json(201, "/checks?collections=default", "-H", "Content-Type: text/plain", "--data-binary", "@t.txt")["verdict"], "refuse")
        self.assertEqual(self.json(201, "/checks", "-F", "file=@t.txt", "-F", "collections=default")["verdict"], "refuse")
        self.assertIn("name collections", self.json(400, "/checks?collections=", "-F", "file=@t.txt")["remedy"])
        self.assertEqual(len(self.json(200, "/checks?verdict=refuse&since=2020-01-01")["checks"]), 2)
        self.assertEqual(self.json(200, "/checks?verdict=pass")["checks"], [])

    def test_checks_search_all_collections_unless_some_are_named(self):
        self.json(201, "/collections/empty", "-X", "PUT")
        self.assertEqual(self.json(201, "/checks", "-F", "file=@t.txt")["collections"], ["default", "empty"])
        self.assertEqual(self.json(201, "/checks?collections=empty", "-F", "file=@t.txt")["verdict"], "pass")

    def test_bodies_without_a_type(self):
        """Whatever `curl -d` and `--data-binary` send is called a form."""
        lines = (self.folder / "t.txt").read_text(encoding="utf-8")
        for content in (("--data-binary", "@t.txt"), ("-d", lines), ("-d", json.dumps({"text": lines}, indent=1))):
            self.assertEqual(self.json(201, "/checks?collections=default", *content)["share"], 1, content[:1])
        (self.folder / "t.rtf").write_text(r"{\rtf1 " + FOX + "}", encoding="ascii")
        self.assertEqual(self.json(201, "/checks", "--data-binary", "@t.rtf")["query"]["words"], len(FOX.split()))
        self.json(201, "/collections/bare", "-X", "PUT", "-d", '{"languages": "en"}')

    def test_one_line_may_be_a_file_without_its_line_ends(self):
        self.assertIn("text/plain", self.json(415, "/checks", "-d", "@t.txt")["remedy"])

    def test_tasks(self):
        task = self.json(202, "/collections/default/pairs", "-X", "POST")
        done = self.json(200, f"/tasks/{task['id']}?wait=30")
        self.assertEqual(done["status"], "done")
        self.assertEqual(self.json(404, "/tasks/task-0/result")["code"], "not_found")
        for name in ("a", "b", "c"):
            self.json(201, f"/collections/default/documents/{name}", "-X", "PUT", *body({"text": FOX * 3}))
        task = self.json(202, "/collections/default/pairs?bound=1", "-X", "POST")["id"]
        self.json(200, f"/tasks/{task}?wait=30")
        status, fields, lines = self.curl(f"/v1/tasks/{task}/result?limit=2")
        self.assertEqual((status, fields["x-total-count"], fields["x-next-cursor"], len(lines.splitlines())), (200, "3", "after:2", 2))
        status, fields, lines = self.curl(f"/v1/tasks/{task}/result?limit=2&cursor={fields['x-next-cursor']}")
        self.assertEqual((status, fields.get("x-next-cursor"), len(lines.splitlines())), (200, None, 1))

    def test_answers_are_compressed(self):
        plain = self.curl("/openapi.json")
        self.assertNotIn("content-encoding", plain[1])
        for coding in ("gzip", "zstd"):
            _, fields, content = self.curl("/openapi.json", "-H", f"Accept-Encoding: {coding}")
            self.assertEqual(fields["content-encoding"], coding)
            self.assertIn("Accept-Encoding", fields["vary"])
            self.assertLess(len(content), len(plain[2]) / 4)
            program = {"gzip": "gzip", "zstd": "zstd"}[coding]
            unpacked = subprocess.run([program, "-dc"], input=content, stdout=subprocess.PIPE, check=True).stdout
            self.assertEqual(unpacked, plain[2])
        self.assertNotIn("content-encoding", self.curl("/openapi.json", "-H", "Accept-Encoding: br, zstd;q=0")[1])

    def test_files_have_ranges(self):
        self.json(201, "/collections/kept", "-X", "PUT", *body({"store_file": True}))
        self.json(201, "/collections/kept/documents/17", "-X", "PUT", "-F", "file=@thesis.pdf")
        whole = (self.folder / "thesis.pdf").read_bytes()
        path, size = "/v1/collections/kept/files/17", len(whole)
        status, fields, content = self.curl(path)
        self.assertEqual((status, fields["accept-ranges"], content), (200, "bytes", whole))
        tag = fields["etag"]
        rows = [
            ("bytes=0-9", 206, f"bytes 0-9/{size}", whole[:10]),
            ("bytes=10-", 206, f"bytes 10-{size - 1}/{size}", whole[10:]),
            ("bytes=-10", 206, f"bytes {size - 10}-{size - 1}/{size}", whole[-10:]),
            (f"bytes=0-{size + 9}", 206, f"bytes 0-{size - 1}/{size}", whole),
            ("bytes=0-1,5-6", 200, None, whole),
            ("lines=1-2", 200, None, whole),
            ("bytes=9-0", 200, None, whole),
        ]
        for asked, status, range_, content in rows:
            with self.subTest(asked):
                found = self.curl(path, "-H", f"Range: {asked}")
                self.assertEqual((found[0], found[1].get("content-range"), found[2]), (status, range_, content))
        beyond = self.curl(path, "-H", f"Range: bytes={size}-")
        self.assertEqual((beyond[0], beyond[1]["content-range"]), (416, f"bytes */{size}"))
        self.assertEqual(json.loads(beyond[2])["code"], "range_not_satisfiable")
        self.assertEqual(self.curl(path, "-H", "Range: bytes=0-9", "-H", f"If-Range: {tag}")[0], 206)
        self.assertEqual(self.curl(path, "-H", "Range: bytes=0-9", "-H", 'If-Range: "other"')[0], 200)

    def test_pages_of_other_origins(self):
        fields = self.curl("/v1/tasks", "-H", f"Origin: {ORIGIN}")[1]
        self.assertEqual(fields["access-control-allow-origin"], ORIGIN)
        for name in ("X-Total-Count", "X-Next-Cursor", "ETag", "Location", "Retry-After"):
            self.assertIn(name, fields["access-control-expose-headers"])

    def test_keys(self):
        bearer = ("-H", "Authorization: Bearer akin_nobody_knows_it")
        self.json(200, "/collections", *bearer)  # without keys in use they are ignored
        key = self.json(201, "/keys", *body({"scopes": ["admin"]}))["key"]
        self.assertEqual(self.json(401, "/collections", *bearer)["code"], "unauthenticated")
        self.json(200, "/collections", "-H", f"Authorization: Bearer {key}")


class FirstTriesWithKeys(FirstTries):
    """The same on a server with access keys, by an administrator's."""

    def setUp(self):
        super().setUp()
        self.authorization = self.key("admin")

    def key(self, scope: str, **limits) -> tuple[str, str]:
        key = self.json(201, "/keys", *body({"scopes": [scope], **limits}))["key"]
        return "-H", f"Authorization: Bearer {key}"

    def test_keys(self):
        reader, writer = self.key("read", collections=["default"]), self.key("write", collections=["default"])
        checker, stranger, other = self.key("check"), self.key("check"), self.key("read", collections=["books"])
        self.authorization = ()
        status, fields, answer = self.curl("/v1/collections")
        self.assertEqual((status, fields["www-authenticate"]), (401, "Bearer"))
        self.assertIn("Authorization: Bearer", json.loads(answer)["remedy"])
        secret = reader[1].removeprefix("Authorization: Bearer ")
        for given in (f"Authorization: {secret}", f"Authorization: Basic {secret}", f"X-Api-Key: {secret}"):
            self.assertIn("Authorization: Bearer", self.json(401, "/collections", "-H", given)["remedy"], given)
        self.assertEqual(self.json(401, "/collections", "-H", "Authorization: Bearer akin_nobody")["code"], "unauthenticated")
        for path in ("/livez", "/openapi.json", "/docs/"):
            self.assertEqual(self.curl(path)[0], 200)
        document = "/collections/default/documents/fox"
        self.assertIn("'write'", self.json(403, document, "-X", "PUT", *body({"text": FOX}), *reader)["reason"])
        self.json(201, document, "-X", "PUT", *body({"text": FOX}), *writer)
        self.assertEqual(self.json(200, document, *reader)["text"], FOX)
        self.assertIn("'default'", self.json(403, document, *other)["reason"])
        self.assertEqual(self.json(200, "/collections", *other)["collections"], [])
        checked = self.json(201, "/checks?collections=default", *body({"text": QUERY.read_text(encoding="utf-8")}), *checker)
        self.assertEqual(checked["sources"][0]["id"], CHAMELEON)
        self.assertIn("'read'", self.json(403, f"/collections/default/documents/{CHAMELEON}", *checker)["reason"])
        self.json(404, f"/checks/{checked['id']}", *stranger)

if __name__ == "__main__":
    unittest.main()
