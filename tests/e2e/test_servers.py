"""Several servers before one database: any of them answers, and work that must happen once happens once."""
import collections
import http.client
import json
import subprocess
import threading
import time
import unittest
import urllib.request

from postgresql import PROGRAMS, Database
from program import LIBRARY, QUERY, AkinTest
from server_process import Server
from test_watches import SECRET, TEXT, Hook


def ask(server: Server, method: str, path: str, body=None, key: str = "") -> tuple[int, dict]:
    """Status and JSON object of any path."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if key:
        headers["Authorization"] = "Bearer " + key
    try:
        connection.request(method, path, body=None if body is None else json.dumps(body), headers=headers)
        answer = connection.getresponse()
        content = answer.read().decode()
        return answer.status, json.loads(content)
    finally:
        connection.close()


def result(server: Server, task: str) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/v1/tasks/{task}/result", timeout=60) as answer:
        return answer.read().decode()


class ServersTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.database = Database()
        self.store = ["--store", self.database.address]
        self.started = 0

    def serve(self) -> Server:
        """Each with a data folder of its own, as on another machine."""
        self.started += 1
        data = self.folder / f"server-{self.started}"
        return Server(self, *self.store, "--data", data, "--webhook-allow-private")

    def test_a_key_is_known_and_refused_by_all(self):
        servers = [self.serve(), self.serve()]
        self.assertEqual([ask(server, "GET", "/v1/collections")[0] for server in servers], [200, 200])
        key = self.akin("key", "create", "--scope", "admin", *self.store, code=0).out.strip()
        self.assertEqual([ask(server, "GET", "/v1/collections")[0] for server in servers], [401, 401])
        self.assertEqual([ask(server, "GET", "/v1/collections", key=key)[0] for server in servers], [200, 200])
        self.akin("key", "revoke", key.split("_")[1], *self.store, code=0)
        self.assertEqual([ask(server, "GET", "/v1/collections", key=key)[0] for server in servers], [401, 401])

    def test_what_one_stores_another_finds_at_once(self):
        first, second = self.serve(), self.serve()
        self.assertEqual(first.call("PUT", "/books", {})[0], 201)
        for path in sorted(LIBRARY.iterdir()):
            text = path.read_text(encoding="utf-8")
            self.assertEqual(first.call("PUT", f"/books/documents/{path.name}", text)[0], 201)
            status, answer = second.call("POST", "/books/similar?bound=0", {"text": text})
            self.assertEqual(status, 200, answer)
            found = answer["results"]
            self.assertEqual(found[0]["id"], path.name)
        query = QUERY.read_text(encoding="utf-8")
        answers = [server.call("POST", "/books/similar", {"text": query})[1]["results"] for server in (first, second)]
        self.assertEqual(answers[0], answers[1])
        self.assertTrue(answers[0])
        self.assertEqual(second.call("DELETE", "/books")[0], 200)
        self.assertEqual(first.call("GET", "/books")[0], 404)

    def test_a_task_of_one_is_seen_by_the_other(self):
        first, second = self.serve(), self.serve()
        self.akin("index", LIBRARY, QUERY, *self.store, code=0)
        tasks = []
        for server in (first, second) * 3:
            status, task = ask(server, "POST", "/v1/collections/default/pairs", {"bound": 0})
            self.assertEqual(status, 202, task)
            tasks.append(task["id"])
        for server in (second, first):
            for task in tasks:
                self.when(lambda: ask(server, "GET", "/v1/tasks/" + task)[1]["status"] == "done", "a task does not end")
            listed = ask(server, "GET", "/v1/tasks")[1]["tasks"]
            self.assertEqual(sorted(task["id"] for task in listed), sorted(tasks))
        results = {result(server, task) for server in (first, second) for task in tasks}
        self.assertEqual(len(results), 1)
        self.assertIn(QUERY.name, results.pop())
        self.assertEqual(ask(second, "DELETE", "/v1/tasks/" + tasks[0])[1], {"id": tasks[0], "deleted": True})
        self.assertEqual(ask(first, "GET", "/v1/tasks/" + tasks[0])[0], 404)

    def test_a_task_of_a_killed_server_is_done_by_another(self):
        self.akin("index", LIBRARY, QUERY, *self.store, code=0)
        first = self.serve()
        # A lock on the postings keeps the task at work.
        psql = subprocess.Popen([PROGRAMS / "psql", "-q", "-At", self.database.address], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, text=True)  # fmt: skip
        self.addCleanup(psql.stdout.close)
        self.addCleanup(psql.wait)
        self.addCleanup(psql.stdin.close)
        tables = "SELECT string_agg(format('LOCK TABLE akin.%I', relname), ';') FROM pg_class WHERE relname ~ '^(documents|postings|repeats)_[0-9]+$'"
        psql.stdin.write(f"BEGIN; {tables} AND relkind = 'r' \\gexec\nSELECT 'locked';\n")
        psql.stdin.flush()
        self.assertEqual(psql.stdout.readline(), "locked\n")
        task = ask(first, "POST", "/v1/collections/default/pairs", {"bound": 0})[1]["id"]

        def status(server: Server) -> str:
            return ask(server, "GET", "/v1/tasks/" + task)[1]["status"]

        self.when(lambda: status(first) == "running", "the task is not begun")
        second = self.serve()
        time.sleep(2.5)  # some rounds of the second server
        self.assertEqual(status(second), "running")
        started = ask(second, "GET", "/v1/tasks/" + task)[1]["started"]
        first.process.kill()
        first.process.wait()
        self.when(lambda: ask(second, "GET", "/v1/tasks/" + task)[1]["started"] != started, "it is not begun again")
        psql.stdin.write("ROLLBACK;\n")
        psql.stdin.flush()
        self.when(lambda: status(second) == "done", "the task does not end")
        self.assertGreater(ask(second, "GET", "/v1/tasks/" + task)[1]["result_lines"], 0)

    def test_of_copies_that_come_at_once_one_is_admitted(self):
        servers = [self.serve(), self.serve()]
        self.assertEqual(servers[0].call("PUT", "/books", {})[0], 201)
        self.assertIn(servers[0].call("PUT", "/books/gate", {"threshold": 0.5})[0], (200, 201))
        texts = [path.read_text(encoding="utf-8") for path in sorted(LIBRARY.iterdir())][:6]
        verdicts = collections.defaultdict(list)

        def admit(number: int):
            for text, content in enumerate(texts):
                body = {"id": f"{text}-{number}", "text": content}
                status, answer = servers[number % 2].call("POST", "/books/admissions", body)
                verdicts[text].append(answer.get("verdict", status))

        threads = [threading.Thread(target=admit, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for text in range(len(texts)):
            self.assertEqual(sorted(verdicts[text]), ["admitted"] + ["refused"] * 5)

    def test_events_are_delivered_once_and_go_on_when_the_follower_is_killed(self):
        hook = Hook(self)
        servers = [self.serve(), self.serve()]
        self.assertEqual(servers[0].call("PUT", "/books", {})[0], 201)
        webhook = {"url": hook.url, "secret": SECRET}
        watch = {"text": TEXT, "bound": 1, "webhook": webhook}
        self.assertEqual(servers[1].call("PUT", "/books/watches/fox", watch)[0], 201)
        put = []
        for turn in range(3):
            for number in range(10):
                put.append(f"{turn}-{number}")
                self.assertEqual(servers[number % 2].call("PUT", f"/books/documents/{put[-1]}", TEXT)[0], 201)

            def all_delivered():
                events = servers[1].call("GET", "/books/events?limit=1000")[1]["events"]
                return len(events) == len(put) and all(e["delivery"]["state"] == "delivered" for e in events)

            self.when(all_delivered, "not all events were delivered")
            # One of the two follows: after two kills of the older one each has done so.
            servers[0].process.kill()
            servers[0].process.wait()
            servers = [servers[1], self.serve()]
        events = servers[0].call("GET", "/books/events?limit=1000")[1]["events"]
        self.assertEqual([event["sequence"] for event in events], list(range(1, len(put) + 1)))
        told = collections.Counter(event["document"]["id"] for event in hook.events)
        self.assertEqual(told, collections.Counter(put), "not each was told once")

    def test_a_delivery_is_repeated_by_whom_it_is_asked_for(self):
        hook = Hook(self)
        servers = [self.serve(), self.serve()]
        self.assertEqual(servers[0].call("PUT", "/books", {})[0], 201)
        watch = {"text": TEXT, "bound": 1, "webhook": {"url": hook.url, "secret": SECRET}}
        self.assertEqual(servers[0].call("PUT", "/books/watches/fox", watch)[0], 201)
        self.assertEqual(servers[0].call("PUT", "/books/documents/copy", TEXT)[0], 201)
        self.when(lambda: hook.events, "nothing was delivered")
        event = hook.events[0]["id"]
        for times, server in enumerate(servers, 2):
            self.when(lambda: servers[0].call("GET", f"/books/events/{event}")[1]["delivery"]["state"] == "delivered",
                      "it was not noted")  # fmt: skip
            self.assertEqual(server.call("POST", f"/books/events/{event}/retry")[0], 202)
            self.when(lambda: len(hook.events) == times, "it was not delivered again")

    def test_labels_are_in_the_database(self):
        self.akin("index", LIBRARY, *self.store, code=0)
        first, second = sorted(path.name for path in LIBRARY.iterdir())[:2]
        table = f"a,b,label\n{first},{second},yes\n".encode()
        for expected in ("1 added", "1 as before"):
            told = self.akin("pairs", "--labels", "-", *self.store, "--data", self.folder / expected[:1], stdin=table)
            self.assertIn(expected, told.out)


if __name__ == "__main__":
    unittest.main()
