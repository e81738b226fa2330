"""Durable puts of page-long texts over HTTP, each a request, by 1, 8 and 64 clients under wrk.

    python3 tests/bench/http/measure_puts.py build/release [--seconds S] [--rounds N]

A round starts a server on an empty collection, with default settings, and stores texts of made_texts.py under new ids.
"""
import argparse
import contextlib
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

import made_texts
from measure_similar import serving

CLIENTS = (1, 8, 64)
TEXTS = 2000
SCRIPT = """
local texts = {}
for line in io.lines("FOLDER/texts") do texts[#texts + 1] = line:gsub("\\\\n", "\\n") end
local number = 0
request = function()
  number = number + 1
  return wrk.format("PUT", "/v1/collections/default/documents/CLIENTS-" .. number, {["Content-Type"] = "text/plain"},
                    texts[number % #texts + 1])
end
"""


def rate(port: int, clients: int, seconds: int, folder: pathlib.Path) -> tuple[float, str, str]:
    """Puts a second, the median and the 99th percentile of the latency."""
    script = folder / "put.lua"
    script.write_text(SCRIPT.replace("FOLDER", str(folder)).replace("CLIENTS", str(clients)), encoding="utf-8")
    command = ["wrk", "-t1", f"-c{clients}", f"-d{seconds}s", "--timeout", "30s", "--latency", "-s", script,
               f"http://127.0.0.1:{port}"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in printed or "Socket errors" in printed:
        raise SystemExit(printed)
    return (float(re.search(r"Requests/sec:\s+([\d.]+)", printed).group(1)),
            *(re.search(rf"^\s+{part}%\s+(\S+)", printed, re.M).group(1) for part in (50, 99)))


def write_texts(folder: pathlib.Path):
    with open(folder / "lines", "w", encoding="utf-8") as out, open(os.devnull, "w", encoding="utf-8") as none:
        made_texts.lines(TEXTS, 0, out, none)
    with open(folder / "texts", "w", encoding="utf-8") as out:
        for line in open(folder / "lines", encoding="utf-8"):
            out.write(json.loads(line)["text"].replace("\n", "\\n") + "\n")


def rounds_of(build: pathlib.Path, folder: pathlib.Path, rounds: int, seconds: int) -> dict[int, list[tuple[float, str, str]]]:
    """The rates of each round by clients; the folder has the texts."""
    measured = {clients: [] for clients in CLIENTS}
    for turn in range(rounds):
        environment = {**os.environ, "AKIN_DATA": str(folder / f"data-{turn}"), "AKIN_LANG": "ru,en"}
        with contextlib.ExitStack() as stack:
            log = stack.enter_context(open(folder / "log", "wb"))
            port = stack.enter_context(serving(build / "cli/akin", environment, log))
            subprocess.run(["curl", "-sS", "-o", os.devnull, "-X", "PUT", f"http://127.0.0.1:{port}/v1/collections/default"],
                           check=True)
            for clients in CLIENTS:
                measured[clients].append(rate(port, clients, seconds, folder))
    return measured


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("build", type=pathlib.Path)
    arguments.add_argument("--seconds", type=int, default=10)
    arguments.add_argument("--rounds", type=int, default=3)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        write_texts(pathlib.Path(name))
        measured = rounds_of(options.build, pathlib.Path(name), options.rounds, options.seconds)
    for clients, rounds in measured.items():
        rates = [one for one, _, _ in rounds]
        print(f"{clients:3} clients: {statistics.median(rates):7.0f} puts/s (from {min(rates):.0f} to {max(rates):.0f}), "
              f"p50 {', '.join(p50 for _, p50, _ in rounds)}, p99 {', '.join(p99 for _, _, p99 in rounds)}")


if __name__ == "__main__":
    main()
