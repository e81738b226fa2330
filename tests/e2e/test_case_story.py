"""One case from hand-in to proof: a PDF borrows from three sources, quotes one with and one without a reference, and
disguises a fourth and repeats itself. Every number of its check is compared with what this script computes from how it made the PDF."""
import base64
import json
import os
import pathlib
import re
import subprocess
import unittest

from program import SOURCE, story
from test_desk import Visitor

REPORT = pathlib.Path(os.environ.get("AKIN", "akin")).parent / "akin-report"
LATIN = str.maketrans("аеорсух", "aeopcyx")

OWN = [
    "Замысел настоящей заметки возник летом, при разборе семейного архива; ниже излагаются предварительные наблюдения.",
    "Методика проста: сопоставлялись экземпляры каталога, после чего составлялась сводная ведомость расхождений.",
    "Обращение к первоисточнику оправдано спецификой жанра, равно как незавершённостью имеющихся комментариев.",
    "Иных подтверждений выдвинутой гипотезы обнаружить пока затруднительно; дальнейшие разыскания продолжаются.",
    "Подводя итоги, констатируем: корпус свидетельств неоднороден, датировки требуют дополнительной экспертизы.",
]


def passage(name: str, begins: str, ends: str) -> str:
    """A stretch of a story, on one line."""
    text = " ".join(story(name).split())
    begin = text.index(begins)
    return text[begin:text.index(ends, begin) + len(ends)]


def letters(text: str) -> int:
    return sum(c.isalnum() for c in text)


def words(text: str) -> int:
    return len(re.findall(r"\w+", text))


class Borrowed:
    def __init__(self, source: str, shown: str, original: str, quoted: bool, referenced: bool):
        self.source, self.shown, self.original, self.quoted, self.referenced = source, shown, original, quoted, referenced


@unittest.skipUnless(REPORT.exists(), "akin was built without akin-report, which prints the PDF")
class CaseStoryTest(Visitor):
    @classmethod
    def make_pdf(cls) -> tuple[bytes, list[Borrowed]]:
        verbatim = passage("chekhov-chameleon.txt", "Очумелов глядит в сторону", "крахмальной рубахе")
        quoted = passage("chekhov-vanka.txt", "Дождавшись, когда хозяева", "прерывисто вздохнул")
        unreferenced = passage("chekhov-surgery.txt", "За отсутствием доктора", "чувства долга и приятности")
        original = passage("chekhov-misery.txt", "Крупный мокрый снег", "стряхивать с себя снег")
        disguised = original.translate(LATIN)
        parts = [
            Borrowed("chekhov-chameleon.txt", verbatim, verbatim, False, False),
            Borrowed("chekhov-vanka.txt", quoted, quoted, True, True),
            Borrowed("chekhov-surgery.txt", unreferenced, unreferenced, True, False),
            Borrowed("chekhov-misery.txt", disguised, original, False, False),
        ]
        paragraphs = [OWN[0], f"{verbatim}.", OWN[1], f"«{quoted}» [7, с. 12].", OWN[2], f"«{unreferenced}».", OWN[3], f"{disguised}.", OWN[4], OWN[0]]
        body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
        page = f'<!doctype html><html lang="ru"><head><title>Заметка</title></head><body><main><h1>Заметка</h1>{body}</main></body></html>'
        made = subprocess.run([REPORT], input=page.encode(), capture_output=True, check=True)
        return made.stdout, parts

    def setUp(self):
        super().setUp()
        self.make_library()
        self.pdf, self.parts = self.make_pdf()
        status, _, body = self.ask("PUT", "/v1/policies/story", b'{"min_passage_words": 12, "store_files": true}', "application/json")
        self.assertEqual(status, 201, body)
        status, answer, body = self.ask("POST", "/v1/checks?collections=stories&policy=story&title=Note", self.pdf, "application/pdf")
        self.assertEqual(status, 201, body)
        self.path = answer["location"]
        self.check = json.loads(self.ask("GET", self.path + "?include=text,passage_text")[2])
        self.text = self.check["text"]

    def place_of(self, part: Borrowed) -> tuple[int, int]:
        """Where the PDF's text has the part, whose lines the PDF breaks."""
        found = re.search(r"\s+".join(re.escape(word) for word in part.shown.split()), self.text)
        self.assertIsNotNone(found, part.shown[:60])
        return found.span()

    def test_pages_of_the_file_show_the_matches(self):
        desk = self.path.replace("/v1/", "/desk/")
        report = self.page(desk)
        pages = sorted({int(number) for number in re.findall(f'<a href="{desk}/pages/(\\d+)">', report)})
        self.assertTrue(pages)
        shown = set()
        for number in pages:
            page = self.page(f"{desk}/pages/{number}")
            picture = base64.b64decode(re.search(r'<image href="data:image/jpeg;base64,([^"]+)"', page)[1])
            self.assertEqual(picture[:3], b"\xff\xd8\xff")
            self.assertNotIn("<text", page)  # its fonts are in the file
            for match, marks in re.findall(rf'<a class="s\d" href="{desk}#p(\d+)" tabindex="-1">((?:<rect [^>]*/>)+)</a>', page):
                shown.add(match)
                heights = [int(height) for height in re.findall(r'height="(\d+)"', marks)]
                self.assertLess(max(heights), 60)  # a line each
        self.assertEqual(shown, set(re.findall(r'<section id="p(\d+)"', report)))
        for number in ("0", "99", "x"):
            self.assertEqual(self.ask("GET", f"{desk}/pages/{number}")[0], 404, number)

    def test_every_number_is_that_of_the_oracle(self):
        check, sources = self.check, {source["id"]: source for source in self.check["sources"]}
        self.assertEqual(set(sources), {part.source for part in self.parts})
        self.assertEqual(check["sources_total"], 4)

        sizes = {part.source: letters(part.shown) for part in self.parts}
        self.assertEqual(check["letters"], {"total": letters(self.text), "excluded": 0, "compared": letters(self.text),
                                            "found": sum(sizes.values()), "extent": sum(sizes.values()), "own": 0})
        self.assertAlmostEqual(check["share"], sum(sizes.values()) / letters(self.text), 9)
        order = sorted(sizes, key=sizes.get, reverse=True)
        self.assertEqual([source["id"] for source in check["sources"]], order)
        for part in self.parts:
            source = sources[part.source]
            with self.subTest(source=part.source):
                self.assertEqual((source["letters"], source["only"]), (sizes[part.source], sizes[part.source]))
                self.assertAlmostEqual(source["share"], sizes[part.source] / letters(self.text), 9)
                (passage,) = source["passages"]
                begin, end = self.place_of(part)
                self.assertEqual(passage["a"], [begin, end])
                self.assertEqual(passage["words"], words(part.original))
                self.assertEqual(source["words"]["a"], words(part.original))
                self.assertEqual((passage["quoted"], passage["referenced"]), (part.quoted, part.referenced))
                self.assertEqual(passage["a_pages"], [1, 1])
                self.assertEqual(" ".join(passage["b_text"].split()), part.original)

    def test_what_it_has_twice_is_listed(self):
        self.assertEqual(self.check["repeats_total"], 1)
        (repeat,) = self.check["repeats"]
        self.assertEqual(repeat["words"], words(OWN[0]))
        places = [" ".join(self.text[begin:end].split()) for begin, end in (repeat["first"], repeat["again"])]
        self.assertEqual(places, [OWN[0].rstrip(".")] * 2)
        self.assertEqual(self.text.count(OWN[0].split()[0]), 2)

    def test_the_disguise_is_named_letter_by_letter(self):
        disguised = self.parts[3]
        changed = [word for word, before in zip(disguised.shown.split(), disguised.original.split()) if word != before]
        (source,) = [one for one in self.check["sources"] if one["id"] == disguised.source]
        places = source["passages"][0]["change_places"]
        self.assertEqual(set(places["kinds"]), {5})  # look_alike
        begin, end = self.place_of(disguised)
        marked, at = [], begin
        for gap, length in zip(places["a"][::2], places["a"][1::2]):
            marked.append(self.text[at + gap:at + gap + length])
            at += gap + length
        strip = lambda word: word.strip(".,;:!?…()")
        self.assertEqual(" ".join(marked).split(), [strip(word) for word in changed])
        self.assertEqual(self.check["verdict"], "refuse" if self.check["share"] >= 0.5 else "review")
        self.assertGreater(self.check["query"]["alert_counts"]["mixed_script"], 0)

    def test_the_report_as_json_has_what_the_page_shows(self):
        decision = self.ask("PUT", self.path + "/decision", b'{"state": "returned", "remark": "See page 1"}', "application/json")
        self.assertEqual(decision[0], 200)
        status, fields, body = self.ask("GET", self.path + "/report", Accept="application/json")
        report = json.loads(body)
        self.assertEqual((status, fields["content-type"].split(";")[0]), (200, "application/json"))
        self.assertEqual(report["check"]["text"], self.text)
        places = report["check"]["places"]
        self.assertEqual({page for _, _, page, _ in places["ranges"]}, {1})
        self.assertEqual([entry["remark"] for entry in report["history"]], ["See page 1"])
        self.assertEqual((report["statements"], report["later"]), ([], None))
        for source in report["check"]["sources"]:
            part = next(part for part in self.parts if part.source == source["id"])
            self.assertEqual(" ".join(source["passages"][0]["b_text"].split()), part.original)
        anonymous = self.ask("GET", self.path + "/report?format=json&anonymous=true")[2]
        self.assertNotIn("Note", anonymous)  # its title
        self.assertIn("Note", body)

    def test_the_case_is_kept_and_proved(self):
        status, _, kept = self.ask_bytes("GET", self.path + "/file")
        self.assertEqual((status, kept), (200, self.pdf))
        certificate = self.ask("GET", self.path + "/certificate")[2]
        self.write("certificate.json", certificate)
        self.assertIn("is genuine", self.akin("check", "--replay", "certificate.json", code=0).out)
        self.assertEqual(self.ask("DELETE", f"/v1/collections/stories/documents/{self.parts[0].source}")[0], 200)
        report = self.ask("GET", self.path.replace("/v1", "/desk"))[2]
        self.assertIn("The document has been changed or removed since this check.", report)
        self.assertIn(" ".join(self.parts[0].original.split()[:4]), report)  # the text that was compared is kept
        replayed = self.akin("check", "--replay", "certificate.json", "--exit-code", code=1).out
        self.assertIn("is genuine", replayed)


class DjvuCaseTest(Visitor):
    def test_words_are_kept_and_marked_where_the_file_has_them(self):
        file = (SOURCE / "tests" / "data" / "files" / "mill.djvu").read_bytes()
        text = b"It stood by the old river. Nobody remembered it. The first paragraph and the second one."
        self.assertEqual(self.ask("PUT", "/v1/collections/books")[0], 201)
        self.assertEqual(self.ask("PUT", "/v1/collections/books/documents/mill", text, "text/plain")[0], 201)
        self.assertEqual(self.ask("PUT", "/v1/policies/short", b'{"min_passage_words": 6, "bound": 0}', "application/json")[0], 201)
        status, answer, body = self.ask("POST", "/v1/checks?collections=books&policy=short", file, "image/vnd.djvu")
        self.assertEqual(status, 202, body)  # one of its pages has no text, and may need recognition
        path = answer["location"].replace("/v1/", "/desk/")
        self.wait_for(path)
        check = json.loads(self.ask("GET", answer["location"])[2])
        self.assertEqual(check["sources"][0]["passages"][0]["a_pages"][0], 1)
        self.assertIn("\nakin_check_kept_pieces 5\n", self.ask("GET", "/metrics")[2])  # text, its map, file, places of words, passages
        self.assertIn(f'<a href="{path}/pages/1">', self.page(path))
        page = self.page(f"{path}/pages/1")
        self.assertEqual(base64.b64decode(re.search(r'<image href="data:image/jpeg;base64,([^"]+)"', page)[1])[:3], b"\xff\xd8\xff")
        # As djvutxt -detail=word prints them: It 80 700 140 712, by 250 702 540 712, of a page of 600 by 800.
        self.assertIn('<rect x="80" y="88" width="460" height="12"/><rect x="60" y="104" width="480" height="12"/>', page)
        self.assertEqual(self.ask("GET", f"{path}/pages/5")[0], 404)


if __name__ == "__main__":
    unittest.main()
