"""What a worker does: one request of each kind, told to the oracle before and judged after it."""
import http.client
import json
import random
import socket
import threading

import judge
import texts
from client import Client, Lost, Refused, query, quoted
from oracle import NEVER

COLLECTION = "soak"
PATH = f"/v1/collections/{COLLECTION}"
WITNESS = "/v1/collections/witness"
LINES = "application/x-ndjson"

# How often each is drawn.
MIX = {
    "put": 18, "put_shared": 6, "delete": 6, "conditional": 5, "bulk": 3, "bulk_cut": 1, "get": 12, "list": 2,
    "similar_text": 18, "similar_id": 8, "similar_filter": 8, "similar_share": 5, "similar_limit": 5,
    "similar_best": 5, "similar_batch": 3, "similar_across": 4, "check": 4, "compare": 3, "witness": 3, "intruder": 2, "limited_key": 3,
}


class Shared:
    """What all workers have in common."""

    def __init__(self, server, oracle, witness, tally, keys, writer, ids):
        self.server = server
        self.oracle = oracle
        self.witness = witness  # a collection that nobody changes
        self.tally = tally
        self.keys = keys
        self.writer = writer
        self.ids = ids  # of each worker; the last ones belong to all
        self.stopping = threading.Event()
        self.without = ()  # operations that are not drawn
        self.pause = 0.0  # seconds between two requests of a worker
        self.failure = None  # what ended a thread


def make_ids(workers: int, each: int) -> list[list[str]]:
    """Names of many kinds, a list for each worker and one for all."""
    forms = ["d{}/{}", "п-{}-{}.txt", 'n "{}" & {}', "{}.{}", "%{}?{}#"]
    return [[forms[n % len(forms)].format(worker, n) for n in range(each if worker < workers else each // 4)]
            for worker in range(workers + 1)]


class Worker(threading.Thread):
    def __init__(self, shared: Shared, number: int, seed: int):
        super().__init__(name=f"worker {number}", daemon=True)
        self.shared = shared
        self.oracle = shared.oracle
        self.tally = shared.tally
        self.random = random.Random(seed)
        self.own = shared.ids[number]
        self.common = shared.ids[-1]
        self.client = Client(shared.server, shared.tally, shared.keys["write"])

    def run(self):
        names = [name for name in MIX if name not in self.shared.without]
        weights = [MIX[name] for name in names]
        try:
            while not self.shared.stopping.is_set():
                (name,) = self.random.choices(names, weights)
                try:
                    getattr(self, name)()
                except (Refused, Lost):
                    pass
                self.shared.stopping.wait(self.shared.pause * self.random.uniform(0.5, 1.5))
        except BaseException as failure:
            self.shared.failure = failure
            self.shared.stopping.set()
            raise
        finally:
            self.client.close()

    # What requests are about

    def any_id(self) -> str:
        return self.random.choice(self.random.choice(self.shared.ids))

    def some_numbers(self) -> list[int]:
        known = self.oracle.current(self.any_id())
        return self.shared.writer.numbers(self.random, known and known.numbers)

    def question_numbers(self) -> list[int]:
        """A text of which some is stored."""
        known = self.oracle.current(self.any_id())
        if known and known.numbers and self.random.random() < 0.5:
            return self.shared.writer.edited(known.numbers[:80], self.random)
        return [n for _ in range(3) for n in self.shared.writer.passage(self.random)]

    # Writes

    def write(self, operation, id_, method="PUT", expect=(200, 201), headers=()):
        """A write of a new text, or a removal; Read, Version and Answer."""
        if method == "PUT":
            numbers, fields = self.some_numbers(), texts.metadata(self.random)
            text = texts.write(numbers, self.random)
            plain = fields is None and self.random.random() < 0.5
            body = text if plain else {"text": text, **({"metadata": fields} if fields is not None else {})}
            version = self.oracle.begin_write(id_, numbers, text, fields)
        else:
            version, body = self.oracle.begin_write(id_), None
        with self.oracle.reading() as read:
            try:
                answer = self.client.call(operation, method, f"{PATH}/documents/{quoted(id_)}", body, expect=expect,
                                          headers=headers)
            except Refused:
                self.oracle.refused(version)
                raise
            except Lost as lost:
                self.oracle.lost(version, lost.dead)
                raise
            read.answered()
            if answer.status in (404, 412):
                self.oracle.refused(version)
            before = [v for v in self.oracle.candidates(id_, read) if v is not version]
            if answer.status < 300:
                self.oracle.done(version, answer.json.get("stored"))
            return before, version, answer

    def put(self, operation="put", id_=None):
        before, version, answer = self.write(operation, id_ or self.random.choice(self.own))
        told = answer.json
        faults = []
        if told["features"] != len(version.numbers) or told["replaced"] != (answer.status == 200):
            faults.append(f"{len(version.numbers)} features are stored as {told}")
        if answer.headers["ETag"] != judge.tag_of(told["stored"]):
            faults.append(f"tag {answer.headers['ETag']} of {told['stored']}")
        if not any(v.absent != told["replaced"] for v in before):
            faults.append(f"{version.id}: replaced is {told['replaced']} and cannot be")
        self.tally.judge(operation, faults)

    def put_shared(self):
        self.put("put_shared", self.random.choice(self.common))

    def delete(self):
        id_ = self.random.choice(self.own if self.random.random() < 0.8 else self.common)
        before, _, answer = self.write("delete", id_, "DELETE", (200, 404))
        gone = answer.status == 404
        self.tally.judge("delete", [] if any(v.absent == gone for v in before) else [f"{id_}: {answer.status}"])

    def conditional(self):
        """Writes that are bound to a version of one's own documents."""
        id_ = self.random.choice(self.own)
        known = self.oracle.current(id_)
        if known is None or known.stored is None or self.random.random() < 0.3:
            before, version, answer = self.write("conditional", id_, expect=(201, 412), headers={"If-None-Match": "*"})
            fits = any(v.absent == (answer.status == 201) for v in before)
        else:
            tag = judge.tag_of(known.stored) if self.random.random() < 0.6 else '"123"'
            before, version, answer = self.write("conditional", id_, expect=(200, 412), headers={"If-Match": tag})
            wanted = tag != '"123"' and any(v is known for v in before)
            fits = (answer.status == 200) == wanted
        self.tally.judge("conditional", [] if fits else [f"{version.id}: {answer.status}"])

    # Many writes in one request

    def lines_of(self, ids):
        """Versions and their lines of a bulk request, some removals among them."""
        versions, lines, last = [], [], {}
        for id_ in ids:
            if self.random.random() < 0.2:
                version = self.oracle.begin_write(id_)
                line = {"id": id_, "delete": True}
            else:
                numbers, fields = self.some_numbers(), texts.metadata(self.random)
                text = texts.write(numbers, self.random)
                version = self.oracle.begin_write(id_, numbers, text, fields)
                line = {"id": id_, "text": text, **({"metadata": fields} if fields is not None else {})}
            if id_ in last:
                last[id_].later = version
            last[id_] = version
            versions.append(version)
            lines.append(json.dumps(line).encode() + b"\n")
        return versions, lines

    def take(self, operation, versions, told) -> list[str]:
        """Lets the oracle know what lines of an answer say; faults."""
        faults = []
        for number, (version, line) in enumerate(zip(versions, told), 1):
            if (line.get("line"), line.get("id")) != (number, version.id):
                faults.append(f"line {number} is {line}")
            elif line["status"] in ("created", "replaced", "deleted"):
                if version.absent != (line["status"] == "deleted"):
                    faults.append(f"line {number} is {line}")
                self.oracle.done(version, line.get("stored"))
            elif version.absent and line["error"]["code"] == "not_found":
                self.oracle.refused(version)
            else:
                faults.append(f"line {number}: {line}")
        return faults

    def bulk(self, ids=None):
        chosen = ids or self.random.choices(self.own, k=self.random.randint(1, 40))
        versions, lines = self.lines_of(chosen)
        try:
            answer = self.client.call("bulk", "POST", f"{PATH}/documents:bulk", b"".join(lines), kind=LINES)
        except Refused:
            for version in reversed(versions):
                self.oracle.refused(version)
            raise
        except Lost as lost:
            for version in versions:
                self.oracle.lost(version, lost.dead)
            raise
        told = answer.lines
        faults = self.take("bulk", versions, told)
        if "summary" not in told[-1] or told[-1]["summary"]["lines"] != len(lines) or len(told) != len(lines) + 1:
            faults.append(f"{len(lines)} lines; the last that was told is {told[-1]}")
        self.tally.judge("bulk", faults)

    def bulk_cut(self):
        """A body that breaks off in the midst of a line: the lines before it are stored, it is not."""
        versions, lines = self.lines_of(self.random.sample(self.own, self.random.randint(2, 12)))
        client = self.client
        client.close()
        try:
            client._connect()
            connection = client.connection
            connection.connect()
            connection.putrequest("POST", f"{PATH}/documents:bulk")
            connection.putheader("Content-Type", LINES)
            connection.putheader("Authorization", "Bearer " + client.key)
            connection.putheader("Content-Length", str(sum(map(len, lines))))
            connection.endheaders()
            half = b"".join(lines)[: -len(lines[-1]) // 2]
            connection.send(half)
            connection.sock.shutdown(socket.SHUT_WR)
            response = connection.getresponse()
            try:
                answered = response.read()
            except http.client.IncompleteRead as cut:
                answered = cut.partial
        except (OSError, http.client.HTTPException) as failure:
            lost = client.lost("bulk_cut", failure)
            for version in versions:
                self.oracle.lost(version, lost.dead)
            raise lost from None
        client.close()
        if response.status != 200:
            for version in reversed(versions):
                self.oracle.refused(version)
            self.tally.count("bulk_cut", str(response.status))
            return
        told = [json.loads(line) for line in answered.splitlines() if line.startswith(b'{"line"')]
        whole = half.count(b"\n")
        faults = self.take("bulk_cut", versions[:whole], told)
        dead = self.shared.server.was_killed(client.start)
        for version in versions[:whole]:
            # What was not told may be stored nevertheless.
            if version.end == NEVER and version in self.oracle.versions[version.id]:
                self.oracle.lost(version, dead)
        for version in reversed(versions[whole:]):
            self.oracle.refused(version)
        if b'"summary"' in answered:
            faults.append("a cut body has a summary")
        self.tally.count("bulk_cut", "ok" if len(told) == whole else "killed" if dead else "told in part")
        self.tally.judge("bulk_cut", faults)

    # Reads

    def get(self):
        id_ = self.any_id()
        with self.oracle.reading() as read:
            answer = self.client.call("get", "GET", f"{PATH}/documents/{quoted(id_)}", expect=(200, 404))
            read.answered()
            found = answer.json if answer.status == 200 else None
            self.tally.judge("get", judge.document(self.oracle, id_, read, found, answer.headers["ETag"]))

    def list(self):
        """All pages, each of which is a moment of its own."""
        text, accepts = texts.some_filter(self.random) if self.random.random() < 0.5 else (None, None)
        after = ""
        while after is not None:
            parameters = {"limit": 1000, **({"filter": text} if text else {}), **({"after": after} if after else {})}
            with self.oracle.reading() as read:
                page = self.client.call("list", "GET", f"{PATH}/documents{query(**parameters)}").json
                read.answered()
                self.tally.judge("list", judge.listing(self.oracle, read, page, after, accepts), str(parameters))
            after = page["next"]

    def search(self, operation, question, body, parameters, expect=(200,)):
        with self.oracle.reading() as read:
            answer = self.client.call(operation, "POST", f"{PATH}/similar{query(**parameters)}", body, expect=expect)
            read.answered()
            if answer.status == 200:
                faults = judge.search(self.oracle, question, read, answer.json)
                self.tally.judge(operation, faults, str(parameters))
            return read, answer

    def by_text(self, operation, question, **parameters):
        text = texts.write(question.numbers, self.random)
        self.search(operation, question, text if self.random.random() < 0.5 else {"text": text},
                    {"limit": question.limit, **parameters})

    def similar_text(self):
        bound = self.random.choice([0, 1, 3, 3, 3, 8])
        self.by_text("similar_text", judge.Question(self.question_numbers(), bound), bound=bound)

    def similar_filter(self):
        text, accepts = texts.some_filter(self.random)
        question = judge.Question(self.question_numbers(), 1, accepts=accepts)
        self.by_text("similar_filter", question, bound=1, filter=text)

    def similar_share(self):
        share = self.random.choice([0.125, 0.25, 0.5, 1.0])
        question = judge.Question(self.question_numbers(), 0, share)
        self.by_text("similar_share", question, bound=0, min_containment=share)

    def similar_limit(self):
        question = judge.Question(self.question_numbers(), 0, limit=self.random.choice([1, 3, 10]))
        self.by_text("similar_limit", question, bound=0, evidence="false")

    def similar_best(self):
        question = judge.Question(self.question_numbers(), 0, limit=self.random.choice([1, 3, 10]), best=True)
        self.by_text("similar_best", question, sort="containment")

    def similar_id(self):
        """By a stored document: one of the states that it may have had explains the answer."""
        id_ = self.any_id()
        with self.oracle.reading() as read:
            answer = self.client.call("similar_id", "POST", f"{PATH}/similar{query(bound=2, limit=1000)}", {"id": id_},
                                      expect=(200, 404))
            read.answered()
            states = self.oracle.candidates(id_, read)
            if answer.status == 404:
                faults = [] if any(v.absent for v in states) else [f"{id_} is gone"]
            else:
                judged = [judge.search(self.oracle, judge.Question(v.numbers, 2, without=id_), read, answer.json)
                          for v in states if not v.absent]
                faults = min(judged, key=len, default=[f"{id_} was not there"])
            self.tally.judge("similar_id", faults, id_)

    def similar_batch(self):
        """Several searches in one request; a line that is wrong does not hurt the others."""
        questions = [judge.Question(self.question_numbers(), 2) for _ in range(self.random.randint(1, 8))]
        lines = [json.dumps({"text": texts.write(question.numbers, self.random)}) for question in questions]
        lines.insert(self.random.randint(0, len(lines)), '{"id": "never stored"}')
        with self.oracle.reading() as read:
            answer = self.client.call("similar_batch", "POST", f"{PATH}/similar:batch{query(bound=2, limit=1000)}",
                                      "\n".join(lines).encode(), kind=LINES)
            read.answered()
            *told, last = answer.lines
            faults = [] if last == {"summary": {"lines": len(lines), "answered": len(questions), "errors": 1}} else [
                f"{len(lines)} lines; the last that was told is {last}"]
            wrong = [line for line in told if "error" in line]
            if [line["error"]["code"] for line in wrong] != ["not_found"] or len(told) != len(lines):
                faults.append(f"{len(told)} lines of {len(lines)}, wrong ones: {wrong}")
            else:
                for question, line in zip(questions, (line for line in told if "error" not in line)):
                    faults += judge.search(self.oracle, question, read, line)
            self.tally.judge("similar_batch", faults)

    def similar_across(self):
        """Over both collections, unless they have different schemes just now."""
        witness, question = self.shared.witness, judge.Question(self.question_numbers(), 1)
        with self.oracle.reading() as read, witness.reading() as read_there:
            answer = self.client.call(
                "similar_across", "POST", "/v1/similar" + query(bound=1, limit=1000, collections="soak,witness"),
                texts.write(question.numbers, self.random), expect=(200, 409))
            read.answered()
            read_there.answered()
            schemes = self.oracle.schemes.candidates(read)
            if answer.status == 409:
                faults = [] if "sentences" in schemes else ["refused though the schemes are the same"]
            else:
                faults = [] if "sentence-pairs" in schemes else ["answered though the schemes differ"]
                told = answer.json
                for name, oracle, moment in ((COLLECTION, self.oracle, read), ("witness", witness, read_there)):
                    part = {"total": told["collections"][name],
                            "results": [result for result in told["results"] if result["collection"] == name]}
                    faults += judge.search(oracle, question, moment, part)
            self.tally.judge("similar_across", faults)

    def check(self):
        """A submission: its sources and their shares. It is never found itself; the check is removed at once."""
        numbers = list(dict.fromkeys(self.question_numbers()))
        body = {"collections": [COLLECTION], "text": texts.write(numbers, self.random),
                "policy": {"bound": 2, "max_sources": 10000}}
        with self.oracle.reading() as read:
            answer = self.client.call("check", "POST", "/v1/checks", body, expect=(201,)).json
            read.answered()
            self.tally.judge("check", judge.check(self.oracle, judge.Question(numbers, 2), read, answer))
        self.client.call("check_removed", "DELETE", f"/v1/checks/{answer['id']}")

    def compare(self):
        one, other = self.question_numbers(), self.some_numbers()
        scheme = self.random.choice(texts.SCHEMES)
        body = {"a": texts.write(one, self.random), "b": texts.write(other, self.random), "scheme": scheme}
        told = self.client.call("compare", "POST", "/v1/compare", body).json["x"]
        x = texts.overlap(texts.features(one, scheme), texts.features(other, scheme))
        self.tally.judge("compare", [] if told == x else [f"{told} in common, is {x}"])

    def witness(self):
        """A collection that nobody changes answers as ever."""
        witness = self.shared.witness
        with witness.reading() as read:
            question = judge.Question(self.question_numbers(), 1)
            answer = self.client.call("witness", "POST", f"{WITNESS}/similar{query(bound=1, limit=1000)}",
                                      texts.write(question.numbers, self.random))
            read.answered()
            self.tally.judge("witness", judge.search(witness, question, read, answer.json))

    # Keys

    def intruder(self):
        """What a key does not allow, does not happen: the oracle knows nothing of these writes."""
        id_, keys = self.any_id(), self.shared.keys
        key, expected = self.random.choice([(keys["read"], 403), ("akin_none", 401), (keys["elsewhere"], 403)])
        method = self.random.choice(["PUT", "DELETE"])
        body = texts.write([1, 2, 3, 4, 5, 6], self.random) if method == "PUT" else None
        self.client.call("intruder", method, f"{PATH}/documents/{quoted(id_)}", body, key=key, expect=(expected,))

    def limited_key(self):
        """Three requests of a key that all workers share, at once: it allows five a second."""
        for _ in range(3):
            self.client.call("limited_key", "GET", f"{PATH}/documents?limit=1", key=self.shared.keys["limited"])

