"""A data folder with what today's default collection has, and what is in it as clients see it."""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "e2e"))
from client import Client, docx  # noqa: E402
from server_process import ServerProcess  # noqa: E402

SECONDS = 60
WORDS = (SOURCE / "sample" / "library" / "chekhov-misery.txt").read_text(encoding="utf-8").split()
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def text(first: int, count: int = 60) -> str:
    return " ".join(WORDS[first:first + count]) + "."


WATCHED = text(500)


class Data:
    """`template` is copied to `work` for each try; collections, a backup and the sources of commands are below."""

    def __init__(self, akin: str, folder: pathlib.Path):
        self.akin, self.template, self.work = akin, folder / "template", folder / "work"
        self.data, self.target = self.work / "data", self.work / "backup"
        self.environment = {**os.environ, "AKIN_LANG": "en"}

    def call(self, *words, data=None, env=None):
        return subprocess.run([self.akin, *map(str, words), "--data", data or self.data], capture_output=True,
                              env=env or self.environment, timeout=SECONDS, check=False)

    def must(self, *words, data=None):
        done = self.call(*words, data=data)
        if done.returncode != 0:
            raise RuntimeError(f"{words}: {done.stderr.decode()}")
        return done

    def serve(self, data=None, env=None) -> ServerProcess:
        return ServerProcess([self.akin, "serve", "--data", data or self.data, "--log-level", "off"], env=env or self.environment)

    def prepare(self):
        """A collection `c` with tiers, texts, files, a gate, a watch with an event, a check and a policy; `d` without."""
        self.template.mkdir()
        data = self.template / "data"
        for name, first, count in (("old.ndjson", 0, 8), ("more.ndjson", 4, 12)):
            lines = [json.dumps({"id": f"d{n}", "text": text(n * 7)}) for n in range(first, first + count)]
            (self.template / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        (self.template / "one.txt").write_text(text(300, 120), encoding="utf-8")
        (self.template / "one.docx").write_bytes(docx(text(400)))
        (self.template / "strict.json").write_text('{"bound": 5}', encoding="utf-8")
        self.must("import", self.template / "old.ndjson", "--collection", "d", data=data)
        server = self.serve(data)
        client = Client(server)
        client.must("PUT", "/collections/c", {"store_file": True})
        client.must("PUT", "/collections/c/watches/w", {"text": WATCHED})
        client.must("PUT", "/collections/c/gate", {"threshold": 0.5})
        client.must("PUT", "/policies/mild", {"bound": 2})
        client.must("PUT", "/collections/c/documents/file", docx(text(200)), DOCX)
        client.must("POST", "/checks", {"text": text(0), "collections": ["d"]})
        client.close()
        server.stop()
        self.must("import", self.template / "old.ndjson", "--collection", "c", data=data)
        self.must("backup", self.template / "kept", data=data)
        self.must("import", self.template / "more.ndjson", "--collection", "c", data=data)

    def reset(self):
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.template, self.work)

    def content(self, data=None) -> dict:
        """The documents of each collection, and under "" what else is stored; of one that gives nothing, why."""
        found = {}
        listed = self.call("verify", "--all", data=data)
        if listed.returncode not in (0, 2):
            return {"": listed.stderr.decode()}
        for line in listed.stdout.decode().splitlines():
            name, _, said = line.partition(": ")
            if said != "clean":
                return {name: f"verify says {said}"}
            done = self.call("export", "--collection", name, data=data)
            found[name] = done.stderr.decode() if done.returncode != 0 else {
                one["id"]: one["text"] for one in map(json.loads, done.stdout.splitlines())}
        if listed.returncode != 0:
            return {"": listed.stderr.decode()}
        server = self.serve(data)
        try:
            found[""] = {**self.state(Client(server), found), "code": server.stop()}
        finally:
            server.close()
        return found

    def state(self, client: Client, collections: dict) -> dict:
        """What a server says of files, gates, watches, events, checks, policies, keys and lives."""
        if client.ask("GET", "/collections").status == 401:
            return {"keys": "in use"}
        found = {}
        for path, names in (("/checks", "checks"), ("/policies", "policies"), ("/keys", "keys")):
            answer = client.ask("GET", path)
            found[path] = len(answer.json[names]) if answer.status == 200 else repr(answer)
        for one in client.ask("GET", "/checks").json["checks"]:
            if (whole := client.ask("GET", f"/checks/{one['id']}")).status != 200:
                found["/checks"] = repr(whole)
        for name, documents in collections.items():
            gate = client.ask("GET", f"/collections/{name}/gate")
            watches = client.ask("GET", f"/collections/{name}/watches").json
            found[name] = {
                "gate": gate.json["threshold"] if gate.status == 200 else gate.status,
                "watches": [(one["name"], one["enabled"]) for one in watches["watches"]], "trouble": watches["trouble"],
                "is temporary": client.ask("GET", f"/collections/{name}").json["expires"] is not None,
                "files": {one: hashlib.sha256(file.content).hexdigest() for one in documents
                          if (file := client.ask("GET", f"/collections/{name}/files/{one}")).status == 200},
            }
            if any(one["name"] == "w" for one in watches["watches"]) and isinstance(documents, dict):
                found[name]["events"] = self.events(client, name, documents)
        return found

    @staticmethod
    def events(client: Client, name: str, documents: dict) -> list[str]:
        """Of documents that are there, once those with the watched text have theirs."""
        wanted = sorted(one for one, its_text in documents.items() if its_text == WATCHED)
        end = time.monotonic() + 10
        while True:
            events = client.ask("GET", f"/collections/{name}/events?limit=1000").json["events"]
            found = sorted(event["document"]["id"] for event in events if event["document"]["id"] in documents)
            if found == wanted or time.monotonic() > end:
                return found
            time.sleep(0.02)
