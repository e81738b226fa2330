"""Waiting: for a lock, another process, a database or a client that has gone. It costs others a moment, and has an end."""
import contextlib
import fcntl
import http.client
import json
import os
import signal
import struct
import subprocess
import threading
import time
import unittest

from postgresql import PROGRAMS, Database
from program import AkinTest
from server_process import Server

SOON = 2.0  # seconds within which everything is answered that does not itself wait
PATIENCE = 30  # seconds for which akin waits for a lock
OFD_SETLK = 37
WRITING_BYTE = (1 << 62) + 1  # of a data file: index/lmdb/env/write_turn.cpp


def sentences(count: int, first: int = 0) -> str:
    return " ".join(f"Слово{first + i} и дело{first + i} стоят рядом{first + i}." for i in range(count))


def lease_byte(name: str) -> int:
    """Of state/holds: server/state/lease_key.h."""
    mask = (1 << 64) - 1
    value = 0x6A09E667F3BCC908
    for byte in name.encode():
        value = (value ^ byte) * 0x9E3779B97F4A7C15 & mask
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        value = (value ^ value >> shift) * factor & mask
    return value >> 2


class Waits(AkinTest):
    def setUp(self):
        super().setUp()
        self.log = self.folder / "log"

    def serve(self, *flags) -> Server:
        with self.log.open("wb") as log:
            return Server(self, *flags, log=log)

    def ask(self, server: Server, method: str, path: str, body=None, address: str = "127.0.0.1", **headers):
        """From an address, which is the client that the server knows."""
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=90, source_address=(address, 0))
        try:
            if body is not None and not isinstance(body, bytes):
                body, headers = json.dumps(body).encode(), {"Content-Type": "application/json", **headers}
            connection.request(method, path, body=body, headers=headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read().decode()
        finally:
            connection.close()

    def at_once(self, server: Server, method: str, path: str, body=None, status: int = 200, **headers):
        begun = time.monotonic()
        answer = self.ask(server, method, path, body, "127.0.0.2", **headers)
        self.assertLess(time.monotonic() - begun, SOON, path)
        self.assertEqual(answer[0], status, answer)
        return answer

    def others_are_answered(self, server: Server, search: bool = True):
        for _ in range(3):
            self.at_once(server, "GET", "/livez")
            self.at_once(server, "GET", "/readyz")
            self.at_once(server, "GET", "/v1/collections")
            if search:
                self.at_once(server, "POST", "/v1/collections/other/similar", {"text": sentences(3)})
            time.sleep(0.2)

    @contextlib.contextmanager
    def locked(self, path, first: int, length: int):
        """Locks bytes of a file as another process does."""
        with open(path, "r+b") as file:
            fcntl.fcntl(file, OFD_SETLK, struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, first, length, 0))
            yield

    def begin(self, count: int, request) -> tuple[list, list[threading.Thread]]:
        """Runs request(number) on so many threads; their outcomes go to the list."""
        answers = []
        threads = [threading.Thread(target=lambda i=i: answers.append(request(i))) for i in range(count)]
        for thread in threads:
            thread.start()
        return answers, threads

    def make(self, server: Server, *names: str):
        for name in names:
            self.assertEqual(server.call("PUT", f"/{name}")[0], 201)
            self.assertEqual(server.call("PUT", f"/{name}/documents/a", sentences(5))[0], 201)


class LockTest(Waits):
    """Locks and other processes."""

    def test_admissions_that_wait_for_a_lease_stop_nobody_else(self):
        server = self.serve()
        self.make(server, "c", "other")
        self.at_once(server, "PUT", "/v1/collections/c/gate", {"threshold": 0.5, "action": "refuse"}, 201)
        with self.locked(self.data / "state" / "holds", lease_byte("gate/c"), 1):
            answers, threads = self.begin(
                6, lambda i: self.ask(server, "POST", "/v1/collections/c/admissions", {"id": f"n{i}", "text": sentences(9, 100 * i + 100)})
            )  # fmt: skip
            time.sleep(0.5)
            self.others_are_answered(server)
            self.assertEqual(answers, [])
        for thread in threads:
            thread.join()
        self.assertEqual({answer[0] for answer in answers}, {201}, answers)

    def test_a_stopped_writer_costs_others_a_stated_time_and_other_collections_nothing(self):
        server = self.serve()
        self.make(server, "c", "other")
        (store,) = (self.data / "collections" / "c").glob("gen-*/data.mdb")
        begun = time.monotonic()
        with self.locked(store, WRITING_BYTE, 1):
            answers, threads = self.begin(
                100, lambda i: self.ask(server, "PUT", f"/v1/collections/c/documents/n{i}", sentences(3).encode(),
                                        **{"Content-Type": "text/plain"})
            )  # fmt: skip
            time.sleep(1)
            self.others_are_answered(server)
            self.at_once(server, "GET", "/v1/collections/c/documents/a")
            self.assertEqual(server.call("PUT", "/other/documents/b", sentences(4))[0], 201)
            for thread in threads:
                thread.join()
        self.assertLess(time.monotonic() - begun, 2 * PATIENCE + 10)
        for status, headers, body in answers:
            self.assertEqual((status, headers.get("Retry-After")), (503, "1"), body)
            self.assertIn("has been writing to it", body)
        self.assertEqual(server.call("PUT", "/c/documents/b", sentences(4))[0], 201)

    def test_two_writers_take_turns(self):
        server = self.serve()
        self.make(server, "c")
        lines = "".join(json.dumps({"id": f"d{i}", "text": sentences(5, 10 * i)}) + "\n" for i in range(3000))
        self.write("lines.ndjson", lines)
        writer = subprocess.Popen(
            self.command("import", "lines.ndjson", "--collection", "c"), cwd=self.folder, env=self.environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        count = 0
        while writer.poll() is None:
            self.at_once(server, "PUT", f"/v1/collections/c/documents/own{count}", sentences(3).encode(), 201,
                         **{"Content-Type": "text/plain"})  # fmt: skip
            count += 1
        self.assertEqual(writer.returncode, 0)
        self.assertGreater(count, 0)


class GivenUpTest(Waits):
    """Requests whose client has gone, or whose server ends."""

    def make_heavy(self, server: Server) -> bytes:
        """A collection whose every document shares a page; the body of a check that compares all of them with it."""
        page = sentences(400)
        self.assertEqual(server.call("PUT", "/heavy")[0], 201)
        lines = "".join(
            json.dumps({"id": f"d{i}", "text": f"{page} {sentences(2, 1000 + 10 * i)}"}) + "\n" for i in range(4000)
        )
        status, _, body = self.ask(server, "POST", "/v1/collections/heavy/bulk", lines.encode(),
                                   **{"Content-Type": "application/x-ndjson"})  # fmt: skip
        self.assertEqual(status, 200, body[:1000])
        # With a limit of its own a check sets no common text aside.
        return json.dumps({"collections": ["heavy"], "text": page, "policy": {"common_limit": 4294967295}}).encode()

    def send(self, server: Server, body: bytes) -> http.client.HTTPConnection:
        connection = server.connect()
        connection.request("POST", "/v1/checks", body=body, headers={"Content-Type": "application/json"})
        return connection

    def test_abandoned_requests_end(self):
        server = self.serve()
        self.make(server, "other")
        body = self.make_heavy(server)
        connections = [self.send(server, body) for _ in range(10)]
        time.sleep(0.5)
        self.others_are_answered(server)
        for connection in connections:
            connection.close()
        time.sleep(SOON)
        begun = server.processor_seconds()
        time.sleep(1)
        self.assertLess(server.processor_seconds() - begun, 0.5, "nothing works on what nobody waits for")
        self.others_are_answered(server)

    def test_bytes_sent_ahead_are_kept_and_do_not_hide_that_the_client_has_gone(self):
        server = self.serve()
        body = self.make_heavy(server)
        head = f"POST /v1/checks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        ahead = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
        connection = server.connect()
        connection.connect()
        connection.sock.sendall(head.encode() + body + ahead)
        time.sleep(0.5)
        connection.close()
        time.sleep(SOON)
        begun = server.processor_seconds()
        time.sleep(1)
        self.assertLess(server.processor_seconds() - begun, 0.5)

    def test_a_request_has_a_time_limit(self):
        filling = self.serve()
        body = self.make_heavy(filling)
        filling.stop()
        server = self.serve("--request-timeout", "0.05")
        status, headers, answer = self.ask(server, "POST", "/v1/checks", body, **{"Content-Type": "application/json"})
        self.assertEqual((status, headers.get("Retry-After")), (503, "1"))
        self.assertIn("--request-timeout", answer)

    def test_sigterm_ends_the_server_soon_after_its_drain_time(self):
        server = self.serve("--drain-timeout", "0.5")
        body = self.make_heavy(server)
        connections = [self.send(server, body) for _ in range(6)]
        time.sleep(0.5)
        begun = time.monotonic()
        self.assertEqual(server.stop(signal.SIGTERM), 0)
        self.assertLess(time.monotonic() - begun, 0.5 + SOON)
        for connection in connections:
            connection.close()


class ReasonsTest(Waits):
    """What is said of failures, and to whom."""

    def test_a_500_gives_its_reason_to_the_log_and_no_path_to_the_client(self):
        server = self.serve("--log-level", "error")
        self.make(server, "c")
        self.at_once(server, "PUT", "/v1/collections/c/gate", {"threshold": 0.5, "action": "refuse"}, 201)
        holds = self.data / "state" / "holds"
        holds.unlink(missing_ok=True)
        holds.mkdir()
        document = {"id": "n", "text": sentences(9, 100)}
        status, headers, body = self.ask(server, "POST", "/v1/collections/c/admissions", document)
        self.assertEqual(status, 500, body)
        self.assertNotIn(str(self.data), body)
        self.assertNotIn("holds", body)
        line = self.when(
            lambda: next((line for line in self.log.read_text(encoding="utf-8").splitlines() if headers["X-Request-Id"] in line), ""),
            "the log has no reason",
        )
        self.assertIn("[error]", line)
        self.assertIn(str(holds), line)
        self.assertIn("127.0.0.1", line)

    def test_every_origin_needs_keys(self):
        refused = self.akin("serve", "--listen", "127.0.0.1:0", "--cors-origin", "*", code=2)
        self.assertIn("any web page", refused.err)
        self.assertIn("akin key create", refused.err)
        self.akin("key", "create", "--scope", "admin", code=0)
        self.serve("--cors-origin", "*")

    def test_readyz_names_collections_only_to_those_who_may_know_them(self):
        self.akin("index", self.write("a.txt", sentences(5)), "--collection", "secret", code=0)
        (store,) = (self.data / "collections" / "secret").glob("gen-*/data.mdb")
        store.write_bytes(b"x" * store.stat().st_size)
        server = self.serve()
        self.assertIn("secret", self.at_once(server, "GET", "/readyz")[2])
        keys = {
            name: self.akin("key", "create", "--scope", "read", *flags, code=0).out.strip()
            for name, flags in {"all": (), "one": ("--collections", "another")}.items()
        }
        for secret, named in ((keys["all"], True), (keys["one"], False), ("x" * 40, False), (None, False)):
            headers = {"Authorization": f"Bearer {secret}"} if secret else {}
            body = self.at_once(server, "GET", "/readyz", **headers)[2]
            self.assertEqual("secret" in body, named, body)
            if not named:
                self.assertIn("1 collection needs attention", json.loads(body)["note"])


class DatabaseTest(Waits):
    """Collections in PostgreSQL."""

    def setUp(self):
        super().setUp()
        self.database = Database()
        self.addCleanup(self.database.start)

    def test_a_row_that_another_holds_stops_only_those_that_want_it(self):
        server = self.serve("--store", self.database.address)
        self.make(server, "c", "other")
        holder = subprocess.Popen([PROGRAMS / "psql", self.database.address, "-XqAt"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(holder.wait)
        self.addCleanup(holder.kill)
        holder.stdin.write(b"BEGIN; SELECT store FROM akin.stores FOR UPDATE;\n")
        holder.stdin.flush()
        holder.stdout.readline()
        answers, threads = self.begin(
            6, lambda i: self.ask(server, "PUT", f"/v1/collections/c/documents/n{i}", sentences(3).encode(),
                                  **{"Content-Type": "text/plain"})
        )  # fmt: skip
        time.sleep(0.5)
        self.others_are_answered(server)
        self.assertEqual(answers, [])
        holder.kill()
        holder.stdin.close()
        holder.stdout.close()
        for thread in threads:
            thread.join()
        self.assertEqual({answer[0] for answer in answers}, {201}, answers)


if __name__ == "__main__":
    unittest.main()
