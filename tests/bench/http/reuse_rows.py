"""The rows of ./bench for reuse: searches and checks as a client without parameters makes them, over pages of novels with planted
reuse (made_pages.cpp), in collections of 10,000 documents and more; what one page in all documents, 1,000 copies of one text and
a whole novel as the question cost.

    python3 tests/bench/http/reuse_rows.py BUILD SCRATCH DOCUMENTS

One client asks each question three times. Of these, the shortest time counts, wall time and processor time of the server, so that
other work on the machine counts little.
"""
import http.client
import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import time

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER.parent / "peers"), str(FOLDER.parents[1] / "e2e")]
import exported  # noqa: E402
from server_process import ServerProcess  # noqa: E402

ROUNDS = 3
LEAST = 10_000
KINDS = ("page", "ten pages", "novel", "copies", "without licence", "with licence")


class Asked:
    """What the questions of one kind took and found."""

    def __init__(self, server: ServerProcess, path: str, questions: list[dict], **body):
        self.clock, self.processor, self.first = [], [], []
        self.found = self.planted = self.listed = 0
        connection = server.connect(timeout=600)
        for question in questions:
            content = json.dumps({"text": question["text"], **body}).encode()
            rounds = [self.ask(server, connection, path, content) for _ in range(ROUNDS)]
            answer = rounds[0][2]
            hits = {hit["id"] for hit in answer.get("results", answer.get("sources", []))}
            planted = set(question["sources"])  # one document may have two of the passages
            self.found += len(hits & planted)
            self.planted += len(planted)
            self.listed += answer.get("total") or len(hits)
            self.first.append(rounds[0][0])
            self.clock.append(min(clock for clock, _, _ in rounds))
            self.processor.append(min(processor for _, processor, _ in rounds))
        connection.close()

    @staticmethod
    def ask(server: ServerProcess, connection: http.client.HTTPConnection, path: str, content: bytes) -> tuple[float, float, dict]:
        """Milliseconds of wall time and of processor time, and the answer."""
        spent, begin = server.processor_seconds(), time.monotonic()
        connection.request("POST", path, content, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        read = answer.read()
        took = time.monotonic() - begin
        if answer.status not in (200, 201):
            raise RuntimeError(f"{path}: {answer.status} {read[:300]!r}")
        return 1000 * took, 1000 * (server.processor_seconds() - spent), json.loads(read)

    def rows(self, name: str, goals: tuple = (None, None)) -> None:
        for part, goal in zip((0.5, 0.99), goals):
            exported.row(f"{name}, p{100 * part:.0f}", exported.percentile(self.clock, part), "ms",
                         f"processor {exported.percentile(self.processor, part):.3g} ms; {len(self.clock)} questions, asked for the "
                         f"first time {exported.percentile(self.first, part):.3g} ms, {self.listed / len(self.clock):.3g} hits", goal=goal)
        if self.planted:
            exported.row(f"{name}, planted passages found", 100 * self.found / self.planted, "%", f"of {self.planted}", better="higher")


class Collection:
    """Documents of one shape, imported and served."""

    def __init__(self, build: pathlib.Path, scratch: pathlib.Path, shape: str, documents: int):
        self.documents, self.shape = documents, shape
        self.folder = scratch / f"{shape}-{documents}"
        self.folder.mkdir()
        self.environment = {**os.environ, "AKIN_DATA": str(self.folder / "data"), "AKIN_LANG": "ru,en"}
        self.program = build / "cli/akin"
        corpora = os.environ.get("AKIN_CORPORA") or FOLDER.parents[2] / "build/corpora/corpora"
        self.make([build / "tests/bench/http/made_pages", corpora, shape, documents, self.folder / "questions"])
        with open(self.folder / "questions", encoding="utf-8") as lines:
            questions = [json.loads(line) for line in lines]
        self.questions = {kind: [one for one in questions if one["kind"] == kind] for kind in KINDS}

    def make(self, maker: list) -> None:
        """Texts go through a pipe: the import has to wait for them, so its processor time is what counts."""
        made = subprocess.Popen(list(map(str, maker)), stdout=subprocess.PIPE)
        count = subprocess.Popen([sys.executable, "-c", COUNTING, self.folder / "bytes"], stdin=made.stdout, stdout=subprocess.PIPE)
        made.stdout.close()
        imported = subprocess.Popen([self.program, "import", "-"], stdin=count.stdout, env=self.environment, stdout=subprocess.DEVNULL)
        count.stdout.close()
        _, status, used = os.wait4(imported.pid, 0)
        imported.returncode = os.waitstatus_to_exitcode(status)
        if imported.returncode or made.wait() or count.wait():
            raise RuntimeError(f"cannot make {self.folder.name}")
        self.report(int((self.folder / "bytes").read_text()), used)

    def report(self, size: int, used: resource.struct_rusage) -> None:
        if self.shape != "pages":
            return
        spent = used.ru_utime + used.ru_stime
        exported.row(f"reuse: bulk load of {self.size}", size / 1e6 / spent, "MB/s", f"a second of processor time; {size / 1e6:.0f} MB of JSON "
                     f"in {spent:.1f} s, {used.ru_maxrss / 1024:.0f} MiB resident", better="higher")
        disk = sum(512 * file.stat().st_blocks for file in (self.folder / "data").rglob("*") if file.is_file())
        exported.row(f"reuse: disk of {self.size}", disk / size, "bytes/byte", f"{disk / 1e6:.0f} MB for {size / 1e6:.0f} MB of JSON, texts "
                     "kept", goal=1.0)

    @property
    def size(self) -> str:
        return f"documents {self.documents}"

    def serve(self) -> ServerProcess:
        return ServerProcess([self.program, "serve", "--log-level", "warning", "--min-free-disk", "0"], env=self.environment)


COUNTING = """
import sys
total = 0
while block := sys.stdin.buffer.read1(1 << 20):
    total += len(block)
    sys.stdout.buffer.write(block)
open(sys.argv[1], "w").write(str(total))
"""
SIMILAR = "/v1/collections/default/similar"
CHECKS = "/v1/checks"


def abandoned(server: ServerProcess, question: dict) -> float:
    """Milliseconds of processor time that the server spends on a check after its client has left, the most of five."""
    most = 0.0
    for _ in range(5):
        connection = server.connect()
        connection.request("POST", CHECKS, json.dumps({"text": question["text"], "collections": ["default"]}).encode(),
                           {"Content-Type": "application/json"})
        time.sleep(0.05)
        connection.close()
        left, rests = server.processor_seconds(), 0
        spent = left
        while rests < 20:
            time.sleep(0.01)
            before, spent = spent, server.processor_seconds()
            rests = rests + 1 if spent - before < 0.0002 else 0
        most = max(most, spent - left)
    return 1000 * most


def seven_words(question: dict) -> dict:
    """So few that the codes of all words are read."""
    return {"text": " ".join(question["text"].split()[100:107]), "sources": []}


def pages(collection: Collection) -> Asked:
    server = collection.serve()
    size, asked = collection.size, collection.questions
    large = collection.documents >= 1_000_000
    try:
        found = Asked(server, SIMILAR, asked["page"])
        found.rows(f"reuse: similar, a page, {size}", (2, 10) if large else (None, None))
        Asked(server, SIMILAR, [seven_words(one) for one in asked["page"][:100]]).rows(f"reuse: similar, seven words, {size}")
        bound = Asked(server, SIMILAR + "?bound=3", asked["page"])
        bound.rows(f"reuse: similar?bound=3, a page, {size}")
        for part, goal in ((0.5, 2), (0.99, 3)):
            ratio = [exported.percentile(one.processor, part) for one in (found, bound)]
            exported.row(f"reuse: similar over similar?bound=3, p{100 * part:.0f}, {size}", ratio[0] / ratio[1], "ratio",
                         f"processor, {ratio[0]:.3g} over {ratio[1]:.3g} ms", goal=goal)
        Asked(server, CHECKS, asked["ten pages"], collections=["default"]).rows(
            f"reuse: check, ten pages, {size}", (8, 30) if large else (None, None))
        novel = 400 if large else 200
        Asked(server, SIMILAR + "?limit=1000", asked["novel"]).rows(f"reuse: similar, a novel, {size}", (novel, novel))
        Asked(server, CHECKS, asked["novel"], collections=["default"]).rows(f"reuse: check, a novel, {size}", (novel, novel))
        Asked(server, SIMILAR, asked["copies"]).rows(f"reuse: similar, 1,000 copies, {size}", (5, 5))
        Asked(server, CHECKS, asked["copies"], collections=["default"]).rows(f"reuse: check, 1,000 copies, {size}", (5, 5))
        exported.row(f"reuse: an abandoned check of a novel, {size}", abandoned(server, asked["novel"][0]), "ms",
                     "processor time after the client has left, the most of 5", goal=100)
        exported.row(f"reuse: resident memory, {size}", server.bytes_of("RssAnon") / 2**20, "MiB", "anonymous, after all of these")
    finally:
        server.stop()
    return found


def licensed(collection: Collection) -> None:
    server = collection.serve()
    more = 15 if collection.documents >= 1_000_000 else 5
    try:
        before = server.bytes_of("RssAnon")
        for name, path, body in (("similar", SIMILAR, {}), ("check", CHECKS, {"collections": ["default"]})):
            asked = {kind: Asked(server, path, collection.questions[kind], **body) for kind in ("without licence", "with licence")}
            for kind, one in asked.items():
                one.rows(f"reuse: {name} where all have one licence, a page {kind}, {collection.size}")
            half = [exported.percentile(one.processor, 0.5) for one in asked.values()]
            exported.row(f"reuse: {name}, what the licence adds, {collection.size}", half[1] - half[0], "ms",
                         f"processor, {half[1]:.3g} after {half[0]:.3g} ms", goal=more)
        exported.row(f"reuse: memory that these took, {collection.size}", (server.bytes_of("RssAnon") - before) / 2**20, "MiB", "anonymous")
    finally:
        server.stop()


def main() -> None:
    build, scratch, documents = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
    for program in ("cli/akin", "tests/bench/http/made_pages"):
        if not (build / program).exists():
            exported.skip(f"{build / program} is not built")
    sizes = [LEAST * 10**power for power in range(10) if LEAST * 10**power <= documents]
    asked = {}
    for size in sizes:
        asked[size] = pages(Collection(build, scratch, "pages", size))
        licensed(Collection(build, scratch, "licence", size))
    if len(sizes) > 1:
        spent = [exported.percentile(asked[size].processor, 0.5) for size in (sizes[0], sizes[-1])]
        exported.row("reuse: growth of processor time a search", math.log(spent[1] / spent[0]) / math.log(sizes[-1] / sizes[0]), "n^",
                     f"p50 {spent[0]:.3g} to {spent[1]:.3g} ms from {sizes[0]} to {sizes[-1]} documents", goal=0.25)


if __name__ == "__main__":
    main()
