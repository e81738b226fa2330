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
        port = free_port()
        self.server = Postgresql(self.folder, "server", ("fsync=off", "listen_addresses=127.0.0.1"), port)
        self.addCleanup(self.server.stop)
        self.server.sql("CREATE ROLE app LOGIN PASSWORD 'hush'")
        self.server.sql("CREATE DATABASE library OWNER app")
        (self.server.folder / "data" / "pg_hba.conf").write_text(
            "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n", encoding="utf-8"
        )
        self.server.sql("SELECT pg_reload_conf()")
        self.address = f"postgres://app:hush@127.0.0.1:{port}/library"
        self.superuser = self.server.address.replace("/postgres?", "/library?")

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

    def test_the_page_sets_up_a_database_with_readers(self):
        self.follow("Setting up", SUPERUSER=self.superuser, DB=self.address)
        self.akin("index", LIBRARY, "--store", self.address, code=0)
        self.server.sql("CREATE ROLE anna LOGIN PASSWORD 'hush' IN ROLE akin_reader")
        reader = self.address.replace("app:", "anna:")
        asked = ("similar", QUERY, "--bound", "0", "--json", "--store")
        expected = self.akin(*asked, self.address, code=0).json["results"]
        self.assertEqual(self.akin(*asked, reader, code=0).json["results"], expected)
        self.akin("compact", "--store", self.address, code=0)  # the next generation's tables are the owner's
        self.assertEqual(self.akin(*asked, reader, code=0).json["results"], expected)
        for command in (("stats",), ("verify", "--deep")):
            self.akin(*command, "--store", reader, code=0)
        found = {one["what"]: one for one in self.akin("store", "check", self.address, "--json").json["findings"]}
        self.assertEqual(found["database: tables made later"]["verdict"], "ok")

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
