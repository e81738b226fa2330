"""A file that is handed in again is recognised by its bytes."""
import json
import pathlib
import unittest

from program import QUERY, SOURCE, AkinTest
from server_process import Server

MILL = SOURCE / "tests" / "data" / "files" / "mill.djvu"


class SameFileTest(AkinTest):
    def same(self, documents: list[dict]) -> dict[str, bool]:
        return {document["id"]: document.get("same_file", False) for document in documents}

    def test_a_stored_file_is_recognised_and_its_text_alone_is_not(self):
        self.write("fable.txt", QUERY.read_bytes())
        self.akin("index", "fable.txt", code=0)
        self.write("fable.html", b"<p>" + QUERY.read_bytes())
        self.akin("index", "fable.html", code=0)
        expected = {"fable.txt": True, "fable.html": False}
        self.assertEqual(self.same(self.akin("similar", QUERY, "--json", code=0).json["results"]), expected)
        self.assertEqual(self.same(self.akin("check", QUERY, "--json", code=0).json["sources"]), expected)
        for command in ("similar", "check"):
            self.assertEqual(self.akin(command, QUERY, code=0).out.count("its file is the same"), 1)
            self.write("changed.txt", QUERY.read_bytes() + b"\n")
            self.assertNotIn("its file is the same", self.akin(command, "changed.txt", code=0).out)
        self.assertEqual(set(self.same(self.akin("similar", "--id", "fable.txt", "--json", code=0).json["results"]).values()), {False})

    def test_an_admitted_file_is_recognised(self):
        self.akin("index", QUERY, code=0)
        self.akin("delete", QUERY.name, code=0)
        self.akin("gate", "set", "--threshold", "0.9", code=0)
        self.akin("index", QUERY, "--admit", code=0)
        self.assertEqual(self.same(self.akin("similar", QUERY, "--json", code=0).json["results"]), {QUERY.name: True})

    def test_a_server_recognises_a_stored_file_in_searches_and_checks(self):
        if not pathlib.Path(self.command()[0]).with_name("akin-extract").exists():
            self.skipTest("akin-extract is not built")
        server = Server(self)
        self.assertEqual(server.call("PUT", "/c")[0], 201)

        def call(method: str, path: str, type: str = "image/vnd.djvu", body: bytes = MILL.read_bytes()):
            connection = server.connect()
            self.addCleanup(connection.close)
            connection.request(method, path, body, {"Content-Type": type})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())

        self.assertEqual(call("PUT", "/v1/collections/c/documents/mill")[0], 201)
        text = server.call("GET", "/c/documents/mill")[1]["text"]
        self.assertEqual(server.call("PUT", "/c/documents/text", {"text": text})[0], 201)
        expected = {"mill": True, "text": False}
        for path in ("/v1/collections/c/similar", "/v1/similar?collections=c", "/v1/collections/c/similar?include=record,passages"):
            self.assertEqual(self.same(call("POST", path)[1]["results"]), expected)
        self.assertEqual(set(self.same(server.call("POST", "/c/similar", {"text": text})[1]["results"]).values()), {False})
        made = call("POST", "/v1/checks?collections=c")[1]["id"]
        check: dict = {}

        def is_made() -> bool:  # after the request, if the file's text is to be recognized
            check.update(call("GET", f"/v1/checks/{made}", body=b"")[1])
            return "sources" in check

        self.when(is_made, "no check")
        self.assertEqual(self.same(check["sources"]), expected)
        self.assertEqual(call("POST", f"/v1/checks/{check['id']}/repeat", body=b"")[1]["same"], True)


if __name__ == "__main__":
    unittest.main()
