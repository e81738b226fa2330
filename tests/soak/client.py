"""Requests by http.client on a connection that is kept, counted by what came of them."""
import array
import collections
import http.client
import json
import threading
import time
import urllib.parse

COLLECTION = "soak"
PATH = f"/v1/collections/{COLLECTION}"
WITNESS = "/v1/collections/witness"
LINES = "application/x-ndjson"


class Lost(Exception):
    """No answer came; `dead`: since the server was killed, so that nothing of the request can happen any more."""

    def __init__(self, dead: bool):
        super().__init__("no answer")
        self.dead = dead


class Refused(Exception):
    """An answer that says that nothing was done and that is not what was asked for: 429, 503; 408 where this program was
    kept from sending in time."""


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def lines(self) -> list:
        return [json.loads(line) for line in self.body.splitlines()]


class Tally:
    """What became of all requests, and how long each took. Members may be called from any thread."""

    KEPT = 20  # examples of faults and failures

    def __init__(self):
        self.lock = threading.Lock()
        self.outcomes = collections.defaultdict(collections.Counter)  # operation → kind → count
        self.seconds = collections.defaultdict(lambda: array.array("f"))
        self.judged = 0
        self.wrong = 0
        self.examples = []
        self.failures = []

    def count(self, operation: str, kind: str, seconds=None):
        with self.lock:
            self.outcomes[operation][kind] += 1
            if seconds is not None:
                self.seconds[operation].append(seconds)

    def failed(self, operation: str, kind: str, what: str):
        self.count(operation, kind)
        with self.lock:
            if len(self.failures) < self.KEPT:
                self.failures.append(f"{operation}: {kind}: {what[:400]}")

    def judge(self, operation: str, faults: list[str], what=""):
        """One answer that was judged, with the faults found in it."""
        with self.lock:
            self.judged += 1
            if not faults:
                return
            self.wrong += 1
            if len(self.examples) < self.KEPT:
                self.examples.append(f"{operation}: {'; '.join(faults[:3])} {what}"[:2000])


class Client:
    """One thread's connection to the server, however often that is restarted."""

    IDLE = 30.0  # seconds after which the connection is opened again: the server closes idle ones

    def __init__(self, server, tally: Tally, key: str | None):
        self.server = server
        self.tally = tally
        self.key = key
        self.connection = None
        self.start = None
        self.used = 0.0

    def close(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None

    def _connect(self):
        start = self.server.running()
        if self.connection is None or start != self.start or time.monotonic() - self.used > self.IDLE:
            self.close()
            self.start = start
            self.connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=300)

    def lost(self, operation: str, failure) -> Lost:
        """What to raise when a connection broke: waits until the server runs again if it was killed."""
        self.close()
        dead = self.server.was_killed(self.start)
        if dead:
            self.tally.count(operation, "killed")
        else:
            self.tally.failed(operation, "broken", repr(failure))
        return Lost(dead)

    def call(self, operation, method, path, body=None, *, kind=None, expect=(200,), key=None, headers=()) -> Answer:
        """The answer if its status is expected. Raises Lost, Refused; other statuses count as failed and are Refused,
        too, if they are the client's fault, else Lost: who knows what a failed server has done."""
        self._connect()
        fields = dict(headers)
        if isinstance(body, (dict, list)):
            body, kind = json.dumps(body).encode(), "application/json"
        elif isinstance(body, str):
            body, kind = body.encode(), "text/plain; charset=utf-8"
        if kind:
            fields["Content-Type"] = kind
        if key or self.key:
            fields["Authorization"] = "Bearer " + (key or self.key)
        begin = time.monotonic()
        try:
            self.connection.request(method, path, body=body, headers=fields)
            response = self.connection.getresponse()
            answer = Answer(response.status, response.headers, response.read())
        except (OSError, http.client.HTTPException) as failure:
            raise self.lost(operation, failure) from None
        self.used = time.monotonic()
        if answer.status in expect:
            self.tally.count(operation, "ok", self.used - begin)
            return answer
        if answer.status in (408, 429, 503):
            self.tally.count(operation, str(answer.status))
            raise Refused
        self.tally.failed(operation, str(answer.status), f"{method} {path}: {answer.body.decode(errors='replace')}")
        if answer.status < 500:
            raise Refused
        raise Lost(dead=False)


def quoted(name: str) -> str:
    return urllib.parse.quote(name, safe="")


def query(**parameters) -> str:
    return "?" + urllib.parse.urlencode(parameters) if parameters else ""
