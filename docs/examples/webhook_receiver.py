"""Receives akin's webhooks and checks their signatures; needs nothing but Python's standard library.

    AKIN_WEBHOOK_SECRET=whsec_… python3 webhook_receiver.py 8080

Prints one line for each event, however often it is delivered. A port of 0 takes any free one.
"""
import base64
import binascii
import hashlib
import hmac
import http.server
import json
import os
import sys
import time

TOLERANCE = 300  # seconds between our clock and the sender's: older requests may be replayed ones
BODY_LIMIT = 1 << 20


def is_signed(secret: str, headers, body: bytes, now: float) -> bool:
    """Whether one of the signatures is ours (Standard Webhooks: several are separated by blanks)."""
    identity, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        if abs(now - int(timestamp)) > TOLERANCE:
            return False
    except (ValueError, binascii.Error):
        return False
    digest = hmac.new(key, f"{identity}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    given = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(expected, one) for one in given)


class Receiver(http.server.BaseHTTPRequestHandler):
    seen: set[str] = set()  # ids of the events that were worked on; keep them as long as akin may repeat one

    def do_POST(self):
        length = int(self.headers.get("Content-Length", "0"))
        if length > BODY_LIMIT:
            return self.answer(413)
        body = self.rfile.read(length)
        if not is_signed(os.environ["AKIN_WEBHOOK_SECRET"], self.headers, body, time.time()):
            return self.answer(401)
        event = json.loads(body)["data"]
        if event["id"] not in self.seen:
            self.seen.add(event["id"])
            share = round(100 * event["containment"])
            print(f"{event['watch']}: {event['document']['id']} has {share}% of the text, x = {event['x']}", flush=True)
        return self.answer(204)

    def answer(self, status: int):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].isdigit() or "AKIN_WEBHOOK_SECRET" not in os.environ:
        sys.exit("usage: AKIN_WEBHOOK_SECRET=whsec_… python3 webhook_receiver.py PORT")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver)
    print(f"listening at http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()
