"""Erasure: after it nothing of a document or a person is in any byte of the files, and the audit log still verifies."""
import json
import unittest

from program import AkinTest, story
from server_process import Server

# Sentences of a document that occur nowhere else, and what is known of a person.
SECRETS = ("Zanzibar keeps its lighthouse dark on the nights of the regatta", "Ночью маяк Занзибара гасят ради регаты лодочников")
TITLE = "The lighthouse papers of Zanzibar"
PERSON = "xenia.quillfeather"
NAME = "Xenia Quillfeather the Third"


class EraseTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.server = Server(self)
        self.text = story()[:3000] + f" {SECRETS[0]}. " + story()[3000:4000] + f" {SECRETS[1]}. " + story()[4000:6000]
        self.server.call("PUT", "/vault", {"store_file": True})
        self.server.call("PUT", "/vault/documents/plan", {"text": self.text, "title": TITLE})
        self.server.call("PUT", "/vault/documents/other", {"text": story("chekhov-vanka.txt")})

    def send(self, method: str, path: str, body, key: str) -> tuple[int, bytes]:
        connection = self.server.connect()
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, content

    def status(self, method: str, path: str, body, key: str) -> int:
        return self.send(method, path, body, key)[0]

    def ask(self, method: str, path: str, body=None, key: str = "") -> dict:
        status, content = self.send(method, path, body, key)
        self.assertLess(status, 300, content)
        return json.loads(content)

    def check(self, **fields) -> dict:
        return self.ask("POST", "/v1/checks", {"collections": ["vault"], **fields})

    def hand_in_what_cannot_be_read(self, key: str):
        connection = self.server.connect()
        fields = {"Content-Type": "application/pdf", "Prefer": "respond-async", "Authorization": f"Bearer {key}"}
        connection.request("POST", f"/v1/checks?collections=vault&owner={PERSON}", b"%PDF-1.7 and nothing else", fields)
        answer = connection.getresponse()
        self.assertEqual((answer.status, json.loads(answer.read())["owner"]), (202, PERSON))
        connection.close()

    def prove(self, *lines: str, code: int, data=None):
        needles = self.folder / "needles.txt"
        needles.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return self.akin("erase", "prove", needles, *(["--data", data] if data else []), code=code)

    def test_a_collection_that_nothing_knows_is_a_mistake(self):
        self.assertEqual(self.send("POST", "/v1/erasures", {"collection": "valt", "id": "plan"}, "")[0], 404)
        self.server.stop()
        self.assertIn("'valt'", self.akin("erase", "document", "plan", "--collection", "valt", code=2).err)
        self.assertIn("found no", self.akin("erase", "document", "nobody", "--collection", "vault", code=0).out)
        self.server = Server(self)

    def test_nothing_of_a_document_is_in_any_byte(self):
        self.server.call("PUT", "/vault/watches/w", {"id": "plan", "bound": 1})
        self.server.call("PUT", "/vault/documents/copy", {"text": self.text[:2000]})
        self.when(lambda: self.server.call("GET", "/vault/events")[1]["events"], "no event")
        borrowed = self.check(text=self.text.replace("keeps", "holds").replace("гасят", "тушат"))["id"]
        own = self.check(collection="vault", id="plan")["id"]
        self.assertIn(SECRETS[0], json.dumps(self.ask("GET", f"/v1/checks/{borrowed}?include=passage_text")))
        self.server.call("DELETE", "/vault/documents/copy")
        self.server.stop()
        self.assertIn(str(self.data), self.prove(SECRETS[0], TITLE, code=2).out)
        self.assertIn(str(self.data), self.prove(SECRETS[1], code=2).out)
        report = json.loads(self.akin("erase", "document", "plan", "--collection", "vault", "--json", code=0).out)
        self.assertEqual((report["checks_deleted"], report["checks_changed"]), (1, 1))
        self.assertGreater(report["watched"], 0)
        self.assertIn("found nowhere", self.prove(*SECRETS, TITLE, code=0).out)
        self.akin("audit", "verify", code=0)
        self.server = Server(self)
        check = self.ask("GET", f"/v1/checks/{borrowed}?include=passage_text")
        self.assertEqual({passage["b_text"] for source in check["sources"] for passage in source["passages"] if source["id"] == "plan"}, {None})
        self.assertGreater(check["share"], 0.5)
        self.assertNotIn(own, json.dumps(self.ask("GET", "/v1/checks")))
        self.assertEqual(self.server.call("GET", "/vault")[1]["documents"], 1)

    def test_nothing_of_a_person_is_in_any_byte(self):
        admin = json.loads(self.akin("key", "create", "--scope", "admin", "--json", code=0).out)["key"]
        secret = json.loads(self.akin("person", "add", PERSON, "--name", NAME, "--role", "decider", "--json", code=0).out)["secret"]
        body = {"collections": ["vault"], "text": f"{self.text[:500]} {SECRETS[0]}."}
        theirs = self.ask("POST", "/v1/checks", {**body, "owner": PERSON}, admin)["id"]
        others = self.ask("POST", "/v1/checks", {**body, "text": self.text[:700], "owner": "somebody"}, secret)["id"]
        self.ask("PATCH", f"/v1/checks/{others}/marks", {"marks": [{"source": 1, "counted": False}]}, secret)
        self.ask("POST", f"/v1/checks/{others}/links", {"label": "an author"}, secret)
        self.hand_in_what_cannot_be_read(admin)
        data = json.loads(self.akin("person", "export", PERSON, code=0).out)
        self.assertEqual((data["person"]["name"], [check["id"] for check in data["checks"]]), (NAME, [theirs]))
        self.assertIn(SECRETS[0], data["checks"][0]["text"])
        self.assertEqual(data["decisions"], [others])
        self.assertIn("check.marked", [entry["action"] for entry in data["log"]])
        self.server.stop()
        report = json.loads(self.akin("erase", "person", PERSON, "--json", code=0).out)
        self.assertEqual((report["was_there"], report["checks_deleted"], report["checks_changed"]), (True, 1, 1))
        self.assertIn("found nowhere", self.prove(PERSON, NAME, code=0).out)
        self.akin("audit", "verify", code=0)
        self.server = Server(self)
        history = self.ask("GET", f"/v1/checks/{others}/decision", key=admin)["history"]
        self.assertEqual(history[0]["by"], {"kind": "person", "id": "erased", "name": ""})

    def erase(self, **what) -> dict:
        erased = self.ask("POST", "/v1/erasures", what)
        if erased["task"]:
            self.when(lambda: self.ask("GET", f"/v1/tasks/{erased['task']}")["status"] == "done", "the collection is compacted")
        return erased

    def found(self, *texts: str) -> dict:
        return self.ask("POST", "/v1/erasures/search", {"texts": texts})

    def test_a_server_erases_a_document_and_finds_nothing_of_it_after_its_next_start(self):
        borrowed = self.check(text=self.text.replace("keeps", "holds").replace("гасят", "тушат"))["id"]
        before = self.found(SECRETS[0], TITLE)
        self.assertIn("state/data.mdb", [place["file"] for place in before["places"]])
        erased = self.erase(collection="vault", id="plan")
        self.assertEqual((erased["was_there"], erased["checks_deleted"], erased["checks_changed"]), (True, 0, 1))
        check = self.ask("GET", f"/v1/checks/{borrowed}?include=passage_text")
        self.assertNotIn(SECRETS[0], json.dumps(check, ensure_ascii=False))
        self.assertEqual([place for place in self.found(*SECRETS, TITLE)["places"] if place["file"].startswith("collections/")], [])
        self.assertFalse(self.erase(collection="vault", id="plan")["was_there"])
        self.akin("backup", self.folder / "saved", code=0)
        self.akin("restore", self.folder / "saved", "--data", self.folder / "restored", code=0)
        self.assertIn("found nowhere", self.prove(*SECRETS, TITLE, data=self.folder / "restored", code=0).out)
        self.server.stop()
        self.server = Server(self)
        self.assertEqual(self.found(*SECRETS, TITLE)["found"], 0)
        self.assertEqual(self.ask("GET", f"/v1/checks/{borrowed}")["id"], borrowed)
        self.server.stop()
        self.assertIn("found nowhere", self.prove(*SECRETS, TITLE, code=0).out)
        log = [json.loads(line) for line in self.akin("audit", "export", code=0).out.splitlines()]
        self.assertEqual([entry["action"] for entry in log if entry["action"].startswith(("document.", "files."))],
                         ["files.searched", *["document.erasing", "document.erased", "files.searched"] * 2])
        self.akin("audit", "verify", code=0)

    def test_a_server_erases_a_person_for_administrators_of_all_collections(self):
        admin = json.loads(self.akin("key", "create", "--scope", "admin", "--json", code=0).out)["key"]
        some = json.loads(self.akin("key", "create", "--scope", "admin", "--collections", "vault", "--json", code=0).out)["key"]
        decider = json.loads(self.akin("key", "create", "--scope", "decide", "--json", code=0).out)["key"]
        self.akin("person", "add", PERSON, "--name", NAME, "--role", "author", code=0)
        theirs = self.ask("POST", "/v1/checks", {"collections": ["vault"], "text": f"{self.text[:500]} {SECRETS[0]}.", "owner": PERSON}, admin)["id"]
        self.hand_in_what_cannot_be_read(admin)
        for key in (some, decider):
            self.assertEqual(self.status("POST", "/v1/erasures", {"person": PERSON}, key), 403)
            self.assertEqual(self.status("POST", "/v1/erasures/search", {"texts": [NAME]}, key), 403)
        for wrong in ({}, {"person": PERSON, "collection": "vault", "id": "plan"}, {"id": "plan"}, {"collection": "vault"}):
            self.assertEqual(self.status("POST", "/v1/erasures", wrong, admin), 400, wrong)
        erased = self.ask("POST", "/v1/erasures", {"person": PERSON}, admin)
        self.assertEqual((erased["was_there"], erased["checks_deleted"], erased["task"]), (True, 1, None))
        self.assertEqual(self.status("GET", f"/v1/checks/{theirs}", None, admin), 404)
        self.assertEqual(self.ask("GET", "/v1/checks", key=admin)["waiting"], [])
        self.server.stop()
        self.server = Server(self)
        self.assertEqual(self.ask("POST", "/v1/erasures/search", {"texts": [PERSON, NAME]}, admin)["found"], 0)

    def test_a_server_does_not_write_the_state_again_while_another_process_has_it_open(self):
        self.akin("erase", "document", "other", "--collection", "vault", "--keep-pages", code=0)
        second = Server(self)  # beside the first one
        self.assertTrue((self.data / "state" / "rewrite").exists())
        second.stop()
        self.server.stop()
        self.server = Server(self)
        self.assertFalse((self.data / "state" / "rewrite").exists())

    def test_files_are_written_anew_only_without_a_server(self):
        for what in (("document", "plan", "--collection", "vault"), ("person", PERSON)):
            self.assertIn("stop the server, or erase with --keep-pages", self.akin("erase", *what, code=2).err)
        self.assertEqual(self.server.call("GET", "/vault")[1]["documents"], 2)  # nothing is erased by half
        for document in ("plan", "other"):
            self.akin("erase", "document", document, "--collection", "vault", "--keep-pages", code=0)
        self.assertEqual(self.server.call("GET", "/vault")[1]["documents"], 0)
        self.server.stop()
        self.akin("erase", "rewrite", code=0)
        self.assertIn("found nowhere", self.prove(*SECRETS, TITLE, code=0).out)


if __name__ == "__main__":
    unittest.main()
