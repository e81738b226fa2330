"""The audit log: it survives kill -9 and the copy to another place, agrees with what was acknowledged, and shows forgery."""
import hashlib
import http.client
import json
import random
import threading
import time
import unittest

from postgresql import Database
from program import QUERY, AkinTest
from server_process import Server

KILLS = 4


class AuditTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.place = self.data

    def ask(self, server: Server, method: str, path: str, body=None) -> tuple[int, dict]:
        connection = server.connect()
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def log(self) -> list[dict]:
        return [json.loads(line) for line in self.akin("audit", "export", code=0).out.splitlines()]

    def new_check(self, server: Server) -> str:
        self.index_library()
        body = {"collections": ["default"], "text": QUERY.read_text(encoding="utf-8")}
        status, check = self.ask(server, "POST", "/v1/checks", body)
        self.assertEqual(status, 201, check)
        return check["id"]

    def test_every_hash_is_that_of_the_line_before_it(self):
        self.akin("key", "create", "--scope", "admin", code=0)
        self.akin("person", "add", "anna", "--role", "reader", code=0)
        previous = ""
        for line in self.akin("audit", "export", code=0).out.splitlines():
            entry = json.loads(line)
            bare = line.rsplit(',"hash":', 1)[0] + "}"
            self.assertEqual(hashlib.sha256(bare.encode()).hexdigest(), entry["hash"])
            self.assertEqual(entry["previous"], previous)
            self.assertEqual(entry["by"]["kind"], "command")
            previous = entry["hash"]
        actions = [entry["action"] for entry in self.log()]
        self.assertEqual(actions, ["key.created", "person.created", "key.created"])
        self.assertIn(previous, self.akin("audit", "verify", code=0).out)
        self.assertIn("person.created", self.akin("audit", "list", code=0).out)

    def test_what_is_acknowledged_is_in_history_and_log_after_kill_9(self):
        server = Server(self)
        check = self.new_check(server)
        path = f"/v1/checks/{check}/decision"
        acknowledged = []
        for kill in range(KILLS):
            ended = threading.Event()

            def decide(reader: int):
                number = 0
                while not ended.is_set():
                    number += 1
                    remark = f"{kill}-{reader}-{number}"
                    try:
                        status, _ = self.ask(server, "PUT", path, {"state": "open", "remark": remark})
                    except (OSError, http.client.HTTPException, json.JSONDecodeError):
                        return
                    if status == 200:
                        acknowledged.append(remark)

            readers = [threading.Thread(target=decide, args=(reader,)) for reader in range(3)]
            for reader in readers:
                reader.start()
            time.sleep(random.uniform(0.2, 0.8))
            server.kill()
            ended.set()
            for reader in readers:
                reader.join()
            server = Server(self)
        history = self.ask(server, "GET", path)[1]["history"]
        self.assertEqual([entry["number"] for entry in history], list(range(1, len(history) + 1)))
        self.assertLessEqual(set(acknowledged), {entry["remark"] for entry in history})
        self.assertGreater(len(acknowledged), KILLS)
        decided = [entry for entry in self.log() if entry["action"] == "check.decided"]
        self.assertEqual([entry["details"]["number"] for entry in decided], [entry["number"] for entry in history])
        self.akin("audit", "verify", code=0)

    def test_deletions_of_documents_and_exports_are_recorded(self):
        server = Server(self)
        self.ask(server, "PUT", "/v1/collections/default")
        for id in ("one", "two", "three", "four"):
            self.ask(server, "PUT", f"/v1/collections/default/documents/{id}", {"text": f"A text by the name of {id}."})
        self.assertEqual(self.ask(server, "DELETE", "/v1/collections/default/documents/one")[0], 200)
        self.assertEqual(self.ask(server, "DELETE", "/v1/collections/default/documents/one")[0], 404)
        lines = b"".join(json.dumps({"id": id, "delete": True}).encode() + b"\n" for id in ("two", "absent"))
        connection = server.connect()
        connection.request("POST", "/v1/collections/default/bulk", lines, {"Content-Type": "application/x-ndjson"})
        self.assertIn(b'"deleted":1', connection.getresponse().read())
        connection.close()
        server.stop()
        self.akin("delete", "three", code=0)
        self.akin("export", "all.ndjson", code=0)
        self.akin("import", self.write("vault.ndjson", json.dumps({"id": "secret", "text": "Not for you.", "metadata": {"restricted": True}})), code=0)
        self.akin("show", "four", "--text", code=0)
        self.akin("show", "secret", code=0)
        self.assertIn("Not for you.", self.akin("show", "secret", "--text", code=0).out)
        self.akin("delete", "nothing", code=2)
        self.assertEqual([(entry["action"], entry["about"], entry["details"]) for entry in self.log()],
                         [("document.deleted", "default/one", {}), ("documents.deleting", "default", {}), ("documents.deleted", "default", {"documents": 1}),
                          ("documents.deleted", "default", {"documents": 1}), ("collection.exported", "default", {}),
                          ("document.read", "default/secret", {})])
        self.akin("audit", "verify", code=0)

    def test_a_command_that_prints_restricted_texts_is_recorded_before_it_prints(self):
        text = QUERY.read_text(encoding="utf-8")
        copies = [{"id": id, "text": text, "metadata": {"restricted": id == "secret"}} for id in ("secret", "unlocked")]
        self.akin("import", self.write("vault.ndjson", "".join(json.dumps(copy) + "\n" for copy in copies)), code=0)
        self.akin("person", "list", code=0)  # makes the log
        kept = self.write("copy.txt", text)
        other = ("export", "elsewhere.ndjson", "--filter", 'id = "unlocked"')
        printing = [
            ("similar", kept), ("similar", kept, "--json", "--include", "passage_text"), ("similar", "--id", "secret"),
            ("similar", kept, "--collections", "default"), ("check", kept), ("templates", "--more-than", "1"), ("pairs", "--bound", "3", "--table", "t.tsv"),
            ("pairs", "--bound", "3", "--table", "t.html"),
        ]  # fmt: skip
        for command in printing:
            with self.subTest(command=command):
                before = len(self.log())
                self.akin(*command, code=0)
                self.assertEqual([(entry["action"], entry["about"]) for entry in self.log()[before:]], [("document.read", "default/secret")])
        for command in (("similar", kept, "--include", "record"), ("similar", kept, "--json"), ("check", kept, "--json"), other):
            with self.subTest(command=command):
                before = len(self.log())
                self.akin(*command, code=0)
                self.assertNotIn("document.read", [entry["action"] for entry in self.log()[before:]])

    def test_commands_with_whole_collections_are_recorded(self):
        text = QUERY.read_text(encoding="utf-8")
        self.akin("import", self.write("vault.ndjson", json.dumps({"id": "secret", "text": text, "metadata": {"restricted": True}})), code=0)
        self.akin("person", "list", code=0)  # makes the log
        corpus = self.write("corpus.jsonl", json.dumps({"id": "copy", "text": text.rsplit(".", 3)[0]}))
        self.akin("stats", "--common", "1", code=0)
        self.assertIn("passage of ", self.akin("dedup", corpus, "--against", "default", "--out", "kept.jsonl", "--why", "copy", code=0).out)
        self.akin("store", "copy", self.place, self.folder / "other", "default", code=0)
        self.akin("export", self.folder / "absent" / "all.ndjson", code=2)
        is_folder = "AKIN_STORE" not in self.environment
        self.akin("backup", self.folder / "saved", code=0 if is_folder else 2)
        log = [(entry["action"], entry["about"], entry["details"]) for entry in self.log()]
        saved = ("backup.made", str(self.folder / "saved"), {"collections": []})
        self.assertEqual(log[:4], [("document.read", "default/secret", {}), ("collection.read", "default", {}),
                                   ("store.copied", str(self.folder / "other"), {"collections": ["default"]}), saved])
        self.assertEqual([(action, details.get("failed")) for action, _, details in log[4:]], [] if is_folder else [("backup.made", "unsupported")])
        if is_folder:
            self.akin("backup", self.folder / "saved", code=2)
            self.assertEqual(self.log()[-1]["details"], {"collections": [], "failed": "already_exists"})
            for flags in ((), ("--replace",)):
                self.akin("restore", self.folder / "saved", "--data", self.folder / "whole", *flags, code=0)
            whole = [json.loads(line) for line in self.akin("audit", "export", "--data", self.folder / "whole", code=0).out.splitlines()]
            self.assertEqual([(entry["action"], entry["details"]) for entry in whole[4:]],
                             [("backup.restored", {"collections": [], "replace": replace}) for replace in (False, True)])
            self.akin("audit", "verify", "--data", self.folder / "whole", code=0)
        self.akin("audit", "verify", code=0)

    def test_what_is_deleted_before_kill_9_is_in_the_log(self):
        server = Server(self)
        self.ask(server, "PUT", "/v1/collections/default")
        gone = set()
        for kill in range(KILLS):
            ids = {f"{kill}-{i}" for i in range(300)}
            lines = b"".join(json.dumps({"id": id, "text": f"A text by the name of {id}."}).encode() + b"\n" for id in ids)
            connection = server.connect()
            connection.request("POST", "/v1/collections/default/bulk", lines, {"Content-Type": "application/x-ndjson"})
            connection.getresponse().read()
            connection.close()

            def delete(mine: list[str]):
                for id in mine:
                    try:
                        self.ask(server, "DELETE", f"/v1/collections/default/documents/{id}")
                    except (OSError, http.client.HTTPException, json.JSONDecodeError):
                        return

            halves = [sorted(ids)[:150], sorted(ids)[150:]]
            threads = [threading.Thread(target=delete, args=(half,)) for half in halves]
            for thread in threads:
                thread.start()
            time.sleep(random.uniform(0.05, 0.3))
            server.kill()
            for thread in threads:
                thread.join()
            server = Server(self)
            left = {line["id"] for line in map(json.loads, self.akin("export", code=0).out.splitlines())}
            gone |= {f"default/{id}" for id in ids - left}
        self.assertGreater(len(gone), KILLS)
        self.assertLessEqual(gone, {entry["about"] for entry in self.log() if entry["action"] == "document.deleted"})
        self.akin("audit", "verify", code=0)

    def test_a_copy_of_the_server_has_persons_decisions_and_log(self):
        server = Server(self)
        check = self.new_check(server)
        self.assertEqual(self.ask(server, "PUT", f"/v1/checks/{check}/decision", {"state": "returned", "remark": "why"})[0], 200)
        self.akin("person", "add", "anna", "--role", "reader", code=0)
        server.stop()
        before = self.log()
        other = self.folder / "other"
        self.akin("store", "copy", self.place, other, code=0)
        self.environment.pop("AKIN_STORE", None)
        copied = [json.loads(line) for line in self.akin("audit", "export", "--data", other, code=0).out.splitlines()]
        self.assertEqual([entry["action"] for entry in copied], [*[entry["action"] for entry in before], "store.copied"])
        self.assertEqual(copied[:-1], before)
        self.assertIn("anna", self.akin("person", "list", "--data", other, code=0).out)
        self.akin("audit", "verify", "--data", other, code=0)


class DatabaseTest(AuditTest):
    """The same over PostgreSQL."""

    def setUp(self):
        super().setUp()
        database = Database()
        self.place = database.address
        self.environment["AKIN_STORE"] = database.address


if __name__ == "__main__":
    unittest.main()
