#!/usr/bin/env python3
"""Kills `akin serve` while readers mark and decide, make and revoke links, and admit texts, and authors state something
through a link, and counts what is left of it.

    killed_deciders.py --akin AKIN --kills 300 [--cases 12] [--readers 4] [--minutes 30] [--seed 1]

Each act has a number, which its remark, label or id has. In the end an act that was acknowledged is there once, one that was
refused is not, and one without an answer is there once or not at all: in the history of its check, whose entries are
numbered without a gap and each of which the audit log has once; among its links and statements; or as a stored document,
which the check names. A statement without an answer is sent again once a server runs, and then is there once. The state of a check is that of its last entry, and the audit log verifies. Prints one JSON object, and exits with 1
if anything is otherwise.
"""
import argparse
import collections
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

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "e2e"))
from client import Answer, Client  # noqa: E402
from server_process import ServerProcess  # noqa: E402

STORIES = {path.stem: path.read_text("utf-8") for path in sorted((SOURCE / "sample" / "library").glob("*.txt"))}
CLASSES = ("borrowing", "quotation", "own_earlier", "template", "common_knowledge", "false_alarm")


class Act:
    def __init__(self, kind: str, check: str, name: str, answer: Answer, about: str = ""):
        self.kind, self.check, self.name, self.about = kind, check, name, about
        self.least = int(answer.status in (200, 201, 303))
        self.most = int(self.least or answer.status == 0 or answer.status >= 500)
        self.made = answer.json if answer.status in (200, 201) else {}


class Run:
    def __init__(self, arguments):
        self.akin, self.arguments, self.kills = arguments.akin, arguments, 0
        self.random = random.Random(arguments.seed)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-deciders-"))
        self.environment = {**os.environ, "AKIN_LANG": "ru"}
        self.acts, self.wrong, self.stated_again = [], [], 0
        self.start()
        client = Client(self.server)
        for name in ("stories", "admitted"):
            client.must("PUT", f"/collections/{name}")
        for name, text in STORIES.items():
            client.put_text("stories", name, text)
        self.checks = [self.make_check(client, number) for number in range(arguments.cases)]
        while not self.acts:  # a revocation or a statement needs a link
            begun = time.monotonic()
            self.act(client, self.random)
        self.seconds = 20 * (time.monotonic() - begun)
        client.close()

    def make_check(self, client: Client, number: int) -> str:
        text = f"Check {number}. " + " ".join(STORIES[sorted(STORIES)[number % len(STORIES)]].split())[:2_000]
        return client.must("POST", f"/checks?collections=stories&title=check%20{number}", text, "text/plain; charset=utf-8").json["id"]

    def start(self):
        self.server = ServerProcess([self.akin, "serve", "--data", self.folder / "data", "--log-level", "off"], env=self.environment)

    def act(self, client: Client, chance: random.Random) -> bool:
        """Does something to a check, and notes what came of it; whether the server answered."""
        check = chance.choice(self.checks)
        path, name = f"/checks/{check}", f"act {chance.getrandbits(48)}"
        kind = chance.choices(("marks", "decision", "open", "link", "state", "revoke", "admit"), (5, 2, 3, 2, 2, 1, 1))[0]
        about = ""
        if kind == "marks":
            answer = client.ask("PATCH", path + "/marks", {"marks": [{"source": 1, "class": chance.choice(CLASSES), "remark": name}]})
        elif kind in ("decision", "open"):
            state = "open" if kind == "open" else chance.choice(("accepted", "returned", "refused"))
            kind = "decision"
            answer = client.ask("PUT", path + "/decision", {"state": state, "remark": name})
        elif kind == "link":
            answer = client.ask("POST", path + "/links", {"label": name, "statement": True})
        elif kind == "admit":
            answer = client.ask("POST", path + "/admit", {"collection": "admitted", "id": name})
        else:
            made = [act for act in list(self.acts) if act.kind == "link" and act.made]
            if not made:
                return True
            link = chance.choice(made)
            check = link.check
            if kind == "revoke":
                about = link.made["id"]
                answer = client.ask("DELETE", f"/checks/{check}/links/{about}")
            else:
                about = link.made["path"]
                answer = self.state(client, about, name)
        self.acts.append(Act(kind, check, name, answer, about))
        return answer.status != 0

    def state(self, client: Client, link: str, name: str) -> Answer:
        return client.ask("POST", link, f"statement={name.replace(' ', '+')}", "application/x-www-form-urlencoded")

    def state_again(self):
        client = Client(self.server)
        for act in self.acts:
            if act.kind == "state" and act.least < act.most:
                again = Act(act.kind, act.check, act.name, self.state(client, act.about, act.name), act.about)
                act.least, self.stated_again = again.least, self.stated_again + again.least
        client.close()

    def read(self, seed: int):
        chance, client = random.Random(seed), Client(self.server)
        while self.act(client, chance):
            pass
        client.close()

    def once(self):
        readers = [threading.Thread(target=self.read, args=(self.random.getrandbits(48),)) for _ in range(self.arguments.readers)]
        for reader in readers:
            reader.start()
        time.sleep(self.random.random() * self.seconds)
        self.server.kill()
        self.kills += 1
        for reader in readers:
            reader.join()
        self.start()
        self.state_again()

    def expect(self, is_right: bool, what: str):
        if not is_right:
            self.wrong.append(what)

    def judge(self):
        client = Client(self.server)
        log = self.log()
        for check in self.checks:
            answer = client.must("GET", f"/checks/{check}/decision").json
            history, decision = answer["history"], answer["decision"]
            self.expect([entry["number"] for entry in history] == list(range(1, decision["revision"] + 1)), f"{check}: a gap in the history")
            if history:
                self.expect(history[-1]["state"] == decision["state"], f"{check}: {decision['state']}, and its last entry {history[-1]}")
            logged = sorted(entry["details"]["number"] for entry in log if entry["about"] == check and entry["action"] in ("check.decided", "check.marked"))
            self.expect(logged == [entry["number"] for entry in history], f"{check}: the log has {logged} of {decision['revision']} entries")
            there = collections.Counter(entry["remark"] if entry["action"] == "decision" else entry["marks"][0]["remark"] for entry in history)
            answer = client.must("GET", f"/checks/{check}/links").json
            links, statements = answer["links"], answer["statements"]
            there.update([link["label"] for link in links] + [statement["text"] for statement in statements])
            logged = sorted(entry["details"]["number"] for entry in log if entry["about"] == check and entry["action"] == "check.stated")
            self.expect(logged == [one["number"] for one in statements], f"{check}: the log has {logged} of {len(statements)} statements")
            revoked = {link["id"] for link in links if link["revoked"]}
            admitted = client.must("GET", f"/checks/{check}").json["admitted"]
            if admitted:
                there[admitted["id"]] += 1
            for act in self.acts:
                if act.check != check:
                    continue
                if act.kind == "revoke":
                    self.expect(not act.least or act.about in revoked, f"{check}: {act.about} is not revoked")
                else:
                    self.expect(act.least <= there.pop(act.name, 0) <= act.most, f"{check}: {act.kind} {act.name}, {act.least} to {act.most} times")
            self.expect(not there, f"{check}: {there} is of no act")
            if admitted:
                document = client.ask("GET", f"/collections/admitted/documents/{admitted['id'].replace(' ', '%20')}")
                self.expect(document.status == 200, f"{check}: admitted as {admitted['id']}: {document}")
        client.close()
        self.server.stop()
        audit = self.audit("verify")
        self.expect(audit.returncode == 0, f"audit: {audit.stdout}{audit.stderr}")

    def audit(self, command: str):
        return subprocess.run([self.akin, "audit", command, "--data", self.folder / "data"], env=self.environment, capture_output=True, text=True)

    def log(self) -> list[dict]:
        return [json.loads(line) for line in self.audit("export").stdout.splitlines()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--akin", required=True, type=os.path.abspath)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--cases", type=int, default=12)
    parser.add_argument("--readers", type=int, default=4)
    parser.add_argument("--minutes", type=float, default=30, help="fewer kills if they take longer")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    run = Run(arguments)
    try:
        end = time.monotonic() + 60 * arguments.minutes
        while run.kills < arguments.kills and time.monotonic() < end:
            run.once()
        run.judge()
    finally:
        run.server.close()
        shutil.rmtree(run.folder, ignore_errors=True)
    acts = run.acts
    print(json.dumps({"kills": run.kills, "seconds_between": round(run.seconds, 2), "acts": len(acts), "acknowledged": sum(act.least for act in acts),
                      "without_answer": sum(act.most > act.least for act in acts),
                      "statements": sum(act.kind == "state" and act.least for act in acts), "sent_again": run.stated_again, "wrong": run.wrong}, indent=1))
    return 1 if run.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
