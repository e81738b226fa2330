"""What a server keeps besides texts, made by one version of akin and asked of the next.

    python3 persisting.py make FILE URL    makes it, notes the answers in FILE, and a certificate beside it in certificate.json
    python3 persisting.py ask FILE URL     asks again: every answer must be the same

A collection with languages and its documents, gate, labels, watch and events; policies, checks with marks, decision, link, file,
report and certificate; a person, access keys, the audit log, and tasks, of which some wait while the server stops.
"""
import datetime
import json
import pathlib
import sys
import time
import urllib.error
import urllib.request

TEXT = "A hungry fox saw some fine bunches of grapes. They were hanging from a vine along a high trellis. " \
    "He did his best to reach them by jumping. But it was all in vain, for they were just out of reach. " \
    "So he gave up trying, and walked away with an air of dignity. I thought those grapes were ripe."
NEXT_MONTH = (datetime.date.today() + datetime.timedelta(days=30)).isoformat()
QUEUED = 12  # tasks: more than run before the server is stopped


class Client:
    def __init__(self, url: str, key: str | None = None):
        self.url, self.key = url, key

    def send(self, method: str, path: str, body=None, kind: str = "application/json") -> bytes:
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, content, method=method)
        if content is not None:
            request.add_header("Content-Type", kind)
        if self.key:
            request.add_header("Authorization", f"Bearer {self.key}")
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{method} {path}: {error.code} {error.read().decode()}") from error

    def json(self, method: str, path: str, body=None, kind: str = "application/json"):
        return json.loads(self.send(method, path, body, kind))


def make(client: Client) -> dict:
    """Makes everything; the paths of what stays as it is, the tasks, and a key."""
    kept, foxes = [], "/v1/collections/foxes"
    client.json("PUT", foxes, {"languages": "en", "store_file": True})
    for name in ("first", "second"):
        client.json("PUT", f"{foxes}/documents/{name}", {"text": TEXT, "title": name, "metadata": {"year": 1867}})
    client.send("PUT", f"{foxes}/documents/page", f"<title>Fox</title><p>{TEXT}</p>".encode(), "text/html")
    client.json("PUT", f"{foxes}/labels", {"labels": [{"a": "first", "b": "second", "label": "keep a"}]})
    client.json("PUT", f"{foxes}/gate", {"action": "group", "threshold": 0.5})
    client.json("POST", f"{foxes}/admissions", {"id": "third", "text": TEXT})
    client.json("PUT", f"{foxes}/watches/grapes", {"text": TEXT, "since": "beginning"})
    until(lambda: len(client.json("GET", f"{foxes}/events")["events"]) >= 4)
    kept += [foxes, f"{foxes}/documents/first", f"{foxes}/documents/third", f"{foxes}/files/page", f"{foxes}/labels", f"{foxes}/gate",
             f"{foxes}/duplicate-groups", f"{foxes}/watches/grapes?include=text", f"{foxes}/events"]

    client.json("PUT", "/v1/policies/thesis", {"review_share": 0.1, "refuse_share": 0.9})
    check = client.json("POST", "/v1/checks?collections=foxes&policy=thesis&owner=anna", f"<p>{TEXT}</p>".encode(), "text/html")
    one = f"/v1/checks/{check['id']}"
    client.json("PATCH", f"{one}/marks", {"marks": [{"source": 1, "counted": False, "remark": "the same edition"}]})
    client.json("PUT", f"{one}/decision", {"state": "accepted", "remark": "It is his own fable."})
    client.json("POST", f"{one}/links", {"label": "for the author", "expires": NEXT_MONTH})
    kept += ["/v1/policies/thesis", f"{one}", f"{one}/file", f"{one}/decision", f"{one}/links", "/v1/checks", "/v1/certificate-keys"]
    certificate = client.json("GET", f"{one}/certificate")

    client.json("PUT", "/v1/persons/anna", {"name": "Anna N.", "roles": ["decider"]})
    tasks = [client.json("POST", f"{foxes}/pairs?bound=0")["id"]]
    done = client.json("GET", f"/v1/tasks/{tasks[0]}?wait=60")
    assert done["status"] == "done", done
    kept += ["/v1/persons/anna", f"/v1/tasks/{tasks[0]}/result"]
    key = client.json("POST", "/v1/keys", {"scopes": ["admin"], "label": "for the next version"})["key"]
    client.key = key
    client.json("POST", "/v1/keys", {"scopes": ["read"], "collections": ["foxes"], "expires": NEXT_MONTH})
    kept.append("/v1/keys")
    audit = client.json("GET", "/v1/audit?limit=1000")["entries"]
    answers = {path: client.send("GET", path).decode() for path in kept}
    for number in range(QUEUED):
        start = f"{foxes}/stream?from=2020-01-01&include=details" if number % 2 else f"{foxes}/groups?bound=0"
        tasks.append(client.json("POST", start)["id"])
    return {"answers": answers, "audit": audit, "tasks": tasks, "key": key, "certificate": certificate, "check": check["id"]}


def until(condition):
    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    raise SystemExit("what was awaited does not come")


def ask(client: Client, noted: dict) -> int:
    client.key = noted["key"]
    wrong = 0

    def expect(what: str, found, expected):
        nonlocal wrong
        if found != expected:
            wrong += 1
            print(f"{what}:\n  {expected}\nis now\n  {found}", file=sys.stderr)

    for path, before in noted["answers"].items():
        expect(path, client.send("GET", path).decode(), before)
    entries = client.json("GET", "/v1/audit?limit=1000")["entries"]
    known = [entry["number"] for entry in noted["audit"]]
    expect("/v1/audit", [entry for entry in entries if entry["number"] in known], noted["audit"])
    for task in noted["tasks"]:
        expect(f"task {task}", client.json("GET", f"/v1/tasks/{task}?wait=60")["status"], "done")
    certificate = client.json("GET", f"/v1/checks/{noted['check']}/certificate")
    certified = noted["certificate"]
    for said in certified.keys() - {"issued", "audit", "signature"}:
        expect(f"{said} of the certificate", certificate[said], certified[said])
    return wrong


def main(arguments: list[str]) -> int:
    match arguments:
        case ["make", file, url]:
            noted = make(Client(url))
            pathlib.Path(file).write_text(json.dumps(noted), encoding="utf-8")
            pathlib.Path(file).with_name("certificate.json").write_text(json.dumps(noted["certificate"]), encoding="utf-8")
            return 0
        case ["ask", file, url]:
            return 1 if ask(Client(url), json.loads(pathlib.Path(file).read_text(encoding="utf-8"))) else 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
