#!/usr/bin/env python3
"""Holds the locks that admissions and writes of `akin serve` wait for, as another process does that is slow or stopped.

    slow_leases.py --akin AKIN [--rounds 5] [--seconds 3] [--patience]

In each round another process holds one lock: the lease of a gate, of the admission of a check, or the right to write to
a collection or to the state; the requests that need it wait, more of them than the server works on at a time. Meanwhile /livez, /readyz and searches are answered within two seconds. Then the lock is
released, and all that waited succeed; with --patience it is held until they get the 503 that docs/service.md states.
Prints one JSON object, and exits with 1 if anything is otherwise.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import fcntl
import json
import os
import pathlib
import shutil
import struct
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from client import Client  # noqa: E402
from server_process import ServerProcess  # noqa: E402
from test_waits import OFD_SETLK, WRITING_BYTE, lease_byte, sentences  # noqa: E402

SOON = 2.0
PATIENCE = 40  # seconds: 30 for the lock, the rest for a busy machine
WAITING = 12  # requests, of half as many addresses


class Run:
    def __init__(self, arguments):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-leases-"))
        self.data, self.seconds, self.patience = self.folder / "data", arguments.seconds, arguments.patience
        self.wrong, self.answers, self.slowest, self.count = [], collections.Counter(), 0.0, 0
        self.server = ServerProcess([arguments.akin, "serve", "--data", self.data, "--log-level", "off"],
                                    env={**os.environ, "AKIN_LANG": "ru"})
        self.client = Client(self.server)
        for name in ("c", "other"):
            self.client.must("PUT", f"/collections/{name}")
            self.client.must("PUT", f"/collections/{name}/documents/a", sentences(5), "text/plain; charset=utf-8")
        self.client.must("PUT", "/collections/c/gate", {"threshold": 0.5})

    @contextlib.contextmanager
    def locked(self, path: pathlib.Path, byte: int):
        """A byte of a file, as another process locks it."""
        with path.open("r+b") as file:
            fcntl.fcntl(file, OFD_SETLK, struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, byte, 1, 0))
            yield

    def locks(self) -> dict:
        """What is locked, and the n-th request that waits for it."""
        holds, state = self.data / "state" / "holds", self.data / "state" / "data.mdb"
        (store,) = (self.data / "collections" / "c").glob("gen-*/data.mdb")
        new = sentences(9, 1000 * self.count + 100)
        self.client.close()  # the last round may have been a minute ago
        check = self.client.must("POST", "/checks", {"text": new, "collections": ["c"]}).json["id"]
        return {
            "gate": (holds, lease_byte("gate/c"),
                     lambda n: ("POST", "/collections/c/admissions", {"id": f"g{self.count}-{n}", "text": sentences(9, 20000 * self.count + 100 * n + 500)})),
            "admission of a check": (holds, lease_byte(f"admission/{check}"),
                                     lambda n: ("POST", f"/checks/{check}/admit", {"collection": "c", "id": f"k{self.count}"})),
            "writing to a collection": (store, WRITING_BYTE,
                                        lambda n: ("PUT", f"/collections/c/documents/w{self.count}-{n}", {"text": sentences(4, n)})),
            "writing to the state": (state, WRITING_BYTE, lambda n: ("PUT", f"/policies/p{n}", {"bound": n})),
        }

    def ask(self, n: int, request: tuple) -> tuple:
        client = Client(self.server, 3 * PATIENCE, f"127.0.0.{2 + n // 2}")
        begun = time.monotonic()
        answer = client.ask(*request)
        client.close()
        return answer, time.monotonic() - begun

    def others(self, what: str):
        for request in (("GET", "/livez"), ("GET", "/readyz"), ("POST", "/collections/other/similar", {"text": sentences(3)}),
                        ("POST", "/collections/c/similar", {"text": sentences(3)}), ("GET", "/collections/c/documents/a")):
            answer, took = self.ask(100, request)
            self.slowest = max(self.slowest, took)
            self.answers[f"others {answer.status}"] += 1
            if answer.status != 200 or took > SOON:
                self.wrong.append(f"while {what} is locked, {request[1]} after {took:.1f} s: {answer}")

    def round(self, name: str):
        self.count += 1
        path, byte, request = self.locks()[name]
        with concurrent.futures.ThreadPoolExecutor(WAITING) as threads:
            with self.locked(path, byte):
                waiting = [threads.submit(self.ask, n, request(n)) for n in range(WAITING)]
                end = time.monotonic() + (3 * PATIENCE if self.patience else self.seconds)
                while time.monotonic() < end and not all(one.done() for one in waiting):
                    self.others(name)
                    time.sleep(0.1)
                if not self.patience and any(one.done() for one in waiting):
                    self.wrong.append(f"{name}: {next(one.result()[0] for one in waiting if one.done())} in spite of the lock")
            for one in waiting:
                answer, took = one.result()
                self.answers[f"{name} {answer.status}"] += 1
                allowed = (503,) if self.patience else (200, 201)
                if answer.status not in allowed or took > (2 * PATIENCE if self.patience else self.seconds + PATIENCE):
                    self.wrong.append(f"{name}, after {took:.1f} s: {answer}")

    def close(self):
        self.client.close()
        self.server.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--akin", required=True, type=os.path.abspath)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--patience", action="store_true", help="hold each lock until the requests are refused")
    arguments = parser.parse_args()
    run = Run(arguments)
    try:
        for _ in range(arguments.rounds):
            for name in run.locks():
                run.round(name)
    finally:
        run.close()
    print(json.dumps({"rounds": run.count, "answers": run.answers, "slowest_other_seconds": round(run.slowest, 2),
                      "wrong": run.wrong}, indent=1))
    return 1 if run.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
