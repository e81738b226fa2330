"""Scans: their text is recognized where tesseract is installed."""
import json
import pathlib
import re
import struct
import unittest
import zlib

from program import SOURCE, AkinTest
from server_process import Server
from test_files import make_pdf

SCAN = (SOURCE / "tests/extract/scan.jpg").read_bytes()
DATA = pathlib.Path("/usr/share/tesseract-ocr/5/tessdata")
TEXT = "The mill stood by the river, and nobody in the village remembered who had built it"


def blank_png(size: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + b"\xff" * size) * size
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def scanned_pdf(jpeg: bytes, width: int, height: int) -> bytes:
    """A page of 100 pixels an inch that the picture fills."""
    page = f"{width * 72 / 100:.3f} 0 0 {height * 72 / 100:.3f} 0 0 cm"
    draw = f"q {page} /I Do Q".encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width * 72 / 100:.3f} {height * 72 / 100:.3f}]/Contents 4 0 R"
        f"/Resources<</XObject<</I 5 0 R>>>>>>".encode(),
        b"<</Length %d>>stream\n%s\nendstream " % (len(draw), draw),
        f"<</Type/XObject/Subtype/Image/Width {width}/Height {height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode"
        f"/Length {len(jpeg)}>>stream\n".encode() + jpeg + b"\nendstream ",
    ]  # fmt: skip
    return b"%PDF-1.4\n" + b"".join(b"%d 0 obj%sendobj\n" % (number, one) for number, one in enumerate(objects, 1)) + b"trailer<</Root 1 0 R>>\n"


@unittest.skipUnless(all((DATA / f"{one}.traineddata").exists() for one in ("eng", "rus")), "tesseract or its data are not installed")
class ScansTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.write("other.txt", "A text for the collection.")
        self.akin("index", "other.txt", code=0)

    def test_a_scan_is_indexed_found_and_shown_as_recognized(self):
        self.write("tree/mill.jpg", SCAN)
        self.akin("index", "tree", code=0)
        record = self.akin("show", "mill.jpg", "--json", code=0).json
        self.assertEqual(record["metadata"]["format"], "picture")
        self.assertGreater(record["metadata"]["ocr"], 0.9)
        self.write("query.txt", TEXT + ", and a text of its own.")
        hit = self.akin("similar", "query.txt", "--json", code=0).json["results"][0]
        self.assertEqual((hit["id"], hit["passages"][0]["b_pages"]), ("mill.jpg", [1, 1]))
        answer = self.akin("check", "tree/mill.jpg", code=0).out
        self.assertIn("text recognized in pictures: ", answer)

    def test_off_recognizes_nothing(self):
        self.write("mill.jpg", SCAN)
        error = self.akin("similar", "mill.jpg", "--ocr", "off", code=2).err
        self.assertIn("a picture (JPEG)", error)
        self.assertIn("tesseract-ocr", error)

    def test_a_picture_without_text_is_left_out(self):
        self.write("tree/blank.png", blank_png(300))
        self.write("tree/mill.jpg", SCAN)
        answer = self.akin("index", "tree", "--json", code=0).json
        self.assertEqual((answer["indexed"], answer["left_out"]["no_words"]), (1, 1))

    def test_a_check_compares_a_pdf_with_its_page_and_finds_no_difference(self):
        self.write("mill.pdf", make_pdf([TEXT]))
        self.assertEqual(self.akin("check", "mill.pdf", "--json", code=0).json["file"].get("alerts", []), [])

    def test_the_server_takes_a_scan(self):
        connection = Server(self).connect()
        self.addCleanup(connection.close)
        for type, kinds in (("image/jpeg", ["ocr"]), ("application/pdf", ["ocr", "type_contradicted"])):
            connection.request("PUT", "/v1/collections/default/documents/mill", SCAN, {"Content-Type": type})
            stored = json.loads(connection.getresponse().read())
            self.assertEqual([alert["kind"] for alert in stored["file"]["alerts"]], kinds)

    def test_marks_on_a_scan_are_where_tesseract_finds_the_words(self):
        width, height, expected = self.lines_of_tesseract()
        self.write("source.txt", TEXT + ".")
        self.akin("index", "source.txt", code=0)
        server = Server(self)
        connection = server.connect()
        self.addCleanup(connection.close)

        def ask(method: str, path: str, body: bytes = b"", type: str = "") -> tuple[int, str, str]:
            connection.request(method, path, body, {"Content-Type": type} if type else {})
            answer = connection.getresponse()
            return answer.status, answer.getheader("Location"), answer.read().decode()

        unknown_size = SCAN[:13] + b"\0\0\1\0\1" + SCAN[18:]  # without its dots per inch
        for file, type in ((SCAN, "image/jpeg"), (unknown_size, "image/jpeg"), (scanned_pdf(SCAN, width, height), "application/pdf")):
            status, path, answer = ask("POST", "/v1/checks?collections=default", file, type)
            self.assertEqual(status, 202, answer)
            self.when(lambda: ask("GET", path)[0] == 200, "the check is made")
            desk = path.replace("/v1/", "/desk/")
            self.assertIn(f'<a href="{desk}/pages/1">', ask("GET", desk)[2])
            status, _, page = ask("GET", f"{desk}/pages/1")
            self.assertEqual(status, 200, page)
            shown_width, shown_height = map(int, re.search(r'viewBox="0 0 (\d+) (\d+)"', page).groups())
            self.assertAlmostEqual(shown_width / shown_height, width / height, 2)
            self.assertGreaterEqual(shown_width, width)
            marked = [tuple(map(int, mark)) for mark in re.findall(r'<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/>', page)]
            self.assertEqual(len(marked), len(expected), marked)
            for (left, top, wide, high), line in zip(marked, expected):
                seen = (left / shown_width, top / shown_height, (left + wide) / shown_width, (top + high) / shown_height)
                for a, b in zip(seen, line):
                    self.assertAlmostEqual(a, b, delta=0.015, msg=(type, seen, line))
            self.assertEqual(ask("GET", f"{desk}/pages/2")[0], 404)

    def lines_of_tesseract(self) -> tuple[int, int, list[list[float]]]:
        """The picture's size, and where the words of TEXT are in each of its lines: left, top, right, bottom, as shares of it."""
        self.write("mill.jpg", SCAN)
        table = self.run_command(["tesseract", "mill.jpg", "-", "-l", "rus+eng", "tsv"], b"", 0, {}).out
        rows = [row.split("\t") for row in table.splitlines()[1:]]
        width, height = next((int(row[8]), int(row[9])) for row in rows if row[0] == "1")
        words = [row for row in rows if row[0] == "5"][:len(TEXT.split())]
        self.assertEqual(" ".join(row[11] for row in words), TEXT)
        lines = {}
        for row in words:
            left, top, wide, high = map(int, row[6:10])
            lines.setdefault(tuple(row[1:5]), []).append((left / width, top / height, (left + wide) / width, (top + high) / height))
        return width, height, [[*map(min, list(zip(*line))[:2]), *map(max, list(zip(*line))[2:])] for line in lines.values()]

    def test_a_check_of_a_scan_is_made_after_its_request(self):
        for flags, waits in (((), True), (("--check-files", "1"), False)):  # nothing of more than a byte can be kept
            server = Server(self, *flags)
            connection = server.connect()
            connection.request("POST", "/v1/checks?collections=default", SCAN, {"Content-Type": "image/jpeg"})
            answer = connection.getresponse()
            check = json.loads(answer.read())
            self.assertEqual(answer.status, 202 if waits else 201, check)
            if waits:
                self.assertEqual(check["state"], "received")
            def made() -> dict:
                connection.request("GET", answer.getheader("Location"))
                now = connection.getresponse()
                body = json.loads(now.read())
                return body if now.status == 200 else {}
            done = self.when(made, "the check is made")
            self.assertEqual([alert["kind"] for alert in done["file"]["alerts"]], ["ocr"])
            self.assertGreater(done["query"]["words"], 10)
            connection.request("POST", "/v1/checks?collections=default", make_pdf([TEXT]), {"Content-Type": "application/pdf"})
            answer = connection.getresponse()
            self.assertEqual((answer.status, json.loads(answer.read()).get("state")), (201, None))  # its text needs no tesseract
            connection.close()
            server.stop()



if __name__ == "__main__":
    unittest.main()
