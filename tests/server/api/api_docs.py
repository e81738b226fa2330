"""Runs the requests that pages of docs/ show, in their order, and compares the answers with those shown.

    AKIN=build/release/cli/akin python3 tests/server/api_docs.py            the test
    AKIN=… AKIN_UPDATE_DOCS=1 python3 tests/server/api_docs.py                     writes the real answers into the pages

An example is a ```sh block with one curl command and the ```http block after it. `$TASK`, `$CHECK` and `$LINK` are the ids of the
task, of the check and of the link that were made last.
"""
import http.client
import json
import os
import pathlib
import re
import shlex
import sys
import time
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "tests" / "e2e"))

from documented import HTTP_PAGES  # noqa: E402
from program import AkinTest  # noqa: E402
from server_process import Server  # noqa: E402

EXAMPLE = re.compile(r"```sh\n(curl (?:(?!```).)*)```\n\n```http\n((?:(?!```).)*)```\n", re.DOTALL)
BASE = "http://127.0.0.1:7878"
# What differs between machines: contents of dictionaries, sizes of files, the program's version.
VOLATILE = {"free_bytes", "landlock", "fingerprint", "configured_fingerprint", "disk_bytes", "text_stored_bytes", "version", "created", "started", "finished", "stored", "generation", "last_revision", "revision", "time",
            "updated", "oldest", "expires"}
NAMED = re.compile(r"(task|check|group|link)-[0-9a-f]{16,20}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT[0-9:.]+Z")
VARIABLE = re.compile(r"\$(TASK|CHECK|LINK)\b")
TOKEN = re.compile(r"(?<=/)[A-Za-z0-9_-]{43}$")
EVENT = re.compile(r"evt_[0-9a-f]{32}")
WIDTH = 110


def request_of(command: str) -> tuple[str, str, dict, bytes | None]:
    """Method, path, fields and body of a curl command as these pages use it."""
    method, url, fields, body = None, None, {}, None
    parts = ""
    words = iter(shlex.split(command.replace("\\\n", " "))[1:])
    for word in words:
        if word == "-X":
            method = next(words)
        elif word == "-H":
            name, value = next(words).split(": ", 1)
            fields[name] = value
        elif word in ("-d", "--data-binary"):
            body = next(words).encode()
        elif word == "-F":
            name, value = next(words).split("=", 1)
            parts += f'--form\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        else:
            url = word
    if parts:
        fields["Content-Type"] = "multipart/form-data; boundary=form"
        body = f"{parts}--form--\r\n".encode()
    assert url.startswith(BASE), command
    return method or ("GET" if body is None else "POST"), url[len(BASE) :], fields, body


def values_in(text: str) -> list:
    """The JSON values in a text, one after the other: one, or those of lines."""
    values, at, decoder = [], 0, json.JSONDecoder()
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        value, at = decoder.raw_decode(text, at)
        values.append(value)
    return values


def steady(value):
    """The value with what differs between machines blanked out."""
    if isinstance(value, dict):
        return {key: "…" if key in VOLATILE else steady(entry) for key, entry in value.items()}
    if isinstance(value, str):
        return TIME.sub("…", TOKEN.sub("…", EVENT.sub("evt_…", NAMED.sub(r"\1-…", value))))
    return [steady(entry) for entry in value] if isinstance(value, list) else value


def laid_out(value, indent: int = 0) -> str:
    """JSON on one line where it fits, else one entry a line."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or not value or len(line) + indent <= WIDTH:
        return line
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        entries = [f"{inner}{json.dumps(key)}: {laid_out(entry, indent + 2)}" for key, entry in value.items()]
    else:
        entries = [inner + laid_out(entry, indent + 2) for entry in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + "\n" + ",\n".join(entries) + "\n" + " " * indent + closing


class ApiDocs(AkinTest):
    def setUp(self):
        super().setUp()
        self.last = {}  # ids of the task, the check and the link that were made last

    def answer(self, server: Server, command: str) -> tuple[str, list]:
        """The answer; of a task or its result, once it has ended."""
        end = time.monotonic() + 20
        while True:
            status, values = self.first_answer(server, VARIABLE.sub(lambda shown: self.last[shown.group(1).lower()], command))
            value = values[0]
            if (named := NAMED.fullmatch(str(value.get("id")))):
                self.last[named.group(1)] = value["id"]
            unfinished = request_of(command)[0] == "GET" and value.get("status") in ("queued", "running")
            # Documents are looked at when they have been stored.
            unfinished = unfinished or (value.get("events") == [] and time.monotonic() < end)
            unfinished = unfinished or value.get("reason") == "the task has not ended"
            if not unfinished and value.get("code") != "busy":
                return status, values
            time.sleep(0.01)

    def first_answer(self, server: Server, command: str) -> tuple[str, list]:
        method, path, fields, body = request_of(command)
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        self.addCleanup(connection.close)
        connection.request(method, path, body=body, headers=fields)
        answer = connection.getresponse()
        return f"HTTP/1.1 {answer.status} {answer.reason}", values_in(answer.read().decode())

    def check_page(self, server: Server, name: str):
        page = SOURCE / "docs" / name
        text = page.read_text(encoding="utf-8")
        examples = EXAMPLE.findall(text)
        self.assertGreater(len(examples), 0)

        def rewritten(match: re.Match) -> str:
            status, values = self.answer(server, match.group(1))
            shown = "\n".join(map(laid_out, values))
            return f"```sh\n{match.group(1)}```\n\n```http\n{status}\n\n{shown}\n```\n"

        if os.environ.get("AKIN_UPDATE_DOCS"):
            page.write_text(EXAMPLE.sub(rewritten, text), encoding="utf-8")
            return
        for command, shown in examples:
            with self.subTest(page=name, command=command):
                shown_status, _, shown_body = shown.partition("\n\n")
                status, values = self.answer(server, command)
                self.assertEqual(status, shown_status)
                self.assertEqual(steady(values), steady(values_in(shown_body)))

    def test_examples_are_real(self):
        server = Server(self)
        for name in HTTP_PAGES:
            self.check_page(server, name)


if __name__ == "__main__":
    unittest.main()
