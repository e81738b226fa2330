"""PgBouncer between akin and its databases: session mode works, the other modes are refused at the first sign."""
import os
import pwd
import re
import shutil
import socket
import subprocess
import unittest

from postgresql import Database
from program import LIBRARY, QUERY, AkinTest, story
from replication import Node, catch_up, primary_and_standby
from server_process import Server

PGBOUNCER = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")


class Pooler:
    """PgBouncer in front of a database, on a loopback port; skips the test where it is not installed."""

    def __init__(self, test: AkinTest, database: Database | Node, mode: str):
        if PGBOUNCER is None:
            raise unittest.SkipTest("PgBouncer is not installed")
        self.folder = test.folder / f"pooler-{mode}"
        self.folder.mkdir()
        test.folder.chmod(0o711)
        account = pwd.getpwnam("nobody") if os.geteuid() == 0 else None  # it refuses to run as root
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        settings = self.folder / "pgbouncer.ini"
        settings.write_text(
            f"[databases]\n* = host={database.folder} port={database.port} user=akin\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {self.port}\nunix_socket_dir =\n"
            f"auth_type = any\npool_mode = {mode}\ndefault_pool_size = 60\n",
            encoding="utf-8",
        )
        self.process = subprocess.Popen(
            [PGBOUNCER, settings], user=account and account.pw_uid, cwd=self.folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        test.addCleanup(self.stop)
        test.when(self.listens, "PgBouncer does not start")
        name = database.name if isinstance(database, Database) else "postgres"
        self.address = f"postgres://akin@127.0.0.1:{self.port}/{name}"

    def listens(self) -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self):
        self.process.kill()
        self.process.wait(60)


class PoolerTest(AkinTest):
    def work_through(self, address: str, direct: str):
        """Everything that akin does works through the pooler, and is the same without it."""
        store = ("--store", address)
        self.akin("index", LIBRARY, *store, code=0)
        server = Server(self, *store)
        for number in range(30):  # more than fit into one session
            self.assertEqual(server.call("PUT", f"/default/documents/copy-{number}", f"{story()} Number {number}.")[0], 201)
        self.assertEqual(server.call("POST", "/default/similar?bound=0", story())[1]["total"], 31)
        self.akin("key", "list", *store, code=0)
        self.akin("compact", *store, code=0)
        for command in (["similar", QUERY, "--bound", "0", "--json"], ["pairs", "--bound", "3", "--json"], ["groups", "--bound", "3", "--json"], ["export"]):
            through, without = (re.sub(r'"seconds":[0-9.]+', "", self.akin(*command, "--store", one, code=0).out) for one in (address, direct))
            self.assertEqual(through, without, command)
        self.akin("verify", "--deep", *store, code=0)
        findings = self.akin("store", "check", address, "--json").json["findings"]
        sessions = [one for one in findings if one["what"] == "database: sessions"]
        self.assertEqual([one["verdict"] for one in sessions], ["ok"])

    def test_a_database_behind_session_mode_works(self):
        database = Database()
        self.work_through(Pooler(self, database, "session").address, database.address)

    def test_other_modes_are_refused_by_every_command(self):
        database = Database()
        self.akin("index", LIBRARY, "--store", database.address, code=0)
        for mode in ("transaction", "statement"):
            address = Pooler(self, database, mode).address
            for command in (["similar", QUERY], ["index", QUERY], ["stats"], ["compact"], ["key", "list"], ["serve"]):
                refused = self.akin(*command, "--store", address, code=2)
                self.assertIn("a pooler changes the session between transactions", refused.err, (mode, command))
                self.assertIn("pool_mode = session", refused.err)
            checked = self.akin("store", "check", address, "--json", code=2).json["findings"]
            self.assertEqual([(one["what"], one["verdict"]) for one in checked], [("database: sessions", "fail")])

    def test_a_standby_is_recognised_behind_it(self):
        primary, standby = primary_and_standby(self, synchronous=False)
        self.index_library("--store", primary.address)
        catch_up(primary, standby)
        store = ("--store", Pooler(self, standby, "session").address)
        self.assertIn("staleness_seconds", self.akin("stats", "--json", *store, code=0).json)
        self.assertIn("it is a standby, which accepts no writes", self.akin("index", QUERY, *store, code=2).err)


if __name__ == "__main__":
    unittest.main()
