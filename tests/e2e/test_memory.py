"""Memory: small requests take little of a server's, large ones are refused in words, and what is freed is given back."""
import json
import time
import unittest

from program import AkinTest
from server_process import Server
from test_files import make_docx

MEBIBYTE = 1 << 20
QUOTES = {"exclude": {"quotations": True}}


class MemoryTest(AkinTest):
    def ask(self, server: Server, method: str, path: str, body: bytes = b"", kind: str = "application/json") -> tuple[int, dict]:
        connection = server.connect(timeout=300)
        connection.request(method, "/v1" + path, body=body, headers={"Content-Type": kind})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        self.length = len(content)
        return answer.status, json.loads(content)

    def ask_json(self, server: Server, method: str, path: str, body) -> tuple[int, dict]:
        return self.ask(server, method, path, json.dumps(body).encode())

    def serve(self, *flags) -> Server:
        server = Server(self, *flags)
        self.assertEqual(self.ask(server, "PUT", "/collections/c")[0], 201)
        return server

    def refused(self, answer: tuple[int, dict], status: int, *words: str):
        self.assertEqual(answer[0], status, answer)
        for word in words:
            self.assertIn(word, json.dumps(answer[1]))

    def taken_by(self, server: Server, work) -> int:
        """How much more memory the server has had than before, at most."""
        before = server.bytes_of("VmHWM")
        work()
        return server.bytes_of("VmHWM") - before

    def test_a_small_file_of_a_long_text_is_refused(self):
        server = self.serve("--work-memory", 128 * MEBIBYTE, "--body-limit", 4 * MEBIBYTE)
        self.assertEqual(self.ask_json(server, "PUT", "/policies/quotes", QUOTES)[0], 201)
        kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        for size, words in ((2, ("--work-memory",)), (5, ("file_too_large", "text"))):
            bomb = make_docx(("&quot;a&quot; " * 5000 + "\n\n") * (size * MEBIBYTE // 20_000))
            self.assertLess(len(bomb), MEBIBYTE // 10)

            def check():
                self.refused(self.ask(server, "POST", "/checks?collections=c&policy=quotes", bomb, kind), 413, *words)

            self.assertLess(self.taken_by(server, check), 100 * MEBIBYTE, size)
        self.assertEqual(self.ask_json(server, "POST", "/checks", {"collections": ["c"], "text": "One."})[0], 201)

    def test_many_quotations_are_counted_and_the_first_are_listed(self):
        server = self.serve()
        body = {"collections": ["c"], "text": '"a" ' * 200_000, "policy": QUOTES}
        taken = self.taken_by(server, lambda: self.assertEqual(self.ask_json(server, "POST", "/checks", body)[0], 201))
        self.assertLess(self.length, MEBIBYTE)
        self.assertLess(taken, 120 * len(body["text"]))

    def test_a_template_that_is_named_often_is_read_once(self):
        server = self.serve()
        form = "".join(f"Line {number} of a long form that everybody fills in. " for number in range(10_000))
        self.assertEqual(self.ask_json(server, "PUT", "/collections/c/documents/form", {"text": form})[0], 201)
        body = {"collections": ["c"], "text": "One.", "policy": {"exclude": {"templates": [{"collection": "c", "id": "form"}] * 100}}}
        begun = time.monotonic()
        taken = self.taken_by(server, lambda: self.assertEqual(self.ask_json(server, "POST", "/checks", body)[0], 201))
        self.assertLess(taken, 120 * len(form))
        self.assertLess(time.monotonic() - begun, 60)

    def test_json_of_many_values_and_long_prefixes_are_refused(self):
        server = self.serve()

        def ask():
            many = b'{"text":' + b"[" + b"[]," * 4_000_000 + b"[]]}"
            self.refused(self.ask(server, "POST", "/collections/c/similar", many), 413, "262144 values")
            upload = f"/collections/c/upload?prefix={'x' * 60_000}"
            self.refused(self.ask(server, "POST", upload, b"--x--", "multipart/form-data; boundary=x"), 400, "prefix")

        self.assertLess(self.taken_by(server, ask), 150 * MEBIBYTE)

    def test_what_checks_have_freed_is_given_back(self):
        server = self.serve()
        text = "".join(f'"Quotation {number}" follows another one. ' for number in range(20_000))
        before = server.bytes_of("RssAnon")
        for _ in range(10):
            self.assertEqual(self.ask_json(server, "POST", "/checks", {"collections": ["c"], "text": text, "policy": QUOTES})[0], 201)
        self.assertLess(server.bytes_of("RssAnon") - before, 150 * MEBIBYTE)


if __name__ == "__main__":
    unittest.main()
