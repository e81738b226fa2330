"""The text of a restricted document never leaves the server: every operation of the description and every page of the desk,
asked with every key and by every person, before and after everything was written to."""
import json
import unittest

from server_process import Server
from test_access import OWN_TEXT, SCOPES, SECRET_ID, Asking

ROLES = ("author", "reader", "decider", "administrator")
# Operations of an administrator that read a text, which the audit log records.
READS_TEXT = {"getDocument", "getFile"}
LEAST = 30


def disguised(text: str) -> str:
    """The same sentences to akin, none of which has its words in their order."""
    sentences = [sentence.split(" ") for sentence in text.split(".")]
    return ".".join(" ".join(words[:1] + words[3:0:-1] + words[4:]) for words in sentences)


class RestrictedTest(Asking):
    def populate(self):
        super().populate()
        self.made("PUT", "/v1/collections/vault", {"store_file": True, "restricted": True})
        self.secrets = [s.strip() for s in self.secret_text.split(".")[2:60] if len(s.strip()) > LEAST and s.count(" ") > 4]
        self.secrets = [s for s in self.secrets if s not in disguised(self.secret_text)]
        self.assertGreater(len(self.secrets), 10)
        # A watch gives back the text that a client sent.
        self.made("PUT", "/v1/collections/vault/watches/vault-watch", {"text": disguised(self.secret_text), "bound": 1})
        check = self.made("POST", "/v1/checks", {"collections": ["vault"], "text": disguised(self.secret_text)[:4000]})
        self.assertGreater(check["share"], 0.5)
        self.hidden.values["check"] = check["id"]
        self.link = self.made("POST", f"/v1/checks/{check['id']}/links", {"statement": True})["path"]
        self.hidden.values["link"] = self.made("GET", f"/v1/checks/{check['id']}/links")["links"][0]["id"]

    def everybody(self) -> dict[str, str | None]:
        keys = {f"key of scope {scope}": self.key(scope) for scope in SCOPES}
        for role in ROLES:
            self.made("PUT", f"/v1/persons/{role}-1", {"name": role, "roles": [role]})
            keys[role] = self.made("POST", f"/v1/persons/{role}-1/secret", None)["key"]
        return {"nobody": None, **keys}

    def pages(self) -> list[str]:
        check, task = self.hidden.of("check"), self.hidden.of("task")
        document = f"/desk/collections/vault/documents/{SECRET_ID}"
        return [
            "/desk/", "/desk/checks", f"/desk/checks/{check}", f"/desk/checks/{check}/marks?source=1", "/desk/collections",
            "/desk/collections/vault", document, f"{document}?similar=true", f"/desk/pairs/{task}", "/desk/log", "/desk/rules",
            f"/desk/compare?collection=vault&a={SECRET_ID}&b={SECRET_ID}-2", "/desk/server", "/desk/persons", self.link,
            f"/desk/checks/{check}/pages/1", f"/desk/cohorts/{task}", "/desk/collections/vault/duplicates",
            "/desk/collections/vault/watches", "/desk/rules/default", "/desk/keys",
        ]  # fmt: skip

    def assert_silent(self, answer: str, request: str):
        plain = answer.replace("&#39;", "'").replace("&quot;", '"')
        for secret in self.secrets:
            self.assertNotIn(secret, plain, request)
            self.assertNotIn(json.dumps(secret)[1:-1], answer, request)

    def ask_all(self, keys: dict[str, str | None], methods: set[str]) -> int:
        asked = 0
        for name, key in keys.items():
            requests = self.requests(self.hidden, self.hidden, disguised(self.secret_text)[:3000])
            for operation, method, path, body, kind in requests:
                may_read = operation in READS_TEXT and name in ("key of scope admin", "administrator")
                if method not in methods or may_read or operation in ("getDocsPage", "erase"):
                    continue
                with self.subTest(who=name, operation=operation, request=path):
                    self.assert_silent(self.send(method, path, body, key, kind)[1], f"{name}: {method} {path} {str(body)[:100]}")
                    asked += 1
            for page in self.pages():
                if page == f"/desk/collections/vault/documents/{SECRET_ID}" and name in ("key of scope admin", "administrator"):
                    continue
                with self.subTest(who=name, page=page):
                    self.assert_silent(self.send("GET", page, None, key)[1], f"{name}: {page}")
        return asked

    def test_no_answer_page_event_or_log_has_a_sentence_of_it(self):
        keys = self.everybody()
        self.assertGreater(self.ask_all(keys, {"GET", "POST"}), 300)
        self.ask_all(keys, {"PUT", "PATCH", "DELETE"})
        self.ask_all(keys, {"GET"})
        self.assert_silent(self.akin("audit", "export", code=0).out, "audit log")
        self.server.stop()
        self.assert_silent((self.folder / "log").read_text(encoding="utf-8"), "log")

    def test_an_administrator_reads_it_and_that_is_recorded(self):
        path = f"/v1/collections/vault/documents/{SECRET_ID}"
        status, answer = self.send("GET", path, None, self.all)
        self.assertEqual(status, 200, answer)
        self.assertIn(self.secrets[0], json.loads(answer)["text"])
        self.assertEqual(self.send("GET", path, None, self.key("decide"))[0], 403)
        log = self.akin("audit", "export", code=0).out.splitlines()
        self.assertEqual([e["about"] for e in map(json.loads, log) if e["action"] == "document.read"], [f"vault/{SECRET_ID}"])

    def test_it_cannot_be_watched_itself(self):
        self.assertEqual(self.send("PUT", "/v1/collections/vault/watches/w", {"id": SECRET_ID, "bound": 1}, self.all)[0], 403)

    def test_only_an_administrator_takes_a_mark_away(self):
        path = "/v1/collections/own/documents/own-note"
        release = {"metadata": {"restricted": None}}
        self.made("PATCH", path, {"metadata": {"restricted": True}})
        writer = self.key("write")
        self.assertEqual(self.send("PATCH", path, release, writer)[0], 403)
        self.assertEqual(self.send("GET", path, None, writer)[0], 403)
        self.made("PATCH", path, release)
        self.assertIn(OWN_TEXT, self.send("GET", path, None, writer)[1])

    def test_a_restriction_survives_backup_and_copy(self):
        self.akin("backup", self.folder / "saved", code=0)
        self.server.stop()
        restored, whole, copied = (self.folder / name for name in ("restored", "whole", "copied"))
        self.akin("restore", self.folder / "saved", "--data", whole, code=0)
        self.akin("index", self.write("note.txt", OWN_TEXT), "--data", restored, code=0)
        self.akin("person", "list", "--data", restored, code=0)  # it has a state of its own
        self.akin("restore", self.folder / "saved", "--only", "vault", "--as", "safe", "--data", restored, code=0)
        self.akin("store", "copy", self.data, copied, code=0)
        for place, name in ((whole, "vault"), (restored, "safe"), (copied, "vault")):
            self.environment["AKIN_DATA"] = str(place)
            reader = self.key("read")
            server = Server(self)
            self.connection = server.connect()
            self.addCleanup(self.connection.close)
            self.assertEqual(self.send("GET", f"/v1/collections/{name}/documents/{SECRET_ID}", None, reader)[0], 403, place)


if __name__ == "__main__":
    unittest.main()
