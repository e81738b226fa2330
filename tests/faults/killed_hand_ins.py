#!/usr/bin/env python3
"""Kills `akin serve` while it makes checks that were handed in, and counts what became of each.

    killed_hand_ins.py --akin AKIN --kills 300 [--cases 50] [--minutes 60] [--seed 1]

Texts and DOCX files are handed in, each with a title of its own, while the server may be killed at any moment; some are
withdrawn. In the end each that was acknowledged is one check, with the file that was handed in and the source that it was
made from, or was withdrawn; no title has two checks; nothing is kept that no check uses; and the audit log verifies.
A kill comes at a random moment of three times what a case takes on this machine as it is loaded. A case during which the
server ends ten times is said to have failed, and keeps its file until it is deleted: one in a hundred kills may do so. Prints one JSON object, and exits with 1 if anything is otherwise.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "e2e"))
from client import Client, docx  # noqa: E402
from server_process import ServerProcess  # noqa: E402

STORIES = {path.stem: path.read_text("utf-8") for path in sorted((SOURCE / "sample" / "library").glob("*.txt"))}


class Case:
    def __init__(self, number: int, chance: random.Random):
        self.title = f"case {number}"
        self.story = chance.choice(sorted(STORIES))
        text = " ".join(STORIES[self.story].split())
        begin = chance.randrange(len(text) // 2)
        text = f"Case {number} begins here. " + text[begin : begin + chance.randrange(1_000, 6_000)].replace("&", "").replace("<", "")
        self.is_file = chance.random() < 0.5
        self.body = docx(text) if self.is_file else text.encode()
        self.kind = "application/octet-stream" if self.is_file else "text/plain; charset=utf-8"
        self.path = None  # once it was acknowledged
        self.withdrawn = False  # or may have been


class Run:
    def __init__(self, arguments):
        self.akin, self.arguments = arguments.akin, arguments
        self.random = random.Random(arguments.seed)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-hand-ins-"))
        self.environment = {**os.environ, "AKIN_LANG": "ru"}
        self.cases, self.wrong, self.kills, self.at_work = [], [], 0, 0
        self.failed = set()
        self.start()
        client = Client(self.server)
        client.must("PUT", "/collections/stories")
        for name, text in STORIES.items():
            client.put_text("stories", name, text)
        self.seconds = 3 * max(self.seconds_of_case(client) for _ in range(3))
        client.close()

    def seconds_of_case(self, client: Client) -> float:
        case = Case(len(self.cases), self.random)
        self.cases.append(case)
        begun = time.monotonic()
        self.hand_in(case, client)
        while client.must("GET", case.path).status != 200:
            time.sleep(0.01)
        return time.monotonic() - begun

    def start(self):
        self.server = ServerProcess([self.akin, "serve", "--data", self.folder / "data", "--log-level", "off"], env=self.environment)

    def hand_in(self, case: Case, client: Client):
        target = f"/checks?collections=stories&title={case.title.replace(' ', '%20')}"
        if case.is_file:
            target += "&file_name=case.docx"
        answer = client.ask("POST", target, case.body, case.kind, Prefer="respond-async")
        if answer.status == 202:
            case.path = "/checks/" + answer.json["id"]

    def load(self):
        """Hands in cases and withdraws some, until the server is gone."""
        client = Client(self.server)
        for _ in range(self.arguments.cases):
            case = Case(len(self.cases), self.random)
            self.cases.append(case)
            self.hand_in(case, client)
            if case.path is None:
                break
            if self.random.random() < 0.1:
                case.withdrawn = True
                client.ask("DELETE", case.path)
        client.close()

    def waiting(self) -> list[dict]:
        client = Client(self.server)
        waiting = client.must("GET", "/checks?limit=1").json["waiting"]
        client.close()
        return waiting

    def once(self):
        waiting = self.waiting()
        load = None if waiting else threading.Thread(target=self.load)
        self.at_work += bool(waiting)
        if load:
            load.start()
        time.sleep(self.random.random() * self.seconds)
        self.server.kill()
        self.kills += 1
        if load:
            load.join()
        self.start()

    def judge(self):
        while any(one["state"] != "failed" for one in self.waiting()):
            time.sleep(0.2)
        client = Client(self.server)
        failed = self.waiting()
        others = [one for one in failed if "the server ended each time" not in one["error"]["reason"]]
        if others or 100 * len(failed) > self.kills:
            self.wrong.append(f"failed: {failed}")
        self.failed = {"/checks/" + one["id"] for one in failed}
        titles = []
        cursor = ""
        while cursor is not None:
            page = client.must("GET", f"/checks?limit=1000{cursor and '&cursor=' + cursor}").json
            titles += [check["title"] for check in page["checks"]]
            cursor = page["next"]
        if len(titles) != len(set(titles)):
            self.wrong.append(f"twice: {sorted(title for title in set(titles) if titles.count(title) > 1)}")
        for case in self.cases:
            if case.path is None or case.withdrawn or case.path in self.failed:
                continue
            answer = client.ask("GET", case.path)
            if answer.status != 200:
                self.wrong.append(f"{case.title}: {answer}")
                continue
            sources = [source["id"] for source in answer.json["sources"]]
            if sources[:1] != [case.story] or answer.json["title"] != case.title:
                self.wrong.append(f"{case.title}: {sources}, not {case.story}")
            if case.is_file and client.must("GET", case.path + "/file").content != case.body:
                self.wrong.append(f"{case.title}: another file")
        for path in self.failed:
            client.must("DELETE", path)
        while checks := client.must("GET", "/checks?limit=1000").json["checks"]:
            for check in checks:
                client.must("DELETE", f"/checks/{check['id']}")
        client.close()
        metrics = urllib.request.urlopen(f"{self.server.url}/metrics").read().decode()
        if "\nakin_check_kept_pieces 0\n" not in metrics:
            self.wrong.append("something is kept that no check uses")
        self.server.stop()
        audit = subprocess.run([self.akin, "audit", "verify", "--data", self.folder / "data"], env=self.environment, capture_output=True, text=True)
        if audit.returncode:
            self.wrong.append(f"audit: {audit.stdout}{audit.stderr}")
        return len(titles)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--akin", required=True, type=os.path.abspath)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--cases", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=60, help="fewer kills if they take longer")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    run = Run(arguments)
    try:
        end = time.monotonic() + 60 * arguments.minutes
        while run.kills < arguments.kills and time.monotonic() < end:
            run.once()
        checks = run.judge()
    finally:
        run.server.close()
        shutil.rmtree(run.folder, ignore_errors=True)
    acknowledged = sum(case.path is not None for case in run.cases)
    print(json.dumps({"kills": run.kills, "with_cases_waiting": run.at_work, "seconds_between": round(run.seconds, 2), "acknowledged": acknowledged, "withdrawn": sum(case.withdrawn for case in run.cases), "failed": len(run.failed),
                      "checks": checks, "wrong": run.wrong}, indent=1))
    return 1 if run.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
