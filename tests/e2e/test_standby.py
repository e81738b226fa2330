"""Servers of akin whose database is a standby: what they answer, how old it is, and what they refuse."""
import json
import pathlib
import re
import shutil
import tempfile
import threading
import time
import unittest

from postgresql import numbers
from program import QUERY, AkinTest, story
from replication import catch_up, start_both
from server_process import Server


def without_times(shown: str) -> str:
    return re.sub(r"\b\d+\.\d+ s\b", "TIME", shown)


class StandbyFixture(AkinTest):
    """One primary and one standby for all tests of a class, each in a database of its own."""

    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-standby-"))
        cls.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
        cls.primary, cls.standby = start_both(folder, cls.addClassCleanup, synchronous=False)

    def setUp(self):
        super().setUp()
        name = f"test{next(numbers)}"
        self.primary.ask(f"CREATE DATABASE {name}")
        self.at_primary = f"postgres://akin@127.0.0.1:{self.primary.port}/{name}"
        self.index_library("--store", self.at_primary)
        self.akin("key", "list", "--store", self.at_primary, code=0)  # makes the servers' state
        self.at_standby = (
            f"postgres://akin@127.0.0.1:{self.primary.port},127.0.0.1:{self.standby.port}/{name}"
            "?target_session_attrs=prefer-standby&connect_timeout=3"
        )
        self.catch_up()

    def catch_up(self):
        catch_up(self.primary, self.standby)

    def ask(self, server: Server, method: str, path: str, body: str | None = None) -> tuple[int, dict, bytes]:
        connection = server.connect()
        try:
            plain = {"Content-Type": "text/plain; charset=utf-8"} if body is not None else {}
            connection.request(method, path, body and body.encode(), plain)
            answer = connection.getresponse()
            return answer.status, dict(answer.headers), answer.read()
        finally:
            connection.close()

    def similar(self, server: Server) -> tuple[int, dict, bytes]:
        return self.ask(server, "POST", "/v1/collections/default/similar?bound=0&include=passages", QUERY.read_text("utf-8"))

    def put(self, server: Server, document: str) -> tuple[int, dict, bytes]:
        return self.ask(server, "PUT", f"/v1/collections/default/documents/{document}", story())


class StandbyTest(StandbyFixture):
    def test_it_answers_as_the_primary_and_reports_its_age(self):
        at_primary = Server(self, "--store", self.at_primary)
        at_standby = Server(self, "--store", self.at_standby)
        documents = "/v1/collections/default/documents"
        for request in (("GET", documents), ("GET", f"{documents}/chekhov-vanka.txt"), ("GET", "/v1/collections"), ("GET", "/v1/tasks")):
            expected, answer = self.ask(at_primary, *request), self.ask(at_standby, *request)
            self.assertEqual((answer[0], answer[2]), (200, expected[2]), request)
            self.assertNotIn("Akin-Staleness", expected[1])
            self.assertRegex(answer[1]["Akin-Staleness"], r"^\d+\.\d{3}$")
        expected, answer = self.similar(at_primary), self.similar(at_standby)
        self.assertEqual(json.loads(answer[2])["results"], json.loads(expected[2])["results"])
        self.assertEqual(self.put(at_primary, "later")[0], 201)
        self.when(lambda: self.ask(at_standby, "GET", f"{documents}/later")[0] == 200, "the put never arrives")
        self.catch_up()
        self.assertEqual(json.loads(self.similar(at_standby)[2])["total"], json.loads(self.similar(at_primary)[2])["total"])

        checks = {one["name"]: one for one in json.loads(self.ask(at_standby, "GET", "/readyz")[2])["checks"]}
        self.assertTrue(checks["standby"]["ok"])
        self.assertEqual(checks["standby"]["max_staleness_seconds"], 60)
        self.assertNotIn(b"standby", self.ask(at_primary, "GET", "/readyz")[2])
        metrics = self.ask(at_standby, "GET", "/metrics")[2]
        self.assertIn(b"\nakin_standby_staleness_seconds ", metrics)
        failures = re.findall(rb"^akin_background_failures_total\{.*\} (\d+)", metrics, re.M)
        self.assertEqual(set(failures), {b"0"}, "a standby's server leaves the work to others")
        self.assertNotIn(b"akin_standby", self.ask(at_primary, "GET", "/metrics")[2])
        self.assertIn("staleness_seconds", self.akin("stats", "--json", "--store", self.at_standby, code=0).json)
        self.assertNotIn("staleness_seconds", self.akin("stats", "--json", "--store", self.at_primary, code=0).json)

    def test_commands_that_read_work_and_those_that_write_are_refused(self):
        store = ("--store", self.at_standby)
        for command in (["similar", QUERY], ["pairs", "--bound", "0"], ["groups", "--bound", "0"], ["verify", "--deep"],
                        ["show", "chekhov-vanka.txt"], ["export"], ["key", "list"]):  # fmt: skip
            expected = self.akin(*command, "--store", self.at_primary, code=0)
            answer = self.akin(*command, *store, code=0)
            self.assertEqual(without_times(answer.out), without_times(expected.out))
        server = Server(self, *store)
        refusal = "it is a standby, which accepts no writes"
        for command in (["index", QUERY], ["delete", "chekhov-vanka.txt"], ["compact"], ["reindex"],
                        ["key", "create", "--scope", "read"], ["ttl", "1h"]):  # fmt: skip
            self.assertIn(refusal, self.akin(*command, *store, code=2).err, command)
        for method, path in (("PUT", "/documents/x"), ("DELETE", "/documents/chekhov-vanka.txt"), ("PUT", "/watches/w"), ("POST", "/compact")):
            body = {"text": story()} if "watches" in path else story() if "documents" in path and method == "PUT" else None
            status, answer = server.call(method, f"/default{path}", body)
            self.assertEqual((status, answer["code"]), (403, "forbidden"), (path, answer))
            self.assertIn(refusal, answer["detail"])

    def test_a_view_that_is_too_old_is_not_used(self):
        server = Server(self, "--store", self.at_standby, "--max-staleness", "2")
        self.assertEqual(self.similar(server)[0], 200)
        time.sleep(3)
        self.when(lambda: self.similar(server)[0] == 200, "an idle primary makes it old")
        self.addCleanup(self.standby.ask, "SELECT pg_wal_replay_resume()")
        self.standby.ask("SELECT pg_wal_replay_pause()")
        self.akin("index", self.write("later.txt", story()), "--store", self.at_primary, code=0)
        self.when(lambda: self.ask(server, "GET", "/readyz")[0] == 503, "its age is not noticed")
        checks = {one["name"]: one for one in json.loads(self.ask(server, "GET", "/readyz")[2])["checks"]}
        self.assertGreater(checks["standby"]["staleness_seconds"], 2)
        self.assertGreater(checks["standby"]["unapplied_bytes"], 0)
        status, headers, body = self.similar(server)
        self.assertEqual((status, json.loads(body)["code"]), (503, "busy"))
        self.assertIn("--max-staleness allows 2.000", json.loads(body)["detail"])
        self.assertIn("Retry-After", headers)
        self.assertGreater(float(headers["Akin-Staleness"]), 2)
        self.assertEqual(self.ask(server, "GET", "/livez")[0], 200)
        self.standby.ask("SELECT pg_wal_replay_resume()")
        self.when(lambda: self.ask(server, "GET", "/readyz")[0] == 200, "it never catches up")
        self.assertEqual(self.ask(server, "GET", "/v1/collections/default/documents/later.txt")[0], 200)

    def test_searches_go_on_while_the_primary_is_rewritten(self):
        server = Server(self, "--store", self.at_standby)
        expected = json.loads(self.similar(server)[2])["results"]
        seen: set[int] = set()
        wrong = []
        ends = threading.Event()

        def search():
            while not ends.is_set():
                status, _, body = self.similar(server)
                seen.add(status)
                if status == 200 and json.loads(body)["results"] != expected:
                    wrong.append(body)

        searching = threading.Thread(target=search)
        searching.start()
        self.addCleanup(ends.set)
        for _ in range(3):
            self.akin("compact", "--store", self.at_primary, code=0)
            self.akin("reindex", "--store", self.at_primary, code=0)
        self.catch_up()
        time.sleep(0.5)
        ends.set()
        searching.join()
        self.assertEqual(wrong, [])
        self.assertLessEqual(seen, {200, 503})
        self.assertEqual(self.similar(server)[0], 200)


class PromotedTest(StandbyFixture):
    """Ends both servers, so it has its own."""

    def test_a_promoted_standby_accepts_writes_from_the_same_server(self):
        server = Server(self, "--store", self.at_standby)
        self.assertEqual(self.put(server, "x")[0], 403)
        self.primary.kill()
        self.assertEqual(self.similar(server)[0], 200)
        self.standby.promote()
        self.when(lambda: self.put(server, "x")[0] == 201, "it still refuses")
        self.when(lambda: "Akin-Staleness" not in self.similar(server)[1], "it still reports an age")


if __name__ == "__main__":
    unittest.main()
