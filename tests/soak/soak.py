"""Puts a server under a mixed load for a while and judges every answer by an oracle that knows what must be found.

    python3 tests/soak/soak.py --akin build/release/cli/akin --seconds 60
    python3 tests/soak/soak.py --akin build/release/cli/akin --seconds 3600 --load 0.3 --json soak.json

Threads store, remove, read and search documents of one collection, singly and in bulk, with filters, conditions and keys,
while it is reindexed with one scheme and the other, compacted, backed up, and asked for all pairs. What they must find
follows from the numbers that the texts are made of (texts.py, oracle.py). Prints a table; exit 0 only if no answer was
wrong, nothing failed but by 408, 429 and 503, memory, files and disk were flat (report.py) and the data verify.
"""
import argparse
import pathlib
import random
import re
import shutil
import signal
import sys
import tempfile
import time

import judge
import report
import texts
from administrator import Administrator, exported
from client import COLLECTION, PATH, WITNESS, Client, Tally
from operations import Shared, Worker, make_ids
from oracle import Oracle
from server import Server

USUAL = {"ok", "408", "429", "503", "killed", "told in part", "cancelled", "forgotten", "interrupted", "failed"}


class Run(Shared):
    """Everything of one run."""

    def __init__(self, options, folder: pathlib.Path):
        self.options = options
        server = Server(options.akin, folder, options.lang)
        writer = texts.Writer(universe=max(200, 5 * options.documents))
        super().__init__(server, Oracle("sentence-pairs"), Oracle("sentence-pairs"), Tally(), make_keys(server), writer,
                         make_ids(options.workers, options.documents // options.workers))
        self.without = options.without.split(",")
        (folder / "backups").mkdir()
        server.start()
        self.watcher = Client(server, self.tally, self.keys["admin"])

    def fill(self):
        """Both collections, with the first documents."""
        setup = Client(self.server, self.tally, self.keys["admin"])
        for path in (PATH, WITNESS):
            setup.call("make", "PUT", path, {"scheme": "sentence-pairs"}, expect=(201,))
        setup.close()
        worker = Worker(self, 0, self.options.seed)
        every = [id_ for ids in self.ids for id_ in ids]
        for at in range(0, len(every), 500):
            worker.bulk(every[at:at + 500])
        for n in range(100):
            numbers = self.writer.numbers(worker.random)
            text = texts.write(numbers, worker.random)
            version = self.witness.begin_write(f"w{n}", numbers, text)
            worker.client.call("put", "PUT", f"{WITNESS}/documents/w{n}", text, expect=(201,))
            self.witness.done(version)
        worker.client.close()

    def figures(self) -> dict:
        """What /metrics reports about the collection."""
        try:
            lines = self.watcher.call("metrics", "GET", "/metrics").body.decode()
        except Exception:  # the server is being killed
            return {}
        found = re.findall(rf'^akin_collection_(\w+){{collection="{COLLECTION}"}} (\S+)', lines, re.M)
        return {name: int(float(value)) for name, value in found if name in (
            "documents", "runs", "recent_postings", "dead_documents")}

    def finish(self):
        """When all has come to rest there is one state, and everything must be it."""
        worker = Worker(self, 0, self.options.seed)
        worker.list()
        worker.client.close()
        with self.oracle.reading() as read:
            code = self.server.stop()
            if code != 0:
                self.tally.failed("stop", "exit code", str(code))
            told = self.server.akin("verify", "--all", "--deep")
            if any(not line.endswith(": clean") for line in told.splitlines()):
                self.tally.failed("verify", "findings", told)
            documents = exported(self.server.akin)
            read.answered()
            self.tally.judge("export", judge.everything(self.oracle, read, documents))


def make_keys(server: Server) -> dict[str, str]:
    def key(*flags):
        return server.akin("key", "create", *flags).strip()

    return {"admin": key("--scope", "admin"), "write": key("--scope", "read,write,check"), "read": key("--scope", "read"),
            "elsewhere": key("--scope", "write", "--collections", "witness"),
            "limited": key("--scope", "read", "--rate", "5")}


def watch(run: Run, monitor: report.Monitor, options) -> None:
    """Until the time is over: kills where they are due, and a report every ten seconds."""
    end = monitor.begin + options.seconds
    kills = sorted(random.Random(options.seed).uniform(0.1, 0.9) * options.seconds for _ in range(options.kills))
    while time.monotonic() < end and not run.stopping.wait(0.5 if kills else 1.0):
        if kills and time.monotonic() - monitor.begin >= kills[0]:
            kills.pop(0)
            run.server.kill()
        if run.server.process.poll() is not None:
            run.failure = RuntimeError(f"the server has ended with {run.server.process.returncode}")
            break
        if options.json and int(time.monotonic()) % 10 == 0:
            report.write(options.json, report.make(run, monitor, options, ended=False))
    run.stopping.set()


def soak(options, folder: pathlib.Path) -> dict:
    run = Run(options, folder)
    try:
        run.fill()
        monitor = report.Monitor(run, max(1.0, options.seconds / 720), options.load)
        threads = [Worker(run, n, options.seed * 1000 + n) for n in range(options.workers)]
        threads += [Administrator(run, options.pause, options.seed), monitor]
        for thread in threads:
            thread.start()
        watch(run, monitor, options)
        for thread in threads:
            thread.join(300)
            if thread.is_alive():
                run.failure = run.failure or RuntimeError(f"{thread.name} does not end")
        if run.failure is None:
            run.finish()
        else:
            run.tally.failed("run", "failure", repr(run.failure))
    finally:
        run.server.process.kill()
    return report.make(run, monitor, options, ended=True)


def passed(told: dict) -> bool:
    return (told["wrong"] == 0 and told["judged"] > 0 and not told["failures"]
            and set(told["outcomes"]) <= USUAL and all(fit.get("flat") is not False for fit in told["flat"].values()))


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--akin", required=True, help="the program")
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--workers", type=int, default=4)
    arguments.add_argument("--documents", type=int, default=2000, help="ids that the workers share out")
    arguments.add_argument("--kills", type=int, default=0, help="times that the server is killed and started anew")
    arguments.add_argument("--load", type=float, help="share of one core that all this may take; without it, all it can")
    arguments.add_argument("--pause", type=float, default=3, help="seconds between tasks on the whole collection")
    arguments.add_argument("--without", default="", help="operations that are left out, by commas (operations.py)")
    arguments.add_argument("--lang", default="", help="dictionaries")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--folder", type=pathlib.Path, help="where data lie, and stay; without it in a temporary one")
    arguments.add_argument("--json", type=pathlib.Path, help="report, written anew every ten seconds")
    arguments.add_argument("--table", type=pathlib.Path, help="the table that is printed at the end, as a file too")
    options = arguments.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # so that the server is, too
    folder = options.folder or pathlib.Path(tempfile.mkdtemp(prefix="akin-soak-"))
    folder.mkdir(parents=True, exist_ok=True)
    told = soak(options, folder)
    if options.json:
        report.write(options.json, told)
    shown = report.table(told)
    if options.table:
        options.table.write_text(shown, encoding="utf-8")
    print(shown, end="")
    if passed(told):
        if options.folder is None:
            shutil.rmtree(folder)
        return 0
    print(f"data and log are in {folder}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
