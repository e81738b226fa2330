"""What somebody who has only read the names of the paths tries first, with curl as it comes."""
import json
import shlex
import subprocess
import unittest

from program import CHAMELEON, QUERY, AkinTest
from server_process import Server
from test_files import make_pdf
from test_stored_files import TEXT

FORM = "application/x-www-form-urlencoded"


class CurlTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.index_library()
        self.server = Server(self)
        self.write("t.txt", QUERY.read_text(encoding="utf-8"))
        self.write("old.txt", QUERY.read_text(encoding="utf-8").encode("cp1251"))
        self.write("thesis.pdf", make_pdf([TEXT]))

    def curl(self, path: str, *arguments: str, status: int) -> dict:
        """The JSON that curl prints; `path` may have a query."""
        command = ["curl", "-s", "-w", "\n%{http_code}", f"{self.server.url}/v1{path}", *arguments]
        body, code = subprocess.run(command, stdout=subprocess.PIPE, check=True, cwd=self.folder).stdout.decode().rsplit("\n", 1)
        self.assertEqual(int(code), status, body)
        return json.loads(body)

    def plain(self, name: str = "t.txt") -> list[str]:
        return ["-H", "Content-Type: text/plain", "--data-binary", f"@{name}"]


class CheckTest(CurlTest):
    URL = "/checks?collections=default"

    def sources(self, check: dict) -> list[str]:
        return [source["id"] for source in check["sources"]]

    def test_a_text_is_checked_however_it_is_sent(self):
        text = QUERY.read_text(encoding="utf-8")
        ways = {
            "text/plain": (self.URL, self.plain()),
            "text/plain read as a file": (self.URL + "&encoding=windows-1251", self.plain("old.txt")),
            "form with a file": ("/checks", ["-F", "file=@t.txt", "-F", "collections=default"]),
            "form with a document": ("/checks", ["-F", "document=@t.txt", "-F", "collections=default"]),
            "form with a text": ("/checks", ["-F", "text=<t.txt", "-F", "collections=default"]),
            "form and query": (self.URL, ["-F", "file=@t.txt"]),
            "file in an old encoding": (self.URL, ["-F", "file=@old.txt", "-F", "encoding=auto"]),
            "encoding of the part": (self.URL, ["-F", "file=@old.txt;type=text/plain;charset=windows-1251"]),
            "curl -d text=": ("/checks", ["--data-urlencode", "text@t.txt", "-d", "collections=default"]),
            "JSON": ("/checks", ["-H", "Content-Type: application/json", "-d", json.dumps({"collections": ["default"], "text": text})]),
        }
        shares = {}
        for name, (path, arguments) in ways.items():
            with self.subTest(name):
                check = self.curl(path, *arguments, status=201)
                self.assertEqual((check["verdict"], self.sources(check)), ("refuse", [CHAMELEON]))
                shares[name] = check["share"]
        self.assertEqual(len(set(shares.values())), 1, shares)

    def test_a_form_says_what_the_fields_of_json_say(self):
        self.akin("index", "t.txt", "--collection", "second", code=0)
        fields = {"policy": "default", "owner": "ivanova", "title": "Курсовая", "metadata": '{"group": "21"}'}
        arguments = [word for name, value in fields.items() for word in ("-F", f"{name}={value}")]
        check = self.curl("/checks", "-F", "file=@t.txt", "-F", "collections=default", "-F", "collections=second", *arguments, status=201)
        self.assertEqual(check["collections"], ["default", "second"])
        self.assertEqual((check["owner"], check["title"], check["metadata"]), ("ivanova", "Курсовая", {"group": "21"}))
        same = self.curl("/checks?collections=default,second&policy=default&owner=ivanova&title=%D0%9A&metadata=%7B%22a%22:1%7D",
                         *self.plain(), status=201)
        self.assertEqual((same["owner"], same["title"], same["metadata"]), ("ivanova", "К", {"a": 1}))

    def test_a_file_has_its_name_and_its_own_title(self):
        check = self.curl("/checks", "-F", "file=@thesis.pdf", "-F", "collections=default", status=201)
        self.assertEqual(check["file"]["type"], "pdf")
        self.assertEqual([alert for alert in check["file"]["alerts"] if alert["kind"] == "type_contradicted"], [])
        named = self.curl("/checks", "-F", "file=@thesis.pdf;filename=thesis.docx", "-F", "collections=default", status=201)
        self.assertIn("type_contradicted", [alert["kind"] for alert in named["file"]["alerts"]])

    def test_a_form_that_cannot_be_meant_is_refused(self):
        rows = [
            (["-F", "collections=default"], 400, "neither a file nor a text"),
            (["-F", "file=@t.txt", "-F", "text=x", "-F", "collections=default"], 400, "more than one"),
            (["-F", "file=@t.txt", "-F", "file=@old.txt", "-F", "collections=default"], 400, "more than one"),
            (["-F", "thesis=@t.txt", "-F", "collections=default"], 400, "as the field 'file'"),
            (["-F", "file=@t.txt", "-F", "collections="], 400, "'collections'"),
            (["-F", "file=@t.txt", "-F", "collections=default", "-F", "oner=x"], 400, "form field 'oner'"),
            (["-F", "file=@t.txt", "-F", "collections=default", "-F", "owner=x", "-F", "owner=y"], 400, "more than once"),
            (["-F", "file=@t.txt", "-F", "collections=default", "-F", "metadata=x"], 400, "JSON"),
            (["-F", "file=@t.txt;type=text/plain;charset=klingon", "-F", "collections=default"], 415, "klingon"),
            (["-F", "file=@thesis.pdf", "-F", "collections=nothing"], 404, "nothing"),
        ]
        for arguments, status, words in rows:
            with self.subTest(arguments):
                self.assertIn(words, self.curl("/checks", *arguments, status=status)["detail"])
        self.assertIn("differs", self.curl(self.URL, "-F", "file=@t.txt", "-F", "collections=second", status=400)["detail"])
        self.curl(self.URL, "-F", "file=@t.txt", "-F", "collections=default", status=201)  # twice the same

    def test_an_empty_text_or_file_is_refused(self):
        self.write("empty.txt", "")
        for arguments in (self.plain("empty.txt"), ["-F", "file=@empty.txt"], ["-F", "text="]):
            with self.subTest(arguments):
                self.assertIn("is empty", self.curl(self.URL, *arguments, status=400)["detail"])

    def test_a_text_sent_as_a_form_by_habit_gets_the_command_that_works(self):
        for body in ("Просто текст.", "a=b&c", "100 % text", "@t.txt"):
            with self.subTest(body):
                self.assertIn("text/plain", self.curl(self.URL, "-d", body, status=415)["remedy"])
        remedy = self.curl(self.URL, "-d", "@t.txt", status=415)["remedy"]
        command = remedy.split("send a text by: ")[1].split(", and a file")[0].replace("@FILE", "@t.txt")
        done = subprocess.run([*shlex.split(command), "-s"], stdout=subprocess.PIPE, check=True, cwd=self.folder)
        self.assertEqual(json.loads(done.stdout)["verdict"], "refuse")
        self.assertEqual(self.curl("/checks", "-d", '{"text": "a", "collections": ["default"]}', status=201)["collections"], ["default"])

    def test_a_form_is_repeated_as_one_request(self):
        """curl -F makes another boundary each time."""
        key = ["-H", "Idempotency-Key: one"]
        first = self.curl(self.URL, "-F", "file=@t.txt", *key, status=201)
        self.assertEqual(self.curl(self.URL, "-F", "file=@t.txt", *key, status=201), first)
        self.curl(self.URL, "-F", "file=@thesis.pdf", *key, status=422)


class SimilarTest(CurlTest):
    URL = "/collections/default/similar"

    def test_a_text_is_searched_for_however_it_is_sent(self):
        ways = {"text/plain": self.plain(), "file": ["-F", "file=@t.txt"], "text": ["-F", "text=<t.txt"],
                "old encoding": ["-F", "file=@old.txt;type=text/plain;charset=windows-1251"],
                "encoding": ["-F", "file=@old.txt", "-F", "encoding=windows-1251"],
                "curl -d text=": ["--data-urlencode", "text@t.txt"]}
        for name, arguments in ways.items():
            for path in (self.URL, "/similar?collections=default"):
                with self.subTest(name, path=path):
                    answer = self.curl(path, *arguments, status=200)
                    self.assertEqual([hit["id"] for hit in answer["results"]], [CHAMELEON])
        self.assertIn(self.URL, self.curl(self.URL, "-d", "@t.txt", status=415)["remedy"])

    def json(self, path: str, status: int = 200, **fields) -> dict:
        return self.curl(path, "-H", "Content-Type: application/json", "-d", json.dumps(fields), status=status)

    def test_parameters_may_be_anywhere(self):
        text = QUERY.read_text(encoding="utf-8")
        asked = {"bound": 0, "limit": 1, "min_containment": 0.25, "include": ["measures", "record"], "filter": "author != \"x\""}
        query = "bound=0&limit=1&min_containment=0.25&include=measures,record&filter=author+!%3D+%22x%22"
        wanted = self.json(f"{self.URL}?{query}", text=text)
        self.assertEqual((wanted["bound"], wanted["limit"], wanted["min_containment"]), (0, 1, 0.25))
        self.assertEqual(self.json(self.URL, text=text, **asked), wanted)
        self.assertEqual(self.json(self.URL + "?bound=0", text=text, **asked), wanted)
        fields = [word for name, value in asked.items() for one in (value if isinstance(value, list) else [value])
                  for word in ("-F", f"{name}={one}")]
        self.assertEqual(self.curl(self.URL, "-F", "text=<t.txt", *fields, status=200), wanted)
        across = self.json("/similar", text=text, collections=["default"], sort="containment", include=["ids"])
        self.assertEqual([hit["id"] for hit in across["results"]], [CHAMELEON])

    def test_wrong_parameters_are_named_as_what_they_are(self):
        rows = [
            ({"bound": 1}, "?bound=2", "field 'bound': differs from the query parameter"),
            ({"bound": "1"}, "", "field 'bound': is not a number"),
            ({"bound": -1}, "", "field 'bound': '-1' is not an integer"),
            ({"include": "ids"}, "", "field 'include': is not an array of strings"),
            ({"include": []}, "", "field 'include'"),
            ({"evidence": False}, "", "field 'evidence'"),
            ({"sort": "id"}, "", "field 'sort'"),
            ({"limt": 1}, "", "'bound'"),
            ({"collections": ["default"]}, "", "field 'collections': unknown"),
        ]
        for fields, query, words in rows:
            with self.subTest(fields):
                self.assertIn(words, self.json(self.URL + query, 400, text="A text.", **fields)["detail"])
        self.assertIn("form field 'bound'", self.curl(self.URL, "-F", "text=x", "-F", "bound=x", status=400)["detail"])


class StoreTest(CurlTest):
    URL = "/collections/default/documents"

    def put(self, id: str, *arguments: str, query: str = "", status: int = 201) -> dict:
        return self.curl(f"{self.URL}/{id}{query}", "-X", "PUT", *arguments, status=status)

    def test_a_document_is_stored_however_it_is_sent(self):
        metadata = '{"author": "N. N.", "year": 2024}'
        ways = {"plain": ([*self.plain()], "?title=T&metadata=%7B%22author%22:%22N.+N.%22,%22year%22:2024%7D"),
                "form": (["-F", "text=<t.txt", "-F", "title=T", "-F", f"metadata={metadata}"], ""),
                "old": (["-F", "file=@old.txt", "-F", "encoding=auto", "-F", "title=T", "-F", f"metadata={metadata}"], ""),
                "habit": (["--data-urlencode", "text@t.txt", "-d", "title=T", "--data-urlencode", f"metadata={metadata}"], "")}
        for name, (arguments, query) in ways.items():
            with self.subTest(name):
                self.put(name, *arguments, query=query)
                stored = self.curl(f"{self.URL}/{name}", status=200)
                self.assertEqual((stored["title"], stored["metadata"], stored["text"]),
                                 ("T", json.loads(metadata), QUERY.read_text(encoding="utf-8")))
        self.assertIn("text/plain", self.put("habit", "-d", "@t.txt", status=415)["remedy"])

    def test_a_file_keeps_its_own_metadata_beside_those_given(self):
        stored = self.put("thesis", "-F", "file=@thesis.pdf", "-F", "title=Thesis", "-F", 'metadata={"owner": "ivanova"}')
        self.assertEqual(stored["file"]["type"], "pdf")
        document = self.curl(f"{self.URL}/thesis?include=record", status=200)
        self.assertEqual((document["title"], document["metadata"]["owner"], document["metadata"]["format"]), ("Thesis", "ivanova", "pdf"))
        self.put("raw", "-H", "Content-Type: application/pdf", "--data-binary", "@thesis.pdf", query="?metadata=%7B%22owner%22:%22i%22%7D")
        self.assertEqual(self.curl(f"{self.URL}/raw?include=record", status=200)["metadata"]["owner"], "i")

    def test_a_file_is_kept_under_the_name_that_it_has(self):
        self.curl("/collections/kept", "-X", "PUT", "-H", "Content-Type: application/json", "-d", '{"store_file": true}', status=201)
        self.curl("/collections/kept/documents/17", "-X", "PUT", "-F", "file=@thesis.pdf", status=201)
        command = ["curl", "-sD", "-", "-o", "got.pdf", f"{self.server.url}/v1/collections/kept/files/17"]
        head = subprocess.run(command, stdout=subprocess.PIPE, check=True, cwd=self.folder).stdout.decode()
        self.assertIn("thesis.pdf", head)
        self.assertEqual((self.folder / "got.pdf").read_bytes(), (self.folder / "thesis.pdf").read_bytes())

    def test_wrong_metadata_are_refused(self):
        for metadata, words in (("[1]", "not an object"), ('{"date": "yesterday"}', "metadata.date"), ("{", "JSON")):
            with self.subTest(metadata):
                self.assertIn(words, self.put("x", "-F", "text=a", "-F", f"metadata={metadata}", status=400)["detail"])

    def test_a_book_may_have_a_year_alone(self):
        for name, date in (("number", "2024"), ("year", '"2024"'), ("month", '"2024-05"')):
            with self.subTest(date):
                self.put(name, "-F", "text=a", "-F", f'metadata={{"date": {date}}}')
                metadata = self.curl(f"{self.URL}/{name}?include=record", status=200)["metadata"]
                self.assertEqual(metadata["date"], date.strip('"'))
        since_may = "filter=date%20%3E%3D%202024-05-01"
        listed = self.curl(f"{self.URL}?{since_may}", status=200)["documents"]
        self.assertEqual([one["id"] for one in listed], ["month"])

    def test_the_server_makes_ids(self):
        made = self.curl(self.URL, *self.plain(), status=201)
        self.assertEqual(self.curl(f"{self.URL}/{made['id']}", status=200)["text"], QUERY.read_text(encoding="utf-8"))
        thesis = self.curl(self.URL, "-F", "file=@thesis.pdf", "-F", 'metadata={"owner": "ivanova"}', status=201)
        self.assertEqual(self.curl(f"{self.URL}/{thesis['id']}", status=200)["metadata"]["owner"], "ivanova")
        key = ["-H", "Idempotency-Key: once"]
        first = self.curl(self.URL, "-F", "file=@thesis.pdf", *key, status=201)
        self.assertEqual(self.curl(self.URL, "-F", "file=@thesis.pdf", *key, status=201)["id"], first["id"])
        self.assertIn("PUT the document", self.curl(self.URL, "-H", "Content-Type: application/json", "-d", '{"id": "a", "text": "b"}',
                                                    status=400)["remedy"])

    def test_title_and_metadata_change_alone(self):
        self.put("thesis", "-F", "file=@thesis.pdf", "-F", 'metadata={"owner": "ivanova", "group": "21"}')
        before = self.curl(f"{self.URL}/thesis", status=200)
        changed = self.curl(f"{self.URL}/thesis", "-X", "PATCH", "-H", "Content-Type: application/merge-patch+json",
                            "-d", '{"title": "Thesis", "metadata": {"group": null, "year": 2026}}', status=200)
        wanted = {name: value for name, value in before["metadata"].items() if name != "group"} | {"year": 2026}
        self.assertEqual((changed["title"], changed["metadata"]), ("Thesis", wanted))
        after = self.curl(f"{self.URL}/thesis", status=200)
        self.assertEqual({k: after[k] for k in after if k not in {"title", "metadata", "stored"}},
                         {k: before[k] for k in before if k not in {"title", "metadata", "stored"}})
        self.akin("verify", "--deep", code=0)

    def test_an_array_of_documents_is_stored(self):
        array = [{"id": "a", "text": "One two."}, {"id": "b", "text": "Three, [four]."}, {"id": "a", "delete": True}]
        self.write("array.json", json.dumps(array, indent=2))
        command = ["curl", "-s", f"{self.server.url}/v1/collections/default/bulk", "-H", "Content-Type: application/json", "--data-binary", "@array.json"]
        lines = [json.loads(line) for line in subprocess.run(command, stdout=subprocess.PIPE, check=True, cwd=self.folder).stdout.splitlines()]
        self.assertEqual([line["status"] for line in lines[:-1]], ["created", "created", "deleted"])
        self.assertEqual(lines[-1]["summary"]["lines"], 3)


class ListTest(CurlTest):
    LISTS = ("/collections", "/collections/default/documents", "/collections/default/watches", "/collections/default/events",
             "/collections/default/duplicate-groups", "/checks", "/tasks")

    def test_a_slash_at_the_end_changes_nothing(self):
        for path in (*self.LISTS, "/collections/default", "/policies"):
            with self.subTest(path):
                self.assertEqual(self.curl(path + "/", status=200), self.curl(path, status=200))
        self.curl("/checks/?collections=default", *self.plain(), status=201)

    def test_a_cursor_that_no_page_gave_is_refused_by_every_list(self):
        for path in self.LISTS:
            with self.subTest(path):
                self.assertIn("'nonsense' is not a cursor", self.curl(path + "?cursor=nonsense", status=400)["detail"])

    def test_pages_lead_to_each_other(self):
        listed, cursor = [], ""
        while cursor is not None:
            page = self.curl(f"/collections/default/documents?limit=4&cursor={cursor}", status=200)
            listed += [document["id"] for document in page["documents"]]
            cursor = page["next"]
        self.assertEqual(listed, sorted(self.ids()))

    def test_a_key_is_ignored_until_there_are_keys(self):
        key = ["-H", "Authorization: Bearer akin_0123456789abcdef_another"]
        self.curl("/collections", *key, status=200)
        self.akin("key", "create", "--scope", "read", code=0)
        self.curl("/collections", *key, status=401)

    def test_checks_are_found_the_newest_first(self):
        titles = ["Курсовая Ивановой", "Эссе", "КУРСОВАЯ Петрова"]
        checks = [self.curl("/checks", "-F", "file=@t.txt", "-F", "collections=default", "-F", f"title={title}", "-F", f"owner={title[-4:]}",
                            status=201) for title in titles]
        found = lambda query: [check["title"] for check in self.curl("/checks?" + query, status=200)["checks"]]
        self.assertEqual(found(""), titles[::-1])
        self.assertEqual(found("limit=2"), titles[:0:-1])
        self.assertEqual(found("limit=2&cursor=" + self.curl("/checks?limit=2", status=200)["next"]), titles[:1])
        self.assertEqual(found("q=%D0%BA%D1%83%D1%80%D1%81"), [titles[2], titles[0]])  # курс
        self.assertEqual(found("owner=%D1%80%D0%BE%D0%B2%D0%B0"), [titles[2]])
        self.assertEqual(found("since=" + checks[1]["created"]), titles[:0:-1])
        self.assertEqual(found("since=2100-01-01"), [])
        self.assertEqual(found("verdict=pass"), [])
        self.assertEqual(self.curl("/checks?limit=1&total=true&q=%D1%83%D1%80%D1%81", status=200)["total"], 2)  # урс


class OriginTest(AkinTest):
    def test_pages_of_an_allowed_origin_may_read_what_answers_say(self):
        server = Server(self, "--cors-origin", "https://app.example.org")
        command = ["curl", "-sD", "-", "-o", "body", "-H", "Origin: https://app.example.org", f"{server.url}/v1/collections"]
        head = subprocess.run(command, stdout=subprocess.PIPE, check=True, cwd=self.folder).stdout.decode()
        exposed = next(line for line in head.splitlines() if line.lower().startswith("access-control-expose-headers"))
        for name in ("Location", "ETag", "X-Request-Id", "Retry-After", "X-Total-Count", "Allow", "Content-Disposition"):
            self.assertIn(name, exposed)


if __name__ == "__main__":
    unittest.main()
