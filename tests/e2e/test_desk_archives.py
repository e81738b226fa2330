"""A ZIP of theses that is handed in at the desk: each file in it becomes a check of its own."""
import html
import json
import re
import unittest

from program import QUERY
from test_desk import Visitor
from test_files import make_pdf
from test_upload import archive, docx


class DeskArchivesTest(Visitor):
    def setUp(self):
        super().setUp()
        self.make_library()

    def hand_in(self, *files: tuple[str, bytes]) -> tuple[int, dict, str]:
        return self.send("/desk/checks", [("collections", "stories")], list(files))

    def titles(self) -> set[str]:
        return {check["title"] for check in json.loads(self.ask("GET", "/v1/checks")[2])["checks"]}

    def done(self, page: str):
        for path in re.findall(r'href="(/desk/checks/check-\w+)"', page):
            self.wait_for(path)

    def test_each_file_of_a_zip_becomes_a_check(self):
        query = QUERY.read_bytes()
        theses = archive({"Иванов/диплом.txt": query, "petrov.docx": docx("A thesis of its own, about bridges."), "sidorov.pdf": make_pdf(["Of ferries."]),
                          "empty.txt": b"", "broken.pdf": b"%PDF-1.7\n%broken\n", "__MACOSX/._petrov.docx": b"x"})  # fmt: skip
        status, _, page = self.hand_in(("theses.zip", theses), ("query.txt", query))
        self.assertEqual(status, 200, page)
        self.done(page)
        self.assertEqual(self.titles(), {"Иванов/диплом", "petrov", "sidorov", "query"})
        shown = html.unescape(re.sub(r"\s*<[^>]+>\s*", "|", page))
        self.assertRegex(shown, r"\|Files that could not be checked\|+theses.zip!/empty.txt\|+The file is empty")
        self.assertIn("theses.zip!/broken.pdf", shown)
        self.assertNotIn("MACOSX", page)

    def test_a_zip_of_one_file_leads_to_its_check_and_a_docx_is_no_archive(self):
        for name, content in (("one.zip", archive({"query.txt": QUERY.read_bytes()})), ("essay.docx", docx("A thesis of its own.")), ("essay", docx("Another one."))):
            status, fields, _ = self.hand_in((name, content))
            self.assertEqual(status, 303, name)
            self.wait_for(fields["location"])
            self.assertEqual(self.ask("GET", fields["location"])[0], 200)

    def test_what_is_no_archive_of_files_is_refused_with_the_remedy(self):
        whole = archive({"a.txt": QUERY.read_bytes() * 20})
        for content, sentence in ((archive({}), "The archive has no files. Choose the files themselves."), (whole[:300], "The file is damaged."),
                                  (archive({f"{number}.txt": b"x" for number in range(751)}), "Send up to 750 at a time.")):  # fmt: skip
            status, _, page = self.hand_in(("theses.zip", content))
            self.assertGreaterEqual(status, 400, sentence)
            self.assertIn(sentence, html.unescape(page))
        self.assertEqual(self.titles(), set())

    def test_an_archive_in_an_archive_is_named(self):
        status, _, page = self.hand_in(("all.zip", archive({"a.txt": QUERY.read_bytes(), "more.zip": archive({"b.txt": b"Text."})})))
        self.assertEqual(status, 200)
        self.done(page)
        failed = [path for path in re.findall(r'href="(/desk/checks/check-\w+)"', page) if "Unpack it" in self.ask("GET", path)[2]]
        self.assertEqual(len(failed), 1)


if __name__ == "__main__":
    unittest.main()
