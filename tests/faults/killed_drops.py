#!/usr/bin/env python3
"""Kills `akin serve` some milliseconds after it was asked to delete a collection, and checks that a new collection of that
name has nothing of the old one.

    killed_drops.py --akin AKIN --kills 120 [--milliseconds 40] [--seed 1]

Each collection has a gate and a watch. After the restart it is as before, with both, or it is gone, and one that is made
again has neither. Prints one JSON object, and exits with 1 if anything is otherwise.
"""
import argparse
import http.client
import json
import os
import pathlib
import random
import shutil
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from server_process import ServerProcess  # noqa: E402

PARTS = {"gate": {}, "watches/w": {"text": "A text of some words that the watch looks for."}}


class Run:
    def __init__(self, arguments):
        self.akin, self.random, self.most = arguments.akin, random.Random(arguments.seed), arguments.milliseconds / 1000
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-drops-"))
        self.kept = self.dropped = 0
        self.wrong = []
        self.start()

    def start(self):
        self.server = ServerProcess([self.akin, "serve", "--data", self.folder / "data", "--log-level", "off"],
                                    env={**os.environ, "AKIN_LANG": "en"})

    def call(self, method: str, path: str, body=None) -> tuple[int, str]:
        connection = self.server.connect()
        connection.request(method, "/v1/collections/c" + path, None if body is None else json.dumps(body),
                           {"Content-Type": "application/json"})
        answer = connection.getresponse()
        content = answer.read().decode()
        connection.close()
        return answer.status, content

    def must(self, method: str, path: str, body=None):
        status, content = self.call(method, path, body)
        if status not in (200, 201):
            raise RuntimeError(f"{method} {path}: {status} {content}")

    def drop(self):
        try:
            self.call("DELETE", "")
        except (OSError, http.client.HTTPException):
            pass

    def once(self):
        self.must("PUT", "")
        for part, body in PARTS.items():
            self.must("PUT", "/" + part, body)
        drop = threading.Thread(target=self.drop)
        drop.start()
        time.sleep(self.random.random() * self.most)
        self.server.kill()
        drop.join()
        self.start()
        is_kept = self.call("GET", "")[0] == 200
        self.kept += is_kept
        self.dropped += not is_kept
        if not is_kept:
            self.must("PUT", "")
        for part in PARTS:
            status, content = self.call("GET", "/" + part)
            if status != (200 if is_kept else 404):
                self.wrong.append(f"{'kept' if is_kept else 'new'}: {part}: {status} {content}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--akin", required=True, type=os.path.abspath)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--milliseconds", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    run = Run(arguments)
    try:
        for _ in range(arguments.kills):
            run.once()
    finally:
        run.server.close()
        shutil.rmtree(run.folder, ignore_errors=True)
    print(json.dumps({"kept": run.kept, "dropped": run.dropped, "wrong": run.wrong}, indent=1))
    return 1 if run.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
