"""Web archives and Parquet as lines of JSON."""

import gzip
import json
import pathlib
import subprocess
import sys
import unittest
import zlib

import akin
import pyarrow
import pyarrow.parquet
from package import KEPT, NEWS, TEXTS, PackageTest


def record(kind: str, uri: str, body: bytes, content_type: str) -> bytes:
    """A record of a web archive (ISO 28500)."""
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\nWARC-Date: 2024-05-01T10:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{abs(hash(uri)):032x}>\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body + b"\r\n\r\n"


def response(uri: str, content: bytes, content_type: str, status: str = "200 OK", fields: str = "") -> bytes:
    body = f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n{fields}Content-Length: {len(content)}\r\n\r\n".encode() + content
    return record("response", uri, body, "application/http; msgtype=response")


def page(text: str) -> bytes:
    return f"<html><head><title>t</title><script>var a;</script></head><body><p>{text}</p></body></html>".encode()


CRAWL = b"".join([
    record("warcinfo", "", b"software: none\r\n", "application/warc-fields"),
    *(response(f"http://news.example/{row['id']}", page(row["text"]), "text/html; charset=utf-8") for row in NEWS),
    response("http://news.example/picture", b"\x89PNG", "image/png"),
    response("http://news.example/gone", page(TEXTS[0]), "text/html", "404 Not Found"),
    response("http://news.example/empty", page(" "), "text/html"),
    response("http://news.example/old", "<p>Съешь ещё этих булок</p>".encode("windows-1251"), "text/html; charset=windows-1251"),
])  # fmt: skip


class WarcTest(PackageTest):
    def lines(self, *files: str, code: int = 0, says: str = "") -> list[dict]:
        done = subprocess.run([sys.executable, "-m", "akin", "lines", *files], capture_output=True, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(says, done.stderr.decode())
        return list(map(json.loads, done.stdout.splitlines()))

    def test_pages_of_a_crawl_are_documents(self):
        for name, content in (("crawl.warc", CRAWL), ("crawl.warc.gz", gzip.compress(CRAWL))):
            self.write(name, content)
            rows = self.lines(name)
            self.assertEqual([row["url"].removeprefix("http://news.example/") for row in rows], [*(row["id"] for row in NEWS), "old"])
            self.assertEqual([row["text"].split() for row in rows[:5]], [text.split() for text in TEXTS])
            self.assertEqual(rows[5]["text"].strip(), "Съешь ещё этих булок")
            self.assertEqual(rows[0]["date"], "2024-05-01T10:00:00+00:00")

    def test_extracted_texts_are_documents(self):
        self.write("crawl.warc.wet", record("conversion", "http://a/", TEXTS[0].encode(), "text/plain"))
        self.assertEqual(self.lines("crawl.warc.wet")[0]["text"], TEXTS[0])

    def test_pages_are_read_as_they_were_before_they_were_coded_for_the_transfer(self):
        """wget and Heritrix keep what they received."""
        content = page(TEXTS[0])
        gzipped = gzip.compress(content)
        coded = {
            "gzip": ("Content-Encoding: gzip\r\n", gzipped),
            "deflate": ("Content-Encoding: deflate\r\n", zlib.compress(content)),
            "chunks": ("Transfer-Encoding: chunked\r\n", b"%x\r\n%s\r\n0\r\n\r\n" % (len(content), content)),
            "both": ("Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n", b"%x;a=b\r\n%s\r\n0\r\n\r\n" % (len(gzipped), gzipped)),
            "decoded": ("Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n", content),
            "strange": ("Content-Encoding: zstd\r\n", content),
            "broken": ("Content-Encoding: gzip\r\n", gzipped[:-20]),
            "last": ("", content),
        }
        self.write("crawl.warc", b"".join(response(f"http://a/{name}", body, "text/html", fields=fields) for name, (fields, body) in coded.items()))
        rows = self.lines("crawl.warc", says="left out, as their content cannot be decoded: 2")
        self.assertEqual([row["url"].removeprefix("http://a/") for row in rows], ["gzip", "deflate", "chunks", "both", "decoded", "last"])
        self.assertEqual({" ".join(row["text"].split()) for row in rows}, {" ".join(TEXTS[0].split())})

    def test_a_charset_that_nobody_knows_is_left_to_the_bytes(self):
        charsets = ["nosuch-8", "base64", '"utf-8"', "utf-7"]
        self.write("crawl.warc", b"".join(response(f"http://a/{name}", page("Съешь ещё +2AA-"), f"text/html; charset={name}") for name in charsets))
        self.assertEqual([row["text"].strip() for row in self.lines("crawl.warc")], ["Съешь ещё +2AA-"] * len(charsets))

    def test_what_is_cut_off_or_damaged_is_an_error_that_names_the_file(self):
        packed = gzip.compress(CRAWL[:1000]) + gzip.compress(CRAWL[1000:])
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(NEWS), "news.parquet")
        files = {
            "cut.warc.gz": packed[:-9], "empty.warc.gz": b"", "cut.warc": CRAWL[:-30], "other.warc": b"<html>404</html>",
            "broken.warc.gz": packed[:60] + bytes(9) + packed[69:], "cut.parquet": pathlib.Path("news.parquet").read_bytes()[:-9],
            "broken.jsonl": b'{"text": "a"}\n\n{"text"\n',
        }  # fmt: skip
        for name, content in files.items():
            with self.subTest(name):
                self.write(name, content)
                self.lines(name, code=2, says=f"akin-python: {name}: ")

    def test_a_crawl_loses_its_copies(self):
        self.write("crawl.warc.gz", gzip.compress(CRAWL))
        akin.dedup("crawl.warc.gz", out="kept.jsonl", id="url")
        kept = [json.loads(line)["url"] for line in pathlib.Path("kept.jsonl").read_text(encoding="utf-8").splitlines()]
        self.assertEqual(kept, [f"http://news.example/{name}" for name in [*KEPT, "old"]])

    def test_a_file_that_is_read_is_not_written_over(self):
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(NEWS), "news.parquet")
        self.write("news.jsonl", b"\xef\xbb\xbf" + "".join(json.dumps(row) + "\n" for row in NEWS).encode())
        for name in ("news.parquet", "news.jsonl"):
            before = pathlib.Path(name).read_bytes()
            for read in ({"data": name}, {"data": "other.jsonl", "against": name}):
                self.assertRaisesRegex(ValueError, f"{name}: is a file that is read", akin.dedup, **read, out=name)
            self.assertEqual(pathlib.Path(name).read_bytes(), before)
        akin.dedup("news.jsonl", out="kept.jsonl")
        self.assertEqual(len(pathlib.Path("kept.jsonl").read_text(encoding="utf-8").splitlines()), len(KEPT))

    def test_parquet_and_lines_are_printed_for_a_pipe(self):
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(NEWS), "news.parquet")
        self.write("more.jsonl", '{"text": "a"}\n')
        self.assertEqual(self.lines("news.parquet", "more.jsonl"), [*NEWS, {"text": "a"}])

    def test_other_files_and_missing_ones_are_named(self):
        self.lines("a.docx", code=2)
        self.lines("nowhere.warc", code=2)


if __name__ == "__main__":
    unittest.main()
