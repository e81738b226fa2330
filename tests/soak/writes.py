"""What a worker writes: singly, bound to a version, and many documents in one request."""
import http.client
import json
import socket

import judge
import texts
from client import LINES, PATH, Lost, Refused, quoted
from oracle import NEVER


class Writes:
    """Of a Worker."""

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
            answer = self.client.call("bulk", "POST", f"{PATH}/bulk", b"".join(lines), kind=LINES)
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
            connection.putrequest("POST", f"{PATH}/bulk")
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
        told = told[:whole]  # the last line says that the next one cannot be read
        faults = self.take("bulk_cut", versions[:whole], told)
        dead = self.shared.server.was_killed(client.start)
        for version in versions[:whole]:
            # A write without an answer may be stored nevertheless.
            if version.end == NEVER and version in self.oracle.versions[version.id]:
                self.oracle.lost(version, dead)
        for version in reversed(versions[whole:]):
            self.oracle.refused(version)
        if b'"summary"' in answered:
            faults.append("a cut body has a summary")
        self.tally.count("bulk_cut", "ok" if len(told) == whole else "killed" if dead else "told in part")
        self.tally.judge("bulk_cut", faults)
