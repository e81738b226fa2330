#!/usr/bin/env python3
"""Lets memory and threads of `akin serve` run out at random places under a mixed load, and checks that the server does
not end or hang and that nothing that it acknowledged is lost.

    exhaustion.py --akin AKIN --library libakin_exhaustion.so --failures 10000 [--seed 1] [--keep-log FILE]

Prints one JSON object, and exits with 1 if the server died, a request got no answer in a minute, an acknowledged
document is missing or differs, writes do not work afterwards, or `akin verify` finds damage.
"""
import argparse
import collections
import http.client
import json
import mmap
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "e2e"))
from server_process import ServerProcess  # noqa: E402

PATIENCE = 60  # seconds without an answer that count as a hang
WORDS = re.findall(r"\w+", (SOURCE / "sample" / "query.txt").read_text(encoding="utf-8"))
# (memory: one of so many allocations, of at least so many bytes; one of so many threads; so many ms of failures after
# each), a few seconds each
PLANS = [
    (20000, 0, 0, 0), (2000, 256, 0, 5), (100, 4096, 40, 0), (0, 0, 2, 0), (4, 262144, 10, 0), (20, 65536, 10, 50),
    (200000, 0, 4, 50),
]


class Control:
    """The file that exhaustion.cpp maps."""

    def __init__(self, path: pathlib.Path):
        path.write_bytes(bytes(56))
        with path.open("r+b") as file:
            self.map = mmap.mmap(file.fileno(), 56)

    def demand(self, memory: int, least_bytes: int, threads: int, burst_ms: int):
        struct.pack_into("<QQQ", self.map, 0, memory, threads, least_bytes)
        struct.pack_into("<Q", self.map, 48, burst_ms)

    def seed(self, number: int):
        struct.pack_into("<Q", self.map, 40, number << 32)

    @property
    def failed(self) -> tuple[int, int]:
        return struct.unpack_from("<QQ", self.map, 24)


class Load:
    """Requests of one thread. `stored` has the texts that the server has acknowledged, `open` those of which no answer
    came."""

    def __init__(self, run, number: int):
        self.run, self.number = run, number
        self.random = random.Random(run.seed * 1000 + number)
        self.stored, self.open = {}, collections.defaultdict(set)
        self.count = 0
        self.connection = None

    def text(self) -> str:
        return " ".join(self.random.choices(WORDS, k=120)) + "."

    def request(self, what: str, method: str, path: str, body=None, content_type="application/json"):
        """The answer's status and body; (0, b"") if the connection was closed without one."""
        if isinstance(body, dict):
            body = json.dumps(body).encode()
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.run.server.port, timeout=PATIENCE)
            self.connection.request(method, "/v1" + path, body, {"Content-Type": content_type} if body else {})
            answer = self.connection.getresponse()
            content = answer.read()
            self.run.outcomes[what, answer.status] += 1
            return answer.status, content
        except TimeoutError:
            self.run.hangs.append(f"{what} {method} {path}")
        except (OSError, http.client.HTTPException) as failure:
            self.run.outcomes[what, type(failure).__name__] += 1
        self.connection.close()
        self.connection = None
        return 0, b""

    def put(self):
        name, text = f"p{self.number}-{self.random.randrange(200)}", self.text()
        status, _ = self.request("put", "PUT", f"/collections/c/documents/{name}", text.encode(), "text/plain")
        self.note(name, text, status in (200, 201))

    def put_large(self):
        name, text = f"l{self.number}", self.text() * self.random.choice([100, 400, 2000])
        status, _ = self.request("put large", "PUT", f"/collections/c/documents/{name}", text.encode(), "text/plain")
        self.note(name, text, status in (200, 201))

    def read_large(self):
        self.request("read large", "GET", f"/collections/c/documents/l{self.number}?include=text")

    def note(self, name: str, text: str, acknowledged: bool):
        if acknowledged:
            self.stored[name] = text
            self.open[name].clear()
        else:
            self.open[name].add(text)

    def bulk(self):
        batch = {f"b{self.number}-{self.random.randrange(500)}": self.text() for _ in range(50)}
        for name, text in batch.items():
            self.open[name].add(text)
        lines = "".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in batch.items())
        _, content = self.request("bulk", "POST", "/collections/c/bulk", lines.encode(), "application/x-ndjson")
        for line in content.splitlines():
            try:
                result = json.loads(line)
            except ValueError:
                continue  # cut off
            if result.get("status") in ("created", "replaced"):
                self.note(result["id"], batch[result["id"]], True)
            elif result.get("status") == "error":
                error = result["error"]
                self.run.outcomes["bulk line", error["code"] if error["code"] == "busy" else error["detail"]] += 1

    def similar(self):
        self.request("similar", "POST", "/collections/c/similar", self.text().encode(), "text/plain")

    def check(self):
        self.request("check", "POST", "/checks", {"text": self.text(), "collections": ["c"]})

    def read(self):
        self.request("read", "GET", self.random.choice(["/collections", "/collections/c", "/collections/c/documents",
                                                        "/tasks", "/checks"]))

    def task(self):
        self.count += 1
        kind = self.random.choice(["pairs", "compact", "reindex", "groups", "backup"])
        if kind == "backup":
            self.request(kind, "POST", "/backups", {"name": f"b{self.number}-{self.count}"})
        else:
            conditions = {"min_containment": 0.5} if kind in ("pairs", "groups") else None
            self.request(kind, "POST", f"/collections/c/{kind}", conditions)

    def temporary(self):
        name = f"t{self.random.randrange(4)}"
        self.request("temporary", "PUT", f"/collections/{name}", {"ttl": 1})
        self.request("temporary", "PUT", f"/collections/{name}/documents/a", self.text().encode(), "text/plain")

    def watch(self):
        self.request("watch", "PUT", f"/collections/c/watches/w{self.random.randrange(5)}", {"text": self.text()})

    def work(self, ended: threading.Event):
        steps = [self.put] * 8 + [self.bulk] * 3 + [self.similar] * 6 + [self.read] * 4
        steps += [self.put_large, self.put_large, self.read_large, self.check, self.check, self.task, self.temporary, self.watch]
        while not ended.is_set() and self.run.alive():
            self.random.choice(steps)()


class Run:
    def __init__(self, arguments):
        self.akin, self.library, self.seed = arguments.akin, arguments.library, arguments.seed
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-exhaustion-"))
        self.control = Control(self.folder / "control")
        self.control.seed(self.seed)
        self.outcomes, self.hangs, self.deaths = collections.Counter(), [], []
        self.log = pathlib.Path(arguments.keep_log) if arguments.keep_log else self.folder / "log"
        self.environment = {**os.environ, "AKIN_DATA": str(self.folder / "data"), "AKIN_LANG": "en"}

    def start(self):
        with self.log.open("ab") as log:
            self.server = ServerProcess(
                [self.akin, "serve", "--backup-folder", self.folder / "backups"], log,
                env={**self.environment, "LD_PRELOAD": self.library, "AKIN_EXHAUSTION": self.folder / "control"})

    def alive(self) -> bool:
        return self.server.alive()

    def inject(self, failures: int, loads: list[Load]):
        """Runs the loads until that many allocations and threads have failed, or the server has ended."""
        ended = threading.Event()
        threads = [threading.Thread(target=load.work, args=(ended,)) for load in loads]
        for thread in threads:
            thread.start()
        goal = sum(self.control.failed) + failures
        for number in range(10**6):
            self.control.demand(*PLANS[number % len(PLANS)])
            end = time.monotonic() + 3
            while time.monotonic() < end and self.alive() and sum(self.control.failed) < goal:
                time.sleep(0.05)
            if sum(self.control.failed) >= goal or not self.alive() or self.hangs:
                break
        self.control.demand(0, 0, 0, 0)
        ended.set()
        for thread in threads:
            thread.join()

    def examine(self, loads: list[Load]) -> list[str]:
        """What is lost, on a server where nothing fails any more."""
        lost = []
        reader = Load(self, 99)
        for load in loads:
            for name, text in load.stored.items():
                status, content = reader.request("examine", "GET", f"/collections/c/documents/{name}?include=text")
                found = json.loads(content).get("text") if status == 200 else None
                if found != text and found not in load.open[name]:
                    lost.append(f"{name}: {status}")
        for what in (reader.put, reader.similar, reader.check):
            before = self.outcomes.copy()
            what()
            if not any(status in (200, 201) for (_, status) in self.outcomes - before):
                lost.append(f"afterwards {what.__name__} fails: {dict(self.outcomes - before)}")
        return lost


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--akin", required=True, type=os.path.abspath)
    parser.add_argument("--library", required=True, type=os.path.abspath)
    parser.add_argument("--failures", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep-log")
    arguments = parser.parse_args()
    run = Run(arguments)
    begun = time.monotonic()
    loads = [Load(run, number) for number in range(8)]
    lost, codes = [], []
    try:
        run.start()
        loads[0].request("make", "PUT", "/collections/c", {})
        left = arguments.failures
        while left > 0 and len(run.deaths) < 50 and not run.hangs:
            before = sum(run.control.failed)
            run.inject(left, loads)
            left -= sum(run.control.failed) - before
            if not run.alive():
                run.deaths.append(run.server.process.returncode)
                run.start()
        if not run.hangs:
            lost = run.examine(loads)
            codes.append(run.server.stop())
            codes.append(subprocess.run([run.akin, "verify", "--all"], env=run.environment, stdout=subprocess.DEVNULL,
                                        check=False).returncode)
    finally:
        run.server.close()
        shutil.rmtree(run.folder, ignore_errors=True)
    memory, threads = run.control.failed
    result = {
        "failed_allocations": memory, "failed_threads": threads, "seconds": round(time.monotonic() - begun),
        "documents": sum(len(load.stored) for load in loads), "deaths": run.deaths, "hangs": run.hangs, "lost": lost,
        "end_of_server_and_verify": codes,
        "outcomes": {f"{what} {status}": count for (what, status), count in sorted(run.outcomes.items(), key=str)},
    }
    print(json.dumps(result, indent=1))
    return 1 if run.deaths or run.hangs or lost or codes != [0, 0] else 0


if __name__ == "__main__":
    sys.exit(main())
