"""The desk: what a librarian does in a browser, without a terminal and without a script in the page."""
import http.client
import json
import re
import time
import unittest
import urllib.parse

import browser
from program import CHAMELEON, LIBRARY, QUERY, AkinTest, story
from server_process import Server
from test_docs import Links
from test_files import make_pdf

BOUNDARY = "----akin-test"
FORM = "application/x-www-form-urlencoded"


def form(fields: list[tuple[str, str]], files: list[tuple[str, bytes]], end: str = f"--{BOUNDARY}--\r\n") -> bytes:
    """The body that a browser sends for a form with files."""
    body = b""
    for name, value in fields:
        body += f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
    for name, content in files:
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\nContent-Type: text/plain\r\n\r\n'
        body += head.encode() + content + b"\r\n"
    return body + end.encode()


class Visitor(AkinTest):
    """Sends what a browser sends."""

    def setUp(self):
        super().setUp()
        self.server = Server(self)

    def ask(self, method: str, path: str, body: bytes = b"", kind: str = "", **fields) -> tuple[int, dict, str]:
        status, answer, content = self.ask_bytes(method, path, body, kind, **fields)
        return status, answer, content.decode()

    def ask_bytes(self, method: str, path: str, body: bytes = b"", kind: str = "", **fields) -> tuple[int, dict, bytes]:
        if method == "POST" and "Cookie" in fields:
            token = re.search(r'name="form-token" value="(\w*)"', self.ask("GET", "/desk/", **fields)[2]).group(1)
            first = form([("form-token", token)], [], "") if kind.startswith("multipart") else f"form-token={token}&".encode()
            body = first + body
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=120)
        headers = {**({"Content-Type": kind} if kind else {}), **fields}
        connection.request(method, path, body=body, headers=headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, content

    def page(self, path: str) -> str:
        status, fields, body = self.ask("GET", path)
        self.assertEqual((status, fields["content-type"]), (200, "text/html; charset=utf-8"), body)
        self.assertEqual(Links(body).open, [], path)  # every tag that is opened is closed
        return body

    def send(self, path: str, fields: list[tuple[str, str]], files: list[tuple[str, bytes]]) -> tuple[int, dict, str]:
        return self.ask("POST", path, form(fields, files), f"multipart/form-data; boundary={BOUNDARY}")

    def make_library(self):
        self.assertEqual(self.ask("POST", "/desk/collections", b"name=stories", "application/x-www-form-urlencoded")[0], 303)
        files = [(path.name, path.read_bytes()) for path in sorted(LIBRARY.iterdir())]
        status, _, body = self.send("/desk/collections/stories/documents", [], files)
        self.assertEqual(status, 200, body)
        self.assertIn(f"stored: {len(files)}", body)

    def check(self, text: str) -> str:
        """The path of the report."""
        status, fields, body = self.send("/desk/checks", [("collections", "stories"), ("title", "Сочинение")], [("query.txt", text.encode())])
        self.assertEqual(status, 303, body)
        self.wait_for(fields["location"])
        return fields["location"]

    def wait_for(self, path: str, **fields):
        """Reads the page as a browser does that obeys the field Refresh, until it is the report."""
        while "refresh" in self.ask("GET", path, **fields)[1]:
            time.sleep(0.05)


    def overview_of_pairs(self) -> str:
        """The path of the page with all pairs of the collection, among them one of copies."""
        self.server.call("PUT", "/stories/documents/copy", {"text": story(), "title": "Copy"})
        duplicates = "/desk/collections/stories/duplicates"
        self.assertEqual(self.ask("POST", duplicates, b"kind=pairs&share=20", FORM)[0], 303)
        self.wait_for(duplicates)
        return re.search(r"/desk/cohorts/[^\"]+", self.page(duplicates))[0]


class DeskTest(Visitor):
    def test_a_page_that_does_not_exist_is_a_page_all_the_same(self):
        status, fields, body = self.ask("GET", "/desk/nothing")
        self.assertEqual((status, fields["content-type"]), (404, "text/html; charset=utf-8"), body)
        self.assertIn("nothing is served here", body)

    def test_a_first_visitor_is_told_to_make_a_collection(self):
        self.assertIn("/desk/collections", self.page("/desk/"))

    def test_a_file_becomes_a_report_with_its_source(self):
        self.make_library()
        self.assertIn("documents: 11", self.page("/desk/"))
        path = self.check(QUERY.read_text(encoding="utf-8"))
        report = self.page(path)
        self.assertIn("100.0\u00a0% of the text", report)
        self.assertIn(f"stories/{CHAMELEON}", report)
        self.assertIn("ОЧУМЕЛОВ ДЕЛАЕТ ПОЛУОБОРОТ", report)  # the text
        self.assertIn("Очумелов делает полуоборот", report)  # the source
        self.assertIn(path, self.page("/desk/checks"))

    def test_the_report_says_what_is_the_authors_own_in_a_passage_and_what_is_referenced(self):
        self.make_library()
        words = story()[1000:2000].split()
        own = "Это предложение автор сочинения написал сам, и больше его нигде нет"
        path = self.check(" ".join(words[:60]) + f" {own} " + " ".join(words[60:120]) + " [12, с. 45].")
        report = self.page(path)
        self.assertIn("With the words between the matched ones, the matches have", report)
        self.assertIn("in no other source: ", report)
        self.assertIn(", a reference is near", report)
        status, _, body = self.ask("GET", f"/v1{path.removeprefix('/desk')}/report?lang=ru")
        self.assertEqual(status, 200)
        self.assertRegex(body, r"Вместе с тем, что стоит между совпавшими словами, .*ни в каком другом источнике: .*рядом есть ссылка".replace(" .*", r"[\s\S]*"))
        check = json.loads(self.ask("GET", f"/v1{path.removeprefix('/desk')}")[2])
        (source,) = check["sources"]
        gaps = [gap for passage in source["passages"] for gap in passage.get("gaps", [])]
        text = json.loads(self.ask("GET", f"/v1{path.removeprefix('/desk')}?include=text")[2])["text"]
        self.assertEqual([text[begin:end] for begin, end in gaps], [own])
        self.assertEqual(check["letters"]["extent"] - check["letters"]["found"], sum(c.isalnum() for c in own))
        self.assertEqual(source["only"], source["letters"])

    def test_every_match_and_every_passage_lead_to_each_other(self):
        self.make_library()
        links = Links(self.page(self.check(story()[1000:3000] + story("chekhov-vanka.txt")[500:1500])))
        anchors = [link[1:] for link in links.links if link.startswith("#")]
        self.assertGreaterEqual(len(anchors), 5)
        self.assertEqual(set(anchors) - links.anchors, set())

    def test_a_reader_chooses_which_matches_are_shown(self):
        self.make_library()
        text = "Предисловие автора. " + story()[1000:1900] + "\n\nСвои слова автора между заимствованиями. " + story("chekhov-vanka.txt")[500:2500]
        path = self.check(text)
        check = json.loads(self.ask("GET", f"/v1{path.removeprefix('/desk')}")[2])
        sizes = [[passage["words"] for passage in source["passages"]] for source in check["sources"]]
        self.assertGreaterEqual(len(sizes), 2)
        whole = self.page(path)
        self.assertEqual(len(re.findall(r'<section id="p', whole)), len(sum(sizes, [])))
        second = self.page(f"{path}?source=2")
        self.assertEqual(len(re.findall(r'<section id="p', second)), len(sizes[1]))
        self.assertNotIn('id="source-1"', second)
        self.assertIn(f"Matches shown: {len(sizes[1])} of {len(sum(sizes, []))}", second)
        self.assertEqual(re.findall("<strong>.*?</div>", second, re.S)[0], re.findall("<strong>.*?</div>", whole, re.S)[0])  # shares count all
        longest = max(sum(sizes, []))
        self.assertEqual(len(re.findall(r'<section id="p', self.page(f"{path}?source=0&words={longest}"))), sum(sizes, []).count(longest))
        self.assertEqual(len(re.findall(r'<section id="p', self.page(f"{path}?words={longest + 1}"))), 0)

    def test_checks_are_found_by_title_collection_and_date(self):
        self.make_library()
        path = self.check(QUERY.read_text(encoding="utf-8"))
        for query, found in (("q=СОЧИН", True), ("q=диссертация", False), ("collection=stories", True), ("since=2020-01-01", True),
                             ("since=2999-01-01", False), ("q=&state=&verdict=refuse&collection=&since=", True), ("verdict=pass", False)):
            self.assertEqual(path in self.page("/desk/checks?" + urllib.parse.quote(query, safe="=&")), found, query)
        self.assertEqual(self.ask("GET", "/desk/checks?since=tomorrow")[0], 400)

    def test_checks_that_found_nothing_are_accepted_together(self):
        self.make_library()
        found = self.check(QUERY.read_text(encoding="utf-8"))
        own = [self.check(f"Этого текста нигде больше нет, он придуман для проверки номер {number}, и только для неё одной.") for number in range(3)]
        page = self.page("/desk/checks")
        ids = re.findall(r'name="check" value="(check-\w+)"', page)
        self.assertEqual(sorted(ids), sorted(path.rsplit("/", 1)[1] for path in own))
        fields = [("check", one) for one in [*ids, found.rsplit("/", 1)[1]]]  # the last one is not accepted unread, whatever the form says
        self.assertEqual(self.post("/desk/accept", fields)[0], 303)
        states = {path: json.loads(self.ask("GET", f"/v1{path.removeprefix('/desk')}")[2])["decision"]["state"] for path in [*own, found]}
        self.assertEqual(states, {**dict.fromkeys(own, "accepted"), found: "open"})
        self.assertNotIn('name="check"', self.page("/desk/checks"))

    def test_the_report_as_a_file_loads_nothing_and_is_whole(self):
        self.make_library()
        path = self.check(QUERY.read_text(encoding="utf-8"))
        status, fields, body = self.ask("GET", f"/v1{path.removeprefix('/desk')}/report?lang=ru")
        self.assertEqual((status, fields["content-language"]), (200, "ru"))
        self.assertEqual(Links(body).loads, [])
        self.assertIn("Значительная часть взята из других текстов", body)

    def test_a_changed_source_is_said_to_be_so(self):
        self.make_library()
        path = self.check(QUERY.read_text(encoding="utf-8"))
        self.assertEqual(self.server.call("PUT", f"/stories/documents/{CHAMELEON}", "Другой текст.")[0], 200)
        self.assertIn("The document has been changed or removed since this check.", self.page(path))

    def test_a_refused_file_is_named_with_its_reason(self):
        self.make_library()
        status, _, body = self.send("/desk/collections/stories/documents", [], [("broken.pdf", b"%PDF-1.7 nothing")])
        self.assertEqual(status, 200)
        self.assertIn("refused: 1", body)
        self.assertIn("broken.pdf", body)

    def test_an_uploaded_file_without_words_is_named(self):
        self.assertEqual(self.post("/desk/collections", {"name": "stories"})[0], 303)
        files = [("story.txt", story().encode()), ("empty.txt", b""), ("marks.txt", b"*** ***\n")]
        status, _, body = self.send("/desk/collections/stories/documents", [], files)
        self.assertEqual(status, 200)
        self.assertIn("Stored without words, so that no search finds them: 2 (empty.txt, marks.txt)", body)
        self.assertNotIn("without words", self.send("/desk/collections/stories/documents", [], [("other.txt", b"Some words.")])[2])

    def post(self, path: str, fields: dict | list, **headers) -> tuple[int, dict, str]:
        return self.ask("POST", path, urllib.parse.urlencode(fields).encode(), FORM, **headers)

    def test_what_is_wrong_is_said_in_the_readers_language(self):
        self.make_library()
        status, fields, _ = self.send("/desk/checks", [("collections", "stories")], [("broken.pdf", b"%PDF-1.7\n%broken\n")])
        self.assertEqual(status, 303)
        self.wait_for(fields["location"])
        for language, sentence in (("en", "The file is damaged."), ("ru", "Файл повреждён.")):
            self.assertRegex(self.page(f"{fields['location']}?lang={language}"), f'<p>{sentence} [^<]*</p><p lang="en"><small>')
        status, _, body = self.ask("GET", "/desk/checks/check-00000000000000000000?lang=ru", **{"Cookie": "akin-lang=ru"})
        self.assertEqual(status, 404)
        self.assertIn("Этого нет или больше нет.", body)

    def test_a_page_shows_words_whose_font_is_not_in_the_file(self):
        self.make_library()
        self.assertEqual(self.ask("PUT", "/v1/policies/kept", b'{"store_files": true}', "application/json")[0], 201)
        file = make_pdf(["A first page.", "The words of <this> page & more."])
        fields = [("collections", "stories"), ("policy", "kept")]
        path = self.send("/desk/checks", fields, [("small.pdf", file)])[1]["location"]
        self.wait_for(path)
        self.assertIn("\nakin_check_kept_pieces 4\n", self.ask("GET", "/metrics")[2])  # text, its map, file, places of words
        page = self.page(f"{path}/pages/2")
        self.assertEqual(re.findall(r"<text [^>]*>([^<]*)</text>", page), ["The", "words", "of", "&lt;this&gt;", "page", "&amp;", "more."])
        self.assertIn("No match is on this page.", page)
        self.assertIn(f'<a href="{path}/pages/1">Previous page</a>', page)
        self.assertNotIn("Next page", page)

    def test_the_first_key_must_let_somebody_go_on(self):
        status, _, body = self.post("/desk/keys", [("label", "catalogue"), ("scopes", "read")])
        self.assertEqual(status, 400)
        self.assertIn("nobody could make further persons and keys", body)
        self.assertEqual(self.ask("GET", "/v1/keys")[0], 200)  # nobody needs a key yet

    def test_an_administrator_makes_and_revokes_keys(self):
        self.make_library()
        secret = re.search(r"<code>(akin_.*?)</code>", self.post("/desk/keys", [("label", "all"), ("scopes", "admin")])[2])[1]
        bearer = {"Authorization": f"Bearer {secret}"}
        fields = [("label", "catalogue"), ("scopes", "read"), ("scopes", "check"), ("collections", "stories"), ("until", "2099-12-31")]
        status, _, body = self.post("/desk/keys", fields, **bearer)
        self.assertEqual(status, 200, body)
        key = re.search(r"<code>(akin_([0-9a-f]{16})_.*?)</code>", body)
        made = json.loads(self.ask("GET", f"/v1/keys/{key[2]}", **bearer)[2])
        self.assertEqual((made["scopes"], made["collections"], made["expires"]), (["read", "check"], ["stories"], "2099-12-31T23:59:59.000Z"))
        self.assertEqual(self.ask("GET", "/v1/collections/stories", Authorization=f"Bearer {key[1]}")[0], 200)
        page = self.ask("GET", "/desk/keys", **bearer)[2]
        self.assertIn("catalogue", page)
        self.assertNotIn(key[1], page)
        self.assertEqual(self.ask("POST", f"/desk/keys/{key[2]}/revoke", **bearer)[0], 303)
        self.assertEqual(self.ask("GET", "/v1/collections/stories", Authorization=f"Bearer {key[1]}")[0], 401)
        self.assertNotIn("catalogue", self.ask("GET", "/desk/keys", **bearer)[2])
        self.assertEqual(self.ask("GET", "/desk/keys", Authorization=f"Bearer {key[1]}")[0], 303)  # to sign in

    def test_the_second_of_two_people_who_delete_is_content_too(self):
        self.make_library()
        path = self.check(QUERY.read_text(encoding="utf-8"))
        for _ in range(2):
            status, fields, _ = self.ask("POST", f"{path}/delete")
            self.assertEqual((status, fields["location"]), (303, "/desk/checks"))
        watches = "/desk/collections/stories/watches"
        for _ in range(2):
            self.assertEqual(self.ask("POST", f"{watches}/none/remove")[1]["location"], watches)

    def test_a_watch_notes_documents_that_arrive(self):
        self.make_library()
        watches = "/desk/collections/stories/watches"
        self.assertIn(watches, self.page("/desk/collections/stories"))
        self.assertIn("No text is watched", self.page(watches))
        self.assertEqual(self.post(watches, {"name": "dog", "description": "The dog", "text": QUERY.read_text(encoding="utf-8")})[0], 303)
        self.assertIn(watches, self.page(f"/desk/collections/stories/documents/{CHAMELEON}"))
        self.assertEqual(self.post(watches, {"name": "story", "id": CHAMELEON})[0], 303)
        for number in range(60):
            body = {"text": f"Заметка номер {number}. " + story()}
            self.assertEqual(self.server.call("PUT", f"/stories/documents/copy-{number}", body)[0], 201)
        deadline = time.monotonic() + 60
        while json.loads(self.ask("GET", "/v1/collections/stories/events?limit=1")[2])["total"] < 120:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        first = self.page(watches)
        self.assertIn("copy-59", first)
        older = re.search(r'href="(/desk/[^"]*\?last=\d+)"', first)[1]
        self.assertEqual(older, f"{watches}?last=70")
        names = [re.findall(r"documents/(copy-\d+)", page) for page in (first, self.page(older), self.page(f"{watches}?last=20"))]
        self.assertEqual([len(one) for one in names], [50, 50, 20])
        self.assertEqual({name: sum(names, []).count(name) for name in set(sum(names, []))}, {f"copy-{n}": 2 for n in range(60)})
        self.assertEqual(self.ask("POST", f"{watches}/dog/remove")[0], 303)
        self.assertNotIn("The dog", self.page(watches))

    def test_duplicates_are_found_and_the_later_ones_removed(self):
        self.make_library()
        duplicates = "/desk/collections/stories/duplicates"
        self.assertIn(duplicates, self.page("/desk/collections/stories"))
        self.assertIn("Nobody has looked for groups yet", self.page(duplicates))
        for number in range(3):
            self.assertEqual(self.server.call("PUT", f"/stories/documents/copy-{number}", {"text": story(), "title": f"Copy {number}"})[0], 201)
        self.assertEqual(self.post(duplicates, {"kind": "groups", "share": "120"})[0], 400)
        for kind in ("groups", "pairs"):
            self.assertEqual(self.post(duplicates, {"kind": kind, "share": "80"})[0], 303)
            self.wait_for(duplicates)
        page = self.page(duplicates)
        self.assertIn("Groups found: 1", page)
        documents = re.findall(r'<li><a href="/desk/collections/stories/documents/([^"]+)"', page)
        self.assertEqual(documents, [CHAMELEON, "copy-0", "copy-1", "copy-2"])
        self.assertEqual(re.findall(r'name="id" value="([^"]+)"', page), ["copy-0", "copy-1", "copy-2"])
        self.assertRegex(page, r'<a href="/desk/pairs/[^"]+">Pairs: 6')
        cohort = re.search(r'/desk/cohorts/[^"]+', page)[0]
        self.check_overview(cohort)
        self.assertEqual(self.post("/desk/collections/stories/remove", [("id", "copy-0"), ("id", "copy-2"), ("id", "gone")])[0], 303)
        page = self.page(duplicates)
        self.assertIn("2 of 4", page)
        self.assertEqual(re.findall(r'name="id" value="([^"]+)"', page), ["copy-1"])
        self.assertEqual(self.ask("GET", "/v1/collections/stories/documents/copy-2")[0], 404)

    def check_overview(self, path: str):
        """Of all pairs of four copies: six, each of the whole text."""
        page = self.page(path)
        self.assertIn("Pairs that the search found: 6.", page)
        self.assertEqual(re.findall(r'<th scope="row">90–100[^<]*</th><td>(\d+)</td>', page), ["6"])
        graph = page[page.index('class="graph"'):page.index("</svg>", page.index('class="graph"'))]
        self.assertEqual((graph.count("<line "), graph.count("<circle ")), (6, 4))
        self.assertEqual(page.count("<td>100.0\u00a0%</td>"), 12)
        self.assertIn("Copy 0", page)
        hidden = self.page(f"{path}?hide_names=true&least=50")
        self.assertEqual([name for name in ("Copy 0", "copy-0", CHAMELEON) if name in hidden], [])
        self.assertIn("Text 1", hidden)
        self.assertEqual(self.ask("GET", f"{path}?least=101")[0], 400)

    def test_the_server_says_how_fast_it_is_and_what_takes_space(self):
        self.make_library()
        self.check(story()[1000:1900])
        self.assertEqual(self.ask("POST", "/v1/collections/stories/bulk", b'{"id": "a", "text": "One."}', "application/x-ndjson")[0], 200)
        page = self.page("/desk/server")
        self.assertRegex(page, r'<th scope="row">documents stored</th><td>2</td><td>(≤|&gt;) [\d.]+\u00a0m?s</td>')
        self.assertRegex(page, r'<th scope="row">checks handed in</th><td>1</td>')
        self.assertRegex(page, r'<th scope="row">stories</th><td>[\d.]+\u00a0kB</td><td><svg')
        self.assertIn("Files and texts of checks", page)

    def test_a_source_with_several_matches_has_a_map_of_them(self):
        self.make_library()
        page = self.page(self.check(story()[4000:5000] + "\n\nСвои слова автора между ними.\n\n" + story()[1000:2000]))
        lines = re.findall(r'<line class="s1" x1="(\d+)" y1="(\d+)" x2="(\d+)" y2="(\d+)"', page)
        places = [tuple(map(int, line)) for line in lines]
        self.assertGreaterEqual(len(places), 2)
        self.assertLess(places[0][2], places[-1][0] + 1)  # the later passage of the source comes first in the text
        self.assertGreater(places[0][1], places[-1][3])

    def test_with_keys_a_person_signs_in(self):
        key = self.akin("key", "create", "--scope", "check,read", code=0).out.split()[0]
        self.assertEqual(self.ask("GET", "/desk/checks")[1]["location"], "/desk/sign-in?next=%2Fdesk%2Fchecks")
        body = urllib.parse.urlencode({"key": key}).encode()
        _, fields, _ = self.ask("POST", "/desk/sign-in", body, "application/x-www-form-urlencoded")
        cookie = fields["set-cookie"].split(";")[0]
        self.assertEqual(self.ask("GET", "/desk/checks", Cookie=cookie)[0], 200)


class PersonsTest(Visitor):
    """Two readers decide about a text that its author handed in, and the log proves it."""

    def person(self, name: str, *roles: str) -> str:
        """The cookie of a session of a new person."""
        secret = self.akin("person", "add", name, "--role", ",".join(roles), code=0).out.strip()
        _, fields, _ = self.ask("POST", "/desk/sign-in", urllib.parse.urlencode({"key": secret}).encode(), FORM)
        return fields["set-cookie"].split(";")[0]

    def test_an_author_hands_in_a_reader_marks_and_two_decide(self):
        self.make_library()
        self.assertEqual(self.ask("PUT", "/v1/policies/theses", b'{"readers": 2}', "application/json")[0], 201)
        author = self.person("author", "author")
        anna, boris = self.person("anna", "decider"), self.person("boris", "decider")
        fields = [("collections", "stories"), ("policy", "theses")]
        body = form(fields, [("query.txt", QUERY.read_bytes())])
        kind = f"multipart/form-data; boundary={BOUNDARY}"
        path = self.ask("POST", "/desk/checks", body, kind, Cookie=author)[1]["location"]
        self.wait_for(path, Cookie=author)

        def send(cookie: str, below: str, **values) -> int:
            return self.ask("POST", path + below, urllib.parse.urlencode(values).encode(), FORM, Cookie=cookie)[0]

        self.assertEqual(send(author, "/decision", revision=0, state="accepted", remark=""), 403)
        self.assertEqual(send(author, "/marks", revision=0, source=1, **{"what-0": "off"}), 403)
        self.assertEqual(send(anna, "/marks", revision=0, source=1, **{"what-0": "quotation", "remark-0": "p. 3"}), 303)
        self.assertEqual(send(anna, "/decision", revision=1, state="accepted", remark="quoted"), 303)
        self.assertEqual(send(anna, "/decision", revision=2, state="accepted", remark="quoted"), 403)
        self.assertIn("anna has proposed: accepted", self.ask("GET", path, Cookie=boris)[2])
        self.assertEqual(send(boris, "/decision", revision=1, state="refused", remark=""), 412)
        self.assertEqual(send(boris, "/decision", revision=2, state="accepted", remark=""), 303)
        report = self.ask("GET", path, Cookie=author)[2]
        self.assertIn("As computed: 100.0\u00a0%. As decided by persons: 0.0\u00a0%", report)
        self.assertIn("State: accepted.", report)

        log = [json.loads(line) for line in self.akin("audit", "export", code=0).out.splitlines()]
        acts = [(entry["by"]["id"], entry["action"]) for entry in log if entry["about"] == path.rsplit("/", 1)[1]]
        self.assertEqual(
            [act for act in acts if act[1] != "check.read"],
            [("anna", "check.marked"), ("anna", "check.decided"), ("boris", "check.decided")],
        )
        self.assertIn(("author", "check.read"), acts)
        self.assertIn(f"{len(log)} entries", self.akin("audit", "verify", code=0).out)

    def test_a_disabled_person_is_out_at_once(self):
        cookie = self.person("anna", "reader")
        self.assertEqual(self.ask("GET", "/desk/checks", Cookie=cookie)[0], 200)
        self.akin("person", "disable", "anna", code=0)
        self.assertEqual(self.ask("GET", "/desk/checks", Cookie=cookie)[1]["location"], "/desk/sign-in?next=%2Fdesk%2Fchecks")


@unittest.skipUnless(browser.program(), "Chromium is not installed")
class DeskInABrowserTest(Visitor):
    def test_a_check_needs_only_the_keyboard(self):
        self.make_library()
        with browser.Browser() as page:
            page.go(f"{self.server.url}/desk/")
            page.run("document.querySelector('textarea').value = " + repr(QUERY.read_text(encoding="utf-8")))
            page.run("document.querySelector('main form button').focus()")
            page.press("Enter")
            page.wait_for("location.pathname.startsWith('/desk/checks/check-') && document.querySelector('.text') != null")
            self.assertIn(CHAMELEON, page.run("document.querySelector('main').innerText"))
            # Tab reaches the first match; Enter leads to its passage.
            page.run("document.querySelector('.text mark, .text a').closest('p').querySelector('a').focus()")
            self.assertRegex(page.run("document.activeElement.getAttribute('aria-label')"), r"Match 1 of \d+, source 1")
            page.press("Enter")
            page.wait_for("location.hash == '#p1'")
            # Chromium draws the button of a date field from a data: URL.
            hosts = {urllib.parse.urlsplit(url).netloc for url in page.requests if not url.startswith("data:")}
            self.assertEqual(hosts, {f"127.0.0.1:{self.server.port}"})
            self.assertEqual([one for one in page.problems if "favicon" not in one], [])

    def test_files_show_how_much_of_them_was_sent(self):
        self.make_library()
        files = [str(path) for path in sorted(LIBRARY.iterdir())[:2]]
        with browser.Browser() as page:

            def send(*paths: str) -> bool:
                """Whether the progress is shown once the form is sent."""
                page.go(f"{self.server.url}/desk/")
                page.choose_files("#file", paths)
                return page.run("document.querySelector('main form button').click(); !document.querySelector('progress').closest('p').hidden")

            self.assertTrue(send(files[0]))
            page.wait_for("location.pathname.startsWith('/desk/checks/check-')")
            self.assertTrue(send(*files))
            page.wait_for("location.pathname == '/desk/checks' && document.querySelector('h1').innerText == 'Checked files'")
            self.assertEqual(page.run("document.querySelectorAll('main table tbody tr').length"), 2)
            page.run("setTimeout(() => history.back())")
            page.wait_for("location.pathname == '/desk/' && document.querySelector('#file') != null")
            self.assertEqual([one for one in page.problems if "favicon" not in one], [])

    def test_keys_lead_through_a_report_and_can_be_switched_off(self):
        self.make_library()
        path = self.check(story()[1000:1900] + "\n\n" + story("chekhov-vanka.txt")[500:2500])
        with browser.Browser() as page:
            page.go(f"{self.server.url}{path}")
            page.wait_for("!document.querySelector('#use-keys').closest('p').hidden")

            def press(key: str) -> str:
                page.run(f"(document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', {{key: {key!r}, bubbles: true, cancelable: true}}))")
                return page.run("document.activeElement.id")

            self.assertEqual([press(key) for key in "nnpo"], ["m1", "m2", "m1", "p1"])
            self.assertEqual([press(key) for key in "on2"], ["m1", "m2", "source-2"])
            page.run("document.querySelector('#use-keys').click()")
            self.assertEqual(press("n"), "source-2")
            page.go(f"{self.server.url}{path}")
            page.wait_for("!document.querySelector('#use-keys').closest('p').hidden")
            self.assertFalse(page.run("document.querySelector('#use-keys').checked"))
            self.assertEqual([one for one in page.problems if "favicon" not in one], [])

    def test_deciding_needs_only_the_keyboard(self):
        self.make_library()
        path = self.check(QUERY.read_text(encoding="utf-8"))
        with browser.Browser() as page:
            page.go(f"{self.server.url}{path}/marks?source=1")
            page.run("document.querySelector('#what-0').focus()")
            page.run("document.querySelector('#what-0').value = 'quotation'")
            page.run("document.querySelector('main form button').focus()")
            page.press("Enter")
            page.wait_for("location.hash == '#source-1' && document.readyState == 'complete'")
            self.assertIn("does not count: quotation", page.run("document.querySelector('#source-1').innerText"))
            page.run("document.querySelector('#state').value = 'accepted'")
            page.run("document.querySelector('form[action$=decision] button').focus()")
            page.press("Enter")
            page.wait_for("document.readyState == 'complete' && document.body.innerText.includes('State: accepted.')")
            self.assertIn("As decided by persons: 0.0", page.run("document.querySelector('.verdict').innerText"))
            self.assertEqual([one for one in page.problems if "favicon" not in one], [])

    def test_every_field_has_a_label_and_every_page_a_language(self):
        self.make_library()
        case = self.check(QUERY.read_text(encoding="utf-8"))
        paths = ["/desk/", "/desk/checks", "/desk/collections", "/desk/sign-in", case, f"{case}/marks?source=1"]
        paths += ["/desk/server", "/desk/rules", "/desk/rules/default", "/desk/persons", "/desk/keys", "/desk/log", "/desk/collections/stories/watches", "/desk/collections/stories/duplicates", "/desk/compare", "/desk/collections/stories"]
        paths += [f"/desk/collections/stories/documents/{CHAMELEON}?similar=true", self.overview_of_pairs()]
        with browser.Browser(width=320) as page:
            for path in paths:
                for language in ("en", "ru"):
                    page.go(f"{self.server.url}{path}{'&' if '?' in path else '?'}lang={language}")
                    self.assertEqual(page.run("document.documentElement.lang"), language)
                    unlabelled = page.run(
                        "[...document.querySelectorAll('input,select,textarea')].filter(e => e.type != 'hidden' && !e.labels.length).length"
                    )
                    self.assertEqual(unlabelled, 0, path)
                    # Nothing is wider than a narrow window, nor a word of the other language left.
                    self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 320, path)
                    if language == "ru":
                        words = page.run("document.querySelector('main').innerText.replace(/\\[[^]*?\\]/g, '')")
                        self.assertFalse(re.search(r"\b(Check|Title|Sources|Verdict)\b", words), (path, words[:400]))


if __name__ == "__main__":
    unittest.main()
