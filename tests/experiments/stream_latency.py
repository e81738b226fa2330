#!/usr/bin/env python3
"""Measures how long `akin stream` takes to answer one article while its window holds very many.

    tests/experiments/stream_latency.py build/release/cli/akin --windows 10000 100000 1000000

Fills the window, to one size after another, with articles of 40 to 120 words, drawn at random by their frequency in the sample library, one in five an
edited copy of one of the last 5,000 (one word in twenty replaced), as fast as the stream takes them. At each size it sends
`--articles` more, one each 60 ms (1,000 a minute), and takes the time from the end of a line to its answer. Prints the rate of
filling, the percentiles of that time, the processor time of one of these articles, which other work on the machine does not
change much, and the memory of the process. The rule `event` decides.
"""
import argparse
import collections
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import threading
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
GAP = 60 / 1000


class Articles:
    def __init__(self) -> None:
        self.random = random.Random(11)
        files = sorted((SOURCE / "sample" / "library").glob("*.txt"))
        words = collections.Counter(word for file in files for word in re.findall(r"[^\W\d_]+", file.read_text("utf-8").lower()))
        self.words, self.weights = list(words), list(itertools.accumulate(words.values()))
        self.last: collections.deque[list[str]] = collections.deque(maxlen=5000)
        self.made = 0

    def draw(self, count: int) -> list[str]:
        return self.random.choices(self.words, cum_weights=self.weights, k=count)

    def line(self) -> bytes:
        if self.last and self.made % 5 == 0:
            words = [self.draw(1)[0] if self.random.random() < 0.05 else word for word in self.random.choice(self.last)]
        else:
            words = self.draw(self.random.randint(40, 120))
        self.last.append(words)
        self.made += 1
        sentences = (" ".join(words[at : at + 10]).capitalize() + "." for at in range(0, len(words), 10))
        article = {"id": str(self.made), "title": " ".join(words[:8]), "text": " ".join(sentences), "source": f"site{self.made % 40}.example"}
        return json.dumps(article, ensure_ascii=False).encode() + b"\n"


def resident(process: int) -> int:
    """MB."""
    status = pathlib.Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) // 1024


def processor_seconds(process: int) -> float:
    fields = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def fill(process: subprocess.Popen, articles: Articles, count: int) -> float:
    """Seconds."""
    begin = time.monotonic()

    def write() -> None:
        process.stdin.writelines(articles.line() for _ in range(count))
        process.stdin.flush()

    feeder = threading.Thread(target=write)
    feeder.start()
    for _ in range(count):
        process.stdout.readline()
    feeder.join()
    return time.monotonic() - begin


def answer_times(process: subprocess.Popen, articles: Articles, count: int) -> list[float]:
    """Milliseconds, ascending."""
    times, due = [], time.monotonic()
    for _ in range(count):
        line = articles.line()
        due = max(due + GAP, time.monotonic())
        time.sleep(max(0.0, due - time.monotonic()))
        begin = time.monotonic()
        process.stdin.write(line)
        process.stdin.flush()
        process.stdout.readline()
        times.append(1000 * (time.monotonic() - begin))
    return sorted(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("akin")
    parser.add_argument("--windows", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--articles", type=int, default=1000)
    options = parser.parse_args()
    articles = Articles()
    command = [options.akin, "stream", "--most", str(max(options.windows) + options.articles)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    print("| in the window | filled with, a minute | p50, ms | p99 | longest | over 50 ms | processor ms | MB |\n|---:|---:|---:|---:|---:|---:|---:|---:|")
    for window in options.windows:
        added = window - articles.made
        rate = added / fill(process, articles, added) * 60
        before = processor_seconds(process.pid)
        times = answer_times(process, articles, options.articles)
        processor = 1000 * (processor_seconds(process.pid) - before) / options.articles
        cells = f"{times[len(times) // 2]:.1f}", f"{times[len(times) * 99 // 100]:.1f}", f"{times[-1]:.1f}", sum(one > 50 for one in times), f"{processor:.1f}"
        print(f"| {window:,} | {rate:,.0f} |", *(f"{cell} |" for cell in cells), f"{resident(process.pid):,} |", flush=True)
    process.stdin.close()
    process.wait()


if __name__ == "__main__":
    main()
