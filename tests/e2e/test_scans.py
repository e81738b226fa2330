"""Scans: their text is recognized where tesseract is installed."""
import json
import pathlib
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
