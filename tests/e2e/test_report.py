"""The report of a check as a file to keep: what a PDF has in it, for whom."""
import html
import json
import re
import unittest
import urllib.parse
import zlib

from program import LIBRARY
from test_check import GERMAN
from test_desk import FORM, Visitor

AUTHOR, TITLE = "Anna Student", "An essay on watches"


def attachment(pdf: bytes) -> dict:
    """The certificate of a PDF: the stream that is JSON with a signature."""
    for found in re.finditer(rb"stream\n(.*?)\n?endstream", pdf, re.DOTALL):
        try:
            unpacked = zlib.decompress(found.group(1))
        except zlib.error:
            continue
        if unpacked.lstrip().startswith(b"{") and b'"signature"' in unpacked:
            return json.loads(unpacked)
    raise AssertionError("the PDF has no certificate attached")


class ReportTest(Visitor):
    def setUp(self):
        super().setUp()
        self.make_library()
        text = sorted(LIBRARY.iterdir())[0].read_text(encoding="utf-8")
        body = json.dumps({"collections": ["stories"], "text": text, "title": TITLE, "owner": AUTHOR})
        status, _, answer = self.ask("POST", "/v1/checks", body.encode(), "application/json")
        self.assertEqual(status, 201, answer)
        self.check_id, self.text = json.loads(answer)["id"], text

    def report(self, query: str = "", **fields) -> tuple[dict, bytes]:
        path = f"/v1/checks/{self.check_id}/report" + (f"?{query}" if query else "")
        status, answer, body = self.ask_bytes("GET", path, **fields)
        self.assertEqual(status, 200, body[:500])
        return answer, body

    def words_of(self, pdf: bytes) -> str:
        """What akin reads of it, which it says when the PDF is stored."""
        status, _, answer = self.ask("PUT", "/v1/collections/stories/documents/report", pdf, "application/pdf")
        self.assertEqual(status, 201, answer)
        return json.loads(self.ask("GET", "/v1/collections/stories/documents/report")[2])["text"]

    def test_a_pdf_has_the_text_the_sources_and_the_author(self):
        fields, pdf = self.report("format=pdf")
        self.assertEqual(fields["content-type"], "application/pdf")
        self.assertEqual(fields["content-disposition"], f'inline; filename="akin-{self.check_id}.pdf"')
        self.assertTrue(pdf.startswith(b"%PDF-"))
        read = self.words_of(pdf)
        for word in (TITLE, AUTHOR, "Sources", "SHA-256"):
            self.assertIn(word, read)
        words = re.findall(r"\w{5,}", self.text)
        missing = [word for word in words if word not in read]
        self.assertLess(len(missing), len(words) // 50, missing[:20])  # words broken at line ends

    def test_it_names_a_language_without_a_dictionary(self):
        body = json.dumps({"collections": ["stories"], "text": GERMAN})
        answer = json.loads(self.ask("POST", "/v1/checks", body.encode(), "application/json")[2])
        self.assertEqual((answer["verdict"], answer["index"][0]["other_languages"][0]["language"]), ("pass", "de"))
        self.check_id = answer["id"]
        for tag, words in (("en", "for which the collection stories has no dictionary (German)"), ("ru", "словаря которого у коллекции stories нет (немецкий)")):
            self.assertIn(words, html.unescape(self.report(**{"Accept-Language": tag})[1].decode()))

    def test_the_attached_certificate_can_be_replayed(self):
        certificate = self.folder / "certificate.json"
        certificate.write_text(json.dumps(attachment(self.report("format=pdf")[1])), encoding="utf-8")
        self.server.stop()
        ran = self.akin("check", "--replay", str(certificate))
        self.assertEqual(ran.code, 0, ran.err)

    def test_an_anonymous_report_names_nobody(self):
        for query in ("anonymous=true", "anonymous=true&format=pdf"):
            with self.subTest(query):
                body = self.report(query)[1]
                read = self.words_of(body) if body.startswith(b"%PDF-") else body.decode()
                self.assertNotIn(AUTHOR, read)
                self.assertNotIn(TITLE, read)
                self.assertIn(self.check_id, read)
        with self.assertRaises(AssertionError):
            attachment(self.report("anonymous=true&format=pdf")[1])

    def test_the_field_accept_decides_where_no_format_is_asked_for(self):
        kinds = {"application/pdf": "application/pdf", "text/html,application/pdf;q=0.9": "text/html", "*/*": "text/html"}
        for accepted, expected in kinds.items():
            with self.subTest(accepted):
                self.assertEqual(self.report(Accept=accepted)[0]["content-type"].split(";")[0], expected)

    def test_the_report_is_in_the_language_asked_for(self):
        self.assertIn("Источники", self.words_of(self.report("format=pdf&lang=ru")[1]))

    def test_the_desk_offers_the_pdf(self):
        page = self.page(f"/desk/checks/{self.check_id}")
        link = re.search(r'href="(/desk/checks/[^"]*format=pdf[^"]*)"', page).group(1).replace("&amp;", "&")
        self.assertEqual(self.ask_bytes("GET", link)[1]["content-type"], "application/pdf")

    def test_a_format_that_does_not_exist_is_refused(self):
        self.assertEqual(self.ask("GET", f"/v1/checks/{self.check_id}/report?format=doc")[0], 400)


class QuestionsTest(Visitor):
    """What docs/desk.md says that a report answers: each answer is on the page of a case that raises the question."""

    def test_a_report_answers_the_questions_that_the_page_lists(self):
        self.make_library()
        sources = [path.read_text(encoding="utf-8") for path in sorted(LIBRARY.iterdir())]
        copied, quoted = sources[0][:1500], " ".join(sources[1].split()[100:140])
        text = f"{copied}\n\nКак пишет автор (Чехов 1886), «{quoted}».\n\nОстальное написано мной самим и нигде не встречается."
        asked = {"collections": ["stories"], "text": text, "title": "Сочинение", "owner": "Анна"}
        check = json.loads(self.ask("POST", "/v1/checks", json.dumps(asked).encode(), "application/json")[2])
        path = f"/desk/checks/{check['id']}"
        fields = "revision=0&source=1&what-0=quotation&remark-0=known"
        self.assertEqual(self.ask("POST", f"{path}/marks", fields.encode(), FORM)[0], 303)
        first = check["sources"][0]
        self.ask("DELETE", f"/v1/collections/stories/documents/{urllib.parse.quote(first['id'])}")
        page = html.unescape(self.page(f"{path}?lang=en"))
        answers = {
            "how much": r"\d+\.\d\s% of the text",
            "whose": r"\d+ words? of the text|words of the text: \d+",
            "quoted": "in quotation marks",
            "referenced": "a reference is near",
            "first": r"stored <time [^>]*>\d{4}-\d\d-\d\d",
            "who changed it": "History",
            "what changed since": "changed or removed since this check",
            "the certificate": "As PDF, with its certificate",
        }
        for question, answer in answers.items():
            with self.subTest(question):
                self.assertRegex(page, answer)


class ChangesTest(Visitor):
    """Where a passage differs from its source: the columns of a check say what a comparison of the two texts lists."""

    KINDS = ("inserted", "left_out", "replaced", "moved", "inflected", "look_alike", "synonym")

    @classmethod
    def unpacked(cls, passage: dict) -> list[dict]:
        places = passage.get("change_places", {"kinds": [], "a": [], "b": []})
        ends, changes = {side: passage[side][0] for side in "ab"}, []
        for at, kind in enumerate(places["kinds"]):
            change = {"kind": cls.KINDS[kind]}
            for side in "ab":
                begin = ends[side] + places[side][2 * at]
                ends[side] = begin + places[side][2 * at + 1]
                change[side] = [begin, ends[side]]
            changes.append(change)
        return changes

    def test_columns_are_the_changes_of_a_comparison(self):
        self.make_library()
        source = sorted(LIBRARY.iterdir())[0].read_text(encoding="utf-8")
        words = source.split(" ")
        changed = " ".join("другое" if at % 17 == 5 else word for at, word in enumerate(words) if at % 23 != 7)
        asked = {"collections": ["stories"], "text": changed}
        check = json.loads(self.ask("POST", "/v1/checks", json.dumps(asked).encode(), "application/json")[2])
        texts = json.dumps({"a": changed, "b": source}).encode()
        compared = json.loads(self.ask("POST", "/v1/compare", texts, "application/json")[2])
        found = [(one["a"], self.unpacked(one)) for one in check["sources"][0]["passages"]]
        self.assertEqual(found, [(one["a"], one["changes"]) for one in compared["passages"]])
        self.assertGreater(sum(len(changes) for _, changes in found), 20)
        page = self.page(f"/desk/checks/{check['id']}")
        self.assertIn('<mark class="change" title="replaced">другое<span', page)
        self.assertIn("Words that are not the same in both texts are marked.", page)


if __name__ == "__main__":
    unittest.main()
