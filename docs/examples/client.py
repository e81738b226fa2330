"""A client of akin in Python, of the standard library alone: copy it, or read it to write your own.

    client = Client("http://127.0.0.1:7878", key="akin_…")
    client.make_collection("books")
    client.put("books", "fox.txt", "A hungry fox saw some fine bunches of grapes. …", title="The Fox")
    for result in client.similar("books", text="Some fine bunches of grapes a hungry fox saw! …")["results"]:
        print(result["id"], result["containment"])

From the shell, with AKIN_URL and AKIN_KEY in the environment:

    python3 client.py put books fox.txt < fox.txt         store a document
    python3 client.py load books novels/                  store many: files and folders
    python3 client.py similar books < text.txt            which documents share text with this one?
    python3 client.py check books < text.txt              a submission check: pass, review or refuse
    python3 client.py events books                        what the collection's watches have found

Exit codes are those of akin: 0 done; 1 with --exit-code, if similar found a document or check does not let the text pass;
2 error.

A failure is a Problem, which has all that the server told. Requests that the server had no room for (429, 503) are sent again
after the seconds that it names. One Client serves one thread.
"""
import argparse
import collections
import http.client
import json
import os
import pathlib
import sys
import textwrap
import threading
import time
import urllib.parse
from collections.abc import Iterable, Iterator

JSON = "application/json"
LINES = "application/x-ndjson"
TEXT = "text/plain; charset=utf-8"


class Problem(Exception):
    """Problem details (RFC 9457) that the server answered with. Programs decide by `code`: the server lists them at /docs/errors."""

    def __init__(self, details: dict, retry_after: float | None = None):
        super().__init__(details.get("detail", details.get("title", "failed")))
        self.status: int = details.get("status", 0)
        self.code: str = details.get("code", "internal")
        self.remedy: str = details.get("remedy", "")
        self.details = details
        self.retry_after = retry_after  # seconds


class CutOff(Exception):
    """A stream ended before its summary: what was not told may not be stored. Send it again."""


class Answer:
    """Status, header fields in lower case, and the body: an object of JSON, or text."""

    def __init__(self, status: int, fields: dict[str, str], body):
        self.status, self.fields, self.body = status, fields, body


def quoted(part: str) -> str:
    return urllib.parse.quote(part, safe="")


def collection_path(name: str, rest: str = "") -> str:
    return f"/v1/collections/{quoted(name)}{rest}"


def without_none(fields: dict) -> dict:
    return {name: value for name, value in fields.items() if value is not None}


def in_url(value) -> str:
    """A parameter's value: JSON's true and false, names joined by commas."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(value) if isinstance(value, (list, tuple)) else str(value)


def with_query(path: str, query: dict) -> str:
    given = {name: in_url(value) for name, value in without_none(query).items()}
    return path + ("?" + urllib.parse.urlencode(given, quote_via=urllib.parse.quote) if given else "")


class Client:
    def __init__(self, url: str = "http://127.0.0.1:7878", key: str | None = None, attempts: int = 5, timeout: float = 60):
        parts = urllib.parse.urlsplit(url)
        self._connect = lambda: (http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection)(
            parts.netloc, timeout=timeout
        )
        self._key = key
        self._attempts = attempts
        self._connection: http.client.HTTPConnection | None = None

    def close(self):
        if self._connection:
            self._connection.close()
            self._connection = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # One request

    def request(
        self, method: str, path: str, body=None, *, query: dict | None = None, fields: dict | None = None, media: str = JSON
    ) -> Answer:
        """Sends `body` (text, or an object that becomes JSON) and gives the answer; raises Problem."""
        target = with_query(path, query or {})
        if body is not None and media == JSON:
            body = json.dumps(body)
        headers = self._fields(media if body is not None else None, fields)
        data = body.encode() if isinstance(body, str) else body
        for left in reversed(range(self._attempts)):
            try:
                return self._once(method, target, data, headers)
            except Problem as problem:
                if problem.status not in (429, 503) or problem.retry_after is None or left == 0:
                    raise
                time.sleep(problem.retry_after)
        raise AssertionError("attempts must be positive")

    def _fields(self, media: str | None, more: dict | None) -> dict:
        own = {"Content-Type": media, "Authorization": f"Bearer {self._key}" if self._key else None}
        return without_none({**own, **(more or {})})

    def _once(self, method: str, target: str, data: bytes | None, fields: dict) -> Answer:
        fresh = self._connection is None
        self._connection = self._connection or self._connect()
        try:
            self._connection.request(method, target, body=data, headers=fields)
            response = self._connection.getresponse()
            content = response.read()
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            self.close()
            # The server closes a connection that was idle for long; whether it took a POST is not known.
            if fresh or method == "POST":
                raise
            return self._once(method, target, data, fields)
        except OSError:
            self.close()
            raise
        return read_answer(response, content)

    # Collections

    def make_collection(self, name: str, **settings) -> dict:
        """Makes it unless it is there with the same settings (`scheme`, `store_text`, `store_file`)."""
        return self.request("PUT", collection_path(name), settings or None).body

    def collection(self, name: str) -> dict:
        return self.request("GET", collection_path(name)).body

    def collections(self) -> list[dict]:
        found, cursor = [], None
        while True:
            page = self.request("GET", "/v1/collections", query={"limit": 1000, "cursor": cursor}).body
            found += page["collections"]
            cursor = page["next"]
            if cursor is None:
                return found

    def remove_collection(self, name: str):
        self.request("DELETE", collection_path(name))

    # Documents

    def put(self, collection: str, document: str, text: str, *, title: str = "", metadata: dict | None = None, etag: str | None = None,
            new: bool = False) -> str:
        """Stores a document and gives its ETag. With `etag` only in place of that version, with `new` only if there is none:
        else Problem with code "precondition_failed"."""
        conditions = without_none({"If-Match": etag, "If-None-Match": "*" if new else None})
        body = without_none({"text": text, "title": title, "metadata": metadata})
        return self.request("PUT", self._document(collection, document), body, fields=conditions).fields["etag"]

    def get(self, collection: str, document: str, *, text: bool = True, known_etag: str | None = None) -> tuple[dict | None, str]:
        """The document and its ETag; no document if the version is still `known_etag`."""
        answer = self.request("GET", self._document(collection, document), query={"include": "text" if text else "record"},
                              fields=without_none({"If-None-Match": known_etag}))
        return (None if answer.status == 304 else answer.body), answer.fields["etag"]

    def remove(self, collection: str, document: str, *, etag: str | None = None):
        self.request("DELETE", self._document(collection, document), fields=without_none({"If-Match": etag}))

    def documents(self, collection: str, *, filter: str | None = None, page: int = 1000) -> Iterator[dict]:
        """All documents, without their texts, page by page."""
        cursor = None
        while True:
            answer = self.request("GET", collection_path(collection, "/documents"), query={"limit": page, "cursor": cursor, "filter": filter})
            yield from answer.body["documents"]
            cursor = answer.body["next"]
            if cursor is None:
                return

    def bulk(self, collection: str, lines: Iterable[dict]) -> Iterator[dict]:
        """Sends lines ({"id", "text", …} or {"id", "delete": true}) while it gives what came of each; the last one given has the
        summary. Raises CutOff if the answer has none."""
        return self._stream(collection_path(collection, "/bulk"), lines)

    def _stream(self, target: str, lines: Iterable[dict]) -> Iterator[dict]:
        connection = self._connect()
        sender = Sender(connection, target, self._fields(LINES, None), lines)
        try:
            response = sender.begin()
            if response.status != 200:
                read_answer(response, response.read())
            summary = False
            for line in response:
                result = json.loads(line)
                summary = "summary" in result
                yield result
            if not summary:
                raise CutOff("the server's answer has no summary")
        except http.client.IncompleteRead as failure:
            raise CutOff("the server's answer broke off") from failure
        finally:
            connection.close()
            sender.join()

    @staticmethod
    def _document(collection: str, document: str) -> str:
        return collection_path(collection, "/documents/" + quoted(document))

    # Search

    def similar(self, collection: str, *, text: str | None = None, document: str | None = None, **options) -> dict:
        """Every document that shares more than `bound` features with a text, or with a stored document. Options are the query
        parameters: bound, min_containment, filter, limit, cursor, include, sort …"""
        return self.request("POST", collection_path(collection, "/similar"), query_of(text, document), query=options).body

    def similar_across(self, collections: list[str], *, text: str | None = None, collection: str | None = None,
                       document: str | None = None, **options) -> dict:
        """The same in several collections; a stored document is named by its collection, too."""
        query = without_none({**query_of(text, document), "collection": collection})
        return self.request("POST", "/v1/similar", query, query={"collections": collections, **options}).body

    def compare(self, a: str, b: str) -> dict:
        return self.request("POST", "/v1/compare", {"a": a, "b": b}).body

    # Tasks

    def start(self, path: str, conditions: dict | None = None) -> dict:
        """Begins a task; `path` is that of its operation."""
        return self.request("POST", path, conditions).body

    def pairs(self, collection: str, **conditions) -> Iterator[dict]:
        """Every two documents that share text with each other: begins the task, waits for it, and gives its lines."""
        task = self.start(collection_path(collection, "/pairs"), conditions)
        return self.result(self.wait(task["id"])["id"])

    def reindex(self, collection: str) -> dict:
        return self.wait(self.start(collection_path(collection, "/reindex"))["id"])

    def tasks(self, *, status: str | None = None, page: int = 1000) -> Iterator[dict]:
        """All tasks, or those with a status, in the order in which they were created."""
        cursor = None
        while True:
            answer = self.request("GET", "/v1/tasks", query={"limit": page, "cursor": cursor, "status": status})
            yield from answer.body["tasks"]
            cursor = answer.body["next"]
            if cursor is None:
                return

    def task(self, task: str) -> dict:
        return self.request("GET", f"/v1/tasks/{quoted(task)}").body

    def wait(self, task: str, *, seconds: float = 3600, told=lambda task: None) -> dict:
        """The task once it is done; `told` is called with how far it is. Raises Problem if it failed, was cancelled or interrupted."""
        end, pause = time.monotonic() + seconds, 0.02
        while True:
            now = self.task(task)
            told(now)
            if now["status"] == "done":
                return now
            if now["status"] not in ("queued", "running"):
                raise Problem(now["error"] or {"detail": f"task {task} was {now['status']}", "code": now["status"]})
            if time.monotonic() > end:
                raise TimeoutError(f"task {task} is {now['status']} after {seconds} seconds")
            time.sleep(pause)
            pause = min(1.0, 1.5 * pause)

    def result(self, task: str, *, page: int = 1000) -> Iterator[dict]:
        cursor = ""
        while cursor is not None:
            answer = self.request("GET", f"/v1/tasks/{quoted(task)}/result", query={"cursor": cursor, "limit": page})
            yield from map(json.loads, answer.body.splitlines())
            cursor = answer.fields.get("x-next-cursor")

    def cancel(self, task: str) -> dict:
        """Cancels a task that waits or is at work, forgets one that has ended."""
        return self.request("DELETE", f"/v1/tasks/{quoted(task)}").body

    # Submission checks

    def check(self, collections: list[str], *, text: str | None = None, policy: str | dict | None = None, **fields) -> dict:
        """Checks a text, which is not stored with the collections; `verdict` is "pass", "review" or "refuse"."""
        body = without_none({"collections": collections, "text": text, "policy": policy, **fields})
        return self.request("POST", "/v1/checks", body).body

    def stored_check(self, check: str, *, text: bool = False, passage_text: bool = False) -> dict:
        include = ["record", *(["text"] if text else []), *(["passage_text"] if passage_text else [])]
        return self.request("GET", f"/v1/checks/{quoted(check)}", query={"include": include}).body

    def repeat_check(self, check: str) -> dict:
        return self.request("POST", f"/v1/checks/{quoted(check)}/repeat").body

    def admit(self, check: str, collection: str, document: str, **fields) -> dict:
        """Stores a checked text as a document."""
        return self.request("POST", f"/v1/checks/{quoted(check)}/admit", {"collection": collection, "id": document, **fields}).body

    def put_policy(self, name: str, policy: dict) -> dict:
        return self.request("PUT", f"/v1/policies/{quoted(name)}", policy).body

    def policies(self) -> list[dict]:
        return self.request("GET", "/v1/policies").body["policies"]

    # Watches

    def watch(self, collection: str, name: str, *, text: str | None = None, document: str | None = None, **fields) -> dict:
        """Makes or replaces a watch: documents that come and share more with the text than `bound` become events."""
        return self.request("PUT", collection_path(collection, "/watches/" + quoted(name)), {**query_of(text, document), **fields}).body

    def watches(self, collection: str) -> list[dict]:
        return self.request("GET", collection_path(collection, "/watches")).body["watches"]

    def remove_watch(self, collection: str, name: str):
        self.request("DELETE", collection_path(collection, "/watches/" + quoted(name)))

    def events(self, collection: str, cursor: str | None = None, *, watch: str | None = None) -> tuple[list[dict], str]:
        """All events after a cursor, oldest first, and the cursor after them: keep it, and continue with it later."""
        events = []
        while True:
            page = self.request("GET", collection_path(collection, "/events"), query={"cursor": cursor, "watch": watch}).body
            events += page["events"]
            cursor = page["next"]
            if not page["more"]:
                return events, cursor


class Sender:
    """Sends lines of JSON in a thread of its own, as the answer must be read meanwhile."""

    def __init__(self, connection: http.client.HTTPConnection, path: str, fields: dict, lines: Iterable[dict]):
        self._connection, self._lines = connection, lines
        connection.putrequest("POST", path)
        for name, value in {**fields, "Transfer-Encoding": "chunked"}.items():
            connection.putheader(name, value)
        connection.endheaders()
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._send, daemon=True)

    def begin(self) -> http.client.HTTPResponse:
        self._thread.start()
        response = self._connection.getresponse()
        if self._failure:
            raise self._failure
        return response

    def join(self):
        self._thread.join()
        if self._failure:
            raise self._failure

    def _send(self):
        try:
            for line in self._lines:
                data = json.dumps(line, ensure_ascii=False).encode() + b"\n"
                self._connection.send(b"%x\r\n%s\r\n" % (len(data), data))
            self._connection.send(b"0\r\n\r\n")
        except OSError:
            pass  # the server's answer tells why it takes no more
        except Exception as failure:  # of the caller's lines
            self._failure = failure
            self._connection.close()


def query_of(text: str | None, document: str | None) -> dict:
    if (text is None) == (document is None):
        raise ValueError("give either a text or the id of a document")
    return {"text": text} if document is None else {"id": document}


def read_answer(response: http.client.HTTPResponse, content: bytes) -> Answer:
    fields = {name.lower(): value for name, value in response.getheaders()}
    media = fields.get("content-type", "").partition(";")[0]
    body = json.loads(content) if content and media.endswith("json") and media != LINES else content.decode()
    if response.status < 400:
        return Answer(response.status, fields, body)
    details = body if isinstance(body, dict) else {"status": response.status, "detail": f"{response.status} {response.reason}"}
    retry_after = fields.get("retry-after", "")
    raise Problem(details, float(retry_after) if retry_after.isdigit() else None)


def standard_input() -> str:
    return sys.stdin.buffer.read().decode()  # UTF-8 alone, whatever the locale


def files_with_ids(arguments: list[str]) -> Iterator[tuple[str, pathlib.Path]]:
    """Files, and folders recursively, with the ids that `akin index` gives them: a file's name, or its path below the folder."""
    for argument in map(pathlib.Path, arguments):
        if not argument.is_dir():
            yield argument.name, argument
            continue
        for file in sorted(path for path in argument.rglob("*") if path.is_file()):
            below = file.relative_to(argument)
            if not any(part.startswith(".") for part in below.parts):
                yield below.as_posix(), file


def load_lines(arguments: list[str]) -> Iterator[dict]:
    files = list(files_with_ids(arguments))
    for name, times in collections.Counter(name for name, _ in files).items():
        if times > 1:
            raise SystemExit(f"two files have the id {name!r}: name a folder that contains both")
    for name, file in files:
        yield {"id": name, "title": file.stem, "text": file.read_text(encoding="utf-8-sig")}


PASSAGES = 5  # of each document


def described(answer: dict) -> Iterator[str]:
    """An answer of `similar` in words, line by line."""
    query, total, results = answer["query"], answer["total"], answer["results"]
    bound = "" if "tiers" in answer else f" (more than {counted(answer['bound'], 'feature')})"
    if total == 0:
        yield f"No stored document shares text with yours{bound}."
    else:
        shown = "" if len(results) == total else f"; here are {len(results)}"
        yield f"{counted(total, 'stored document')} {'shares' if total == 1 else 'share'} text with yours{bound}{shown}."
    if "hint" in answer:
        yield answer["hint"][:1].upper() + answer["hint"][1:] + "."
    for number, result in enumerate(results, 1):
        yield ""
        yield f"{number}. {result['id']}"
        if "words" in result:
            words = result["words"]
            yield f"   {words['a_share']:.1%} of the words of your text are in passages that it shares,"
            yield f"   which make {words['b_share']:.1%} of that document."
        else:
            yield f"   {result['containment']:.1%} of your text is in it ({result['x']} of {counted(query['features'], 'feature')}),"
            yield f"   which makes {result['contained']:.1%} of that document."
        passages = sorted(result["passages"], key=lambda passage: -passage.get("words", passage.get("features", 0)))
        for passage in passages[:PASSAGES]:
            yield ""
            yield from two_sides(passage)
        if len(passages) > PASSAGES:
            yield f"\n   … and {counted(len(passages) - PASSAGES, 'smaller passage')}."


def two_sides(passage: dict) -> Iterator[str]:
    """Where a passage is in either text, in characters, and what it says there."""
    for side, name in (("a", "your text"), ("b", "document")):
        begin, end = passage[side]
        yield f"   {name}, characters {begin} to {end}"
        if f"{side}_text" in passage:
            yield textwrap.fill(shortened(passage[f"{side}_text"]), 100, initial_indent="      ", subsequent_indent="      ")


def shortened(text: str, width: int = 270) -> str:
    """Without line breaks; words in the middle left out where it is longer than `width` characters."""
    line = " ".join(text.split())
    if len(line) <= width:
        return line
    return f"{line[:width // 2].rpartition(' ')[0]} […] {line[-(width // 2):].partition(' ')[2]}"


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def run(client: Client, arguments: argparse.Namespace) -> int:
    match arguments.command:
        case "put":
            client.make_collection(arguments.collection)
            print(client.put(arguments.collection, arguments.id, standard_input()))
        case "load":
            client.make_collection(arguments.collection)
            for result in client.bulk(arguments.collection, load_lines(arguments.files)):
                print(json.dumps(result, ensure_ascii=False))
        case "similar":
            with_texts = client.collection(arguments.collection)["store_text"]
            answer = client.similar(arguments.collection, text=standard_input(), bound=arguments.bound, include="passage_text" if with_texts else "passages")
            print("\n".join(described(answer)))
            return 1 if arguments.exit_code and answer["total"] > 0 else 0
        case "check":
            check = client.check([arguments.collection], text=standard_input())
            print(f"{check['verdict']}: {check['share']:.0%} of the text found, {check['id']}")
            return 1 if arguments.exit_code and check["verdict"] != "pass" else 0
        case "events":
            events, cursor = client.events(arguments.collection, arguments.cursor)
            for event in events:
                print(f"{event['watch']} {event['document']['id']} {event['containment']:.0%}")
            print(f"go on with --cursor {cursor}")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Asks a server of akin.")
    parser.add_argument("--url", default=os.environ.get("AKIN_URL", "http://127.0.0.1:7878"))
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("put", "load", "similar", "check", "events"):
        command = commands.add_parser(name)
        command.add_argument("collection")
        if name == "put":
            command.add_argument("id")
        if name == "load":
            command.add_argument("files", nargs="+")
        if name == "similar":
            command.add_argument("--bound", type=int)
        if name in ("similar", "check"):
            command.add_argument("--exit-code", action="store_true", help="exit with 1 if something was found")
        if name == "events":
            command.add_argument("--cursor")
    arguments = parser.parse_args()
    try:
        with Client(arguments.url, key=os.environ.get("AKIN_KEY")) as client:
            return run(client, arguments)
    except Problem as problem:
        print(f"client.py: {problem} [{problem.code}]", file=sys.stderr)
    except UnicodeDecodeError as failure:
        print(f"client.py: a text is not UTF-8 at byte {failure.start}", file=sys.stderr)
    except (CutOff, OSError, http.client.HTTPException) as failure:
        print(f"client.py: {failure}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
