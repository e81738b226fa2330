"""The rows of ./bench for the engines: one collection of pages of novels with planted reuse (made_pages.cpp) in a data folder, in a
PostgreSQL server and in an OpenSearch cluster of one node, one after the other on the same machine.

    python3 tests/bench/engines.py BUILD SCRATCH DOCUMENTS [--engines LMDB,PostgreSQL,OpenSearch] [--shards 1,4,16] [--warm 3]

With several numbers of shards, the cluster has the collection once with each: what a search costs all nodes of a larger cluster,
each of which has one. With --warm it gets the same documents so many times before, under another prefix, is asked each question
as often as it is measured with, and is measured when its node has compiled what it runs: as one that has served for a while.

Loaded by `akin import`, asked over HTTP by one client, each question three times, of which the shortest time counts. Processor
times are those of akin and of the engine's processes together, so that other work on the machine counts little. Answers, and the
sources of checks, are compared with those of the data folder, without the moments of their writing.
"""
import argparse
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER / "peers"), str(FOLDER.parent / "e2e")]
import exported  # noqa: E402
import opensearch  # noqa: E402
from postgresql import Postgresql  # noqa: E402
from server_process import ServerProcess  # noqa: E402

ROUNDS = 3
LEAST = 10_000
PUTS, BULKS, IN_BULK = 100, 5, 200
TICK = os.sysconf("SC_CLK_TCK")
MOMENTS = re.compile(rb'"(stored|revision|seconds|created)": ?("[^"]*"|[0-9.]+),? ?')
SIMILAR, CHECKS = "/v1/collections/default/similar", "/v1/checks"
ASKED = (("default search", SIMILAR, "page", {}), ("bound=3", SIMILAR + "?bound=3", "page", {}),
         ("check, ten pages", CHECKS, "ten pages", {"collections": ["default"]}))


class Engine:
    """An engine that runs from construction to stop()."""

    name = "LMDB"

    def __init__(self, scratch: pathlib.Path):
        self.folder = scratch / self.name
        self.folder.mkdir(parents=True)
        self.environment = {"AKIN_DATA": str(self.folder / "data")}

    def processes(self) -> list[int]:
        return []

    def processor_seconds(self) -> float:
        """Of its processes, and of those that these have ended."""
        total = 0
        for pid in self.processes():
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            total += sum(map(int, fields[11:15]))
        return total / TICK

    def resident_bytes(self) -> int:
        """Memory that nobody shares, and the buffers that its processes share, once."""
        total, shared = 0, 0
        for pid in self.processes():
            status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii")
            read = {name: int(kilobytes) for name, kilobytes in re.findall(r"^(RssAnon|RssShmem):\s+(\d+) kB", status, re.MULTILINE)}
            total, shared = total + read["RssAnon"], max(shared, read["RssShmem"])
        return 1024 * (total + shared)

    def disk_bytes(self) -> int:
        return sum(512 * file.stat().st_blocks for file in (self.folder / "data").rglob("*") if file.is_file())

    def stop(self) -> None:
        pass


class Database(Engine):
    name = "PostgreSQL"

    def __init__(self, scratch: pathlib.Path):
        super().__init__(scratch)
        self.server = Postgresql(self.folder, settings=("shared_buffers=2GB", "max_wal_size=8GB", "checkpoint_timeout=15min", "wal_compression=lz4"))
        self.environment["AKIN_STORE"] = self.server.address

    def processes(self) -> list[int]:
        of = self.server.process.pid
        return [of, *map(int, pathlib.Path(f"/proc/{of}/task/{of}/children").read_text(encoding="ascii").split())]

    def disk_bytes(self) -> int:
        return int(self.server.sql("SELECT pg_database_size(current_database())"))

    def stop(self) -> None:
        self.server.stop("immediate")


class Cluster(Engine):
    name = "OpenSearch"

    def __init__(self, scratch: pathlib.Path, shards: int = 1):
        self.name = "OpenSearch" if shards == 1 else f"OpenSearch of {shards} shards"
        super().__init__(scratch)
        self.cluster = opensearch.Cluster(1, heap="2g")
        self.cluster.ask("PUT", "/_index_template/tests", {"index_patterns": ["*"], "template": {"settings": {
            "number_of_shards": shards, "number_of_replicas": 0}}})
        self.environment["AKIN_STORE"] = self.cluster.address("bench")

    def warm_up(self, build: pathlib.Path, documents: pathlib.Path, questions: dict) -> None:
        environment = {**os.environ, "AKIN_LANG": "ru,en", **self.environment, "AKIN_STORE": self.cluster.address("warm")}
        with open(documents, "rb") as lines:
            subprocess.run([build / "cli/akin", "import", "-"], stdin=lines, stdout=subprocess.DEVNULL, check=True, env=environment)
        server = serve(build, environment)
        try:
            connection = server.connect(timeout=600)
            for _, path, kind, body in ASKED * ROUNDS:
                for question in questions[kind]:
                    connection.request("POST", path, json.dumps({"text": question["text"], **body}), {"Content-Type": "application/json"})
                    connection.getresponse().read()
        finally:
            server.close()
        for index in self.cluster.ask("GET", "/_cat/indices/warm-*?format=json"):
            self.cluster.ask("DELETE", "/" + index["index"])

    def processes(self) -> list[int]:
        return [self.cluster.processes[0].pid]

    def disk_bytes(self) -> int:
        self.cluster.ask("POST", "/bench-*/_flush")
        return self.cluster.ask("GET", "/bench-*/_stats/store")["_all"]["total"]["store"]["size_in_bytes"]

    def stop(self) -> None:
        self.cluster.end()


def serve(build: pathlib.Path, environment: dict) -> ServerProcess:
    return ServerProcess([build / "cli/akin", "serve", "--log-level", "warning", "--min-free-disk", "0"], env=environment)


class Measured:
    """One engine's figures and answers; `first` has those of the data folder."""

    def __init__(self, engine: Engine, build: pathlib.Path, documents: pathlib.Path, questions: dict, first: "Measured | None"):
        self.engine, self.build, self.first = engine, build, first
        self.figures, self.answers, self.equal = {}, [], 0
        self.environment = {**os.environ, "AKIN_LANG": "ru,en", **engine.environment}
        self.load(documents)
        self.server = serve(build, self.environment)
        try:
            self.connection = self.server.connect(timeout=600)
            self.ask_all(questions)
            self.put(questions["page"])
            self.row("memory", (self.server.bytes_of("RssAnon") + engine.resident_bytes()) / 2**20, "MiB",
                     f"resident after all of these; the engine's processes {engine.resident_bytes() / 2**20:.0f}")
        finally:
            self.server.close()
        if first is not None:
            self.row("equal answers", 100 * self.equal / len(self.answers), "%", f"of {len(self.answers)}: the same bytes", better="higher")

    def row(self, what: str, value: float, unit: str, how: str, better: str = "lower") -> None:
        self.figures[what] = value
        if self.first is not None and self.first.figures.get(what):
            how += f"; {value / self.first.figures[what]:.3g} times LMDB's"
        exported.row(f"engines: {what}, {self.engine.name}, documents {self.count}", value, unit, how, better)

    def load(self, documents: pathlib.Path) -> None:
        with open(documents, "rb") as lines:
            texts = [len(json.loads(line)["text"].encode()) for line in lines]
        self.count, size = len(texts), sum(texts)
        spent, begin = self.engine.processor_seconds(), time.monotonic()
        with open(documents, "rb") as lines:
            process = subprocess.Popen([self.build / "cli/akin", "import", "-"], stdin=lines, env=self.environment, stdout=subprocess.DEVNULL)
            _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"{self.engine.name}: cannot load")
        took, spent, own = time.monotonic() - begin, self.engine.processor_seconds() - spent, used.ru_utime + used.ru_stime
        self.row("load", size / 1e6 / took, "MB/s", f"{size / 1e6:.0f} MB of text in {took:.1f} s", "higher")
        self.row("load a second of processor time", size / 1e6 / (own + spent), "MB/s", f"akin {own:.1f} s, the engine {spent:.1f} s", "higher")
        self.row("disk", self.engine.disk_bytes() / size, "bytes/byte", f"{self.engine.disk_bytes() / 1e6:.0f} MB, texts kept, as loaded")

    def request(self, method: str, path: str, content: bytes, kind: str = "application/json") -> tuple[float, float, bytes]:
        """Milliseconds of wall time and of processor time, and the answer."""
        spent, begin = self.server.processor_seconds() + self.engine.processor_seconds(), time.monotonic()
        self.connection.request(method, path, content, {"Content-Type": kind})
        answer = self.connection.getresponse()
        read = answer.read()
        took = time.monotonic() - begin
        if answer.status not in (200, 201):
            raise RuntimeError(f"{path}: {answer.status} {read[:300]!r}")
        return 1000 * took, 1000 * (self.server.processor_seconds() + self.engine.processor_seconds() - spent), read

    def ask_all(self, questions: dict) -> None:
        for name, path, kind, body in ASKED:
            clock, spent = [], []
            for question in questions[kind]:
                content = json.dumps({"text": question["text"], **body}).encode()
                rounds = [self.request("POST", path, content) for _ in range(ROUNDS)]
                clock.append(min(took for took, _, _ in rounds))
                spent.append(sum(used for _, used, _ in rounds) / ROUNDS)
                answer = rounds[-1][2]
                self.compare(f"{name} {len(clock)}", MOMENTS.sub(b"", answer if path != CHECKS else json.dumps(json.loads(answer)["sources"]).encode()))
            self.row(name, exported.percentile(clock, 0.5), "ms", f"p50; p99 {exported.percentile(clock, 0.99):.3g} ms; "
                     f"{len(clock)} questions, shortest of {ROUNDS}")
            self.row(f"{name}, processor", sum(spent) / len(spent), "ms", "mean; akin and the engine")

    def compare(self, what: str, answer: bytes) -> None:
        self.answers.append(answer)
        if self.first is None:
            return
        expected = self.first.answers[len(self.answers) - 1]
        self.equal += answer == expected
        if answer != expected:
            at = len(os.path.commonprefix([answer, expected]))
            print(f"engines: {self.engine.name}, {what}: {answer[max(0, at - 200):at + 200]!r} instead of {expected[max(0, at - 200):at + 200]!r}",
                  file=sys.stderr)

    def put(self, questions: list) -> None:
        clock = []
        for number in range(PUTS):
            text = questions[number % len(questions)]["text"] + f" Put {number}."
            took, _, _ = self.request("PUT", f"/v1/collections/default/documents/put-{number}", text.encode(), "text/plain; charset=utf-8")
            clock.append(took)
        self.row("durable put", exported.percentile(clock, 0.5), "ms", f"p50 of {PUTS}; p99 {exported.percentile(clock, 0.99):.3g} ms; one client")
        rates = []
        for bulk in range(BULKS):
            lines = "".join(json.dumps({"id": f"bulk-{bulk}-{number}", "text": questions[number % len(questions)]["text"]}) + "\n"
                            for number in range(IN_BULK))
            took, _, _ = self.request("POST", "/v1/collections/default/bulk", lines.encode(), "application/x-ndjson")
            rates.append(1000 * IN_BULK / took)
        self.row("bulk puts", max(rates), "documents/s", f"best of {BULKS} requests of {IN_BULK} lines", "higher")


def measure(arguments: argparse.Namespace, documents: int) -> None:
    folder = arguments.scratch / f"engines-{documents}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    corpora = os.environ.get("AKIN_CORPORA") or FOLDER.parents[1] / "build/corpora/corpora"
    with open(folder / "documents", "wb") as made:
        subprocess.run([arguments.build / "tests/bench/http/made_pages", corpora, "pages", str(documents), folder / "questions"],
                       stdout=made, check=True)
    with open(folder / "questions", encoding="utf-8") as lines:
        asked = [json.loads(line) for line in lines]
    questions = {kind: [one for one in asked if one["kind"] == kind][:most] for kind, most in (("page", 100), ("ten pages", 20))}
    first = None
    engines = [engine for engine in (Engine, Database) if engine.name in arguments.engines]
    if Cluster.name in arguments.engines:
        engines += [functools.partial(Cluster, shards=shards) for shards in arguments.shards]
    for engine in engines:
        try:
            running = engine(folder)
        except unittest.SkipTest as missing:
            print(f"engines: {missing}", file=sys.stderr)
            continue
        try:
            for _ in range(arguments.warm if isinstance(running, Cluster) else 0):
                running.warm_up(arguments.build, folder / "documents", questions)
            measured = Measured(running, arguments.build, folder / "documents", questions, first)
            first = first or measured
        finally:
            running.stop()
            shutil.rmtree(running.folder, ignore_errors=True)
    shutil.rmtree(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("documents", type=int)
    parser.add_argument("--engines", default="LMDB,PostgreSQL,OpenSearch", type=lambda names: names.split(","))
    parser.add_argument("--shards", default="1", type=lambda numbers: list(map(int, numbers.split(","))))
    parser.add_argument("--warm", type=int, default=0)
    arguments = parser.parse_args()
    for program in ("cli/akin", "tests/bench/http/made_pages"):
        if not (arguments.build / program).exists():
            exported.skip(f"{arguments.build / program} is not built")
    for power in range(10):
        if LEAST * 10**power <= arguments.documents:
            measure(arguments, LEAST * 10**power)


if __name__ == "__main__":
    main()
