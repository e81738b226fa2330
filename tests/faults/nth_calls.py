#!/usr/bin/env python3
"""Makes each file call of a command or a request fail once, and checks what it then says and leaves.

    nth_calls.py --akin AKIN --library libakin_nth_call.so [--operations backup,restore,…] [--most 12]

For each operation, kind of call and error: the n-th such call on the data fails, for up to MOST values of n spread over
all that the operation makes. The command must end by itself; a collection is then as before or as after, with its
documents, files, gate, watches and events, and so are checks, policies and keys, which is what exit 0 or a status below
300 means; a backup that failed has no name, or names what it lacks; `akin verify` finds nothing; and the same command or
request, repeated, succeeds. A server continues, and a collection made again has nothing of a deleted one.
Prints one JSON object, and exits with 1 if anything is otherwise.
"""
import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from client import Answer, Client, docx
from nth_data import DOCX, SECONDS, WATCHED, Data, text
from nth_fault import NONE, Fault, faults

PARTLY = ("index", "index_new", "admit", "import", "delete", "bulk")  # each document, and a new collection, by itself


class Run:
    def __init__(self, arguments):
        self.most = arguments.most
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-nth-"))
        self.at = Data(arguments.akin, self.folder)
        self.control = Fault(self.folder / "control", self.at.work)
        self.faulty = {**self.at.environment, "LD_PRELOAD": arguments.library, "AKIN_NTH_CALL": str(self.control.path)}
        self.tries, self.failed, self.wrong = collections.Counter(), collections.Counter(), []

    def operations(self) -> dict[str, list[str]]:
        work = self.at.work
        return {
            "index": ["index", work / "one.txt", work / "one.docx", "--collection", "c"],
            "index_new": ["index", work / "one.docx", "--collection", "e", "--store-file"],
            "admit": ["index", work / "one.txt", "--admit", "--collection", "c"],
            "import": ["import", work / "old.ndjson", "--collection", "e"],
            "delete": ["delete", "d1", "d2", "file", "--collection", "c"],
            "reindex": ["reindex", "--collection", "c"],
            "rescheme": ["reindex", "--scheme", "sentences", "--collection", "c"],
            "compact": ["compact", "--collection", "c"],
            "ttl": ["ttl", "24h", "--collection", "c"],
            "gate": ["gate", "set", "--threshold", "0.9", "--collection", "c"],
            "check": ["check", work / "one.txt", "--keep", "--collection", "c"],
            "key": ["key", "create", "--scope", "read"],
            "backup": ["backup", self.at.target],
            "restore": ["restore", work / "kept"],
            "replace": ["restore", work / "kept", "--replace"],
        }

    def requests(self) -> dict[str, tuple]:
        """Method, path, body, its kind, header fields."""
        lines = "".join(json.dumps({"id": f"b{n}", "text": text(n * 5)}) + "\n" for n in range(20))
        plain = "text/plain; charset=utf-8"
        return {
            "put": ("PUT", "/collections/c/documents/new", WATCHED, plain),
            "put_if_missing": ("PUT", "/collections/c/documents/new", WATCHED, plain, {"If_None_Match": "*"}),
            "put_file": ("PUT", "/collections/c/documents/new", docx(WATCHED), DOCX),
            "replace_file": ("PUT", "/collections/c/documents/file", docx(WATCHED), DOCX),
            "remove": ("DELETE", "/collections/c/documents/file"),
            "bulk": ("POST", "/collections/c/bulk", lines, "application/x-ndjson"),
            "make": ("PUT", "/collections/n", {"store_file": True}),
            "admission": ("POST", "/collections/c/admissions", {"id": "new", "text": WATCHED}),
            "check_text": ("POST", "/checks", {"text": text(3), "collections": ["c"]}),
            "check_file": ("POST", "/checks?collections=c", docx(text(3)), DOCX),
            "policy": ("PUT", "/policies/strict", {"bound": 5}),
            "set_gate": ("PUT", "/collections/d/gate", {"threshold": 0.6}),
            "watch": ("PUT", "/collections/c/watches/v", {"text": text(700)}),
            "unwatch": ("DELETE", "/collections/c/watches/w"),
            "make_key": ("POST", "/keys", {"scopes": ["read"]}),
            "drop": ("DELETE", "/collections/c"),
        }

    def data_of(self, name: str) -> pathlib.Path:
        return self.at.work / "elsewhere" if name == "restore" else self.at.data

    def content(self, name: str) -> dict:
        """What a command left. A server that looks makes a state where none is, and `restore` then keeps that: it sees a copy."""
        if name != "restore":
            return self.at.content()
        seen = self.at.work / "seen"
        shutil.rmtree(seen, ignore_errors=True)
        if self.data_of(name).exists():
            shutil.copytree(self.data_of(name), seen)
        (seen / "collections").mkdir(parents=True, exist_ok=True)
        return self.at.content(seen)

    def note(self, name: str, what: str, wrong):
        self.wrong.append(f"{name}, {what}: {wrong}")
        print(self.wrong[-1], file=sys.stderr, flush=True)

    def compare(self, name: str, what: str, contents: tuple[dict, dict, dict], succeeded: bool, said: str):
        """What is there, against before and after."""
        found, before, after = contents
        for collection in sorted(before.keys() | after.keys() | found.keys()):
            old, new, has = before.get(collection), after.get(collection), found.get(collection)
            if has == new or (has == old and not succeeded):
                continue
            if name in PARTLY and not succeeded and self.is_between(collection, has, old, new):
                continue
            if name == "restore" and not succeeded and set(found) == {""}:
                continue  # the state is there before the collections, which repeating restores
            self.note(name, what, f"{said}, '{collection}' is neither as before nor as after: {str(has)[:600]}, not {str(new)[:600]}")

    @staticmethod
    def is_between(collection: str, has, old, new) -> bool:
        if not isinstance(has, dict):
            return False
        return collection == "" or all(one in ((old or {}).get(name), (new or {}).get(name)) for name, one in has.items())

    # Commands

    def run_command(self, name: str):
        command = self.operations()[name]
        self.at.reset()
        before = self.content(name)
        self.at.reset()
        self.control.set(*NONE)
        done = self.at.call(*command, data=self.data_of(name), env=self.faulty)
        if done.returncode != 0:
            raise RuntimeError(f"{name}: {done.stderr.decode()}")
        calls = self.control.read()[0]
        after = self.content(name)
        for fault, what in faults(calls, self.most):
            self.attempt(name, command, before, after, fault, what)

    def attempt(self, name: str, command: list, before: dict, after: dict, fault: tuple[int, int, int], what: str):
        self.at.reset()
        self.control.set(*fault)
        try:
            done = self.at.call(*command, data=self.data_of(name), env=self.faulty)
        except subprocess.TimeoutExpired:
            self.note(name, what, "it hangs")
            return
        self.tries[name] += self.control.read()[1]
        self.control.set(*NONE)
        if done.returncode < 0:
            self.note(name, what, f"ended by signal {-done.returncode}")
        self.failed[name] += done.returncode != 0
        said = f"exit {done.returncode} ({done.stderr.decode()[:200]})"
        if name == "backup":
            self.check_backup(name, what, done.returncode)
        else:
            self.compare(name, what, (self.content(name), before, after), done.returncode == 0, said)
        again = self.at.call(*command, data=self.data_of(name))
        if again.returncode != 0 and not (done.returncode == 0 and name in ("backup", "restore")) and \
                not (name == "delete" and b"not in the collection" in again.stderr):
            self.note(name, what, f"{said}, repeated: {again.stderr.decode()}")
        elif done.returncode != 0 and name != "backup":
            self.compare(name, what, (self.content(name), after, after), True, f"{said}, repeated")

    def check_backup(self, name: str, what: str, code: int):
        target = self.at.target
        if code != 0 and not target.exists():
            return
        manifest = json.loads((target / "akin-backup.json").read_text(encoding="utf-8"))
        names, left_out = [one["name"] for one in manifest["collections"]], manifest.get("left_out", [])
        if sorted(names + left_out) != ["c", "d"] or manifest["state"] is None or (code == 0) != (left_out == []):
            self.note(name, what, f"exit {code}, but it holds {names}, without {left_out}, state {manifest['state']}")
        if sorted(os.listdir(target / "collections")) != names:
            self.note(name, what, f"files of {os.listdir(target / 'collections')}, but it holds {names}")
        readable = [str(file) for file in [target, *target.rglob("data.mdb")] if file.stat().st_mode & 0o077]
        if readable:
            self.note(name, what, f"others may read {readable}")
        if code != 0:
            shutil.rmtree(target)  # or it could not be repeated

    # Requests

    def ask(self, server, name: str) -> Answer:
        method, path, *rest = self.requests()[name]
        fields = rest.pop() if len(rest) == 3 else {}
        client = Client(server, SECONDS)
        answer = client.ask(method, path, *rest, **fields)
        client.close()
        return answer

    def request(self, name: str, fault: tuple[int, int, int], what: str) -> tuple[Answer, dict]:
        """The answer to the request during which the call fails, and the number of calls of each kind."""
        server = self.at.serve(env=self.faulty)
        try:
            self.control.set(*fault)
            answer = self.ask(server, name)
            calls, failed = self.control.read()
            self.tries[name] += failed
            self.control.set(*NONE)
            if answer.status == 0:
                self.note(name, what, f"no answer: {answer}")
            if answer.status == 202:
                self.await_check(server, name, what, answer)
            if not server.alive():
                self.note(name, what, "the server has died")
            return answer, calls
        finally:
            server.close()

    def await_check(self, server, name: str, what: str, answer: Answer):
        """A check that is made once a passing fault is over."""
        client = Client(server, SECONDS)
        end = time.monotonic() + SECONDS
        while client.ask("GET", "/checks/" + json.loads(answer.content)["id"]).status != 200:
            if time.monotonic() > end:
                self.note(name, what, f"{answer}, and the check is never made")
                break
            time.sleep(0.05)
        client.close()

    @staticmethod
    def succeeded(name: str, answer: Answer) -> bool:
        return 200 <= answer.status < 300 and (name != "bulk" or b'"errors":0' in answer.content.replace(b" ", b""))

    def run_request(self, name: str):
        self.at.reset()
        before = self.at.content()
        self.at.reset()
        answer, calls = self.request(name, NONE, "nothing fails")
        if not self.succeeded(name, answer):
            raise RuntimeError(f"{name}: {answer}")
        after = self.at.content()
        for fault, what in faults(calls, self.most):
            self.at.reset()
            answer, _ = self.request(name, fault, what)
            succeeded = self.succeeded(name, answer)
            self.failed[name] += not succeeded
            self.compare(name, what, (self.at.content(), before, after), succeeded, repr(answer))
            self.repeat(name, what, answer)

    def repeat(self, name: str, what: str, first: Answer):
        """The same request succeeds where nothing fails; one that had succeeded may be refused as that."""
        server = self.at.serve()
        try:
            again = self.ask(server, name)
            done_before = {"drop": 404, "remove": 404, "unwatch": 404, "put_if_missing": 412, "make_key": 401}.get(name)
            if not self.succeeded(name, again) and again.status != done_before:
                self.note(name, what, f"{first}, repeated: {again}")
            if name != "drop":
                return
            client = Client(server)
            client.must("PUT", "/collections/c")
            for path in ("gate", "watches/w"):
                if client.ask("GET", f"/collections/c/{path}").status != 404:
                    self.note(name, what, f"{first}, and the new collection has the old one's {path}")
        finally:
            server.close()

    def run(self, name: str):
        if name in self.requests():
            self.run_request(name)
        else:
            self.run_command(name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--akin", required=True, type=os.path.abspath)
    parser.add_argument("--library", required=True, type=os.path.abspath)
    parser.add_argument("--operations", default="")
    parser.add_argument("--most", type=int, default=12)
    arguments = parser.parse_args()
    run = Run(arguments)
    try:
        run.at.prepare()
        for name in arguments.operations.split(",") if arguments.operations else [*run.operations(), *run.requests()]:
            run.run(name)
            print(f"{name}: {run.tries[name]} calls failed, {run.failed[name]} of its tries", file=sys.stderr, flush=True)
    finally:
        shutil.rmtree(run.folder, ignore_errors=True)
    print(json.dumps({
        "calls_that_failed": run.tries, "tries_that_failed": run.failed,
        "all_calls": sum(run.tries.values()), "all_tries": sum(run.failed.values()), "wrong": run.wrong,
    }, indent=1))
    return 1 if run.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
