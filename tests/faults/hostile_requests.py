#!/usr/bin/env python3
"""Sends small requests that ask for much memory to `akin serve`, each alone and then four at once.

    hostile_requests.py --akin AKIN [--only NAME] [--work-memory 512]

The server may use so many MiB for the work on texts (--work-memory). Each request is answered, or refused with words,
while the server's memory grows by at most that much and 256 MiB for bodies, answers and files that are being read; and in
the end it has given back all but 256 MiB. Prints one JSON object, and exits with 1 if anything is otherwise.
"""
import argparse
import gzip
import json
import os
import pathlib
import shutil
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from client import Client, docx  # noqa: E402
from server_process import ServerProcess  # noqa: E402

MEBIBYTE = 1 << 20
BESIDE = 256 * MEBIBYTE
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
QUOTES = {"exclude": {"quotations": True}}
TEXT = "text/plain; charset=utf-8"


def check(text: str, **policy) -> tuple:
    return ("POST", "/checks", {"collections": ["c"], "text": text, **({"policy": policy} if policy else {})})


def requests() -> dict[str, tuple]:
    """By name: method, path, body and its type. Made one at a time: some are large."""
    def form(parts: int) -> bytes:
        part = b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nword\r\n'
        return part * parts + b"--x--\r\n"

    return {
        "DOCX of quotation marks, 60 MB of text, checked": lambda: ("POST", "/checks?collections=c&policy=quotes", docx("&quot;a&quot; " * (15 * MEBIBYTE)), DOCX),
        "DOCX of quotation marks, 4 MB of text, checked": lambda: ("POST", "/checks?collections=c&policy=quotes", docx("&quot;a&quot; " * MEBIBYTE), DOCX),
        "DOCX of short sentences, 14 MB of text, searched": lambda: ("POST", "/collections/c/similar", docx("A b. " * (14 * MEBIBYTE // 5)), DOCX),
        "DOCX of one word, 60 MB of text, stored": lambda: ("PUT", "/collections/c/documents/x", docx("word " * (12 * MEBIBYTE)), DOCX),
        "4 MB of quotation marks, checked": lambda: check('"a" ' * MEBIBYTE, **QUOTES),
        "4 MB of short sentences, searched": lambda: ("POST", "/collections/c/similar", "A b. " * (4 * MEBIBYTE // 5), TEXT),
        "8 MB of marks and invisible characters, stored": lambda: ("PUT", "/collections/c/documents/y", "а\u200bb\u0301c" * MEBIBYTE, TEXT),
        "8 MiB of JSON, empty lists": lambda: ("POST", "/collections/c/similar", b'{"text":[' + b"[]," * (8 * MEBIBYTE // 3) + b"[]]}"),
        "8 MiB of JSON, nested lists": lambda: ("POST", "/collections/c/similar", b"[" * (4 * MEBIBYTE) + b"]" * (4 * MEBIBYTE)),
        "8 MiB of JSON, short keys of metadata": lambda: (
            "PUT", "/collections/c/documents/z", b'{"text":"a","metadata":{' + b",".join(b'"%x":1' % n for n in range(700_000)) + b"}}"),
        "8 MiB of JSON, escaped characters": lambda: ("POST", "/collections/c/similar", b'{"text":"' + b"\\u0041" * (8 * MEBIBYTE // 6) + b'"}'),
        "a document of 5 MB, named 100 times as template": lambda: check("One.", exclude={"templates": [{"collection": "c", "id": "form"}] * 100}),
        "100 documents of 5 MB, named as templates": lambda: check("One.", exclude={"templates": [{"collection": "c", "id": f"form{n}"} for n in range(100)]}),
        "a prefix of 60 kB": lambda: ("POST", f"/collections/c/upload?prefix={'x' * 60_000}", form(1), "multipart/form-data; boundary=x"),
        "a form of 70,000 files": lambda: ("POST", "/collections/c/upload", form(70_000), "multipart/form-data; boundary=x"),
        "a form whose header has no end": lambda: ("POST", "/collections/c/upload", b"--x\r\n" + b"A: b\r\n" * MEBIBYTE, "multipart/form-data; boundary=x"),
        "a line of 16 MiB": lambda: ("POST", "/collections/c/bulk", b'{"id":"' + b"x" * (16 * MEBIBYTE), "application/x-ndjson"),
        "200,000 empty lines": lambda: ("POST", "/collections/c/bulk", b"{}\n" * 200_000, "application/x-ndjson"),
        "a filter of 60 kB": lambda: ("GET", "/collections/c/documents?filter=" + "NOT+" * 15_000 + "id%20EXISTS"),
        "a filter of nested parentheses": lambda: ("GET", "/collections/c/documents?filter=" + "(" * 8000 + "id%20EXISTS" + ")" * 8000),
        "100,000 names of collections": lambda: ("POST", "/checks", {"text": "One.", "collections": ["c"] * 100_000}),
        "a policy of long lists": lambda: ("PUT", "/policies/long", {"exclude": {"templates": [{"text": "a"}] * 100_000}}),
        "HTML of a million open tags": lambda: ("POST", "/collections/c/similar", "<div>" * MEBIBYTE + "text", "text/html"),
        "HTML of a million entities": lambda: ("POST", "/collections/c/similar", "&nbsp;&amp;" * MEBIBYTE, "text/html"),
        "RTF of a million open groups": lambda: ("POST", "/collections/c/similar", "{\\rtf1 " + "{a " * MEBIBYTE, "application/rtf"),
        "a watch of 1 MiB": lambda: ("PUT", "/collections/c/watches/w", {"text": "A b. " * (MEBIBYTE // 5)}),
        "60 MB of zeros in gzip": lambda: ("PUT", "/collections/c/documents/g", gzip.compress(bytes(60 * MEBIBYTE)), TEXT, {"Content_Encoding": "gzip"}),
        "4 MB of words in gzip, searched": lambda: (
            "POST", "/collections/c/similar", gzip.compress(b"A b. " * (4 * MEBIBYTE // 5)), TEXT, {"Content_Encoding": "gzip"}),
    }


class Run:
    def __init__(self, arguments):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-hostile-"))
        self.most = arguments.work_memory * MEBIBYTE + BESIDE
        self.rows, self.wrong = {}, []
        self.server = ServerProcess([arguments.akin, "serve", "--data", self.folder / "data", "--log-level", "off", "--work-memory",
                                     arguments.work_memory * MEBIBYTE], env={**os.environ, "AKIN_LANG": "ru,en"})
        client = Client(self.server, 300)
        client.must("PUT", "/collections/c")
        client.must("PUT", "/policies/quotes", QUOTES)
        lines = "".join(f"Line {number} of a long form that everybody fills in. " for number in range(100_000))
        client.must("PUT", "/collections/c/documents/form", lines, TEXT)
        for number in range(100):
            client.must("PUT", f"/collections/c/documents/form{number}", f"Form {number}. " + lines[:5 * MEBIBYTE // 20], TEXT)
        client.close()
        self.before = self.server.bytes_of("RssAnon")

    def send(self, request: tuple, answers: list):
        client = Client(self.server, 300, takes_parts=True)  # of a form that is refused in its middle
        fields = request[4] if len(request) == 5 else {}
        answers.append(client.ask(*request[:4], **fields))
        client.close()

    def once(self, name: str, request: tuple, count: int):
        pathlib.Path(f"/proc/{self.server.process.pid}/clear_refs").write_text("5", encoding="ascii")  # VmHWM begins again
        before, begun, answers = self.server.bytes_of("VmHWM"), time.monotonic(), []
        threads = [threading.Thread(target=self.send, args=(request, answers)) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if not self.server.alive():
            raise RuntimeError(f"{name}: the server has died: {answers}")
        taken = self.server.bytes_of("VmHWM") - before
        self.rows.setdefault(name, {"bytes": len(request[2]) if len(request) > 2 and isinstance(request[2], (bytes, str)) else
                                    len(json.dumps(request[2])) if len(request) > 2 else len(request[1])})
        self.rows[name][f"{count} at once"] = {
            "MiB": taken // MEBIBYTE, "seconds": round(time.monotonic() - begun, 1),
            "answers": sorted({f"{one.status} {one.json.get('code')}" if one.status >= 400 else str(one.status) for one in answers})}
        if taken > self.most:
            self.wrong.append(f"{name}, {count} at once: takes {taken // MEBIBYTE} MiB")
        for answer in answers:
            has_words = answer.status < 400 or (answer.json.get("detail") and answer.status in (400, 404, 413, 415, 422, 503))
            if answer.status == 0 or not has_words:
                self.wrong.append(f"{name}, {count} at once: {answer}")

    def all(self, only: str | None):
        for name, make in requests().items():
            if only is None or only in name:
                request = make()
                for count in (1, 4):
                    self.once(name, request, count)
        client = Client(self.server)
        client.must("GET", "/checks?limit=1")
        time.sleep(1)
        kept = self.server.bytes_of("RssAnon") - self.before
        if kept > BESIDE:
            self.wrong.append(f"afterwards {kept // MEBIBYTE} MiB more are held")
        return kept // MEBIBYTE


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--akin", required=True, type=os.path.abspath)
    parser.add_argument("--only", help="requests whose name has this")
    parser.add_argument("--work-memory", type=int, default=512, help="MiB")
    arguments = parser.parse_args()
    run, kept = Run(arguments), None
    try:
        kept = run.all(arguments.only)
    finally:
        run.server.close()
        shutil.rmtree(run.folder, ignore_errors=True)
        print(json.dumps({"requests": run.rows, "kept_MiB": kept, "wrong": run.wrong}, indent=1))
    return 1 if run.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
