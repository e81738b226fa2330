"""How many searches a second a server answers, and how long they take at half of that.

    python3 tests/bench/http/measure_similar.py build/release [--documents N] [--seconds S] [--rounds N] [--folder DIR]

Makes a collection of page-long texts (made_texts.py) by `akin import`, asks /similar with page-long questions over it: first
as fast as answers come, then at half of that rate by the clock (open_load.cpp), in turns; at last with 1,000 idle
connections beside 200 that ask. A GET of /livez is measured the same way in each round, for what HTTP alone costs here.
Once as a search without parameters, which aligns the text of each document that shares a passage, and once with bound=3, which
counts shared sentence pairs only.
"""
import argparse
import contextlib
import http.client
import json
import os
import pathlib
import re
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import made_texts

PATH = "/v1/collections/default/similar"
# Names of searches, and their parameters.
SEARCHES = {"similar": "", "similar?bound=3": "?bound=3"}


@contextlib.contextmanager
def serving(program, environment, log):
    process = subprocess.Popen([program, "serve", "--listen", "127.0.0.1:0", "--log-level", "warning"],
                               stdout=subprocess.PIPE, stderr=log, env=environment)
    try:
        yield int(re.search(r":(\d+)\s*$", process.stdout.readline().decode()).group(1))
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()


def make(options, folder, environment, report=sys.stdout) -> pathlib.Path:
    """The collection, unless it is there; the questions."""
    questions = folder / "questions"
    if not questions.exists():
        documents = folder / "documents"
        with open(documents, "w", encoding="utf-8") as out, open(folder / "part", "w", encoding="utf-8") as asked:
            size = made_texts.lines(options.documents, 2000, out, asked)
        begin = time.monotonic()
        subprocess.run([options.program, "import", documents], env=environment, check=True, stdout=report)
        took = time.monotonic() - begin
        print(f"{options.documents} documents, {size / 1e6:.0f} MB, imported in {took:.1f} s: {size / 1e6 / took:.1f} MB/s", file=report)
        (folder / "part").rename(questions)
    return questions


def found(port: int, questions, parameters: str) -> str:
    """How many documents the questions find: a load that finds nothing would show nothing."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    totals = []
    for line in open(questions, encoding="utf-8").readlines()[:100]:
        connection.request("POST", PATH + parameters, body=line.encode(), headers={"Content-Type": "application/json"})
        totals.append(json.loads(connection.getresponse().read())["total"])
    connection.close()
    return f"a question finds {statistics.mean(totals):.1f} documents on average, {max(totals)} at most"


class Loads:
    def __init__(self, options, port, questions, parameters: str):
        self.options = options
        self.port = port
        self.questions = questions
        self.parameters = parameters

    def run(self, rate: float, connections: int, search=True) -> dict:
        command = [self.options.build / "tests/bench/http/open_load", self.port, PATH + self.parameters if search else "/livez", rate,
                   self.options.seconds, connections]
        command += [self.questions] if search else []
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
        told = json.loads(done.stdout)
        if told["failed"]:
            print(f"{told['failed']} requests failed", file=sys.stderr)
        return told


def spread(values) -> str:
    return f"{statistics.median(values):.4g} (from {min(values):.4g} to {max(values):.4g})"


def measure(options, name: str, loads: Loads):
    print(f"{name}: {found(loads.port, loads.questions, loads.parameters)}")
    rates, halves, livez = [], [], []
    for _ in range(options.rounds):
        rates.append(loads.run(0, options.connections)["rate"])
        halves.append(loads.run(rates[-1] / 2, options.connections))
        livez.append(loads.run(0, options.connections, search=False)["rate"])
    print(f"{name}: {spread(rates)} requests/s; livez by the same client: {spread(livez)}")
    for figure in ("p50_ms", "p99_ms", "p999_ms", "max_ms"):
        print(f"{name} at half of that rate, {figure}: {spread([half[figure] for half in halves])}")
    with contextlib.ExitStack() as idle:
        crowd = [idle.enter_context(socket.create_connection(("127.0.0.1", loads.port))) for _ in range(1000)]
        rate = statistics.median(rates) / 2
        many = [loads.run(rate, 200) for _ in range(options.rounds)]
        print(f"the same rate over 200 connections beside {len(crowd)} idle ones: "
              + ", ".join(f"{figure} {spread([one[figure] for one in many])}" for figure in ("p50_ms", "p99_ms", "p999_ms")))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("build", type=pathlib.Path)
    arguments.add_argument("--documents", type=int, default=100_000)
    arguments.add_argument("--seconds", type=int, default=10)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--connections", type=int, default=16)
    arguments.add_argument("--folder", type=pathlib.Path, help="where the collection lies, and stays; else a temporary one")
    options = arguments.parse_args()
    options.program = options.build / "cli/akin"
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with contextlib.ExitStack() as stack:
        folder = options.folder or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "AKIN_DATA": str(folder / "data"), "AKIN_LANG": "ru,en"}
        questions = make(options, folder, environment)
        log = stack.enter_context(open(folder / "log", "wb"))
        port = stack.enter_context(serving(options.program, environment, log))
        for name, parameters in SEARCHES.items():
            measure(options, name, Loads(options, port, questions, parameters))


if __name__ == "__main__":
    main()
