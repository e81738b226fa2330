"""A database that is down: what clients, the log and the probes learn of it, and that its return is enough."""
import http.client
import json
import re
import subprocess
import threading
import time
import unittest

from postgresql import Database
from program import LIBRARY, QUERY, AkinTest
from server_process import Server


class DownTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.database = Database()
        self.addCleanup(self.database.start)
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
            self.assertEqual(problem["code"], "not_ready" if request == ("/readyz",) else "unavailable")
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

    def start(self, *flags) -> subprocess.Popen:
        """The program without waiting until it is ready; its log goes to `self.log`."""
        with self.log.open("wb") as log:
            process = subprocess.Popen(
                self.command("serve", "--store", self.database.address, *flags),
                stdout=subprocess.DEVNULL,
                stderr=log,
                cwd=self.folder,
                env=self.environment,
            )
        self.addCleanup(process.wait, timeout=60)
        self.addCleanup(process.kill)
        return process

    def await_log(self, pattern: str) -> re.Match:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if found := re.search(pattern, self.log.read_text(encoding="utf-8")):
                return found
            time.sleep(0.05)
        self.fail(f"no {pattern!r} in {self.log.read_text(encoding='utf-8')!r}")

    def ask_at(self, port: int, path: str, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request("GET", path, headers=headers or {})
            answer = connection.getresponse()
            answer.read()
            return answer.status, answer.getheader("Retry-After")
        finally:
            connection.close()

    def test_serve_answers_503_until_the_database_starts(self):
        self.database.stop()
        process = self.start("--listen", "127.0.0.1:0")
        port = int(self.await_log(r"listening at http://127\.0\.0\.1:(\d+)").group(1))
        document = "/v1/collections/default/documents/chekhov-vanka.txt"
        for _ in range(2):
            self.assertEqual(self.ask_at(port, "/livez")[0], 200)
            self.assertEqual(self.ask_at(port, "/readyz")[0], 503)
            for path in (document, "/v1/collections", "/v1/keys"):
                self.assertEqual(self.ask_at(port, path), (503, "1"), path)
            self.await_log("waiting for the database")
        self.database.start()
        deadline = time.monotonic() + 60
        while self.ask_at(port, "/readyz")[0] != 200:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        self.assertEqual(self.ask_at(port, document)[0], 200)
        process.terminate()
        self.assertEqual(process.wait(timeout=60), 0)

    def test_serve_that_waits_for_its_database_can_be_stopped(self):
        self.database.stop()
        process = self.start("--listen", "127.0.0.1:0")
        self.await_log("waiting for the database")
        self.await_log("listening at")
        process.terminate()
        self.assertEqual(process.wait(timeout=60), 0)
        self.database.start()

    def test_serve_that_other_machines_reach_answers_livez_alone_until_it_knows_the_keys(self):
        self.database.stop()
        process = self.start("--listen", "0.0.0.0:0")
        port = int(self.await_log(r"listening at http://0\.0\.0\.0:(\d+)").group(1))
        self.assertEqual(self.ask_at(port, "/livez")[0], 200)
        for path in ("/readyz", "/version", "/metrics", "/v1/collections", "/v1/keys", "/docs/api", "/"):
            self.assertEqual(self.ask_at(port, path)[0], 503, path)
        self.database.start()
        self.assertEqual(process.wait(timeout=60), 2)
        log = self.log.read_text(encoding="utf-8")
        self.assertIn("there is no access key", log)
        self.assertNotIn("akin serves", log)

    def test_serve_that_other_machines_reach_serves_when_the_keys_are_known(self):
        secret = self.akin("key", "create", "--scope", "admin", "--store", self.database.address, code=0).out.strip()
        self.database.stop()
        self.start("--listen", "0.0.0.0:0")
        port = int(self.await_log(r"listening at http://0\.0\.0\.0:(\d+)").group(1))
        self.assertEqual(self.ask_at(port, "/livez")[0], 200)
        self.assertEqual(self.ask_at(port, "/v1/collections")[0], 503)
        self.database.start()
        deadline = time.monotonic() + 60
        while self.ask_at(port, "/readyz")[0] != 200:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        self.assertEqual(self.ask_at(port, "/v1/collections")[0], 401)
        self.assertEqual(self.ask_at(port, "/v1/collections", {"Authorization": f"Bearer {secret}"})[0], 200)


if __name__ == "__main__":
    unittest.main()
