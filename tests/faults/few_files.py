#!/usr/bin/env python3
"""Runs `akin serve` with few file descriptors, and clients that use up the rest.

    few_files.py --akin AKIN [--limits 24,32,…] [--seconds 4]

With each limit (RLIMIT_NOFILE) the server starts, or says on stderr what it lacks. Then clients put documents into many
collections, search and check, while others open connections and leave them idle until none is accepted any more. A
request succeeds, or gets an error in words that is not an internal one, or its connection is not accepted; none waits
for more than 30 seconds. Once the idle connections are closed, the server answers as before within ten seconds, and
nothing that was acknowledged is missing. Prints one JSON object, and exits with 1 if anything is otherwise.
"""
import argparse
import collections
import json
import os
import pathlib
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "e2e"))
from client import Client, docx  # noqa: E402
from server_process import ServerProcess  # noqa: E402

LIMITS = [16, 64, 95, 96, 112, 128, 160, 192, 256, 512]
COLLECTIONS = 40  # each has files of its own
PATIENCE = 30
WORDS = (SOURCE / "sample" / "library" / "chekhov-misery.txt").read_text(encoding="utf-8").split()
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


class Load(threading.Thread):
    """Requests of one client; `stored` has what was acknowledged."""

    def __init__(self, run, number: int, ended: threading.Event):
        super().__init__(daemon=True)
        self.run_, self.number, self.ended = run, number, ended
        self.stored = {}

    def requests(self, count: int):
        text = " ".join(WORDS[count % 400:count % 400 + 40]) + "."
        name = f"c{(self.number * 11 + count) % COLLECTIONS}"
        document = f"/collections/{name}/documents/{self.number}-{count}"
        yield ("PUT", f"/collections/{name}")
        yield ("PUT", document, text, "text/plain; charset=utf-8")
        yield ("PUT", document + "-file", docx(text), DOCX)
        yield ("POST", f"/collections/{name}/similar", {"text": text})
        yield ("POST", "/checks", {"text": text, "collections": [name]})
        yield ("GET", "/collections")

    def run(self):
        count = 0
        while not self.ended.is_set():
            count += 1
            for request in self.requests(count):
                client = Client(self.run_.server, PATIENCE)  # each with a connection of its own
                begun = time.monotonic()
                answer = client.ask(*request)
                client.close()
                self.run_.note(request, answer, time.monotonic() - begun)
                if answer.status in (200, 201) and "/documents/" in request[1]:
                    self.stored[request[1]] = True


class Run:
    def __init__(self, akin: str, seconds: float):
        self.akin, self.seconds = akin, seconds
        self.wrong, self.outcomes, self.lock = [], collections.defaultdict(collections.Counter), threading.Lock()
        self.slowest, self.acknowledged, self.refused_to_start, self.limit = 0.0, 0, {}, 0

    def note(self, request: tuple, answer, took: float):
        with self.lock:
            self.slowest = max(self.slowest, took)
            code = answer.json.get("code") if answer.status >= 400 else ""
            self.outcomes[self.limit][f"{answer.status} {code}".strip()] += 1
            without_words = answer.status >= 400 and not answer.json.get("detail")
            missing = answer.status == 404 and request[0] != "GET"  # its collection could not be made
            if took > PATIENCE or without_words or (answer.status >= 400 and answer.status not in (503, 507) and not missing):
                self.wrong.append(f"{self.limit} files, {request[0]} {request[1]} after {took:.1f} s: {answer}")

    def start(self, folder: pathlib.Path) -> bool:
        log = folder / "log"
        try:
            with log.open("ab") as stderr:
                self.server = ServerProcess(
                    [self.akin, "serve", "--data", folder / "data", "--log-level", "error"], stderr,
                    env={**os.environ, "AKIN_LANG": "ru"},
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (self.limit, self.limit)))
            return True
        except RuntimeError:
            said = log.read_text(encoding="utf-8").strip().splitlines()
            self.refused_to_start[self.limit] = said[-1:] and said[-1]
            if not said or not any(words in said[-1] for words in ("Too many open files", "limit of open files")):
                self.wrong.append(f"{self.limit} files: it does not start, and says {said}")
            return False

    def idle(self) -> list:
        """Connections that say nothing, until the server accepts no more of them, or has as many as it may have files."""
        found = []
        for _ in range(2 * self.limit):
            try:
                found.append(socket.create_connection(("127.0.0.1", self.server.port), 1, ("127.0.0.9", 0)))
            except OSError:
                break
        return found

    def examine(self, loads: list[Load]):
        end = time.monotonic() + 10
        client = Client(self.server, PATIENCE)
        while (answer := client.ask("PUT", "/collections/last")).status not in (200, 201):
            if time.monotonic() > end:
                self.wrong.append(f"{self.limit} files, afterwards: {answer}")
                return
            time.sleep(0.1)
        for load in loads:
            for path in load.stored:
                if (answer := client.ask("GET", path)).status != 200:
                    self.wrong.append(f"{self.limit} files, acknowledged {path}: {answer}")
            self.acknowledged += len(load.stored)
        client.close()

    def with_limit(self, limit: int):
        self.limit = limit
        folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-files-"))
        try:
            if not self.start(folder):
                return
            ended = threading.Event()
            loads = [Load(self, number, ended) for number in range(3)]
            for load in loads:
                load.start()
            time.sleep(self.seconds / 2)
            idle = self.idle()
            time.sleep(self.seconds / 2)
            for connection in idle:
                connection.close()
            ended.set()
            for load in loads:
                load.join()
            if not self.server.alive():
                self.wrong.append(f"{limit} files: the server has died: {(folder / 'log').read_text(encoding='utf-8')[-500:]}")
                return
            self.examine(loads)
            if code := self.server.stop():
                self.wrong.append(f"{limit} files: exit {code}")
            verified = subprocess.run([self.akin, "verify", "--all", "--data", folder / "data"], capture_output=True, check=False)
            if verified.returncode != 0:
                self.wrong.append(f"{limit} files: {(verified.stdout + verified.stderr).decode()}")
        finally:
            if hasattr(self, "server"):
                self.server.close()
            shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--akin", required=True, type=os.path.abspath)
    parser.add_argument("--limits", default=",".join(map(str, LIMITS)))
    parser.add_argument("--seconds", type=float, default=4)
    arguments = parser.parse_args()
    run = Run(arguments.akin, arguments.seconds)
    for limit in map(int, arguments.limits.split(",")):
        run.with_limit(limit)
    print(json.dumps({"answers": run.outcomes, "refused_to_start": run.refused_to_start, "acknowledged": run.acknowledged,
                      "slowest_seconds": round(run.slowest, 1), "wrong": run.wrong[:40]}, indent=1))
    return 1 if run.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
