"""`akin serve` on a free port, and requests to it by http.client: for all tests and experiments that start one."""
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import time
import urllib.parse


class ServerProcess:
    """A server that its caller ends: stop(), kill() or close()."""

    def __init__(self, command: list, log=subprocess.DEVNULL, **how):
        """Runs the command with `--listen` and waits for its line with the URL. Its log goes to `log`, `how` goes to Popen."""
        self.process = subprocess.Popen(
            [*map(str, command), "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=log, **how
        )
        line = self.process.stdout.readline().decode()
        found = re.search(r"https?://127\.0\.0\.1:(\d+)", line)
        if not found:
            self.close()
            raise RuntimeError(f"no URL in {line!r}")
        self.url, self.port = found.group(), int(found.group(1))

    def connect(self, timeout: float = 60) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def alive(self) -> bool:
        return self.process.poll() is None

    def bytes_of(self, name: str) -> int:
        """A figure of /proc/PID/status that is given in kB, as VmRSS."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return 1024 * int(re.search(rf"^{name}:\s+(\d+) kB", status, re.MULTILINE).group(1))

    def threads(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def files(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def processor_seconds(self) -> float:
        """Of all threads, exact, unlike the clock ticks of /proc/PID/stat."""
        return time.clock_gettime(~self.process.pid << 3 | 2)  # clock_getcpuclockid(3) of Linux

    def stop(self, how: int = signal.SIGTERM) -> int:
        """The exit code."""
        self.process.send_signal(how)
        code = self.process.wait(timeout=120)
        self.process.stdout.close()
        return code

    def kill(self):
        self.stop(signal.SIGKILL)

    def close(self):
        """Ends it if it still runs."""
        if self.alive():
            self.process.kill()
        self.process.wait(timeout=60)
        self.process.stdout.close()


class Server(ServerProcess):
    """The server of an end-to-end test, which ends with it."""

    def __init__(self, test, *flags, log=subprocess.DEVNULL):
        super().__init__(test.command("serve", *flags), log, cwd=test.folder, env=test.environment)
        test.addCleanup(self.close)

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


def quoted(name: str) -> str:
    return urllib.parse.quote(name, safe="")
