"""A collection whose damaged file ended the server is in quarantine after the restart; everything else serves.

The injector: `damage` changes a data file below the running server, as a failing disk or a careless tool does.
"""
import http.client
import json
import os
import pathlib
import shutil
import signal
import unittest

from program import AkinTest, story
from server_process import Server

REMEDY = "akin verify --collection books"


class QuarantineTest(AkinTest):
    def setUp(self):
        super().setUp()
        server = Server(self)
        for name in ("books", "news"):
            server.call("PUT", f"/{name}", {})
            for number in range(20):
                status, _ = server.call("PUT", f"/{name}/documents/{number}", f"{story()} Copy {number}.")
                self.assertEqual(status, 201)
        server.process.terminate()
        self.assertEqual(server.process.wait(timeout=60), 0)
        self.akin("backup", self.folder / "backup", code=0)

    def data_file(self, name: str) -> pathlib.Path:
        folder = self.data / "collections" / name
        return folder / (folder / "CURRENT").read_text().split()[0] / "data.mdb"

    def damage(self, server: Server) -> pathlib.Path:
        """Truncates the file of `books` below the server, which reads it and dies; returns a copy of the file."""
        self.assertEqual(server.call("GET", "/books/documents/7?include=text")[0], 200)
        copy = self.folder / "whole.mdb"
        shutil.copyfile(self.data_file("books"), copy)
        os.truncate(self.data_file("books"), 8192)
        with self.assertRaises((ConnectionError, http.client.HTTPException)):
            server.call("GET", "/books/documents/7?include=text")
        self.assertEqual(server.process.wait(timeout=60), -signal.SIGBUS)
        return copy

    def get(self, server: Server, path: str) -> tuple[int, str]:
        connection = server.connect()
        connection.request("GET", path)
        answer = connection.getresponse()
        content = answer.read().decode()
        connection.close()
        return answer.status, content

    def assert_quarantined(self, server: Server):
        for method, path, body in (
            ("GET", "/books", None),
            ("GET", "/books/documents/7", None),
            ("PUT", "/books/documents/7", "New text."),
            ("POST", "/books/similar", story()),
            ("POST", "/books/compact", None),
        ):
            with self.subTest(method=method, path=path):
                status, problem = server.call(method, path, body)
                if path.endswith("compact"):  # a task, which fails
                    continue
                self.assertEqual((status, problem["code"]), (503, "quarantined"), problem)
                self.assertEqual(problem["what"], "collection 'books'")
                self.assertIn("SIGBUS", problem["reason"])
                self.assertIn(REMEDY, problem["remedy"])
        status, answer = server.call("POST", "/news/similar", story())
        self.assertEqual((status, answer["total"]), (200, 20))
        _, listed = server.call("GET", "")
        books, news = listed["collections"]
        self.assertEqual((books["name"], books["error"]["code"]), ("books", "quarantined"))
        self.assertEqual((news["name"], news["documents"]), ("news", 20))
        status, ready = self.get(server, "/readyz")
        self.assertEqual((status, json.loads(ready)["quarantined_collections"]), (200, ["books"]))
        self.assertIn('akin_collection_quarantined{collection="books"} 1', self.get(server, "/metrics")[1])

    def assert_serves(self, server: Server):
        status, answer = server.call("POST", "/books/similar", story())
        self.assertEqual((status, answer["total"]), (200, 20))
        self.assertEqual(json.loads(self.get(server, "/readyz")[1])["quarantined_collections"], [])
        self.assertNotIn("akin_collection_quarantined", self.get(server, "/metrics")[1])

    def test_a_truncated_file_costs_its_collection_and_one_restart(self):
        self.damage(Server(self))
        for _ in range(2):  # the second start finds it so too
            with open(self.folder / "log", "wb") as log:
                server = Server(self, log=log)
                self.assert_quarantined(server)
                server.process.terminate()
                self.assertEqual(server.process.wait(timeout=60), 0)
            self.assertIn("collection 'books' is in quarantine", (self.folder / "log").read_text())
        refused = self.akin("stats", "--collection", "books", code=2)
        self.assertIn(REMEDY, refused.err)

    def test_verify_ends_it_once_the_file_is_whole(self):
        copy = self.damage(Server(self))
        server = Server(self)
        self.assert_quarantined(server)
        # While the file is damaged, verify fails, however it notices, and nothing changes.
        self.assertNotEqual(self.akin("verify", "--collection", "books").code, 0)
        self.assert_quarantined(server)
        shutil.copyfile(copy, self.data_file("books"))
        verified = self.akin("verify", "--collection", "books", code=0)
        self.assertEqual(verified.out, "clean; its quarantine has ended\n")
        self.assert_serves(server)

    def test_a_backup_has_the_other_collections_and_fails(self):
        self.damage(Server(self))
        server = Server(self, "--backup-folder", str(self.folder))
        self.assert_quarantined(server)
        made = self.akin("backup", self.folder / "partial", "--json", code=2)
        answer = json.loads(made.out)
        self.assertEqual([one["name"] for one in answer["collections"]], ["news"])
        self.assertEqual([(one["name"], one["error"]["code"]) for one in answer["left_out"]], [("books", "quarantined")])
        self.assertIn("it was made without collection 'books': it is in quarantine", made.err)
        restored = self.akin("restore", self.folder / "partial", "--data", self.folder / "new", code=0)
        self.assertIn("restored collection 'news': 20 documents", restored.out)
        self.assertIn("the backup was made without collection 'books', which could not be copied\n", restored.out)
        connection = server.connect()
        connection.request("POST", "/v1/backups", json.dumps({"name": "by-server"}), {"Content-Type": "application/json"})
        task = json.loads(connection.getresponse().read())
        ended = {"status": "queued"}
        while ended["status"] in ("queued", "running"):
            ended = json.loads(self.get(server, f"/v1/tasks/{task['id']}")[1])
        self.assertEqual((ended["status"], ended["error"]["code"]), ("failed", "quarantined"))
        self.assertIn("without collection 'books'", ended["error"]["reason"])
        self.akin("restore", self.folder / "by-server", "--only", "news", "--as", "old-news", code=0)
        self.akin("backup", self.folder / "named", "--only", "books", "--only", "news", code=2)
        self.assertFalse((self.folder / "named").exists())

    def test_a_restore_ends_it(self):
        self.damage(Server(self))
        server = Server(self)
        self.assert_quarantined(server)
        self.akin("restore", self.folder / "backup", "--only", "books", "--replace", code=0)
        self.assert_serves(server)

    def test_pages_that_lead_lmdb_astray_cost_at_most_their_collection(self):
        """Every page but the first ones gets another page's content; whatever that does, a restart serves."""
        server = Server(self)
        self.assertEqual(server.call("GET", "/books/documents/7?include=text")[0], 200)
        with open(self.data_file("books"), "r+b") as file:
            content = file.read()
            pages = [content[at : at + 4096] for at in range(0, len(content), 4096)]
            file.seek(2 * 4096)
            file.write(b"".join(reversed(pages[2:])))
        for number in range(20):
            try:
                server.call("GET", f"/books/documents/{number}?include=text")
                server.call("POST", "/books/similar", story())
            except (ConnectionError, http.client.HTTPException):
                break
        if server.process.poll() is not None or self.died(server):
            self.assertIn(server.process.returncode, (-signal.SIGBUS, -signal.SIGSEGV, -signal.SIGABRT))
            server = Server(self)
            status, problem = server.call("GET", "/books/documents/7")
            self.assertEqual((status, problem["code"]), (503, "quarantined"))
        status, answer = server.call("POST", "/news/similar", story())
        self.assertEqual((status, answer["total"]), (200, 20))

    def died(self, server: Server) -> bool:
        try:
            return self.get(server, "/livez")[0] != 200
        except (ConnectionError, http.client.HTTPException):
            server.process.wait(timeout=60)
            return True

    def test_kills_from_outside_quarantine_nothing(self):
        for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT):
            server = Server(self)
            for collection in ("books", "news"):
                self.assertEqual(server.call("PUT", f"/{collection}/documents/new", story())[0] // 100, 2)
            server.process.send_signal(number)
            self.assertEqual(server.process.wait(timeout=60), -number)
        server = Server(self)
        self.assertEqual(server.call("POST", "/books/similar", story())[1]["total"], 21)
        self.assertEqual(json.loads(self.get(server, "/readyz")[1])["quarantined_collections"], [])


if __name__ == "__main__":
    unittest.main()
