#!/usr/bin/env python3
"""Kills commands that work on a collection beside a running `akin serve`, and now and then the server, and checks that
nothing that the server acknowledged is lost.

    killed_commands.py --akin AKIN --library libakin_delays.so --kills 1000 [--one-in 16] [--seed 1]

Two clients put and delete documents. Beside them, one after the other, `akin reindex`, `akin compact` and `akin index`
run, and are killed after up to 0.35 s. The library delays one in so many of their file calls, and of the server's.
Prints one JSON object, and exits with 1 if a document is not as acknowledged, a request was refused, `akin verify`
found damage, or the server warned of something.
"""
import argparse
import concurrent.futures
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "e2e"))
from server_process import ServerProcess  # noqa: E402

WORDS = re.findall(r"\w+", (SOURCE / "sample" / "query.txt").read_text(encoding="utf-8"))
IDS = 40  # of each client
MOST_SECONDS = 0.35
KILLS_OF_A_BLOCK = 15  # after each block, all documents are compared
CLIENTS = 2


class Client:
    """Writes of one thread. `stored` has what the server has acknowledged by id (None: deleted), `open` what it may
    have stored instead, without an answer."""

    def __init__(self, run, number: int):
        self.run, self.number = run, number
        self.random = random.Random(run.seed * 1000 + number)
        self.stored, self.open, self.acknowledged, self.refused = {}, {}, 0, []

    def write(self, connection):
        name = f"w{self.number}-{self.random.randrange(IDS)}"
        text = " ".join(self.random.choices(WORDS, k=60)) + "." if self.random.random() < 0.75 else None
        self.open[name] = text
        if text is None:
            connection.request("DELETE", f"/v1/collections/c/documents/{name}")
        else:
            connection.request("PUT", f"/v1/collections/c/documents/{name}", text.encode(),
                               {"Content-Type": "text/plain; charset=utf-8"})
        answer = connection.getresponse()
        content = answer.read()
        del self.open[name]
        if answer.status in (200, 201, 204) or (text is None and answer.status == 404):
            self.stored[name] = text
            self.acknowledged += 1
        else:
            self.refused.append(f"{answer.status} {content.decode()}")

    def work(self, ended: threading.Event):
        try:
            connection = self.run.connect()
            while not ended.is_set():
                self.write(connection)
        except (OSError, http.client.HTTPException) as failure:
            if not self.run.is_killed:
                self.refused.append(repr(failure))

    def compare(self) -> list[str]:
        connection = self.run.connect()
        wrong = []
        for name in sorted(self.stored.keys() | self.open.keys()):
            connection.request("GET", f"/v1/collections/c/documents/{name}")
            answer = connection.getresponse()
            content = json.loads(answer.read())
            found = content["text"] if answer.status == 200 else None
            if answer.status not in (200, 404) or found not in (self.stored.get(name), self.open.get(name, found)):
                wrong.append(f"{name}: {answer.status}, {found!r} instead of {self.stored.get(name)!r}")
            self.stored[name] = found
        self.open.clear()
        return wrong


class Run:
    def __init__(self, arguments):
        self.akin, self.seed = arguments.akin, arguments.seed
        self.random = random.Random(self.seed)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-killed-"))
        self.log = self.folder / "log"
        self.environment = {**os.environ, "AKIN_DATA": str(self.folder / "data"), "AKIN_LANG": "en"}
        self.delayed = {**self.environment, "LD_PRELOAD": arguments.library, "AKIN_DELAYS": str(arguments.one_in)}
        self.kills, self.ends, self.is_killed = 0, 0, False

    def start(self):
        with self.log.open("ab") as log:
            self.server = ServerProcess([self.akin, "serve", "--slow-query", "0"], log, env=self.delayed)
        self.is_killed = False

    def connect(self) -> http.client.HTTPConnection:
        return self.server.connect(timeout=120)

    def stop(self, how: int):
        self.is_killed = True
        self.server.stop(how)

    def command(self, *words: str) -> subprocess.Popen:
        return subprocess.Popen([self.akin, *words, "--collection", "c"], env=self.delayed, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def kill_commands(self, kills: int):
        commands = [("reindex",), ("reindex", "--scheme", "sentences"), ("compact",),
                    ("index", str(SOURCE / "sample" / "query.txt"))]
        goal = self.kills + kills
        while self.kills < goal:
            with self.command(*self.random.choice(commands)) as process:
                try:
                    process.wait(self.random.random() * MOST_SECONDS)
                    self.ends += 1
                except subprocess.TimeoutExpired:
                    process.kill()
                    self.kills += 1

    def block(self, clients: list[Client], kills: int, also_the_server: bool) -> list[str]:
        ended = threading.Event()
        with concurrent.futures.ThreadPoolExecutor() as threads:
            work = [threads.submit(client.work, ended) for client in clients]
            self.kill_commands(kills)
            if also_the_server:
                self.stop(signal.SIGKILL)
            ended.set()
        for one in work:
            one.result()
        if also_the_server:
            self.start()
        wrong = [line for client in clients for line in client.compare()]
        verified = subprocess.run([self.akin, "verify", "--collection", "c"], env=self.environment,
                                  capture_output=True, text=True, check=False)
        return wrong if verified.returncode == 0 else [*wrong, verified.stdout + verified.stderr]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--akin", required=True, type=os.path.abspath)
    parser.add_argument("--library", required=True, type=os.path.abspath)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--one-in", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    run = Run(arguments)
    begun = time.monotonic()
    clients = [Client(run, number) for number in range(CLIENTS)]
    wrong, blocks = [], 0
    try:
        subprocess.run([run.akin, "index", SOURCE / "sample" / "query.txt", "--collection", "c"], check=True,
                       env=run.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        run.start()
        while run.kills < arguments.kills and not wrong:
            wrong += run.block(clients, min(KILLS_OF_A_BLOCK, arguments.kills - run.kills), blocks % 2 == 1)
            wrong += [line for client in clients for line in client.refused]
            blocks += 1
        run.stop(signal.SIGTERM)
        wrong += [line for line in run.log.read_text(encoding="utf-8").splitlines()
                  if "[warning]" in line or "[error]" in line]
    finally:
        run.server.close()
        shutil.rmtree(run.folder, ignore_errors=True)
    print(json.dumps({
        "kills_of_commands": run.kills, "commands_that_ended": run.ends, "kills_of_the_server": blocks // 2,
        "acknowledged": sum(client.acknowledged for client in clients), "seconds": round(time.monotonic() - begun),
        "wrong": wrong,
    }, indent=1))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
