"""A database that is down: what clients, the log and the probes learn of it, and that its return is enough."""
import json
import threading
import time
import unittest

from postgresql import Postgresql
from program import LIBRARY, QUERY, AkinTest
from server_process import Server


class DownTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.database = Postgresql(self.folder)
        self.addCleanup(self.database.stop)
        self.akin("index", LIBRARY, "--store", self.database.address, code=0)
        self.log = self.folder / "log"

    def serve(self) -> Server:
        with self.log.open("wb") as log:
            return Server(self, "--store", self.database.address, log=log)

    def ask(self, server: Server, path: str = "/v1/collections/default/documents/chekhov-vanka.txt", method: str = "GET",
            body=None):  # fmt: skip
        connection = server.connect()
        try:
            connection.request(method, path, body=body)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read().decode()
        finally:
            connection.close()

    def test_requests_get_503_until_the_database_is_back(self):
        server = self.serve()
        self.assertEqual(self.ask(server)[0], 200)
        self.database.stop("immediate")
        similar = ("/v1/collections/default/similar", "POST", QUERY.read_bytes())
        for request in ((), similar, ("/v1/collections",), ("/readyz",)):
            status, headers, body = self.ask(server, *request)
            self.assertEqual((status, headers.get("Retry-After")), (503, "1"), body)
            problem = json.loads(body)
            self.assertEqual(problem["code"], "unavailable")
            self.assertEqual(problem["detail"], "database: it does not answer (try again later)")
            self.assertNotIn(str(self.database.folder), body)
        self.assertEqual(self.ask(server, "/livez")[0], 200)
        self.assertIn(str(self.database.folder), self.log.read_text(encoding="utf-8"))
        self.database.start()
        self.assertEqual(self.ask(server)[0], 200)
        self.assertEqual(self.ask(server, "/readyz")[0], 200)

    def test_serve_waits_for_a_database_that_starts_later(self):
        self.database.stop()
        later = threading.Timer(2, self.database.start)
        later.start()
        self.addCleanup(later.join)
        begun = time.monotonic()
        server = self.serve()
        self.assertGreater(time.monotonic() - begun, 2)
        self.assertEqual(self.ask(server)[0], 200)
        self.assertEqual(self.log.read_text(encoding="utf-8").count("waiting for the database"), 1)


if __name__ == "__main__":
    unittest.main()
