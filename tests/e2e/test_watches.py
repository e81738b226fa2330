"""Stored watches end to end: the documented receiver, certificates, and a server that is killed again and again."""
import base64
import hashlib
import hmac
import http.client
import http.server
import json
import os
import pathlib
import random
import ssl
import subprocess
import sys
import threading
import time
import unittest

from program import SOURCE, AkinTest
from server_process import Server

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
TEXT = "A hungry fox saw some fine bunches of grapes. They were hanging from a vine. She did her best to reach them."
KILLS = int(os.environ.get("AKIN_KILLS", "5"))


class Hook:
    """A receiver in this process: takes everything, remembers the events."""

    def __init__(self, test, certificate: pathlib.Path | None = None):
        self.events: list[dict] = []
        hook = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                hook.events.append(json.loads(body)["data"])
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        scheme = "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
            scheme = "https"
        self.url = f"{scheme}://localhost:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        test.addCleanup(self.server.server_close)
        test.addCleanup(self.server.shutdown)


class WatchesTest(AkinTest):
    def serve(self, *flags) -> Server:
        server = Server(self, "--webhook-allow-private", *flags)
        self.assertIn(server.call("PUT", "/books", {})[0], (200, 201))
        return server

    def watch(self, server: Server, url: str):
        webhook = {"url": url, "secret": SECRET}
        status, answer = server.call("PUT", "/books/watches/fox", {"text": TEXT, "bound": 1, "webhook": webhook})
        self.assertIn(status, (200, 201), answer)

    def delivery(self, server: Server, after_attempts: int = 1) -> dict:
        """The first event's delivery, when so many attempts have been made."""

        def attempted():
            events = server.call("GET", "/books/events")[1]["events"]
            return events and events[0]["delivery"]["attempts"] >= after_attempts and events[0]["delivery"]

        return self.when(attempted, "nothing was delivered")

    def test_documented_receiver_verifies_what_it_is_sent(self):
        receiver = subprocess.Popen(
            [sys.executable, str(SOURCE / "docs" / "examples" / "webhook_receiver.py"), "0"],
            stdout=subprocess.PIPE,
            env={**self.environment, "AKIN_WEBHOOK_SECRET": SECRET},
            text=True,
        )
        self.addCleanup(receiver.stdout.close)
        self.addCleanup(receiver.wait)
        self.addCleanup(receiver.kill)
        url = receiver.stdout.readline().split()[-1]
        server = self.serve()
        self.watch(server, url)
        server.call("PUT", "/books/documents/copy", TEXT)
        self.assertEqual(receiver.stdout.readline(), "fox: copy has 100% of the text, x = 3\n")
        self.assertEqual(self.delivery(server)["state"], "delivered")
        self.check_forgeries(int(url.split(":")[-1].rstrip("/")))

    def test_documented_receiver_without_a_port_or_a_secret_says_how_to_start_it(self):
        for arguments, environment in ((["0"], {}), ([], {"AKIN_WEBHOOK_SECRET": SECRET})):
            done = subprocess.run(
                [sys.executable, str(SOURCE / "docs" / "examples" / "webhook_receiver.py"), *arguments],
                env={**self.environment, **environment},
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual(done.returncode, 1)
            self.assertTrue(done.stderr.startswith("usage: AKIN_WEBHOOK_SECRET="), done.stderr)

    def check_forgeries(self, port: int):
        """The receiver takes no request whose signature is not over id, time and body."""

        def status(identity="msg", seconds=None, body=b'{"data": {"id": "x"}}', sign_body=None, key=SECRET) -> int:
            stamp = str(int(time.time()) if seconds is None else seconds)
            signed = f"{identity}.{stamp}.".encode() + (body if sign_body is None else sign_body)
            digest = hmac.new(base64.b64decode(key[6:]), signed, hashlib.sha256).digest()
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            self.addCleanup(connection.close)
            signature = "v1," + base64.b64encode(digest).decode()
            fields = {"webhook-id": "msg", "webhook-timestamp": stamp, "webhook-signature": signature}
            connection.request("POST", "/", body=body, headers=fields)
            return connection.getresponse().status

        self.assertEqual(status(identity="other"), 401)
        self.assertEqual(status(sign_body=b"{}"), 401)
        self.assertEqual(status(seconds=1), 401)
        self.assertEqual(status(key="whsec_" + base64.b64encode(b"k" * 24).decode()), 401)

    def test_certificate_that_nobody_vouches_for_is_not_trusted(self):
        certificate = self.folder / "hook.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
            + ["-addext", "subjectAltName=DNS:localhost", "-keyout", certificate, "-out", self.folder / "cert.pem"],
            check=True,
            capture_output=True,
        )
        certificate.write_bytes(certificate.read_bytes() + (self.folder / "cert.pem").read_bytes())
        hook = Hook(self, certificate)
        server = self.serve()
        self.watch(server, hook.url)
        server.call("PUT", "/books/documents/copy", TEXT)
        delivery = self.delivery(server)
        self.assertEqual(delivery["state"], "pending")
        self.assertRegex(delivery["last_error"], "(?i)certificate")
        self.assertEqual(hook.events, [])
        server.close()

        # With the authority it is trusted, but not under another name.
        server = self.serve("--webhook-ca", self.folder / "cert.pem")
        event = server.call("GET", "/books/events")[1]["events"][0]
        self.assertEqual(server.call("POST", f"/books/events/{event['id']}/retry")[0], 202)
        self.when(lambda: hook.events, "the trusted receiver got nothing")
        self.watch(server, hook.url.replace("localhost", "127.0.0.1"))
        self.assertEqual(server.call("POST", f"/books/events/{event['id']}/retry")[0], 202)
        self.assertEqual(self.delivery(server)["state"], "pending")

    def test_killed_server_loses_no_event_and_makes_none_twice(self):
        hook = Hook(self)
        acknowledged: dict[str, str] = {}  # id of the document: when it was stored
        server = self.serve()
        self.watch(server, hook.url)
        for kill in range(KILLS):
            timer = threading.Timer(random.uniform(0.05, 0.8), server.process.kill)
            timer.start()
            try:
                for number in range(100_000):
                    name = f"{kill}-{number}"
                    status, answer = server.call("PUT", f"/books/documents/{name}", TEXT)
                    self.assertEqual(status, 201)
                    acknowledged[name] = answer["stored"]
            except (ConnectionError, http.client.HTTPException):
                pass
            timer.join()
            server.close()
            server = self.serve()
        server.call("PUT", "/books/documents/last", TEXT)

        def events() -> list[dict]:
            found, cursor = [], ""
            while True:
                page = server.call("GET", f"/books/events?limit=1000&cursor={cursor}")[1]
                found += page["events"]
                if not page["more"]:
                    return found
                cursor = page["next"]

        self.when(lambda: events()[-1:] and events()[-1]["document"]["id"] == "last", "the last document is not found")
        self.when(lambda: all(e["delivery"]["state"] == "delivered" for e in events()), "not all were delivered")
        found = events()
        self.assertEqual(len({event["id"] for event in found}), len(found))
        self.assertEqual([event["sequence"] for event in found], list(range(1, len(found) + 1)))
        told = {event["document"]["id"]: event["document"]["stored"] for event in found}
        self.assertEqual(len(told), len(found), "a document was found twice")
        self.assertEqual({name: told.get(name) for name in acknowledged}, acknowledged)
        self.assertEqual({event["id"] for event in hook.events}, {event["id"] for event in found})


if __name__ == "__main__":
    unittest.main()
