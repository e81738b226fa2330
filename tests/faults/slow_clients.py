#!/usr/bin/env python3
"""Slow clients beside honest ones: what honest requests take while others hold all that a server shares.

    slow_clients.py --akin AKIN [--seconds 10] [--attack NAME]… [--source ADDRESS]

Attacks, from an address other than that of the honest clients unless --source names another one:
    bodies    16 bodies of 64 MiB, announced and sent at 17 kB/s
    held      8 bodies of 64 MiB, of which all but 4 MiB is sent at once and the rest at 17 kB/s
    streams   16 streams that send a byte each half a second
    answers   200 requests for a document of 30 MB by clients that do not read
    files     32 requests whose PDF takes a minute to read
    log       nobody reads the pipe that stderr is

Four honest clients put, load, search, by text and by file, and read. Prints one JSON object: latencies in ms without
and with each attack, failures by status, memory. Exits with 1 if an honest request failed, if the memory grew by more
than 700 MB, or if the server refused an attack before it could do harm.
"""
import argparse
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "e2e"))
from server_process import ServerProcess  # noqa: E402
from slow_pdf import slow_pdf  # noqa: E402

WORDS = re.findall(r"\w+", (SOURCE / "sample" / "query.txt").read_text(encoding="utf-8"))
MEBIBYTE = 1 << 20
MOST_GROWTH = 700 * 1000 * 1000
RATE = 17_000


class Server(ServerProcess):
    def __init__(self, akin: str, folder: pathlib.Path):
        environment = {**os.environ, "AKIN_DATA": str(folder / "data"), "AKIN_LANG": "en"}
        super().__init__([akin, "serve"], subprocess.PIPE, env=environment)
        self.reads_files = pathlib.Path(akin).with_name("akin-extract").exists()
        self.reading = threading.Event()
        self.reading.set()
        threading.Thread(target=self.read_log, daemon=True).start()

    def read_log(self):
        while self.alive():
            self.reading.wait()
            self.process.stderr.read1(65536)

    def memory(self) -> int:
        return self.bytes_of("VmRSS")


class Honest(threading.Thread):
    """A client that does one thing after another, with a pause between them."""

    def __init__(self, server: Server, number: int, ended: threading.Event):
        super().__init__()
        self.port, self.files, self.number, self.ended = server.port, server.reads_files, number, ended
        self.random = random.Random(number)
        self.seconds, self.failures = [], {}

    def text(self) -> str:
        return " ".join(self.random.choices(WORDS, k=60)) + "."

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        count = 0
        while not self.ended.is_set():
            count += 1
            name = f"h{self.number}-{count % 50}"
            documents = "/v1/collections/c/documents"
            lines = "".join(json.dumps({"id": f"{name}-{n}", "text": self.text()}) + "\n" for n in range(5))
            method, path, body, kind = [
                ("PUT", f"{documents}/{name}", self.text(), "text/plain"),
                ("POST", "/v1/collections/c/bulk", lines, "application/x-ndjson"),
                ("POST", "/v1/collections/c/similar", self.text(), "text/plain"),
                ("GET", documents, "", ""),
                ("POST", "/v1/collections/c/similar", "{\\rtf1 " + self.text() + "}", "application/rtf"),
            ][count % (5 if self.files else 4)]
            begun = time.monotonic()
            try:
                connection.request(method, path, body.encode() or None, {"Content-Type": kind} if kind else {})
                answer = connection.getresponse()
                answer.read()
                outcome = answer.status
            except (OSError, http.client.HTTPException) as failure:
                outcome = type(failure).__name__
                connection.close()
            self.seconds.append(time.monotonic() - begun)
            if outcome not in (200, 201):
                self.failures[str(outcome)] = self.failures.get(str(outcome), 0) + 1
            time.sleep(0.02)


class Attacker(threading.Thread):
    """Connects again whenever it is cut off."""

    def __init__(self, port: int, source: str, attack: str, ended: threading.Event):
        super().__init__(daemon=True)
        self.port, self.source, self.attack, self.ended = port, source, attack, ended
        self.cuts = 0
        self.refusals = set()

    def note(self, answer: bytes):
        """An attack that the server does not admit is none."""
        if status := re.match(rb"HTTP/1.1 (400|401|403|404|415|421|422) ", answer):
            self.refusals.add(int(status.group(1)))

    def run(self):
        while not self.ended.is_set():
            try:
                with socket.create_connection(("127.0.0.1", self.port), 30, (self.source, 0)) as connection:
                    getattr(self, self.attack)(connection)
            except OSError:
                pass
            self.cuts += 1
            self.ended.wait(0.05)

    def announce(self, connection):
        connection.sendall(b"PUT /v1/collections/c/documents/attack HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
                           + f"Content-Length: {64 * MEBIBYTE}\r\n\r\n".encode())

    def dribble(self, connection, piece: bytes, pause: float):
        connection.settimeout(0.001)
        while not self.ended.is_set():
            connection.sendall(piece)
            try:
                answer = connection.recv(4096)
                self.note(answer)
                if not answer:
                    return
            except TimeoutError:
                pass
            self.ended.wait(pause)

    def bodies(self, connection):
        self.announce(connection)
        self.dribble(connection, b"x" * (RATE // 10), 0.1)

    def held(self, connection):
        self.announce(connection)
        for _ in range(60):
            connection.sendall(b"x" * MEBIBYTE)
        self.dribble(connection, b"x" * (RATE // 10), 0.1)

    def streams(self, connection):
        connection.sendall(b"POST /v1/collections/c/bulk HTTP/1.1\r\nHost: localhost\r\n"
                           b"Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n")
        self.dribble(connection, b"1\r\n \r\n", 0.5)

    def answers(self, connection):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(b"GET /v1/collections/c/documents/large?include=text HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while not self.ended.wait(0.2):
            if connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] != 1:  # no longer established
                return


    def files(self, connection):
        pdf = slow_pdf()
        connection.sendall(b"POST /v1/collections/c/similar HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/pdf\r\n"
                           + f"Content-Length: {len(pdf)}\r\n\r\n".encode() + pdf)
        connection.settimeout(0.2)
        while not self.ended.is_set():
            try:
                self.note(connection.recv(4096))
                return
            except TimeoutError:
                pass


def measure(server: Server, seconds: float, attackers: list[Attacker]) -> dict:
    ended = threading.Event()
    clients = [Honest(server, number, ended) for number in range(4)]
    for client in clients:
        client.start()
    most = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        most = max(most, server.memory())
        time.sleep(0.1)
    ended.set()
    for client in clients:
        client.join()
    times = sorted(time for client in clients for time in client.seconds)
    failures = {}
    for client in clients:
        for outcome, count in client.failures.items():
            failures[outcome] = failures.get(outcome, 0) + count
    return {
        "requests": len(times), "failures": failures,
        "ms_p50": round(1000 * times[len(times) // 2], 1), "ms_p99": round(1000 * times[len(times) * 99 // 100], 1),
        "ms_max": round(1000 * times[-1], 1), "memory_mb": most // 10**6,
        "reconnections": sum(attacker.cuts for attacker in attackers),
    }


COUNTS = {"bodies": 16, "held": 8, "streams": 16, "answers": 200, "files": 32, "log": 0}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--akin", required=True, type=os.path.abspath)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--attack", action="append", choices=list(COUNTS))
    parser.add_argument("--source", default="127.0.0.2")
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-slow-"))
    server = Server(arguments.akin, folder)
    result, bad = {}, False
    try:
        first = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        for path, body in (("", b""), ("/documents/large", " ".join(WORDS).encode() * (30_000_000 // len(" ".join(WORDS).encode())))):
            first.request("PUT", "/v1/collections/c" + path, body or None, {"Content-Type": "text/plain"} if body else {})
            answer = first.getresponse()
            answer.read()
            assert answer.status == 201, answer.status
        measure(server, 2, [])
        result["idle"] = measure(server, arguments.seconds, [])
        for attack in arguments.attack or COUNTS:
            if attack == "files" and not server.reads_files:
                continue
            ended = threading.Event()
            attackers = [Attacker(server.port, arguments.source, attack, ended) for _ in range(COUNTS[attack])]
            for attacker in attackers:
                attacker.start()
            if attack == "log":
                server.reading.clear()
            time.sleep(2)
            figures = measure(server, arguments.seconds, attackers)
            ended.set()
            server.reading.set()
            figures["p99_ratio"] = round(figures["ms_p99"] / result["idle"]["ms_p99"], 2)
            result[attack] = figures
            if refusals := set().union(*(attacker.refusals for attacker in attackers)):
                figures["attack_refused"] = sorted(refusals)
                bad = True
            growth = (figures["memory_mb"] - result["idle"]["memory_mb"]) * 10**6
            bad = bad or bool(figures["failures"]) or growth > MOST_GROWTH
            time.sleep(2)
    finally:
        server.close()
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(result, indent=1))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
