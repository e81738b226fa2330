"""The documentation as a server offers it at /docs/, and the way there for browsers."""
import html.parser
import json
import re
import unittest
import urllib.parse

import browser
from program import SOURCE, AkinTest
from server_process import Server


class Links(html.parser.HTMLParser):
    """What a page links to and loads, its anchors, and the tags that it opens and does not close."""

    EMPTY = {"meta", "link", "br", "img", "hr", "input"}

    def __init__(self, page: str):
        super().__init__()
        self.links, self.loads, self.anchors, self.open = [], [], set(), []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if "id" in given:
            self.anchors.add(given["id"])
        if tag == "a":
            self.links.append(given["href"])
        if tag in ("img", "link"):
            self.loads.append(given.get("src") or given.get("href"))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()


class DocsTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.server = Server(self)

    def get(self, path: str, accept: str = "*/*") -> tuple[int, dict, str]:
        connection = self.server.connect()
        connection.request("GET", path, headers={"Accept": accept})
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")  # of a picture, nobody reads it
        connection.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, text

    def page(self, path: str) -> str:
        status, fields, body = self.get(path)
        self.assertEqual(status, 200, path)
        self.assertEqual(fields["content-type"], "text/html; charset=utf-8")
        return body

    def all_pages(self) -> dict[str, Links]:
        """Every page that can be reached from the index."""
        found, due = {}, ["/docs/"]
        while due:
            path = due.pop()
            if path in found:
                continue
            found[path] = Links(self.page(path))
            self.assertEqual(found[path].open, [], path)
            for link in found[path].links:
                target = urllib.parse.urlsplit(urllib.parse.urljoin(path, link))
                if not target.netloc and "/" not in target.path.removeprefix("/docs/"):
                    due.append(target.path)
        return found

    def test_a_browser_is_sent_from_the_root_to_the_documentation(self):
        for accept in ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html", "TEXT/HTML ;q=0.9"):
            status, fields, _ = self.get("/", accept)
            self.assertEqual((status, fields["location"], fields["vary"]), (302, "/desk/", "Accept"), accept)
        self.assertEqual(self.get("/docs")[:1] + (self.get("/docs")[1]["location"],), (308, "/docs/"))

    def test_programs_are_answered_at_the_root_as_before(self):
        for accept in ("", "*/*", "application/json", "text/plain", "application/xhtml+xml"):
            status, fields, body = self.get("/", accept)
            self.assertEqual((status, fields["vary"], json.loads(body)["code"]), (404, "Accept", "not_found"), accept)

    def test_every_page_of_the_folder_is_served_and_reached_from_the_index(self):
        names = {path.stem for path in (SOURCE / "docs").glob("*.md")} - {"README"} | {"reference"}
        self.assertEqual(set(self.all_pages()), {"/docs/"} | {f"/docs/{name}" for name in names})

    def test_every_link_leads_to_something(self):
        pages = self.all_pages()
        for path, page in pages.items():
            for link in page.links + page.loads:
                target = urllib.parse.urlsplit(urllib.parse.urljoin(path, link))
                if target.netloc:
                    continue
                with self.subTest(page=path, link=link):
                    self.assertEqual(self.get(target.path)[0], 200)
                    if target.fragment:
                        self.assertIn(urllib.parse.unquote(target.fragment), pages[target.path].anchors)

    def test_every_problem_leads_to_its_row(self):
        problem = json.loads(self.get("/v1/collections/nobody")[2])
        self.assertEqual(problem["type"], "/docs/errors#not_found")
        listed = set(re.findall(r"^\| `(\w+)` \|", (SOURCE / "docs" / "errors.md").read_text(encoding="utf-8"), re.MULTILINE))
        self.assertLessEqual(listed, Links(self.page("/docs/errors")).anchors)

    def test_pages_load_nothing_from_elsewhere(self):
        for path in ("/docs/", "/docs/errors", "/docs/style.css", "/docs/evaluation/recall.svg", "/docs/examples/client.py"):
            fields = self.get(path)[1]
            self.assertTrue(fields["content-security-policy"].startswith("default-src 'none'"), path)
            self.assertEqual(fields["x-content-type-options"], "nosniff")
        self.assertNotIn("<script", self.page("/docs/"))

    @unittest.skipUnless(browser.program(), "Chromium is not installed")
    def test_a_page_enlarged_four_times_is_read_without_scrolling_to_its_side(self):
        with browser.Browser() as window:
            window.size(320, 800)
            for path in self.all_pages():
                window.go(f"http://127.0.0.1:{self.server.port}{path}")
                self.assertLessEqual(window.run("document.documentElement.scrollWidth"), 320, path)
            self.assertEqual([one for one in window.problems if "favicon" not in one and "404" not in one], [])

    def test_what_is_not_there_is_a_problem(self):
        for path in ("/docs/nothing", "/docs/errors.md", "/docs/errors/", "/docs/../README.md", "/docs/%2e%2e/README.md"):
            self.assertEqual(self.get(path)[0], 404, path)

    def test_pages_need_no_key(self):
        self.akin("key", "create", "--scope", "read", code=0)
        self.assertEqual(self.get("/v1/collections")[0], 401)
        self.assertEqual(self.get("/docs/")[0], 200)

    def test_errors_refer_to_no_file_of_the_sources(self):
        for path in ("/nowhere", "/v1/collections/c/documents?filter=%3F%3F"):
            self.assertNotIn(".md", self.get(path)[2])
        for arguments in (["features", "-", "--scheme", "shingles(x=1)"], ["features", "-", "--scheme", "sentences(" + "x" * 2000 + ")"]):
            self.assertNotIn(".md", self.lab(*arguments, code=2).err)


if __name__ == "__main__":
    unittest.main()
