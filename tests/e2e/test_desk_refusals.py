"""What a person reads when the desk does not do what was asked: always a page, and never the end of the way."""
import unittest
import urllib.parse

import browser
from program import QUERY
from test_desk import BOUNDARY, FORM, Visitor, form


class RefusalTest(Visitor):
    def test_whatever_is_refused_below_the_desk_is_a_page(self):
        self.make_library()
        big = form([("collections", "stories")], [("big.txt", b"word " * (13 << 20))])
        refused = [
            ("GET", "/desk/checks?q=%ff", b"", {}, 400),
            ("GET", "/desk/checks?q=%zz", b"", {}, 400),
            ("GET", "/desk/collections/%ff", b"", {}, 400),
            ("GET", "/desk/checks/check-00000000000000000000/report", b"", {}, 404),
            ("GET", "/desk/", b"", {"Host": "elsewhere.example"}, 421),
            ("POST", "/desk/log", b"", {}, 405),
            ("POST", "/desk/checks", big, {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}, 413),
        ]
        for method, path, body, fields, expected in refused:
            for language, title in (("en", "This did not work"), ("ru", "Не получилось")):
                with self.subTest(path=path, language=language):
                    status, answer, page = self.ask(method, path, body, **fields, **{"Accept-Language": language})
                    self.assertEqual((status, answer["content-type"]), (expected, "text/html; charset=utf-8"), page[:200])
                    self.assertEqual(answer["cache-control"], "no-store")
                    self.assertIn("frame-ancestors 'none'", answer["content-security-policy"])
                    self.assertIn(f"<h1>{title}</h1>", page)

    def test_a_refusal_shows_what_was_written_and_leads_back(self):
        self.make_library()
        path = self.check(QUERY.read_text(encoding="utf-8"))
        remark = "Цитата <b>верна</b>"
        for revision, state, expected in ((0, "open", 303), (0, "open", 412), (1, "gone", 400), ("x", "open", 400)):
            body = urllib.parse.urlencode({"revision": revision, "state": state, "remark": remark}).encode()
            status, _, page = self.ask("POST", f"{path}/decision", body, FORM, Referer=f"http://library.example/akin{path}?source=1")
            self.assertEqual(status, expected, page)
            if status == 303:
                continue
            self.assertIn("Цитата &lt;b&gt;верна&lt;/b&gt;", page)
            self.assertIn(f'href="{path}?source=1"', page)

    def test_what_people_mistake_most_is_said_in_their_language(self):
        self.make_library()
        path = self.check(QUERY.read_text(encoding="utf-8"))
        kind = f"multipart/form-data; boundary={BOUNDARY}"
        self.assertEqual(self.ask("POST", f"{path}/decision", b"revision=0&state=accepted", FORM)[0], 303)
        mistakes = {
            "/desk/checks": [
                (form([("collections", "stories")], []), "Не выбран файл"),
                (form([("text", "Текст.")], []), "Не выбрано, с чем сравнивать"),
                (form([("collections", "stories")], [("пусто.txt", b"")]), "Файл пуст"),
                (form([("collections", "stories"), ("text", "Текст."), ("title", "я" * 5000)], []), "слишком длинный"),
            ],
            "/desk/collections": [(b"name=%D0%9C%D0%BE%D0%B8", "Такое имя не подходит")],
            "/desk/persons": [(b"id=%D0%90&name=A&roles=administrator", "Такой идентификатор"), (b"id=a&name=A&roles=reader", "Первым должен быть администратор"),
                              (b"id=a&name=&roles=administrator", "Имени нет")],  # fmt: skip
            "/desk/server/drop": [(b"collection=stories&again=story", "Ничего не удалено")],
            "/desk/collections/stories/duplicates": [(b"kind=groups&share=", "Доля — не число"), (b"kind=groups&share=many", "Доля — не число")],
            "/desk/collections/stories/watches": [(b"name=x&text=", "Не вставлен текст")],
            f"{path}/links": [(b"until=2001-01-01", "Последний день уже прошёл"), (b"until=2099-01-01", "Последний день слишком далеко")],
            f"{path}/marks": [(b"revision=1&source=1&what-0=off", "Решение уже принято")],
        }
        for address, tries in mistakes.items():
            for body, sentence in tries:
                fields = {"kind": kind if body.startswith(b"--") else FORM, "Accept-Language": "ru"}
                status, _, page = self.ask("POST", address, body, **fields)
                self.assertIn(status, (400, 409, 413), page)
                self.assertIn(sentence, page)

    def test_a_page_in_the_other_language_has_the_same_filter(self):
        self.make_library()
        self.assertIn('href="/desk/checks?lang=ru&amp;verdict=refuse&amp;q=%D0%B0%26b"', self.page("/desk/checks?verdict=refuse&q=%D0%B0%26b&lang=en"))

    def test_programs_and_scripts_get_problems(self):
        for path, fields in (("/v1/checks?q=%ff", {}), ("/desk/checks?q=%ff", {"Accept": "application/json"})):
            status, answer, _ = self.ask("GET", path, **fields)
            self.assertEqual((status, answer["content-type"]), (400, "application/problem+json"), path)

    def test_the_address_of_a_form_leads_to_the_page_that_has_it(self):
        self.make_library()
        path = self.check(QUERY.read_text(encoding="utf-8"))
        for below, page in (("decision", path), ("links/x/revoke", path), ("delete", path)):
            self.assertEqual(self.ask("GET", f"{path}/{below}")[1]["location"], page)
        for below, page in (("server/reindex", "/desk/server"), ("persons/anna/secret", "/desk/persons"), ("accept", "/desk"), ("sign-out", "/desk"),
                            ("collections/stories/documents", "/desk/collections/stories")):  # fmt: skip
            self.assertEqual(self.ask("GET", f"/desk/{below}")[1]["location"], page)

    @unittest.skipUnless(browser.program(), "Chromium is not installed")
    def test_files_that_are_too_large_are_refused_by_a_page(self):
        self.make_library()
        large = self.write("large.txt", b"word " * (14 << 20))
        with browser.Browser() as page:
            page.go(f"{self.server.url}/desk/?lang=ru")
            page.choose_files("#file", [str(large)])
            page.run("document.querySelector('main form button').click()")
            page.wait_for("document.querySelector('h1').innerText == 'Не получилось'")
            self.assertIn("больше, чем сервер принимает за раз", page.run("document.querySelector('main').innerText"))

    @unittest.skipUnless(browser.program(), "Chromium is not installed")
    def test_files_that_do_not_arrive_leave_the_form_as_it_is(self):
        self.make_library()
        gone = self.write("gone.txt", b"word " * 1000)
        with browser.Browser() as page:
            page.go(f"{self.server.url}/desk/?lang=ru")
            page.choose_files("#file", [str(gone)])
            page.run("document.querySelector('#title').value = 'Диплом'")
            gone.unlink()
            page.run("document.querySelector('main form button').click()")
            page.wait_for("!document.querySelector('main form [role=alert]').hidden")
            self.assertIn("Файлы не дошли до сервера", page.run("document.querySelector('main').innerText"))
            self.assertEqual(page.run("[document.querySelector('#title').value, document.querySelector('main form button').disabled]"), ["Диплом", False])
            self.assertTrue(page.run("document.querySelector('progress').closest('p').hidden"))


if __name__ == "__main__":
    unittest.main()
