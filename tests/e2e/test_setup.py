"""The page on databases followed word by word, by roles without superuser that log in over TCP with a password."""
import os
import pathlib
import re
import socket
import subprocess
import unittest

from postgresql import PROGRAMS, Postgresql
from program import LIBRARY, QUERY, AkinTest

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "store.md"


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class SetupTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.addresses = {}
        for number, name in enumerate(("C", "S0", "S1")):
            port = free_port()
            server = Postgresql(self.folder, f"server{number}", ("fsync=off", "listen_addresses=127.0.0.1"), port)
            self.addCleanup(server.stop)
            server.sql("CREATE ROLE app LOGIN PASSWORD 'hush'")
            server.sql("CREATE DATABASE library OWNER app")
            (server.folder / "data" / "pg_hba.conf").write_text(
                "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n", encoding="utf-8"
            )
            server.sql("SELECT pg_reload_conf()")
            self.addresses[name] = f"postgres://app:hush@127.0.0.1:{port}/library"
            if name == "C":
                self.coordinator = server
                self.superuser = server.address.replace("/postgres?", "/library?")
        self.address = self.addresses["C"]

    def follow(self, heading: str, **variables: str) -> subprocess.CompletedProcess:
        """Runs the commands below a heading of the page as one script, which ends at the first error."""
        page = PAGE.read_text(encoding="utf-8")
        script = re.search(rf"^## {heading}$.*?^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[1]
        programs = f"{PROGRAMS}:{pathlib.Path(os.environ['AKIN']).parent}:{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script], cwd=self.folder, capture_output=True, text=True, check=False,
            env=self.environment | {"PATH": programs} | variables,
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def psql(self, address: str) -> subprocess.CompletedProcess:
        """The script of `akin store roles`, run by a role."""
        script = self.akin("store", "roles", code=0).out
        return subprocess.run(
            [PROGRAMS / "psql", address, "-Xq"], input=script, capture_output=True, text=True, check=False
        )

    def init_shards(self, code: int):
        shards = ",".join((self.addresses["S0"], self.addresses["S1"]))
        return self.akin("store", "init", self.address, "--shards", shards, code=code)

    def test_the_page_sets_up_a_cluster_with_readers(self):
        shards = {"S0": self.addresses["S0"], "S1": self.addresses["S1"]}
        self.follow("Setting up", SUPERUSER=self.superuser, CLUSTER=self.address, **shards)
        self.akin("index", LIBRARY, "--store", self.address, code=0)
        self.coordinator.sql("CREATE ROLE anna LOGIN PASSWORD 'hush' IN ROLE akin_reader")
        reader = self.address.replace("app:", "anna:")
        asked = ("similar", QUERY, "--bound", "0", "--json", "--store")
        expected = self.akin(*asked, self.address, code=0).json["results"]
        self.assertEqual(self.akin(*asked, reader, code=0).json["results"], expected)
        self.akin("compact", "--store", self.address, code=0)  # the next generation's tables are the owner's
        self.assertEqual(self.akin(*asked, reader, code=0).json["results"], expected)
        found = {one["what"]: one for one in self.akin("store", "check", self.address, "--json").json["findings"]}
        self.assertEqual(found["coordinator: postgres_fdw"]["verdict"], "ok")
        self.assertEqual(found["coordinator: tables made later"]["verdict"], "ok")

    def test_what_only_a_superuser_may_do_is_named(self):
        refused = self.init_shards(code=2)
        self.assertIn('coordinator, database, a command: permission denied to create extension "postgres_fdw"', refused.err)
        self.assertIn("a superuser runs the output of akin store roles", refused.err)
        self.coordinator.sql_in("library", "CREATE EXTENSION postgres_fdw")
        refused = self.init_shards(code=2)
        self.assertIn("coordinator, database, a command: permission denied for foreign-data wrapper postgres_fdw", refused.err)
        self.assertNotIn("shard 0", refused.err)

    def test_a_script_that_the_role_may_not_run_ends_with_an_error(self):
        done = self.psql(self.address)
        self.assertEqual(done.returncode, 3)
        self.assertIn("the role akin_reader is missing", done.stderr)
        self.assertIn("A superuser runs this script first", done.stderr)
        self.assertEqual(done.stderr.count("ERROR"), 1)

    def test_passwords_have_their_own_remedies(self):
        for address, reason in (
            (self.address.replace("hush", "loud"), 'password authentication failed for user "app"'),
            (self.address.replace(":hush", ""), "no password supplied"),
        ):
            refused = self.akin("stats", "--store", address, code=2)
            self.assertIn(reason, refused.err)
            self.assertIn("PGPASSWORD", refused.err)
            self.assertNotIn("loud", refused.err)


if __name__ == "__main__":
    unittest.main()
