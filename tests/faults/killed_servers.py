#!/usr/bin/env python3
"""Kills `akin serve` under a load of everything that today's default collection has, starts it again, and compares it with
an oracle.

    killed_servers.py --akin AKIN --kills 1000 [--seconds 0.6] [--seed 1] [--nodes 3 [--node-every 10]]

The collection has the default tiers, stored texts and stored files, a watch and a reindex or compaction now and then.
Clients put texts and files, also only if missing, load lines, delete, and check. After each restart each document has the
text and the file that the server acknowledged; the searches for some passages, and for all in the end, find exactly the
documents that have them; each check is as it was answered; and each document with the watched passage is in exactly one
event. Prints one JSON object, and exits with 1 if anything is otherwise; interrupted, it prints what it has so far.

With --nodes the collection is in an OpenSearch cluster of so many nodes, of which one is killed under the load, too, in every
tenth round: writes may then be refused with 503, or their answers be missing.
"""
import argparse
import collections
import concurrent.futures
import hashlib
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
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "e2e"))
import opensearch  # noqa: E402
from client import Answer, Client, docx  # noqa: E402
from server_process import ServerProcess  # noqa: E402

WORDS = sorted(set(re.findall(r"[а-яё]{4,}", (SOURCE / "sample" / "library" / "chekhov-misery.txt").read_text("utf-8").lower())))
PASSAGES = 24  # of which the first is watched
IDS = 30  # of each client
CLIENTS = 3
LOST = 8  # seconds without a node, at most
BLOCK = 25  # kills after which all passages are searched and the data are verified
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def passages(seed: int) -> list[str]:
    """Sentences of 20 words each, which share no run of words."""
    chance = random.Random(seed)
    return [" ".join(chance.sample(WORDS, 20)).capitalize() + "." for _ in range(PASSAGES)]


class Document:
    """What one id may hold: the text, its passages, and the SHA-256 of the file that it came from."""

    def __init__(self, text: str, its_passages: frozenset, file: bytes | None = None):
        self.text, self.passages = text, its_passages
        self.file = hashlib.sha256(file).hexdigest() if file else None
        self.revision = None  # as acknowledged


class Load:
    """Writes of one thread. `stored` has what was acknowledged by id (None: deleted), `open` all that may have been stored
    instead, without an answer that says so."""

    def __init__(self, run, number: int):
        self.run, self.number = run, number
        self.random = random.Random(run.seed * 1000 + number)
        self.stored, self.open = {}, collections.defaultdict(list)
        self.client = None

    def document(self, as_file: bool = False) -> tuple[Document, bytes | None]:
        chosen = self.random.sample(range(PASSAGES), self.random.randint(1, 3))
        own = " ".join(self.random.sample(WORDS, 15)).capitalize() + "."
        text = " ".join([own, *(self.run.passages[i] for i in chosen)])
        file = docx(text) if as_file else None
        return Document(text, frozenset(chosen), file), file

    def name(self) -> str:
        return f"w{self.number}-{self.random.randrange(IDS)}"

    def settle(self, name: str, document: Document | None, answer: Answer, *also_right: int):
        """Notes an answer; without one, or if the store was unavailable, both states remain possible."""
        if answer.status in (200, 201):
            if document:
                document.revision = answer.json["stored"]
            self.stored[name] = document
            self.run.acknowledged["deleted" if document is None else "file" if document.file else "text"] += 1
            self.open.pop(name, None)
        elif answer.status in also_right:
            self.open[name].remove(document)
        elif not self.run.excuses(answer):
            self.run.wrong.append(f"{name}: {answer}")

    def put(self, if_missing: bool = False):
        as_file = self.random.random() < 0.25
        name, (document, file) = self.name(), self.document(as_file)
        is_known = not self.open[name]
        self.open[name].append(document)
        fields = {"If_None_Match": "*"} if if_missing else {}
        kind = DOCX if as_file else "text/plain; charset=utf-8"
        answer = self.client.ask("PUT", f"/collections/c/documents/{name}", file or document.text, kind, **fields)
        is_there = self.stored.get(name) is not None
        if if_missing and is_known and answer.status in (201, 412) and (answer.status == 412) != is_there:
            self.run.wrong.append(f"{name}, if missing, {'with' if is_there else 'without'} a document: {answer}")
        self.settle(name, document, answer, *([412] if if_missing else []))

    def put_if_missing(self):
        self.put(True)

    def delete(self):
        name = self.name()
        may_be_missing = self.stored.get(name) is None or None in self.open[name]
        self.open[name].append(None)
        answer = self.client.ask("DELETE", f"/collections/c/documents/{name}")
        self.settle(name, None, Answer(200, b"") if answer.status == 404 and may_be_missing else answer)

    def bulk(self):
        batch = {self.name(): self.document()[0] for _ in range(8)}
        for name, document in batch.items():
            self.open[name].append(document)
        lines = "".join(json.dumps({"id": name, "text": document.text}) + "\n" for name, document in batch.items())
        answer = self.client.ask("POST", "/collections/c/bulk", lines, "application/x-ndjson")
        for line in answer.content.splitlines() if answer.status == 200 else []:
            said = json.loads(line)
            if said.get("status") in ("created", "replaced"):
                self.settle(said["id"], batch[said["id"]], Answer(200, line))
            elif "summary" not in said and not self.run.excuses(Answer(503, line)):
                self.run.wrong.append(f"bulk: {said}")

    def check(self):
        answer = self.client.ask("POST", "/checks", {"text": self.document()[0].text, "collections": ["c"]})
        if answer.status == 201:
            with self.run.lock:
                self.run.checks.append(answer.json)
            self.run.acknowledged["check"] += 1
        elif not self.run.excuses(answer):
            self.run.wrong.append(f"check: {answer}")

    def rebuild(self):
        """The answer is a task; 503 if too many wait."""
        answer = self.client.ask("POST", f"/collections/c/{self.random.choice(['compact', 'reindex'])}")
        if answer.status == 202:
            with self.run.lock:
                self.run.tasks.append(answer.json["id"])
            self.run.acknowledged["task"] += 1
        elif answer.status != 503 and not self.run.excuses(answer):
            self.run.wrong.append(f"task: {answer}")

    def work(self, ended: threading.Event):
        steps = [self.put] * 12 + [self.put_if_missing] * 4 + [self.delete] * 3 + [self.bulk] * 2 + [self.check] * 3
        steps += [self.rebuild] if self.number == 0 else []
        self.client = Client(self.run.server, timeout=300)
        while not ended.is_set() and not self.run.is_killed:
            self.random.choice(steps)()
        self.client.close()

    def compare(self, client: Client):
        """Each document is as acknowledged, or as the request without an answer made it; from now on it is known."""
        for name in sorted(self.stored.keys() | self.open.keys()):
            answer = client.ask("GET", f"/collections/c/documents/{name}")
            if answer.status not in (200, 404):
                self.run.wrong.append(f"{name}: {answer}")
                continue
            found = answer.json if answer.status == 200 else None
            allowed = [self.stored.get(name), *self.open.get(name, [])]
            for document in allowed:
                if (document and document.text) == (found and found["text"]):
                    self.stored[name] = document
                    if document:
                        self.compare_version(client, name, document, found)
                    break
            else:
                self.run.wrong.append(f"{name}: {answer} instead of {[one and one.text[:60] for one in allowed]}")
        self.open.clear()

    def compare_version(self, client: Client, name: str, document: Document, found: dict):
        if document.revision is None:
            document.revision = found["stored"]
        if document.revision != found["stored"]:
            self.run.wrong.append(f"{name}: stored {found['stored']}, acknowledged {document.revision}")
        file = client.ask("GET", f"/collections/c/files/{name}")
        digest = hashlib.sha256(file.content).hexdigest() if file.status == 200 else None
        if digest != document.file:
            self.run.wrong.append(f"{name}: the file is {digest}, not {document.file}: {file}")


class Run:
    def __init__(self, arguments):
        self.akin, self.seed, self.most = arguments.akin, arguments.seed, arguments.seconds
        self.random, self.passages = random.Random(self.seed), passages(self.seed)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-killed-servers-"))
        self.log = self.folder / "log"
        self.environment = {**os.environ, "AKIN_DATA": str(self.folder / "data"), "AKIN_LANG": "ru,en"}
        self.cluster, self.node_every, self.lost = None, arguments.node_every, None
        if arguments.nodes > 0:
            self.cluster = opensearch.Cluster(arguments.nodes)
            self.environment["AKIN_STORE"] = self.cluster.address("killed")
        self.acknowledged, self.compared, self.wrong = collections.Counter(), collections.Counter(), []
        self.checks, self.tasks, self.lock = [], [], threading.Lock()
        self.kills, self.is_killed, self.cursor, self.events = 0, False, "", collections.Counter()
        self.loads = [Load(self, number) for number in range(CLIENTS)]

    def start(self):
        with self.log.open("ab") as log:
            self.server = ServerProcess([self.akin, "serve", "--slow-query", "0", "--log-level", "warning"], log, env=self.environment)
        self.is_killed = False

    def excuses(self, answer: Answer) -> bool:
        """Whether a request may have failed for what was done to the server, or to the nodes that it needs."""
        return self.is_killed or (self.lost is not None and answer.status == 503)

    def lose_node(self):
        """Writes continue with the others for a while, or are refused until the cluster has noticed."""
        self.lost = self.random.randrange(len(self.cluster.processes))
        self.cluster.kill(self.lost)
        self.acknowledged["node lost"] += 1
        time.sleep(self.random.random() * LOST)

    def find_node(self):
        self.cluster.start(self.lost)
        self.cluster.wait_until_whole()

    def make(self):
        client = Client(self.server, timeout=300)
        client.must("PUT", "/collections/c", {"store_file": True})
        client.must("PUT", "/collections/c/watches/first", {"text": self.passages[0]})
        client.close()

    def kill(self):
        """Under load, at a random moment."""
        ended = threading.Event()
        with concurrent.futures.ThreadPoolExecutor() as threads:
            work = [threads.submit(load.work, ended) for load in self.loads]
            time.sleep(self.random.random() * self.most)
            if self.cluster and self.kills % self.node_every == self.node_every - 1:
                self.lose_node()
            self.is_killed = True
            self.server.kill()
            ended.set()
        for one in work:
            one.result()
        self.kills += 1
        if self.lost is not None:
            self.find_node()

    def documents(self) -> dict[str, Document]:
        return {name: document for load in self.loads for name, document in load.stored.items() if document}

    def compare_searches(self, client: Client, numbers):
        documents = self.documents()
        for number in numbers:
            answer = client.ask("POST", "/collections/c/similar?limit=1000", {"text": self.passages[number]})
            found = {one["id"] for one in answer.json["results"]} if answer.status == 200 else answer
            wanted = {name for name, document in documents.items() if number in document.passages}
            self.compared["search"] += 1
            if found != wanted:
                self.wrong.append(f"passage {number}: {found if answer.status != 200 else sorted(found ^ wanted)}")

    def compare_checks(self, client: Client):
        """Those since the last restart, and some of the earlier ones."""
        new, self.checks = self.checks, []
        for check in new + self.random.sample(self.old_checks, min(5, len(self.old_checks))):
            answer = client.ask("GET", f"/checks/{check['id']}")
            self.compared["check"] += 1
            if answer.status != 200 or answer.json != check:
                self.wrong.append(f"check {check['id']}: {answer}")
        self.old_checks = (self.old_checks + new)[-500:]
        for task in self.tasks:
            answer = client.ask("GET", f"/tasks/{task}")
            self.compared["task"] += 1
            if answer.status != 200 or (answer.json["status"] == "failed" and self.lost is None):
                self.wrong.append(f"task {task}: {answer}")
        self.tasks = []

    def read_events(self, client: Client):
        while True:
            page = client.must("GET", f"/collections/c/events?limit=1000&cursor={self.cursor}").json
            if page["missed"]:
                self.wrong.append(f"{page['missed']} events are missing")
            for event in page["events"]:
                self.events[event["document"]["id"], event["document"]["stored"]] += 1
            self.cursor = page["next"]
            if not page["more"]:
                return

    def compare_events(self, client: Client):
        """Each watched document that is there is in exactly one event, soon."""
        wanted = {(name, one.revision) for name, one in self.documents().items() if 0 in one.passages}
        end = time.monotonic() + 60
        while True:
            self.read_events(client)
            if wanted <= self.events.keys() or time.monotonic() > end:
                break
            time.sleep(0.05)
        self.compared["event"] += len(wanted)
        self.wrong += [f"no event for {one}" for one in sorted(wanted - self.events.keys())]
        self.wrong += [f"{count} events for {one}" for one, count in self.events.items() if count > 1]

    def compare(self, whole: bool):
        client = Client(self.server, timeout=300)
        for load in self.loads:
            load.compare(client)
        self.compared["document"] += len(self.documents())
        self.compare_searches(client, range(PASSAGES) if whole else self.random.sample(range(PASSAGES), 3))
        self.compare_checks(client)
        self.compare_events(client)
        client.close()
        if not whole:
            return
        verified = subprocess.run([self.akin, "verify", "--all"], env=self.environment, capture_output=True, text=True, check=False)
        if verified.returncode != 0:
            self.wrong.append(verified.stdout + verified.stderr)

    def run(self, kills: int):
        self.old_checks = []
        self.start()
        self.make()
        while self.kills < kills and not self.wrong:
            self.kill()
            self.start()
            self.compare(self.kills % BLOCK == 0 or self.kills == kills)
            self.lost = None
            if self.kills % BLOCK == 0:
                print(f"{self.kills} kills, {dict(self.acknowledged)}", file=sys.stderr, flush=True)
        self.server.stop(signal.SIGTERM)
        self.wrong += [line for line in self.log.read_text(encoding="utf-8").splitlines()
                       if ("[warning]" in line or "[error]" in line) and not (self.cluster and "cluster" in line)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--akin", required=True, type=os.path.abspath)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=0, help="of an OpenSearch cluster that has the collection; 0: a data folder")
    parser.add_argument("--node-every", type=int, default=10, help="rounds in which one of its nodes is killed, too")
    arguments = parser.parse_args()
    try:
        run = Run(arguments)
    except unittest.SkipTest as missing:
        print(missing)
        return 77
    begun = time.monotonic()
    try:
        run.run(arguments.kills)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    finally:
        run.server.close()
        if run.cluster:
            run.cluster.end()
        shutil.rmtree(run.folder, ignore_errors=True)
    print(json.dumps({
        "kills": run.kills, "acknowledged": run.acknowledged, "compared": run.compared, "events": sum(run.events.values()),
        "seconds": round(time.monotonic() - begun), "wrong": run.wrong[:50],
    }, indent=1))
    return 1 if run.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
