"""`akin serve` on a free port, and requests to it by http.client."""
import http.client
import json
import re
import subprocess
import urllib.parse


class Server:
    """Starts the program and waits for its line with the URL; its log goes to the file `log`."""

    def __init__(self, test, *flags, log=subprocess.DEVNULL):
        self.process = subprocess.Popen(
            test.command("serve", "--listen", "127.0.0.1:0", *flags),
            stdout=subprocess.PIPE,
            stderr=log,
            cwd=test.folder,
            env=test.environment,
        )
        test.addCleanup(self.close)
        line = self.process.stdout.readline().decode()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        test.assertIsNotNone(found, f"no URL in {line!r}")
        self.port = int(found.group(1))

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def call(self, method: str, path: str, body=None, connection=None) -> tuple[int, dict]:
        """Status and JSON object; a str body goes as text, another as JSON. A leading "/v1/collections" is meant."""
        own = connection or self.connect()
        headers = {}
        if isinstance(body, str):
            headers["Content-Type"] = "text/plain; charset=utf-8"
            body = body.encode()
        elif body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body).encode()
        try:
            own.request(method, "/v1/collections" + path, body=body, headers=headers)
            answer = own.getresponse()
            content = answer.read()
            return answer.status, json.loads(content) if content else {}
        finally:
            if connection is None:
                own.close()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(timeout=60)
        self.process.stdout.close()


def quoted(name: str) -> str:
    return urllib.parse.quote(name, safe="")
