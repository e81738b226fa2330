"""The desk's pages that show documents, and what two texts share."""
import html
import re
import urllib.parse

from program import CHAMELEON, QUERY, edited_story, story
from test_desk import FORM, Visitor


class BrowseTest(Visitor):
    def setUp(self):
        super().setUp()
        self.make_library()

    def shown(self, path: str) -> str:
        return html.unescape(re.sub(r"<[^>]+>", "", self.page(path)))

    def test_a_collection_lists_its_documents_by_title(self):
        self.assertIn('href="/desk/collections/stories"', self.page("/desk/collections"))
        page = self.page("/desk/collections/stories")
        for name in self.ids():
            self.assertIn(f'href="/desk/collections/stories/documents/{urllib.parse.quote(name)}"', page)
        some = self.shown("/desk/collections/stories?title=chekhov-ch")
        self.assertIn("documents: 1\n", some)
        self.assertIn(CHAMELEON, some)
        self.assertIn("documents: 0\n", self.shown("/desk/collections/stories?title=" + urllib.parse.quote('"\\')))

    def test_many_documents_have_further_pages(self):
        for number in range(60):
            body = f"Text number {number} of the many.".encode()
            self.assertEqual(self.ask("PUT", f"/v1/collections/many/documents/d{number:02}?title=t", body, "text/plain")[0] // 100, 2 if number else 4)
            if number == 0:
                self.ask("PUT", "/v1/collections/many")
                self.ask("PUT", "/v1/collections/many/documents/d00?title=t", body, "text/plain")
        page = self.page("/desk/collections/many")
        further = html.unescape(re.search(r'href="([^"]*cursor=[^"]*)"', page).group(1))
        rest = self.shown(further)
        self.assertIn("d59", rest)
        self.assertNotIn("d10", rest)

    def test_a_document_shows_its_text_and_what_shares_text_with_it(self):
        self.ask("PUT", "/v1/collections/stories/documents/copy?title=A%20copy", edited_story().encode(), "text/plain")
        path = f"/desk/collections/stories/documents/{CHAMELEON}"
        shown = self.shown(path)
        self.assertIn(story()[100:300], shown)
        similar = self.page(path + "?similar=true")
        self.assertRegex(similar, r">A copy</a> – [\d,]+ words \(9\d\.\d\s%\) of the first text")
        compared = re.search(r'href="(/desk/compare[^"]*)"', similar.partition('id="similar"')[2]).group(1)
        self.assertIn('title="inserted">иначе', self.page(html.unescape(compared)))

    def test_two_pasted_texts_are_compared_word_by_word(self):
        self.assertEqual(self.ask("GET", "/desk/compare")[0], 200)
        fields = urllib.parse.urlencode({"a": QUERY.read_text(encoding="utf-8"), "b": story()}).encode()
        status, _, page = self.ask("POST", "/desk/compare", fields, FORM)
        self.assertEqual(status, 200)
        self.assertRegex(page, r'<mark class="change" title="another form of the word">')
        self.assertIn("of the first text", page)
        nothing = self.ask("POST", "/desk/compare", urllib.parse.urlencode({"a": "One text.", "b": "Another."}).encode(), FORM)[2]
        self.assertIn("The texts share no passage.", nothing)

    def test_lines_of_a_form_are_lines(self):
        lines = story()[:2000].replace("\n", "\r\n")  # as browsers send them
        page = self.ask("POST", "/desk/compare", urllib.parse.urlencode({"a": lines, "b": lines}).encode(), FORM)[2]
        self.assertIn("100.0\u00a0%", page)
        self.assertNotIn("\ufffd", page)
        self.assertNotIn("\ufffd", self.page(self.check(lines)))

    def test_an_unknown_document_and_hostile_names_are_pages(self):
        self.assertEqual(self.ask("GET", "/desk/collections/stories/documents/none")[0], 404)
        self.assertEqual(self.ask("GET", "/desk/collections/none")[0], 404)
        name = urllib.parse.quote('a/<script>"', safe="")
        body = b'{"text": "<script>alert(1)</script> text of some words", "title": "<b>x", "metadata": {"<i>": "<u>"}}'
        self.assertEqual(self.ask("PUT", f"/v1/collections/stories/documents/{name}", body, "application/json")[0], 201)
        for path in ("/desk/collections/stories", f"/desk/collections/stories/documents/{name}"):
            page = self.page(path)
            for tag in ("<script>", "<b>", "<i>", "<u>"):
                self.assertNotIn(tag, page, path)

    def test_texts_need_the_scope_read(self):
        author = self.akin("person", "add", "vera", "--role", "author", code=0).out.strip()
        body = urllib.parse.urlencode({"key": author}).encode()
        cookie = self.ask("POST", "/desk/sign-in", body, FORM)[1]["set-cookie"].split(";")[0]
        for path in ("/desk/collections/stories", f"/desk/collections/stories/documents/{CHAMELEON}", "/desk/compare"):
            self.assertEqual(self.ask("GET", path, Cookie=cookie)[0], 403, path)
        self.assertNotIn('href="/desk/collections/stories"', self.ask("GET", "/desk/collections", Cookie=cookie)[2])
