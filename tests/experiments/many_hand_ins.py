#!/usr/bin/env python3
"""Measures what searches of others wait while 200 cases are made that 20 keys hand in at once, and in which turns they are made.

    tests/experiments/many_hand_ins.py build/release/cli/akin

The first key hands in 105 cases before the other 19 hand in five each. A reader searches at a steady rate before, meanwhile and
after. Prints one JSON object; exits with 1 if a case is lost, or if among keys that have cases waiting one is served more than
two cases ahead of another. Ratios of one run: figures of a machine that others load are not comparable with those of another run.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "tests" / "e2e"), str(SOURCE / "tests" / "faults")]
from client import Client  # noqa: E402
from server_process import ServerProcess  # noqa: E402

KEYS, LARGE, SMALL, DOCUMENTS = 20, 105, 5, 300
PAUSE = 0.03  # between two searches
STORIES = " ".join(" ".join(path.read_text("utf-8").split()) for path in sorted((SOURCE / "sample" / "library").glob("*.txt")))


def passage(chance: random.Random, letters: int) -> str:
    begin = chance.randrange(len(STORIES) - letters)
    return STORIES[begin:begin + letters]


def percentile(seconds: list[float], share: float) -> float:
    return sorted(seconds)[min(len(seconds) - 1, int(share * len(seconds)))]


class Run:
    def __init__(self, akin: str, folder: pathlib.Path, seed: int):
        self.akin, self.data, self.chance = akin, folder / "data", random.Random(seed)
        self.keys = [self.key("check") for _ in range(KEYS)]
        self.reader, self.admin = self.key("read"), self.key("admin")
        self.server = ServerProcess([akin, "serve", "--data", self.data, "--log-level", "off"], env={**os.environ, "AKIN_LANG": "ru"})
        client = Client(self.server)
        client.must("PUT", "/collections/texts", Authorization=self.admin)
        for number in range(DOCUMENTS):
            client.put_text("texts", f"document-{number}", passage(self.chance, 20_000), Authorization=self.admin)
        client.close()

    def key(self, scope: str) -> str:
        made = subprocess.run([self.akin, "key", "create", "--scope", scope, "--json", "--data", self.data], check=True, capture_output=True)
        return "Bearer " + json.loads(made.stdout)["key"]

    def search(self, until) -> list[float]:
        """Seconds of each search, until `until` says so."""
        client, seconds = Client(self.server), []
        while not until(len(seconds)):
            query = passage(self.chance, 1_000)
            begin = time.perf_counter()
            client.must("POST", "/collections/texts/similar?limit=5", query, "text/plain; charset=utf-8", Authorization=self.reader)
            seconds.append(time.perf_counter() - begin)
            time.sleep(PAUSE)
        client.close()
        return seconds

    def hand_in(self, number: int, cases: int):
        client, chance = Client(self.server, timeout=300), random.Random(number)
        for _ in range(cases):
            text = passage(chance, chance.randrange(20_000, 60_000))
            client.must("POST", f"/checks?collections=texts&owner=key-{number}", text, "text/plain; charset=utf-8", Prefer="respond-async",
                        Authorization=self.keys[number])
        client.close()

    def waiting(self, client: Client) -> collections.Counter:
        listed = client.must("GET", "/checks?limit=1", Authorization=self.admin).json["waiting"]
        return collections.Counter(one["owner"] for one in listed)

    def work_off(self) -> tuple[int, float]:
        """The largest lead of a key over another that also had cases waiting, and the seconds until all were made."""
        begun = time.perf_counter()
        self.hand_in(0, LARGE)
        others = [threading.Thread(target=self.hand_in, args=(number, SMALL)) for number in range(1, KEYS)]
        for one in others:
            one.start()
        for one in others:
            one.join()
        client = Client(self.server)
        first, lead = self.waiting(client), 0
        while now := self.waiting(client):
            made = [first[owner] - left for owner, left in now.items()]
            lead = max(lead, max(made) - min(made))
            time.sleep(0.05)
        client.close()
        return lead, time.perf_counter() - begun


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("akin", type=os.path.abspath)
    parser.add_argument("--searches", type=int, default=400, help="before, and again after")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="akin-many-hand-ins-") as folder:
        run = Run(arguments.akin, pathlib.Path(folder), arguments.seed)
        try:
            run.search(lambda done: done == 50)  # warm
            idle = run.search(lambda done: done == arguments.searches)
            outcome, processor = [], run.server.processor_seconds()
            worker = threading.Thread(target=lambda: outcome.append(run.work_off()))
            worker.start()
            busy = run.search(lambda _: not worker.is_alive())
            worker.join()
            processor = run.server.processor_seconds() - processor
            idle += run.search(lambda done: done == arguments.searches)
            client = Client(run.server)
            total = client.must("GET", "/checks?limit=1", Authorization=run.admin).json["total"]
            client.close()
        finally:
            run.server.close()
    (lead, seconds) = outcome[0]
    figures = {f"{name}_p{int(100 * share)}_ms": round(1000 * percentile(of, share), 1)
               for name, of in (("idle", idle), ("busy", busy)) for share in (0.5, 0.99)}
    ratio = percentile(busy, 0.99) / percentile(idle, 0.99)
    print(json.dumps({"cases": total, "seconds": round(seconds, 1), "processor_seconds": round(processor, 1), "lead": lead,
                      "searches_meanwhile": len(busy), **figures, "p99_ratio": round(ratio, 2), "load": os.getloadavg()[0]}, indent=1))
    return 0 if total == LARGE + (KEYS - 1) * SMALL and lead <= 2 else 1


if __name__ == "__main__":
    sys.exit(main())
