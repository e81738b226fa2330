"""Checks that are handed in: what becomes of them, and what a webhook receives."""
import base64
import hashlib
import hmac
import http.server
import json
import threading
import time
import urllib.parse

from program import QUERY, AkinTest
from server_process import Server

SECRET = "whsec_" + base64.b64encode(b"a secret of thirty-two bytes....").decode()


class Receiver(http.server.ThreadingHTTPServer):
    """Takes events, after it has refused as many as `refuses`."""

    def __init__(self, refuses: int):
        self.refuses, self.events = refuses, []
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server_port}/checks"

    def types(self) -> list[str]:
        return sorted(event["type"] for event in self.events)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + body
        expected = base64.b64encode(hmac.new(base64.b64decode(SECRET[6:]), signed, hashlib.sha256).digest()).decode()
        taken = self.headers["webhook-signature"] == f"v1,{expected}" and self.server.refuses == 0
        self.server.refuses -= not taken
        if taken:
            self.server.events.append(json.loads(body))
        self.send_response(204 if taken else 500)
        self.end_headers()

    def log_message(self, *_):
        pass


class CheckEventsTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.index_library()
        self.write("secret", SECRET + "\n")

    def serve(self, receiver: Receiver) -> Server:
        return Server(self, "--check-webhook", receiver.url, "--check-webhook-secret", "secret", "--webhook-allow-private")

    def receiver(self, refuses: int = 0) -> Receiver:
        receiver = Receiver(refuses)
        self.addCleanup(receiver.server_close)
        self.addCleanup(receiver.shutdown)
        return receiver

    def ask(self, server: Server, method: str, path: str, body: bytes | None = None, kind: str = "text/plain", **fields) -> dict:
        connection = server.connect()
        self.addCleanup(connection.close)
        connection.request(method, "/v1/checks" + path, body, {"Content-Type": kind, **fields})
        return json.loads(connection.getresponse().read())

    def hand_in(self, server: Server, body: bytes, **parameters) -> str:
        query = urllib.parse.urlencode({"collections": "default", **parameters})
        return self.ask(server, "POST", f"?{query}", body, Prefer="respond-async")["id"]

    def wait_for(self, condition):
        end = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def test_a_check_is_done_marked_and_decided(self):
        receiver = self.receiver()
        server = self.serve(receiver)
        check = self.hand_in(server, QUERY.read_bytes(), title="Essay", owner="nn")
        self.wait_for(lambda: receiver.types() == ["check.done"])
        data = receiver.events[0]["data"]
        self.assertEqual((data["id"], data["title"], data["owner"], data["verdict"]), (check, "Essay", "nn", "refuse"))
        self.assertNotIn("text", data)
        marks = json.dumps({"marks": [{"source": 1, "class": "quotation"}]}).encode()
        self.ask(server, "PATCH", f"/{check}/marks", marks, "application/json")
        self.ask(server, "PUT", f"/{check}/decision", b'{"state": "accepted"}', "application/json")
        self.wait_for(lambda: receiver.types() == ["check.decided", "check.done", "check.updated"])
        decided = next(event for event in receiver.events if event["type"] == "check.decided")
        self.assertEqual(decided["data"]["decision"], {"state": "accepted", "revision": 2, "share": 0.0})

    def test_a_file_that_cannot_be_read_is_told_with_its_reason(self):
        receiver = self.receiver()
        server = self.serve(receiver)
        check = self.hand_in(server, b"%PDF-1.7 nothing", file_name="broken.pdf")
        self.wait_for(lambda: receiver.types() == ["check.failed"])
        data = receiver.events[0]["data"]
        self.assertEqual((data["id"], data["title"]), (check, "broken.pdf"))
        self.assertTrue(data["error"]["reason"])

    def test_an_event_outlives_its_server_and_a_receiver_that_fails(self):
        receiver = self.receiver(refuses=1)
        server = self.serve(receiver)
        self.hand_in(server, QUERY.read_bytes())
        self.wait_for(lambda: receiver.refuses == 0)
        server.kill()
        self.assertEqual(receiver.events, [])
        self.serve(receiver)
        self.wait_for(lambda: receiver.types() == ["check.done"])

    def test_a_webhook_needs_a_secret(self):
        said = self.akin("serve", "--check-webhook", "https://example.org/", code=2).err
        self.assertIn("--check-webhook-secret", said)
