"""PostgreSQL servers on loopback ports, each a primary or a streaming standby."""
import os
import pathlib
import signal
import socket
import subprocess
import time
import unittest

from postgresql import PROGRAMS, account, make_cluster


class Node:
    """A PostgreSQL server on a loopback port of its own, in a folder of `folder`; its caller ends it."""

    def __init__(self, folder: pathlib.Path, name: str):
        if not (PROGRAMS / "postgres").exists():
            raise unittest.SkipTest("PostgreSQL 15 is not installed")
        self.folder = folder / name
        self.folder.mkdir()
        self.data = self.folder / "data"
        self.user = account().pw_name if account() else None
        if self.user:
            os.chown(self.folder, account().pw_uid, account().pw_gid)
            folder.chmod(0o711)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.server = None

    @property
    def address(self) -> str:
        return f"postgres://akin@127.0.0.1:{self.port}/postgres"

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

    def ask(self, sql: str, database: str = "postgres") -> str:
        """What it answers; empty if it does not."""
        answer = subprocess.run(
            [PROGRAMS / "psql", "-XAtq", "-h", "127.0.0.1", "-p", str(self.port), "-U", "akin", "-c", sql, database],
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
        make_cluster(self.data)
        self.start()

    def make_standby_of(self, primary: "Node", synchronous: bool = True):
        """If it is synchronous, what the primary acknowledges is here too."""
        self.run("pg_basebackup", "-R", "-c", "fast", "-X", "stream", "-C", "-S", "standby", "-D", self.data, "-d",
                 f"host=127.0.0.1 port={primary.port} user=akin application_name=standby")  # fmt: skip
        self.start()
        if not synchronous:
            return
        primary.ask("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        primary.ask("SELECT pg_reload_conf()")
        primary.wait_for("SELECT sync_state FROM pg_stat_replication", "sync")

    def promote(self):
        self.run("pg_ctl", "promote", "-D", self.data, "-w")


def catch_up(primary: Node, standby: Node):
    """Waits until the standby has applied what the primary has now."""
    now = primary.ask("SELECT pg_current_wal_flush_lsn()")
    standby.wait_for(f"SELECT pg_last_wal_replay_lsn() >= '{now}'", "t")


def start_both(folder: pathlib.Path, add_cleanup, synchronous: bool) -> tuple[Node, Node]:
    """A primary and its standby, which the cleanup kills."""
    primary, standby = Node(folder, "first"), Node(folder, "second")
    for node in (primary, standby):
        add_cleanup(node.kill)
    primary.make_primary()
    standby.make_standby_of(primary, synchronous)
    return primary, standby


def primary_and_standby(test: unittest.TestCase, synchronous: bool = True) -> tuple[Node, Node]:
    """The same for one test, in its folder."""
    return start_both(test.folder, test.addCleanup, synchronous)
