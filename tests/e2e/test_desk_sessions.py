"""A session that ends in the middle of the work: nothing that was written is lost, and nobody loses the way."""
import html
import re
import unittest
import urllib.parse

import browser
from program import CHAMELEON, QUERY
from test_desk import BOUNDARY, FORM, Visitor, form

REMARK = "Цитата оформлена верно, см. с. 3 <b>\"и\"</b> & далее"


class SessionsTest(Visitor):
    def setUp(self):
        super().setUp()
        self.make_library()
        self.case = self.check(QUERY.read_text(encoding="utf-8"))
        self.secret = self.akin("person", "add", "anna", "--role", "decider,administrator", code=0).out.strip()
        self.dead = {"cookie": "akin-session=" + "A" * 43}

    def sign_in(self, fields: dict, **headers) -> tuple[int, dict, str]:
        return self.ask("POST", "/desk/sign-in", urllib.parse.urlencode({"key": self.secret, **fields}).encode(), FORM, **headers)

    def fields_of(self, page: str, action: str) -> dict[str, str]:
        """The hidden fields of a form."""
        found = re.search(f'<form [^>]*action="{re.escape(action)}".*?</form>', page, re.S)
        self.assertIsNotNone(found, page)
        return {name: html.unescape(value) for name, value in re.findall(r'type="hidden" name="([^"]*)" value="([^"]*)"', found[0])}

    def post_raw(self, path: str, body: bytes, kind: str = FORM, **headers) -> tuple[int, dict, str]:
        """Without a form's token, as from a page of a session that has ended."""
        return self.ask("POST", path, b"form-token=old&" + body if kind == FORM else body, kind, **{"referer": f"{self.server.url}{self.case}?source=1", "Origin": self.server.url, **headers})

    def test_who_signs_in_comes_to_the_page_that_was_asked_for(self):
        for path in ("/desk/checks?verdict=refuse&q=%D0%B0%26b", f"{self.case}?source=1", f"/desk/collections/stories/documents/{CHAMELEON}"):
            where = self.ask("GET", path)[1]["location"]
            self.assertEqual(where, "/desk/sign-in?next=" + urllib.parse.quote(path, safe=""))
            self.assertEqual(self.fields_of(self.ask("GET", where)[2], "/desk/sign-in")["next"], path)
            self.assertEqual(self.sign_in({"next": path})[1]["location"], path)
        wrong = self.ask("POST", "/desk/sign-in", b"key=wrong&next=/desk/checks", FORM)[2]
        self.assertEqual(self.fields_of(wrong, "/desk/sign-in")["next"], "/desk/checks")

    def test_signing_in_leads_to_no_other_place(self):
        for wrong in ("https://evil.example/desk/", "//evil.example/desk/", "/\\evil.example", "/desk/../evil", "/desk/%2e%2e/x", "/desk\r\nX: y", "/desk/sign-out",
                      "/desk/sign-in", "/v1/keys", "/deskx", "javascript:alert(1)", "/desk/" + "x" * 9000):  # fmt: skip
            self.assertEqual(self.sign_in({"next": wrong})[1]["location"], "/desk/", wrong)
            page = self.sign_in({"again": wrong, "kept": "remark=x"})
            self.assertEqual((page[0], page[1]["location"]), (303, "/desk/"), wrong)

    def test_a_page_says_that_the_session_has_ended(self):
        page = self.ask("GET", "/desk/sign-in", **self.dead)
        self.assertIn("Your session has ended", page[2])
        self.assertNotIn("/desk/sign-out", page[2])
        self.assertIn("akin-session=; ", page[1]["set-cookie"])
        self.assertNotIn("Your session has ended", self.ask("GET", "/desk/sign-in")[2])

    def test_what_was_written_is_sent_after_signing_in(self):
        written = {"revision": "0", "state": "accepted", "remark": REMARK}
        status, answer, page = self.post_raw(f"{self.case}/decision", urllib.parse.urlencode(written).encode(), **self.dead)
        self.assertEqual(status, 403, page)
        self.assertIn("Nothing has been changed", page)
        self.assertIn(html.escape(REMARK).replace("&#x27;", "&#39;"), page)
        kept = self.fields_of(page, "/desk/sign-in")
        kept.pop("once", None)
        self.assertEqual(kept["next"], f"{self.case}?source=1")
        self.assertEqual(kept["again"], f"{self.case}/decision")
        wrong = self.ask("POST", "/desk/sign-in", urllib.parse.urlencode({**kept, "key": "wrong"}).encode(), FORM)[2]
        self.assertEqual({**self.fields_of(wrong, "/desk/sign-in"), **kept}, self.fields_of(wrong, "/desk/sign-in"))
        status, answer, page = self.sign_in(kept)
        self.assertEqual(status, 200, page)
        again = self.fields_of(page, f"{self.case}/decision")
        self.assertEqual({name: again[name] for name in written}, written)
        self.assertIn(f'href="{self.case}?source=1"', page)
        cookie = {"Cookie": re.match("[^;]*", next(one for one in [answer["set-cookie"]]))[0]}
        self.assertIn("akin-session=", cookie["Cookie"])
        connection = self.server.connect()
        connection.request("POST", f"{self.case}/decision", urllib.parse.urlencode(again).encode(), {"Content-Type": FORM, **cookie})
        self.assertEqual(connection.getresponse().status, 303)
        connection.close()
        self.assertIn(html.escape(REMARK).replace("&#x27;", "&#39;"), self.ask("GET", self.case, **cookie)[2])

    def test_a_pasted_text_is_kept_and_files_are_chosen_again(self):
        kind = f"multipart/form-data; boundary={BOUNDARY}"
        fields = [("form-token", "old"), ("collections", "stories"), ("title", "Диплом"), ("text", REMARK)]
        kept = self.fields_of(self.post_raw("/desk/checks", form(fields, []), kind)[2], "/desk/sign-in")
        page = self.sign_in(kept)[2]
        self.assertIn('enctype="multipart/form-data"', page)
        sent = self.fields_of(page, "/desk/checks")
        self.assertEqual({name: sent[name] for name in sent if name not in ("form-token", "once")}, dict(fields[1:]))
        page = self.post_raw("/desk/checks", form(fields, [("a.txt", b"A text.")]), kind)[2]
        self.assertIn("chosen again", page)
        self.assertNotIn("again", self.fields_of(page, "/desk/sign-in"))

    def test_a_form_that_is_too_large_to_be_kept_says_so(self):
        kind = f"multipart/form-data; boundary={BOUNDARY}"
        for files in ([], [("a.txt", b"A text. " * (1 << 18))]):
            body = form([("form-token", "old"), ("collections", "stories"), ("text", "" if files else "A text. " * (1 << 18))], files)
            status, answer, _ = self.post_raw("/desk/checks", body, kind, **self.dead)
            self.assertEqual(status, 303)
            page = self.ask("GET", answer["location"], **self.dead)[2]
            self.assertIn("what you sent was not carried out", page)
            self.assertIn("Sign in, then choose the files or paste the text again.", page)

    @unittest.skipUnless(browser.program(), "Chromium is not installed")
    def test_files_are_sent_once_somebody_has_signed_in_elsewhere(self):
        with browser.Browser() as page:

            def take_session():
                token = self.sign_in({})[1]["set-cookie"].split(";")[0].split("=", 1)[1]
                page.call("Network.setCookie", name="akin-session", value=token, url=self.server.url, path="/desk")

            page.go(self.server.url + "/desk/sign-in")
            take_session()
            page.go(self.server.url + "/desk/?lang=en")
            page.choose_files("#file", [str(self.write("essay.txt", "An essay of its own."))])
            page.run("document.querySelector('#title').value = 'Kept title'; document.querySelector('[name=collections]').checked = true")
            page.call("Network.deleteCookies", name="akin-session", url=self.server.url, path="/desk")
            send = "document.querySelector('#file').form.querySelector('button').click()"
            page.run(send)
            page.wait_for("document.querySelector('.session') && !document.querySelector('.session').hidden")
            self.assertIn("so nothing was sent yet", page.run("document.querySelector('.session').innerText"))
            take_session()
            page.run(send)
            page.wait_for("location.pathname.startsWith('/desk/checks/check-')")
            page.wait_for("document.body?.innerText.includes('Kept title')")

    def test_no_form_without_a_session_changes_anything(self):
        before = self.akin("audit", "export", code=0).out
        for path in (f"{self.case}/delete", f"{self.case}/decision", f"{self.case}/marks", f"{self.case}/admit", f"{self.case}/links", "/desk/checks", "/desk/persons",
                     "/desk/persons/anna/disable", "/desk/keys", "/desk/collections", "/desk/server/drop", "/desk/rules", "/desk/accept",
                     "/desk/collections/stories/remove", "/desk/collections/stories/watches"):  # fmt: skip
            body = b"revision=0&state=accepted&id=eve&name=eve&roles=administrator&scopes=admin&label=x&collection=stories&again=stories&text=x&until=2026-12-01"
            for headers, expected in (({}, 403), (self.dead, 403), ({"Origin": "https://evil.example"}, 303), ({"Origin": "null"}, 303), ({"Sec-Fetch-Site": "cross-site"}, 303)):
                status, _, page = self.post_raw(path, body, **headers)
                self.assertEqual((status, "again" in page), (expected, expected == 403), (path, headers))
        self.assertEqual(self.akin("audit", "export", code=0).out, before)

    def test_a_form_of_an_earlier_session_is_sent_again_by_a_button(self):
        cookie = {"Cookie": self.sign_in({})[1]["set-cookie"].split(";")[0]}
        connection = self.server.connect()
        body = urllib.parse.urlencode({"form-token": "0" * 64, "revision": "0", "state": "open", "remark": REMARK}).encode()
        connection.request("POST", f"{self.case}/decision", body, {"Content-Type": FORM, "Origin": self.server.url, **cookie})
        answer = connection.getresponse()
        page = answer.read().decode()
        connection.close()
        self.assertEqual(answer.status, 403)
        self.assertIn("Nothing has been changed", page)
        again = self.fields_of(page, f"{self.case}/decision")
        self.assertEqual(again["remark"], REMARK)
        self.assertNotEqual(again["form-token"], "0" * 64)

    def test_no_name_of_a_field_becomes_a_tag(self):
        hostile = '"><img src=x onerror=alert(1)>'
        for values in ({hostile: "x"}, {"remark": hostile}, {"state": hostile}, {"remark-" + hostile: "x"}):
            page = self.post_raw(f"{self.case}/decision", urllib.parse.urlencode(values).encode())[2]
            self.assertNotIn("<img", page)
            sent = self.sign_in(self.fields_of(page, "/desk/sign-in"))
            self.assertEqual(sent[0], 200)
            self.assertNotIn("<img", sent[2])
        self.assertEqual(self.sign_in({"again": f"{self.case}/decision", "kept": "a=b&c=%zz"})[0], 200)

    def test_a_stranger_sees_no_way_to_the_pages_of_others(self):
        for path in ("/desk/sign-in", "/desk/nothing", "/desk/links/check-0/x"):
            page = self.ask("GET", path)[2]
            self.assertEqual([link for link in ("/desk/server", "/desk/persons", "/desk/compare") if f'"{link}"' in page], [], path)

    @unittest.skipUnless(browser.program(), "Chromium is not installed")
    def test_a_librarian_goes_on_where_the_session_ended(self):
        with browser.Browser() as page:

            def sign_in():
                page.wait_for("document.querySelector('#key') != null")
                page.run(f"document.querySelector('#key').value = {self.secret!r}")
                page.run("document.querySelector('main form button').click()")

            page.go(f"{self.server.url}{self.case}?lang=ru")
            sign_in()
            page.wait_for("location.pathname.startsWith('/desk/checks/check-') && document.querySelector('#remark') != null")
            page.run(f"document.querySelector('#remark').value = {REMARK!r}")
            page.call("Network.deleteCookies", name="akin-session", url=self.server.url, path="/desk")
            page.run("document.querySelector('form[action$=decision] button').click()")
            page.wait_for("document.body?.innerText.includes('Ничего ещё не изменено')")
            sign_in()
            page.wait_for("document.querySelector('form[action$=decision] button') != null")
            page.run("document.querySelector('form[action$=decision] button').click()")
            page.wait_for("location.pathname.startsWith('/desk/checks/check-') && document.querySelector('#history') != null")
            self.assertIn(REMARK, page.run("document.querySelector('#history').innerText"))


if __name__ == "__main__":
    unittest.main()
