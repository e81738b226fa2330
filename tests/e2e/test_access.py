"""No operation is a way around another: every operation of the description, with every kind of key, asked for a document
that the key does not allow. Paths, parameters and bodies are made from the OpenAPI description, so a new operation is
tested as soon as it is described."""
import http.client
import itertools
import json
import re
import unittest
import urllib.parse

from program import SOURCE, AkinTest, story
from server_process import Server

METHODS = ("get", "put", "post", "patch", "delete")
SCOPES = ("read", "write", "check", "submit", "review", "decide", "admin")
SECRET_ID = "zanzibar-plan"
SECRET_TITLE = "Title of the zanzibar plan"
OWN_TEXT = "The dog of the miller slept under the old cart. Nobody in the village woke it before noon."
MAX_VARIANTS = 6


def is_form_of_one_file(body, kind: str) -> bool:
    """Forms with many files are streams, whose answers depend on what was stored before."""
    return kind == "multipart/form-data" and isinstance(body, dict) and isinstance(body.get("file"), str)


def encoded(body, kind: str) -> bytes:
    match kind:
        case "text/plain" | "text/html":
            return body.encode()
        case "application/x-ndjson":
            return b"".join(json.dumps(line).encode() + b"\n" for line in body)
        case "application/x-www-form-urlencoded" if isinstance(body, dict):
            return urllib.parse.urlencode(fields_of(body)).encode()
        case _ if is_form_of_one_file(body, kind):
            parts = "".join(f'--x\r\nContent-Disposition: form-data; name="{name}"{"; filename=a.txt" if name == "file" else ""}\r\n\r\n'
                            f"{value}\r\n" for name, value in fields_of(body))
            return f"{parts}--x--\r\n".encode()
    return json.dumps(body).encode()


def fields_of(form: dict) -> list[tuple[str, str]]:
    """An array of a form is several fields, an object is JSON."""
    fields = [(name, one) for name, value in form.items() for one in (value if isinstance(value, list) else [value])]
    return [(name, one if isinstance(one, str) else json.dumps(one)) for name, one in fields]


class Names:
    """The values of parameters and fields, by their names."""

    def __init__(self, **values):
        self.values = values

    def of(self, name: str):
        return self.values.get(name)

    def masked(self, answer: str) -> str:
        """The answer without the names that the request itself contained."""
        for value in sorted(map(str, self.values.values()), key=len, reverse=True):
            answer = answer.replace(value, "NAME")
        return answer


class Bodies:
    """Values of a schema: each alternative, with the required properties alone and with all."""

    def __init__(self, schemas: dict, names: Names, text: str):
        self.schemas, self.names, self.text = schemas, names, text

    def of(self, schema: dict, name: str = "") -> list:
        if "$ref" in schema:
            schema = self.schemas[schema["$ref"].rsplit("/", 1)[1]]
        if name == "collections":
            return [[self.names.of("collection")]]
        if self.names.of(name) is not None and schema.get("type", "string") == "string":
            return [self.names.of(name)]
        if name in {"text", "a", "b"} and schema.get("type") == "string":
            return [self.text]
        if name == "labels":
            return [[{"a": self.names.of("id"), "b": "own-note", "label": "keep a"}]]
        if name == "store_file":  # as the collections have it
            return [True]
        if name == "languages":
            return ["ru,en"]
        if "properties" in schema:
            return self.objects(schema)
        if "oneOf" in schema:
            return [value for option in schema["oneOf"] for value in self.of(option, name)]
        if "const" in schema or "enum" in schema:
            return [schema.get("const", schema.get("enum", [None])[0])]
        if "default" in schema:
            return [schema["default"]]
        if "pattern" in schema:
            return ["monday"]
        kind = schema.get("type")
        kind = kind[0] if isinstance(kind, list) else kind
        if "prefixItems" in schema:
            return [[self.of(item, "")[0] for item in schema["prefixItems"]]]
        if kind == "array":
            return [[value] for value in self.of(schema["items"], name)]
        short = schema.get("maxLength", 1000) <= 200
        return [{"string": self.text[:40] if short else self.text, "boolean": True, "integer": schema.get("minimum", 1), "number": 0.5}.get(kind)]

    def objects(self, schema: dict) -> list[dict]:
        required = set(schema.get("required", []))
        alternatives = [set()]
        if {"text", "id"} <= set(schema["properties"]) - required:  # one of them, as the description says in words
            alternatives = [{"text"}, {"id", "collection"} & set(schema["properties"])]
        exclusive = set().union(*alternatives)
        found = []
        for chosen in alternatives:
            least = required | chosen
            for names in (least, least | (set(schema["properties"]) - exclusive - {"webhook", "scheme", "expires"})):
                values = [self.of(schema["properties"][name], name) for name in sorted(names)]
                made = itertools.islice(itertools.product(*values), MAX_VARIANTS)
                found += [dict(zip(sorted(names), some)) for some in made]
        return found


class Asking(AkinTest):
    """Asks every operation of a server for a document of the collection `vault`."""

    def setUp(self):
        super().setUp()
        log = (self.folder / "log").open("wb")
        self.addCleanup(log.close)
        self.server = Server(self, "--backup-folder", self.folder / "backups", log=log)
        self.connection = self.server.connect()
        self.addCleanup(self.connection.close)
        self.all = self.key("admin")
        self.secret_text = story()
        self.description = json.loads(self.send("GET", "/openapi.json", None)[1])
        self.populate()

    def key(self, scope: str, *flags) -> str:
        return json.loads(self.akin("key", "create", "--scope", scope, *flags, "--json", code=0).out)["key"]

    def send(self, method: str, path: str, body, key: str | None = None, kind="application/json") -> tuple[int, str]:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        content = None
        if body is not None:
            headers["Content-Type"] = kind + ("; boundary=x" if is_form_of_one_file(body, kind) else "")
            content = encoded(body, kind)
        for attempt in (1, 2):
            try:
                self.connection.request(method, path, body=content, headers=headers)
                answer = self.connection.getresponse()
                return answer.status, answer.read().decode()
            except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                self.connection.close()
                if attempt == 2:
                    raise

    def made(self, method: str, path: str, body=None, kind="application/json") -> dict:
        status, answer = self.send(method, path, body, self.all, kind)
        self.assertIn(status, (200, 201, 202), f"{method} {path}: {answer}")
        return json.loads(answer)

    def populate(self):
        for collection in ("vault", "own"):
            self.made("PUT", f"/v1/collections/{collection}", {"store_file": True})
        self.made("PUT", "/v1/collections/vault/gate", {"action": "group"})
        secret = {"text": self.secret_text, "title": SECRET_TITLE}
        self.made("PUT", "/v1/collections/vault/watches/vault-watch", {"text": self.secret_text, "bound": 1})
        self.made("POST", "/v1/collections/vault/admissions", {"id": SECRET_ID, **secret})
        group = self.made("POST", "/v1/collections/vault/admissions", {"id": SECRET_ID + "-2", **secret})["group"]
        # The group can be split, even after a request has taken the first document out of it.
        self.made("POST", "/v1/collections/vault/admissions", {"id": SECRET_ID + "-3", **secret})
        self.made("PUT", "/v1/collections/own/documents/own-note", {"text": OWN_TEXT})
        # Then its file can be read, too.
        page = f"<title>{SECRET_TITLE}</title><p>{self.secret_text}"
        self.made("PUT", f"/v1/collections/vault/documents/{SECRET_ID}", page, kind="text/html")
        self.lab("train", "--labels", SOURCE / "sample/news/pairs.ndjson", "--model", "model.json", code=0)
        self.made("PUT", "/v1/models/vault-model", json.loads((self.folder / "model.json").read_text(encoding="utf-8")))
        self.made("PUT", "/v1/persons/anna-1", {"name": "Anna", "roles": ["reader"]})
        self.made("PUT", "/v1/policies/vault-policy",
                  {"exclude": {"templates": [{"collection": "vault", "id": SECRET_ID}]}})
        key = json.loads(self.akin("key", "create", "--scope", "read", "--json", code=0).out)["id"]
        self.made("PUT", "/v1/policies/keeping", {"store_files": True})
        check = self.made("POST", "/v1/checks?collections=vault&policy=keeping", page, kind="text/html")["id"]
        link = self.made("POST", f"/v1/checks/{check}/links", {})["id"]
        task = self.made("POST", "/v1/collections/vault/pairs", {"bound": 1})["id"]
        self.when(lambda: self.made("GET", f"/v1/tasks/{task}")["status"] == "done", "pairs are not found")
        events = lambda: self.made("GET", "/v1/collections/vault/events")["events"]
        event = self.when(lambda: events() and events()[0]["id"], "no event")
        self.hidden = Names(collection="vault", id=SECRET_ID, check=check, task=task, watch="vault-watch", event=event,
                            group=group, key=key, link=link, person="anna-1", policy="vault-policy", documents=SECRET_ID + "-2",
                            model="vault-model")
        absent = {name: value[:-1] + ("0" if value[-1] != "0" else "1") for name, value in self.hidden.values.items()}
        # Policies are for all keys; what their templates name is not.
        self.made("PUT", "/v1/policies/absent-policy",
                  {"exclude": {"templates": [{"collection": "absent", "id": absent["id"]}]}})
        # So are models.
        self.absent = Names(**{**absent, "collection": "absent", "policy": "absent-policy", "model": "vault-model"})

    def requests(self, path_names: Names, body_names: Names, text: str):
        """Method, path, body and content type of requests for every operation, with the operation's id."""
        schemas = self.description["components"]["schemas"]
        for pattern, item in self.description["paths"].items():
            for method in METHODS:
                if method not in item:
                    continue
                operation = item[method]
                path = pattern
                for name, value in path_names.values.items():
                    path = path.replace("{" + name + "}", urllib.parse.quote(value, safe=""))
                for query in self.queries(operation, item, path_names):
                    bodies = [(None, "")]
                    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
                        bodies += [(body, kind) for body in Bodies(schemas, body_names, text).of(content["schema"])]
                        if pattern.endswith(("/pairs", "/groups", "/train", "/stream")):
                            bodies.append((content["example"], kind))
                    for body, kind in bodies:
                        yield operation["operationId"], method.upper(), path + query, body, kind

    def queries(self, operation: dict, item: dict, names: Names) -> list[str]:
        shared = self.description["components"]["parameters"]
        parameters = [
            shared[one["$ref"].rsplit("/", 1)[1]] if "$ref" in one else one
            for one in [*operation.get("parameters", []), *item.get("parameters", [])]
        ]
        known = {one["name"] for one in parameters if one["in"] == "query"}
        queries = []
        across = [("collections", names.of("collection"))] if "collections" in known else []
        words = [word for one in parameters if one["name"] == "include" for word in one["schema"]["items"]["enum"]]
        wanted = [("include", ",".join(word for word in ("text", "passage_text") if word in words))] if words else []
        wanted = [(name, word) for name, word in wanted if word]
        # A body that is a file has a name there.
        named = [("file_name", names.of("documents"))] if "file_name" in known else []
        formats = [("format", "json") for one in parameters if one["name"] == "format" and "json" in one["schema"].get("enum", [])]
        for chosen in (across, across + wanted, across + named, across + formats):
            if (query := "?" + urllib.parse.urlencode(chosen) if chosen else "") not in queries:
                queries.append(query)
        return queries


class AccessTest(Asking):
    def facts(self, answer: str, request: str):
        """Fails if the answer contains the text, title or id of the hidden document beyond what was sent."""
        self.assertNotIn(SECRET_TITLE, answer, request)
        self.assertNotIn(SECRET_ID + "-2", answer, request)
        for sentence in self.secret_text.split(".")[2:40]:
            if len(sentence) > 30:
                self.assertNotIn(json.dumps(sentence, ensure_ascii=False)[1:-1], answer, request)

    def keys_without(self):
        """The keys that do not allow the collection `vault`."""
        for scope in SCOPES:
            yield f"{scope}, bound", self.key(scope, "--collections", "own")

    def ask_twice(self, name: str, key: str, own: Names):
        """The same requests for what is hidden and for what does not exist must get the same answers."""
        opening = self.secret_text[:3000]
        sides = [(self.hidden, self.absent), (own, None)]
        for path_of, body_of in itertools.product((0, 1), (0, 1)):
            if (path_of, body_of) == (1, 1):
                continue
            hidden = self.requests(sides[path_of][0], sides[body_of][0], opening)
            absent = self.requests(sides[path_of][1] or own, sides[body_of][1] or own, opening)
            for (operation, *request), (_, *other) in zip(hidden, absent, strict=True):
                if operation == "getDocsPage" or request == other:
                    continue
                with self.subTest(key=name, operation=operation, request=str(request)[:160]):
                    status, answer = self.send(*request[:3], key, request[3])
                    self.facts(answer, str(request)[:200])
                    absent_status, absent_answer = self.send(*other[:3], key, other[3])
                    self.assertEqual(status, absent_status, f"{answer}\n{absent_answer}")
                    self.assertEqual(self.comparable(answer, self.hidden, own), self.comparable(absent_answer, self.absent, own))

    @staticmethod
    def comparable(answer: str, names: Names, own: Names) -> str:
        answer = re.sub(r"\d{4}-\d\d-\d\dT[0-9:.]+Z", "TIME", own.masked(names.masked(answer)))
        return re.sub(r"(task|check)-[0-9a-f]{16}", "NEW", re.sub(r'"seconds":[0-9.e-]+', "", answer))

    def test_bound_keys_learn_nothing_of_other_collections(self):
        own = Names(**{**self.absent.values, "collection": "own", "id": "own-note"})
        for name, key in self.keys_without():
            self.ask_twice(name, key, own)

    def test_lists_and_counts_do_not_change_with_what_is_hidden(self):
        keys = dict(self.keys_without())
        lists = [
            path for path, item in self.description["paths"].items() if "get" in item and "{" not in path and path != "/readyz"
        ]
        before = {(name, path): self.send("GET", path, None, key) for name, key in keys.items() for path in lists}
        self.made("PUT", "/v1/collections/vault/documents/zanzibar-plan-3", {"text": self.secret_text})
        self.made("POST", "/v1/checks", {"collections": ["vault"], "text": self.secret_text})
        self.made("POST", "/v1/collections/vault/compact", {})
        for (name, path), answer in before.items():
            with self.subTest(key=name, path=path):
                self.facts(answer[1], path)
                self.assertNotIn(SECRET_ID, answer[1])
                self.assertEqual(self.send("GET", path, None, keys[name]), answer)

    def test_a_key_for_checks_alone_reads_no_stored_text(self):
        key = self.key("check")
        for operation, *request in self.requests(self.hidden, self.hidden, OWN_TEXT):
            with self.subTest(operation=operation, request=str(request)[:160]):
                answer = self.send(*request[:3], key, request[3])[1]
                for sentence in self.secret_text.split(".")[2:40]:
                    if len(sentence) > 30:
                        self.assertNotIn(json.dumps(sentence, ensure_ascii=False)[1:-1], answer)
                if '"id":' in answer and operation == "checkText" and "sources" in answer:
                    made = json.loads(answer)["id"]
                    for wanted in ("include=text", "include=passage_text", "include=text,passage_text"):
                        shown = self.send("GET", f"/v1/checks/{made}?{wanted}", None, key)[1]
                        self.assertNotIn(self.secret_text[200:260], shown)

    def test_a_key_without_the_scope_is_refused_by_every_operation(self):
        scopes = {
            "read": {"read"},
            "write": {"read", "write", "submit"},
            "check": {"check"},
            "submit": {"check", "submit"},
            "review": {"read", "check", "review"},
            "decide": {"read", "check", "review", "decide"},
        }
        keys = {scope: self.key(scope) for scope in scopes}
        needed = {
            item[method]["operationId"]: next((s["bearer"][0] for s in item[method]["security"] if "bearer" in s), None)
            for item in self.description["paths"].values()
            for method in METHODS
            if method in item
        }
        for operation, *request in self.requests(self.hidden, self.hidden, OWN_TEXT):
            for scope, allowed in scopes.items():
                if needed[operation] is not None and needed[operation] not in allowed:
                    with self.subTest(key=scope, operation=operation):
                        self.assertEqual(self.send(*request[:3], keys[scope], request[3])[0], 403)

    def test_the_requests_are_ones_that_succeed_with_the_key_for_them(self):
        """Otherwise the tests above would find nothing because they ask for nothing."""
        succeeded, all_operations = set(), {}
        order = {"get": 0, "post": 1, "put": 2, "patch": 2, "delete": 3}
        requests = list(self.requests(self.hidden, self.hidden, self.secret_text))
        # Those of the collection and the check themselves last: one gives the collection a second to live.
        last = {"putCollection", "deleteCollection", "deleteCheck"}
        requests.sort(key=lambda request: (request[0] == "erase", request[0] in last, order[request[1].lower()]))
        for operation, *request in requests:
            if operation in {"admitCheck", "admitDocument"}:  # neither replaces a document with another text
                self.send("DELETE", f"/v1/collections/vault/documents/{SECRET_ID}", None, self.all)
            status, answer = self.send(*request[:3], self.all, request[3])
            if status < 400:
                succeeded.add(operation)
            all_operations[operation] = (status, answer[:300])
        # The watch has no webhook; documentation pages have other names, this build may have no page at "/", and a model
        # has a digest. No check has a later outcome, and there is no webhook.
        failed = {name: all_operations[name] for name in set(all_operations) - succeeded}
        self.assertLessEqual(set(failed), {"retryEvent", "getDocsPage", "getRoot", "putModel", "getLaterOutcome", "retryCheckEvent"}, failed)


if __name__ == "__main__":
    unittest.main()
