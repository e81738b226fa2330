"""A primary killed under puts: akin goes on with the standby that was promoted, and nothing acknowledged is lost."""
import http.client
import os
import pathlib
import pwd
import signal
import socket
import subprocess
import threading
import time
import unittest

from postgresql import PROGRAMS
from program import AkinTest, story
from server_process import Server


class Node:
    """A PostgreSQL server on a loopback port of its own."""

    def __init__(self, folder: pathlib.Path, name: str):
        self.folder = folder / name
        self.folder.mkdir()
        self.data = self.folder / "data"
        self.user = "nobody" if os.geteuid() == 0 else None
        if self.user:
            os.chown(self.folder, pwd.getpwnam(self.user).pw_uid, pwd.getpwnam(self.user).pw_gid)
            folder.chmod(0o711)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.server = None

    def run(self, program: str, *arguments):
        subprocess.run(
            [PROGRAMS / program, *map(str, arguments)], user=self.user, cwd=self.folder, check=True, capture_output=True
        )

    def start(self):
        self.server = subprocess.Popen(
            [PROGRAMS / "postgres", "-D", self.data, "-k", self.folder, "-p", str(self.port),
             "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"],
            user=self.user, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        self.wait_for("SELECT 1", "1")

    def ask(self, sql: str) -> str:
        """What it answers; empty if it does not."""
        answer = subprocess.run(
            [PROGRAMS / "psql", "-XAtq", "-h", "127.0.0.1", "-p", str(self.port), "-U", "akin", "-c", sql, "postgres"],
            capture_output=True, check=False,
        )  # fmt: skip
        return answer.stdout.decode().strip()

    def wait_for(self, sql: str, expected: str):
        for _ in range(600):
            if self.ask(sql) == expected:
                return
            time.sleep(0.05)
        raise RuntimeError(f"{sql} is never {expected}")

    def kill(self):
        """All its processes at once, as a power cut does."""
        if self.server is not None and self.server.poll() is None:
            os.killpg(self.server.pid, signal.SIGKILL)
            self.server.wait(60)

    def make_primary(self):
        self.run("initdb", "--pgdata", self.data, "--username", "akin", "--auth", "trust", "--encoding", "UTF8",
                 "--locale", "C", "--no-sync")  # fmt: skip
        self.start()

    def make_standby_of(self, primary: "Node"):
        """A synchronous one: what the primary acknowledges is here too."""
        self.run("pg_basebackup", "-R", "-c", "fast", "-X", "stream", "-C", "-S", "standby", "-D", self.data, "-d",
                 f"host=127.0.0.1 port={primary.port} user=akin application_name=standby")  # fmt: skip
        self.start()
        primary.ask("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        primary.ask("SELECT pg_reload_conf()")
        primary.wait_for("SELECT sync_state FROM pg_stat_replication", "sync")

    def promote(self):
        self.run("pg_ctl", "promote", "-D", self.data, "-w")


class Writer(threading.Thread):
    """Puts documents one after the other, each until it is acknowledged."""

    def __init__(self, server: Server, name: str, text: str):
        super().__init__()
        self.server, self.prefix, self.text = server, name, text
        self.acknowledged: list[tuple[str, float]] = []
        self.refused: set[int] = set()
        self.ends = False

    def run(self):
        connection = self.server.connect()
        number = 0
        while not self.ends:
            document = f"{self.prefix}-{number}"
            try:
                path = f"/books/documents/{document}"
                status, _ = self.server.call("PUT", path, f"{self.text} Number {number}.", connection)
            except (OSError, http.client.HTTPException):
                connection = self.server.connect()
                continue
            if status in (200, 201):
                self.acknowledged.append((document, time.monotonic()))
                number += 1
            else:
                self.refused.add(status)
                time.sleep(0.02)
        connection.close()


class FailoverTest(AkinTest):
    def setUp(self):
        super().setUp()
        if not (PROGRAMS / "postgres").exists():
            raise unittest.SkipTest("PostgreSQL 15 is not installed")
        self.nodes = [Node(self.folder, "first"), Node(self.folder, "second")]
        for node in self.nodes:
            self.addCleanup(node.kill)

    def test_a_promoted_standby_goes_on_with_everything_acknowledged(self):
        primary, standby = self.nodes
        primary.make_primary()
        standby.make_standby_of(primary)
        store = (
            f"postgres://akin@127.0.0.1:{primary.port},127.0.0.1:{standby.port}/postgres"
            "?target_session_attrs=read-write&connect_timeout=3"
        )
        server = Server(self, "--store", store)
        self.assertEqual(server.call("PUT", "/books", {})[0], 201)
        writers = [Writer(server, name, story()) for name in ("a", "b")]
        for writer in writers:
            writer.start()
            self.addCleanup(setattr, writer, "ends", True)
        while min(len(writer.acknowledged) for writer in writers) < 20:
            time.sleep(0.01)
        primary.kill()
        killed = time.monotonic()
        time.sleep(1)
        self.assertGreaterEqual(server.call("GET", "/books/documents/a-0")[0], 500, "there is no server")
        standby.promote()
        promoted = time.monotonic()
        end = promoted + 60
        while min(len([1 for _, when in writer.acknowledged if when > promoted]) for writer in writers) < 20:
            self.assertLess(time.monotonic(), end, [writer.refused for writer in writers])
            time.sleep(0.01)
        for writer in writers:
            writer.ends = True
            writer.join()
        first = min(when for writer in writers for _, when in writer.acknowledged if when > killed + 0.5)
        before = sum(when < killed for writer in writers for _, when in writer.acknowledged)
        print(
            f"{before} puts before the kill; promoted {promoted - killed:.2f} s after it, "
            f"the next put acknowledged {first - promoted:+.2f} s from then"
        )
        for writer in writers:
            self.assertLessEqual(writer.refused, {500, 503, 504})
            for document, _ in writer.acknowledged:
                self.assertEqual(server.call("GET", f"/books/documents/{document}")[0], 200, document)
        documents = sum(len(writer.acknowledged) for writer in writers)
        self.assertEqual(server.call("GET", "/books")[1]["documents"], documents)
        found = server.call("POST", "/books/similar?bound=0", story())
        self.assertEqual(found[1]["total"], documents)
        self.akin("verify", "--deep", "--collection", "books", "--store", store, code=0)


if __name__ == "__main__":
    unittest.main()
