#!/usr/bin/env python3
"""Measures a server with very many collections: start, lists, memory, and requests to all of them.

    tests/experiments/many_collections.py build/release/cli/akin --collections 20000 --folder /var/tmp/many

Makes one collection with ten documents through the server, copies its files under the other names, and prints one line
per figure. Takes about 110 kB of disk per collection.
"""
import argparse
import json
import os
import pathlib
import secrets
import shutil
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from server_process import ServerProcess  # noqa: E402

DOCUMENTS = 10


class Server(ServerProcess):
    def __init__(self, akin: str, data: pathlib.Path, *flags: str):
        started = time.monotonic()
        super().__init__([akin, "serve", "--data", data, "--lang", "", "--min-free-disk", "0", *flags])
        self.started_in = time.monotonic() - started
        self.connection = self.connect(timeout=600)

    def call(self, method: str, path: str, body: str | None = None, kind: str = "text/plain") -> tuple[int, bytes]:
        self.connection.request(method, path, body=body, headers={"Content-Type": kind} if body is not None else {})
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def seconds(self, path: str, times: int) -> tuple[float, float, int]:
        """The median over `times` requests, the server's processor time for each, and the bytes of the answer."""
        taken = []
        before = self.processor_seconds()
        for _ in range(times):
            begin = time.monotonic()
            status, content = self.call("GET", path)
            taken.append(time.monotonic() - begin)
            assert status == 200, (path, status, content[:200])
        return statistics.median(taken), (self.processor_seconds() - before) / times, len(content)

    def resources(self) -> str:
        return (
            f"resident {self.bytes_of('VmRSS') / 2**20:.0f} MiB, address space {self.bytes_of('VmSize') / 2**40:.2f} TiB, "
            f"{self.threads()} threads, {self.files()} files"
        )


def make(akin: str, data: pathlib.Path, count: int):
    server = Server(akin, data)
    status, _ = server.call("PUT", "/v1/collections/c00000", "{}", "application/json")
    assert status == 201
    for number in range(DOCUMENTS):
        text = " ".join(f"Sentence {number} {sentence} speaks of things." for sentence in range(20))
        assert server.call("PUT", f"/v1/collections/c00000/documents/{number}", text)[0] == 201
    server.stop()
    first = data / "collections" / "c00000"
    for number in range(1, count):
        folder = first.with_name(f"c{number:05}")
        (folder / "gen-1").mkdir(parents=True)
        shutil.copyfile(first / "gen-1" / "data.mdb", folder / "gen-1" / "data.mdb")
        os.link(first / "gen-1" / "dictionary", folder / "gen-1" / "dictionary")
        (folder / "gen-1" / "MERGE").touch()
        (folder / "LOCK").touch()
        (folder / "CURRENT").write_text(f"gen-1 {secrets.token_hex(8)}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("akin")
    parser.add_argument("--collections", type=int, default=20_000)
    parser.add_argument("--folder", help="where the data folder is made; default: the folder for temporary files")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        data = pathlib.Path(folder) / "data"
        make(options.akin, data, options.collections)
        server = Server(options.akin, data)
        print(f"{options.collections} collections of {DOCUMENTS} documents; server ready after {server.started_in:.2f} s")
        print(f"after the start: {server.resources()}")
        for path, times in (("/v1/collections", 7), ("/v1/collections?limit=1000", 7), ("/readyz", 7), ("/metrics", 7)):
            first, _, _ = server.seconds(path, 1)
            median, processor, size = server.seconds(path, times)
            print(
                f"GET {path}: first {first:.2f} s, then {median:.2f} s (median of {times}), "
                f"{processor:.2f} s of processor time, {size / 2**20:.1f} MiB"
            )
        print(f"after the lists: {server.resources()}")
        begin = time.monotonic()
        for number in range(options.collections):
            status, answer = server.call("GET", f"/v1/collections/c{number:05}/documents/{number % DOCUMENTS}")
            assert status == 200, answer
        taken = time.monotonic() - begin
        print(f"a document of each collection: {taken:.1f} s, {1e3 * taken / options.collections:.2f} ms each")
        print(f"after that: {server.resources()}")
        listed, cursor = [], ""
        before, begin = server.processor_seconds(), time.monotonic()
        while cursor is not None:
            _, content = server.call("GET", f"/v1/collections?limit=1000&cursor={cursor}")
            page = json.loads(content)
            listed += page["collections"]
            cursor = page["next"]
        print(
            f"all of them, 1,000 a page: {time.monotonic() - begin:.2f} s, "
            f"{server.processor_seconds() - before:.2f} s of processor time"
        )
        assert len(listed) == options.collections and all(one.get("documents") == DOCUMENTS for one in listed)
        server.stop()


if __name__ == "__main__":
    main()
