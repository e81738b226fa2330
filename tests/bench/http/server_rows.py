"""The rows of ./bench for the server: durable puts by 1, 8 and 64 clients, then searches over as many connections and at half of
the largest rate, of page-long texts (made_texts.py), with default settings; the searches without parameters and with bound=3.

    python3 tests/bench/http/server_rows.py BUILD SCRATCH DOCUMENTS
"""
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
from types import SimpleNamespace

import measure_puts
from measure_similar import SEARCHES, Loads, found, make, serving, spread

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "peers"))
import exported  # noqa: E402

ROUNDS = 3
SECONDS = 5
CLIENTS = (1, 8, 64)


def puts(build: pathlib.Path, scratch: pathlib.Path) -> None:
    measure_puts.write_texts(scratch)
    measured = measure_puts.rounds_of(build, scratch, ROUNDS, SECONDS)
    for clients, rounds in measured.items():
        rates = [rate for rate, _, _ in rounds]
        exported.row(f"durable PUT over HTTP, clients {clients}", statistics.median(rates), "1/s",
                     f"page-long texts; {min(rates):.0f} to {max(rates):.0f} in {ROUNDS} rounds; p50 "
                     f"{', '.join(p50 for _, p50, _ in rounds)}, p99 {', '.join(p99 for _, _, p99 in rounds)}", better="higher")


def searches(build: pathlib.Path, scratch: pathlib.Path, documents: int) -> None:
    environment = {**os.environ, "AKIN_DATA": str(scratch / "searched"), "AKIN_LANG": "ru,en"}
    options = SimpleNamespace(build=build, program=build / "cli/akin", documents=documents, seconds=SECONDS)
    questions = make(options, scratch, environment, sys.stderr)
    with open(scratch / "log", "wb") as log, serving(options.program, environment, log) as port:
        for name, parameters in SEARCHES.items():
            search_rows(name, Loads(options, port, questions, parameters), documents)


def search_rows(name: str, loads: Loads, documents: int) -> None:
    finds = found(loads.port, loads.questions, loads.parameters)
    rates: dict[int, list[dict]] = {clients: [] for clients in CLIENTS}
    halves = []
    for _ in range(ROUNDS):
        for clients in CLIENTS:
            rates[clients].append(loads.run(0, clients))
        halves.append(loads.run(max(rates[clients][-1]["rate"] for clients in CLIENTS) / 2, 16))
    for clients, rounds in rates.items():
        all_rates = [one["rate"] for one in rounds]
        exported.row(f"{name} over HTTP, connections {clients}, documents {documents}", statistics.median(all_rates), "1/s",
                     f"{min(all_rates):.0f} to {max(all_rates):.0f} in {ROUNDS} rounds; p50 "
                     f"{spread([one['p50_ms'] for one in rounds])} ms, p99 {spread([one['p99_ms'] for one in rounds])} ms",
                     better="higher")
    exported.row(f"{name} over HTTP at half of the largest rate, p99, documents {documents}",
                 statistics.median(one["p99_ms"] for one in halves), "ms",
                 f"16 connections; {finds}; p50 {spread([one['p50_ms'] for one in halves])} ms, "
                 f"p99 {spread([one['p99_ms'] for one in halves])} ms")


def main() -> None:
    build, scratch, documents = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
    for program in ("wrk", "curl"):
        if shutil.which(program) is None:
            exported.skip(f"{program} is not installed (tools/install-packages bench)")
    for program in ("cli/akin", "tests/bench/http/open_load"):
        if not (build / program).exists():
            exported.skip(f"{build / program} is not built")
    try:
        puts(build, scratch)
        searches(build, scratch, documents)
    except subprocess.CalledProcessError as error:
        sys.exit(str(error))


main()
