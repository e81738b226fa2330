"""What a report shows to somebody who reads it closely: disguise with its places, changed words, the bibliography, nobody's name."""
import html
import json
import re
import unittest

import browser
from program import CHAMELEON, story
from test_desk import BOUNDARY, FORM, Visitor, form
from test_files import make_fb2

HIDDEN = "Words that only the machine reads and no reader of the page sees"


class ReadingTest(Visitor):
    def setUp(self):
        super().setUp()
        self.make_library()

    def test_disguise_is_shown_with_its_places_and_scripts(self):
        # Latin and Greek letters; a few in a long text would be chance.
        page = self.page(self.check(f"{story()[1000:1900]} Моя собaкa видела корοву, а молокο и книгa стояли на столe. {story()[3000:3600]}"))
        listed = html.unescape(re.search(r"<h2>Unusual characters</h2>.*?</ul>", page, re.S)[0])
        self.assertIn("look-alike letters of another script: 5 (letters: Greek 2, Latin 4). In the text: ", listed)
        words = ["собaкa", "корοву", "молокο", "книгa", "столe"]
        self.assertEqual(re.findall(r'<a href="#u(\d)" dir="auto">(.*?)</a>', listed), [(str(number), word) for number, word in enumerate(words, 1)])
        places = re.findall(r'<span id="u(\d)"></span><span class="unusual" title="look-alike letters of another script">(.*?)</span>', page)
        self.assertEqual(places, [(str(number), word) for number, word in enumerate(words, 1)])

    def test_hidden_text_of_a_file_is_shown_as_such(self):
        body = f"<html><body><p>{story()[1000:1900]}</p><p hidden>{HIDDEN}</p></body></html>".encode()
        for language, sentence in (("en", "hidden by: a property that switches it off"), ("ru", "скрыто: свойством, которое его отключает")):
            status, fields, answer = self.send("/desk/checks", [("collections", "stories")], [("essay.html", body)])
            self.assertEqual(status, 303, answer)
            self.wait_for(fields["location"])
            page = self.page(f"{fields['location']}?lang={language}")
            self.assertIn(f'{sentence}<blockquote dir="auto">{HIDDEN}</blockquote>', page)
            self.assertNotIn(HIDDEN, page[page.index('<div class="text">'):])

    def test_a_file_gives_its_title_and_author_or_else_its_name(self):
        for name, content, title in (("a.fb2", make_fb2(story()), "Хамелеон"), ("Мой реферат.txt", story().encode(), "Мой реферат")):
            path = self.send("/desk/checks", [("collections", "stories")], [(name, content)])[1]["location"]
            self.wait_for(path)
            report = self.page(path)
            self.assertIn(f"<h1>{title}</h1>", report)
            self.assertEqual("<dt>Author, as the file says</dt><dd>Антон Чехов</dd>" in report, name == "a.fb2")

    def test_the_name_of_a_match_says_how_many_words_were_changed(self):
        words = story()[1000:2000].split(" ")
        words[40] = words[60] = words[80] = "другое"
        page = self.page(self.check(" ".join(words)))
        self.assertIn('aria-label="Match 1 of 1, source 1, words changed: 3"', page)
        self.assertEqual(len(re.findall(r'<mark class="change" title="replaced">другое<', page)), 3)

    def test_matches_of_the_bibliography_are_named_and_hidden_by_a_filter(self):
        path = self.check(f"{story()[1000:1900]}\n\nСписок литературы\n\n1. Чехов А. П. Хамелеон. 1884.\n2. {' '.join(story()[5000:5500].split())}\n")
        headings = re.findall(r"<h4>(.*?) – ", self.page(path))
        self.assertEqual([("in the bibliography" in one) for one in headings], [False, True])
        self.assertEqual(len(re.findall("<h4>", self.page(f"{path}?hide_bibliography=true"))), 1)

    def test_a_source_leads_to_its_document_for_those_who_may_read_it(self):
        path = self.check(story()[1000:1900])
        link = f'href="/desk/collections/stories/documents/{CHAMELEON}"'
        self.assertIn(link, self.page(path))
        self.assertNotIn(link, self.ask("GET", f"/v1{path.removeprefix('/desk')}/report")[2])
        self.assertEqual(self.ask("PUT", "/v1/collections/stories", b'{"restricted": true}', "application/json")[0], 200)
        self.assertNotIn(link, self.page(path))

    def test_names_are_hidden_in_every_page_by_one_switch(self):
        body = form([("collections", "stories"), ("title", "Реферат Петровой"), ("owner", "Вера Петрова")], [("query.txt", story()[1000:1900].encode())])
        path = self.ask("POST", "/desk/checks", body, f"multipart/form-data; boundary={BOUNDARY}")[1]["location"]
        self.wait_for(path)
        pages = (path, "/desk/checks", f"{path}/marks?source=1")
        for page in pages:
            self.assertIn("Петров", self.page(page))
        _, fields, shown = self.ask("GET", f"{path}?names=hide")
        self.assertIn("akin-names=hide; Path=/desk", fields["set-cookie"])
        for page in [shown, *(self.ask("GET", page, Cookie="akin-names=hide")[2] for page in pages)]:
            self.assertNotIn("Петров", page)
            self.assertIn(path.rpartition("/")[2], page)
        self.assertIn("anonymous=true", shown)
        self.assertIn("Петров", self.ask("GET", f"{path}?names=show", Cookie="akin-names=hide")[2])

    def test_the_last_change_of_marks_is_undone_and_done_again(self):
        path = self.check(story()[1000:1900])

        def marks() -> list:
            return json.loads(self.ask("GET", f"/v1{path.removeprefix('/desk')}")[2])["decision"]["marks"]

        def post(below: str, fields: str) -> int:
            return self.ask("POST", path + below, fields.encode(), FORM)[0]

        self.assertEqual(post("/undo", "revision=0"), 400)
        self.assertEqual(post("/marks", "revision=0&source=1&what-0=quotation&remark-0=known"), 303)
        before = marks()
        self.assertEqual(post("/marks", "revision=1&source=1&what-0=off&remark-0=&what-1=template&remark-1="), 303)
        after = marks()
        self.assertEqual(len(after), 2)
        self.assertEqual(post("/undo", "revision=1"), 412)
        self.assertEqual(post("/undo", "revision=2"), 303)
        self.assertEqual(marks(), before)
        self.assertEqual(post("/undo", "revision=3"), 303)
        self.assertEqual(marks(), after)

    def test_places_are_right_where_letters_are_no_code_units(self):
        text = "𝒜🙂 e\u0301 \0 שלום\r\n" + story()[1000:1900]
        made = json.loads(self.ask("POST", "/v1/checks", json.dumps({"collections": ["stories"], "text": text}).encode(), "application/json")[2])
        page = html.unescape(self.page(f"/desk/checks/{made['id']}"))
        (begin, end) = made["sources"][0]["passages"][0]["a"]
        marked = "".join(re.findall(r"<mark class=\"s1\"[^>]*>(.*?)</mark>", page, re.S))
        self.assertEqual("".join(marked.split()), "".join(text[begin:end].split()))
        self.assertIn('<p dir="auto">𝒜🙂 e\u0301 \ufffd שלום', page)


@unittest.skipUnless(browser.program(), "Chromium is not installed")
class ReadingInABrowserTest(Visitor):
    def setUp(self):
        super().setUp()
        self.make_library()

    def test_a_printed_report_has_the_findings_and_nothing_to_press(self):
        path = self.check(story()[1000:1900] + "\n\nשלום עולם, זה טקסט מימין לשמאל\n\n" + story("chekhov-vanka.txt")[500:2500])
        self.assertEqual(self.ask("POST", f"{path}/switch", b"revision=0&at=1.1.off", FORM)[0], 303)
        with browser.Browser() as page:
            page.go(self.server.url + path)
            rtl = "[...document.querySelectorAll('.text p')].filter(one => getComputedStyle(one).direction == 'rtl').map(one => one.textContent)"
            self.assertEqual(page.run(rtl), ["שלום עולם, זה טקסט מימין לשמאל"])
            page.print_to(self.folder / "printed.pdf")
        pdf = (self.folder / "printed.pdf").read_bytes()
        self.assertEqual(self.ask("PUT", "/v1/collections/stories/documents/printed", pdf, "application/pdf")[0], 201)
        read = json.loads(self.ask("GET", "/v1/collections/stories/documents/printed")[2])["text"]
        for wanted in ("Much of it is from elsewhere", "Sources", "Match 1", "does not count", "History", "The text", story("chekhov-vanka.txt")[600:630]):
            self.assertIn(wanted, read)
        for pressed in ("Do not count", "Hide names", "Choose which matches", "Decide", "Sign out", "Undo"):
            self.assertNotIn(pressed, read)

    def test_files_are_dropped_on_the_form(self):
        with browser.Browser() as page:
            page.go(f"{self.server.url}/desk/")
            dropped = """(() => {
              const data = new DataTransfer();
              for (const name of ['a.txt', 'b.txt']) data.items.add(new File(['One text.'], name));
              document.querySelector('main form textarea').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
              return [...document.querySelector('#file').files].map(file => file.name).join();
            })()"""
            page.wait_for("document.readyState == 'complete'")
            self.assertEqual(page.run(dropped), "a.txt,b.txt")


if __name__ == "__main__":
    unittest.main()
