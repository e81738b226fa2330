"""akin serve as its operator sees it: service manager, logs, start and stop, metrics, TLS."""
import http.client
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import time
import unittest

from program import LIBRARY, QUERY, AkinTest
from server_process import ServerProcess


class Operated(AkinTest):
    """A server whose stderr is read, and which may be passed a socket as file 3."""

    def serve(self, *flags, listener: socket.socket | None = None, **environment) -> subprocess.Popen:
        command = self.command("serve", *flags)
        self.log = self.folder / "log"
        environment = {**self.environment, **environment}
        passed = {}
        if listener is not None:
            # LISTEN_PID is the process's own: the shell becomes akin.
            command = ["sh", "-c", 'export LISTEN_PID=$$ LISTEN_FDS=1; exec "$@"', "sh", *command]
            listener.set_inheritable(True)
            descriptor = listener.fileno()
            passed = {"close_fds": False, "preexec_fn": lambda: os.dup2(descriptor, 3)}
        with open(self.log, "wb") as log:
            server = ServerProcess(command, log, cwd=self.folder, env=environment, **passed)
        self.addCleanup(server.close)
        self.port = server.port
        return server.process

    def get(self, path: str, **fields) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.addCleanup(connection.close)
        connection.request("GET", path, headers=fields)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def stop(self, process: subprocess.Popen) -> str:
        """What it has logged."""
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), 0)
        return self.log.read_text()


class ServiceManagerTest(Operated):
    def manager(self) -> socket.socket:
        """Plays systemd's end of the notification socket."""
        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        manager.bind(str(self.folder / "notify"))
        manager.settimeout(60)
        self.addCleanup(manager.close)
        return manager

    def test_states_are_told(self):
        manager = self.manager()
        process = self.serve(NOTIFY_SOCKET=str(self.folder / "notify"))
        self.assertEqual(manager.recv(1000), b"READY=1")
        process.send_signal(signal.SIGHUP)
        self.assertRegex(manager.recv(1000), rb"^RELOADING=1\nMONOTONIC_USEC=\d+$")
        self.assertEqual(manager.recv(1000), b"READY=1")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(manager.recv(1000), b"STOPPING=1")
        self.assertEqual(process.wait(60), 0)

    def test_server_tells_that_it_is_alive(self):
        manager = self.manager()
        self.serve(NOTIFY_SOCKET=str(self.folder / "notify"), WATCHDOG_USEC="200000")
        told = [manager.recv(1000) for _ in range(5)]
        self.assertGreaterEqual(told.count(b"WATCHDOG=1"), 3)

    def test_passed_socket_is_served(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.serve(listener=listener)
            self.assertEqual(self.port, listener.getsockname()[1])
            self.assertEqual(self.get("/livez")[0], 200)

    def test_passed_file_that_is_no_socket_is_an_error(self):
        command = 'exec 3</dev/null; export LISTEN_PID=$$ LISTEN_FDS=1; exec "$@"'
        finished = subprocess.run(
            ["sh", "-c", command, "sh", *self.command("serve")],
            capture_output=True, cwd=self.folder, env=self.environment, timeout=60, check=False,
        )
        self.assertEqual(finished.returncode, 2)
        self.assertIn("passed by the service manager", finished.stderr.decode())


class LogTest(Operated):
    def test_json_lines_tell_requests_without_their_query(self):
        process = self.serve("--log-format", "json")
        self.get("/livez?secret=1", **{"X-Request-Id": "mine"})
        lines = [json.loads(line) for line in self.stop(process).splitlines()]
        (entry,) = [line for line in lines if line["event"] == "request"]
        self.assertEqual(
            {name: entry[name] for name in ("id", "method", "path", "route", "status", "level")},
            {"id": "mine", "method": "GET", "path": "/livez", "route": "/livez", "status": 400, "level": "info"},
        )
        self.assertNotIn("secret", str(lines))

    def test_json_lines_stay_json_whatever_is_asked_for(self):
        process = self.serve("--log-format", "json")
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(b'GET /a","path":"b\\ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
            connection.recv(1000)
        lines = [json.loads(line) for line in self.stop(process).splitlines()]
        self.assertEqual([line["path"] for line in lines if line["event"] == "request"], ["/a?,?path?:?b?"])

    def test_lines_name_the_access_key(self):
        made = json.loads(self.akin("key", "create", "--scope", "read", "--json", code=0).out)
        for form in ("json", "text"):
            process = self.serve("--log-format", form)
            self.assertEqual(self.get("/v1/collections", Authorization=f"Bearer {made['key']}")[0], 200)
            self.assertEqual(self.get("/livez")[0], 200)
            lines = self.stop(process).splitlines()
            self.assertNotIn(made["key"], "".join(lines))
            with_key, without = (next(line for line in lines if path in line) for path in ("/v1/collections", "/livez"))
            if form == "json":
                self.assertEqual(json.loads(with_key)["key"], made["id"])
                self.assertNotIn("key", json.loads(without))
            else:
                self.assertTrue(with_key.endswith(f", key {made['id']}"), with_key)
                self.assertNotIn(", key", without)

    def test_lines_come_within_a_second_or_so(self):
        self.serve()
        self.get("/livez")
        deadline = time.monotonic() + 20
        while "GET /livez 200" not in self.log.read_text():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)

    def test_slow_requests_are_told_with_the_reason(self):
        process = self.serve("--slow-query", "1", "--body-timeout", "20")
        connection = socket.create_connection(("127.0.0.1", self.port))
        self.addCleanup(connection.close)
        connection.sendall(b"POST /v1/compare HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n")
        time.sleep(0.2)
        connection.sendall(b"{}")
        connection.recv(1000)
        slow = [line for line in self.stop(process).splitlines() if "slow, as" in line]
        self.assertEqual(len(slow), 1)
        self.assertRegex(slow[0], r"\[warning\] slow, as the client sent its body slowly: POST /v1/compare 4\d\d")
        self.assertIn("route /v1/compare", slow[0])

    def test_level_leaves_lines_out(self):
        process = self.serve("--log-level", "warning")
        self.get("/livez")
        self.assertEqual(self.stop(process), "")


class MetricsTest(Operated):
    def test_requests_appear_under_their_route(self):
        self.serve()
        self.get("/v1/collections/none")
        status, text = self.get("/metrics")
        self.assertEqual(status, 200)
        self.assertIn('route="/v1/collections/{collection}",status="404"} 1', text)
        self.assertIn("akin_http_connections", text)

    def test_refused_requests_are_counted_by_reason(self):
        limited, checking, reading = (
            {"Authorization": "Bearer " + json.loads(self.akin("key", "create", *flags, "--json", code=0).out)["key"]}
            for flags in (("--scope", "read", "--rate", "0.001"), ("--scope", "check"), ("--scope", "read"))
        )
        self.serve()
        for expected, fields in ((401, {}), (403, checking), (200, limited), (429, limited)):
            self.assertEqual(self.get("/v1/collections", **fields)[0], expected)
        text = self.get("/metrics", **reading)[1]
        for reason in ("unauthenticated", "forbidden", "rate_limited"):
            self.assertIn(f'akin_http_requests_rejected_total{{reason="{reason}"}} 1\n', text)


class StartTest(Operated):
    def test_failure_to_open_ends_the_program_with_the_error(self):
        self.write("data", "a file where the folder should be")
        answer = self.akin("serve", "--listen", "127.0.0.1:0", code=2)
        self.assertIn("data", answer.err)

    def test_disk_that_is_too_full_is_not_ready(self):
        self.serve("--min-free-disk", str(1 << 60))
        status, text = self.get("/readyz")
        self.assertEqual(status, 503)
        self.assertEqual(
            [check["name"] for check in json.loads(text)["checks"] if not check["ok"]], ["disk"], text
        )

    def test_tls_by_flags(self):
        certificate, key = self.folder / "c.pem", self.folder / "k.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
            check=True, capture_output=True,
        )
        self.serve("--tls-cert", str(certificate), "--tls-key", str(key))
        trusting = ssl.create_default_context(cafile=str(certificate))
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=trusting, timeout=60)
        self.addCleanup(connection.close)
        connection.request("GET", "/livez")
        answer = connection.getresponse()
        answer.read()
        self.assertEqual(answer.status, 200)
        connection.request("GET", "/metrics")
        expires = re.search(r"^akin_tls_certificate_expires_seconds (\S+)$", connection.getresponse().read().decode(), re.MULTILINE)
        self.assertLess(time.time(), float(expires[1]))
        connection.request("GET", "/desk/")
        self.assertRegex(connection.getresponse().getheader("set-cookie"), r"^akin-lang=.*; Secure$")

    def test_an_expired_certificate_is_warned_of(self):
        commands = (["req", "-new", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", "k.pem", "-out", "r.pem"],
                    ["x509", "-req", "-in", "r.pem", "-signkey", "k.pem", "-days", "-1", "-out", "c.pem"])  # fmt: skip
        for command in commands:
            subprocess.run(["openssl", *command], check=True, capture_output=True, cwd=self.folder)
        log = self.stop(self.serve("--tls-cert", "c.pem", "--tls-key", "k.pem"))
        self.assertRegex(log, r"\[warning\] TLS certificate 'c.pem': expired at 20.*Z: clients refuse it \(renew it")

    def test_certificate_without_key_is_refused(self):
        answer = self.akin("serve", "--tls-cert", "c.pem", code=2)
        self.assertIn("--tls-key", answer.err)


class MistypedVariableTest(Operated):
    def test_a_variable_that_sets_nothing_is_warned_of(self):
        process = self.serve(AKIN_SERVE_WORKER="4", AKIN_SERVE_WORKERS="2")
        log = self.stop(process)
        self.assertEqual(log.count("[warning]"), 1, log)
        self.assertIn("AKIN_SERVE_WORKER: no such setting (did you mean 'AKIN_SERVE_WORKERS'?", log)


@unittest.skipUnless(os.geteuid() == 0, "needs root")
class FolderOfAnotherUserTest(AkinTest):
    """The administrator's mistake: root's files in the service's data folder are closed to the service."""

    SERVICE = 65534

    def setUp(self):
        super().setUp()
        self.index_library()
        self.akin("key", "create", "--scope", "read", code=0)
        for path in [self.data, *self.data.rglob("*")]:
            os.chown(path, self.SERVICE, self.SERVICE)

    def owners(self) -> set[int]:
        return {path.stat().st_uid for path in self.data.rglob("*")}

    def test_root_makes_no_files_in_it(self):
        for command in [
            ["index", LIBRARY], ["index", LIBRARY, "--collection", "new"], ["reindex"], ["compact"], ["collections", "create", "new"],
            ["serve", "--listen", "127.0.0.1:0"], ["erase", "document", "x"], ["store", "copy", self.folder / "other", self.data],
        ]:
            if command[0] == "store":
                self.akin("index", LIBRARY, "--data", self.folder / "other", code=0)
            with self.subTest(command):
                self.assertIn("runuser -u nobody -- akin", self.akin(*command, code=2).err)
        self.assertEqual(self.owners(), {self.SERVICE})

    def test_its_owner_may_have_no_name_in_a_container(self):
        os.chown(self.data, 12345, 12345)
        self.assertIn("with --user 12345", self.akin("compact", code=2).err)

    def test_root_reads_it(self):
        self.akin("stats", code=0)
        self.akin("similar", QUERY, code=0)
        self.akin("key", "list", code=0)
        self.akin("backup", self.folder / "backup", code=0)
        self.assertEqual(self.owners(), {self.SERVICE})


if __name__ == "__main__":
    unittest.main()
