"""Forms that are sent twice: by a double click, or because the page that answered is reloaded."""
import datetime
import re
import threading
import unittest
import urllib.parse

import browser
from program import QUERY
from test_desk import BOUNDARY, FORM, Visitor, form


class TwiceTest(Visitor):
    def once_of(self, page: str, action: str, **headers) -> str:
        """The field by which a sending of the form is known."""
        found = re.search(f'<form [^>]*action="{re.escape(action)}".*?name="once" value="([^"]+)"', self.ask("GET", page, **headers)[2], re.S)
        self.assertIsNotNone(found, (page, action))
        return found[1]

    def both(self, path: str, fields: list[tuple[str, str]], **headers) -> list[tuple[int, dict, str]]:
        """What a double click gets: two requests at the same time."""
        answers = []
        body = urllib.parse.urlencode(fields).encode()
        threads = [threading.Thread(target=lambda: answers.append(self.ask("POST", path, body, FORM, **headers))) for _ in range(2)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        self.assertEqual(len(answers), 2)
        return answers

    def test_a_double_click_makes_one_key_one_person_and_shows_the_secret(self):
        fields = [("once", self.once_of("/desk/persons", "/desk/persons")), ("id", "anna"), ("name", "Anna"), ("roles", "administrator")]
        body = urllib.parse.urlencode(fields).encode()
        first, second = (self.ask("POST", "/desk/persons", body, FORM, Origin=self.server.url) for _ in range(2))  # from then on all sign in
        secret = re.search("<code>(akin_[^<]*)</code>", first[2])[1]
        self.assertEqual(first[2], second[2])
        self.assertNotIn(secret, self.ask("POST", "/desk/persons", body + b"&name=x", FORM, Origin=self.server.url)[2])
        self.assertIn('href="/desk/sign-in"', first[2])  # from now on that is the way in
        session = {"Cookie": self.ask("POST", "/desk/sign-in", f"key={secret}".encode(), FORM)[1]["set-cookie"].split(";")[0]}
        for page, wanted in (("/desk/persons", [("id", "boris"), ("name", "Boris"), ("roles", "reader")]), ("/desk/keys", [("label", "catalogue"), ("scopes", "read")])):
            fields = [("once", self.once_of(page, page, **session)), *wanted]
            one, two = self.both(page, fields, **session)
            self.assertEqual([one[0], two[0]], [200, 200])
            self.assertEqual(re.findall("<code>(.*?)</code>", one[2]), re.findall("<code>(.*?)</code>", two[2]))
            self.assertEqual(len(re.findall("<code>(akin_.*?)</code>", one[2])), 1)
        self.assertEqual(self.ask("GET", "/desk/keys", **session)[2].count("catalogue"), 1)

    def test_what_is_sent_twice_is_one_check_until_something_else_is_written(self):
        self.make_library()
        kind = f"multipart/form-data; boundary={BOUNDARY}"
        fields = [("once", self.once_of("/desk/", "/desk/checks")), ("collections", "stories")]
        paths = [self.ask("POST", "/desk/checks", form(fields, [("a.txt", text)]), kind)[1]["location"] for text in (b"One.", b"One.", b"Two.")]
        self.assertEqual(paths[0], paths[1])
        self.assertNotEqual(paths[0], paths[2])

    def test_a_large_form_that_is_sent_twice_is_one_check(self):
        self.make_library()
        fields = [("once", self.once_of("/desk/", "/desk/checks")), ("collections", "stories")]
        body = form(fields, [("large.txt", b"A text that is long. " * (1 << 17))])
        kind = f"multipart/form-data; boundary={BOUNDARY}"
        first, second = (self.ask("POST", "/desk/checks", body, kind)[1]["location"] for _ in range(2))
        self.assertEqual(first, second)

    def test_an_author_states_something_once(self):
        self.make_library()
        path = self.check(QUERY.read_text(encoding="utf-8"))
        page = self.ask("POST", f"{path}/links", f"until={datetime.date.today()}&statement=true".encode(), FORM)[2]
        link = re.search(r'href="(/desk/links/[^"]+)"', page)[1]
        self.both(link, [("once", self.once_of(link, link)), ("statement", "It is my own.")])
        self.assertEqual(self.page(path).count("It is my own."), 1)

    @unittest.skipUnless(browser.program(), "Chromium is not installed")
    def test_a_browser_uploads_files(self):
        self.make_library()
        with browser.Browser() as page:
            page.go(f"{self.server.url}/desk/collections")
            page.choose_files("#file-stories", [str(self.write("new.txt", "A new text."))])
            page.run("document.querySelector('#file-stories').form.querySelector('button').click()")
            page.wait_for("document.body?.innerText.includes('stored: 1')")

    def test_a_refused_form_can_be_sent_again(self):
        once = self.once_of("/desk/collections", "/desk/collections")
        for name, status in (("Нет", 400), ("Нет", 400), ("stories", 303), ("stories", 303)):
            body = urllib.parse.urlencode({"once": once, "name": name}).encode()
            self.assertEqual(self.ask("POST", "/desk/collections", body, FORM)[0], status)

    def test_a_secret_is_shown_to_nobody_else(self):
        secrets = [self.akin("person", "add", name, "--role", "administrator", code=0).out.strip() for name in ("anna", "eve")]
        anna, eve = ({"Cookie": self.ask("POST", "/desk/sign-in", f"key={one}".encode(), FORM)[1]["set-cookie"].split(";")[0]} for one in secrets)
        body = urllib.parse.urlencode({"once": self.once_of("/desk/keys", "/desk/keys", **anna), "label": "x", "scopes": "read"}).encode()
        shown = [re.findall("<code>(akin_.*?)</code>", self.ask("POST", "/desk/keys", body, FORM, **who)[2]) for who in (anna, eve)]
        self.assertNotEqual(shown[0], shown[1])


if __name__ == "__main__":
    unittest.main()
