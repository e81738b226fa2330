#!/usr/bin/env python3
"""Stops the processes of a PostgreSQL server with SIGSTOP below a running `akin serve`: its connections stay, and nothing
answers.

    hanging_database.py --akin AKIN [--rounds 3] [--seconds 45]

The server has a collection in the database and one in its data folder. While the database hangs, /livez and /readyz are
answered within two seconds, and so are searches and writes in the folder; what needs the database gets 503 in at most the
40 seconds that docs/service.md states, and 5 more for a busy machine. After SIGCONT everything is answered, and no
document that was acknowledged is missing. Prints one JSON object, and exits with 1 if anything is otherwise, 77 without
PostgreSQL.
"""
import argparse
import collections
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from client import Client  # noqa: E402
from postgresql import Postgresql  # noqa: E402
from server_process import ServerProcess  # noqa: E402

SOON, DEADLINE = 2.0, 45.0
SENTENCE = "Слово{0} и дело{0} стоят рядом{0}, а мысль{0} о них приходит{0} поздно{0}."


def text(first: int) -> str:
    return " ".join(SENTENCE.format(first * 10 + n) for n in range(5))


class Run:
    def __init__(self, arguments):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-hanging-"))
        self.postgresql = Postgresql(self.folder)
        self.wrong, self.slowest, self.statuses = [], collections.defaultdict(float), collections.Counter()
        self.stored = set()
        self.seconds = arguments.seconds
        self.server = ServerProcess(
            [arguments.akin, "serve", "--data", self.folder / "data", "--log-level", "off", "--store-of",
             f"remote={self.postgresql.address}"],
            env={**os.environ, "AKIN_LANG": "ru"})
        client = Client(self.server)
        for name in ("remote", "local"):
            client.must("PUT", f"/collections/{name}")
            client.must("PUT", f"/collections/{name}/documents/a", text(0), "text/plain; charset=utf-8")
        client.close()

    def signal_database(self, number: int):
        """To all processes of the server: the postmaster and its children."""
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.postgresql.process.pid)], capture_output=True, check=False)
        for process in [self.postgresql.process.pid, *map(int, children.stdout.split())]:
            os.kill(process, number)

    def timed(self, kind: str, allowed: tuple, most: float, method: str, path: str, body=None, media: str = "application/json"):
        client = Client(self.server, 3 * DEADLINE, f"127.0.0.{2 if kind == 'database' else 3}")
        begun = time.monotonic()
        answer = client.ask(method, path, body, media)
        took = time.monotonic() - begun
        client.close()
        self.slowest[kind] = max(self.slowest[kind], took)
        self.statuses[f"{kind} {answer.status}"] += 1
        if answer.status not in allowed or took > most:
            self.wrong.append(f"{method} {path} after {took:.1f} s: {answer}")
        return answer

    def others(self, number: int):
        self.timed("probe", (200,), SOON, "GET", "/livez")
        self.timed("probe", (200, 503), SOON, "GET", "/readyz")
        self.timed("folder", (200,), SOON, "POST", "/collections/local/similar", {"text": text(0)})
        self.timed("folder", (201, 200), SOON, "PUT", f"/collections/local/documents/{number}", text(number), "text/plain")

    def ask_database(self, number: int, allowed: tuple):
        path = f"/collections/remote/documents/{number}"
        requests = [("PUT", path, text(number), "text/plain"), ("GET", "/collections/remote/documents/a"),
                    ("POST", "/collections/remote/similar", {"text": text(0)}), ("GET", "/collections/remote"),
                    ("POST", "/checks", {"text": text(0), "collections": ["remote", "local"]}),
                    ("GET", "/collections/remote/documents")]

        def one(request: tuple):
            answer = self.timed("database", allowed, DEADLINE, *request)
            if request[0] == "PUT" and answer.status in (200, 201):
                self.stored.add(number)

        threads = [threading.Thread(target=one, args=(request,)) for request in requests]
        for thread in threads:
            thread.start()
        return threads

    def round(self, number: int):
        self.signal_database(signal.SIGSTOP)
        begun = time.monotonic()
        threads = self.ask_database(2 * number + 1, (503,))
        try:
            while time.monotonic() - begun < self.seconds:
                self.others(1000 * number + int(time.monotonic() - begun))
                time.sleep(0.2)
            for thread in threads:
                thread.join()
        finally:
            self.signal_database(signal.SIGCONT)
        self.recover(2 * number + 2)

    def recover(self, number: int):
        """Within a minute, as idle connections that broke are replaced."""
        end = time.monotonic() + 60
        client = Client(self.server)
        while client.ask("GET", "/collections/remote/documents/a").status != 200 or client.ask("GET", "/readyz").status != 200:
            if time.monotonic() > end:
                self.wrong.append(f"after SIGCONT: {client.ask('GET', '/readyz')}")
                break
            time.sleep(0.1)
        for thread in self.ask_database(number, (200, 201)):
            thread.join()
        for one in self.stored:
            if (answer := client.ask("GET", f"/collections/remote/documents/{one}")).status != 200:
                self.wrong.append(f"acknowledged document {one}: {answer}")
        client.close()

    def close(self):
        self.server.close()
        self.postgresql.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--akin", required=True, type=os.path.abspath)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=45)
    arguments = parser.parse_args()
    try:
        run = Run(arguments)
    except unittest.SkipTest as missing:
        print(missing)
        return 77
    try:
        for number in range(arguments.rounds):
            run.round(number)
    finally:
        run.close()
    print(json.dumps({
        "rounds": arguments.rounds, "slowest_seconds": {kind: round(took, 2) for kind, took in run.slowest.items()},
        "answers": run.statuses, "acknowledged": len(run.stored), "wrong": run.wrong,
    }, indent=1))
    return 1 if run.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
