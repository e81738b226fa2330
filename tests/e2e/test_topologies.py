"""Databases with shards behind them: made, checked, filled by copies."""
import unittest

from postgresql import Postgresql
from program import AkinTest

DURABLE = ("fsync=on", "wal_compression=lz4", "max_wal_size=4GB", "checkpoint_timeout=15min", "shared_buffers=32MB")


class TopologyTest(AkinTest):
    """A coordinator and three shards, each a server of its own."""

    def setUp(self):
        super().setUp()
        self.database = Postgresql(self.folder, settings=DURABLE)
        self.addCleanup(self.database.stop)
        self.shards = []

    def start_shards(self, count: int = 3):
        for number in range(count):
            self.shards.append(Postgresql(self.folder, f"shard{number}", DURABLE))
            self.addCleanup(self.shards[-1].stop)

    def init(self, *shards, code: int = 0):
        addresses = ",".join(shard.address for shard in shards)
        flags = ("--shards", addresses) if shards else ()
        return self.akin("store", "init", self.database.address, *flags, code=code)

    def findings(self, code: int, verdict: str) -> dict[str, dict]:
        """What `akin store check` finds, by what it is about."""
        checked = self.akin("store", "check", self.database.address, "--json", code=code).json
        self.assertEqual(checked["ok"], code == 0)
        return {one["what"]: one for one in checked["findings"] if one["verdict"] == verdict}

    def test_three_shards_are_made_and_found_fit(self):
        self.start_shards()
        made = self.init(*self.shards)
        self.assertIn("is ready: shards", made.out)
        self.assertIn("shard 2: ", made.out)
        self.assertEqual(self.findings(0, "fail"), {})
        good = self.findings(0, "ok")
        for number in range(3):
            self.assertEqual(good[f"shard {number}: directly"]["value"], "reached, and is this cluster's")
            self.assertEqual(good[f"shard {number}: through the coordinator"]["value"], "reached, and is this cluster's")
        self.assertIn("a superuser", self.findings(0, "warn")["coordinator: role"]["value"])
        told = self.akin("store", "check", "--store", self.database.address, code=0)
        self.assertRegex(told.out, r"ok +coordinator: topology +shards")

    def test_a_stopped_shard_is_a_failure_on_both_ways(self):
        self.start_shards(2)
        self.init(*self.shards)
        self.shards[1].stop()
        failed = self.findings(1, "fail")
        self.assertEqual(set(failed), {"shard 1: directly", "shard 1: through the coordinator"})

    def test_what_is_set_wrong_is_told(self):
        self.start_shards(2)
        self.init(*self.shards)
        self.shards[1].sql("ALTER SYSTEM SET full_page_writes = off; ALTER SYSTEM SET synchronous_commit = off")
        self.shards[1].sql("SELECT pg_reload_conf()")
        self.shards[0].sql("UPDATE akin.shard_of SET shard = 7")
        self.database.sql("CREATE ROLE akin_reader; GRANT SELECT ON akin.shards TO akin_reader")
        failed = self.findings(1, "fail")
        self.assertEqual(
            set(failed),
            {
                "shard 0: directly",
                "shard 0: through the coordinator",
                "shard 1: full_page_writes",
                "shard 1: synchronous_commit",
                "coordinator: secrets in akin.shards",
            },
        )
        self.assertIn("set it on", failed["shard 1: full_page_writes"]["remedy"])

    def test_a_database_without_akin_and_one_that_is_gone(self):
        self.assertEqual(set(self.findings(1, "fail")), {"coordinator: schema akin"})
        self.database.stop()
        self.akin("store", "check", self.database.address, code=2)
        self.assertIn("neither it nor --store", self.akin("store", "check", code=2).err)

    def test_citus_is_refused_where_it_is_not_installed(self):
        if self.database.sql("SELECT count(*) FROM pg_available_extensions WHERE name = 'citus'") != "0":
            self.skipTest("Citus is installed")
        refused = self.akin("store", "init", self.database.address, "--citus", code=2)
        self.assertIn("extension citus: it is not installed", refused.err)

    def test_no_password_is_told(self):
        self.start_shards(1)
        address = self.shards[0].address.replace("akin@", "akin:hush@")
        made = self.akin("store", "init", self.database.address, "--shards", address, code=0)
        wrong = self.akin("store", "init", self.database.address, "--shards", address.replace("?", "%zz?"), code=2)
        self.shards[0].stop()
        gone = self.akin("store", "init", self.database.address, "--shards", address, code=2)
        checked = self.akin("store", "check", self.database.address, "--json", code=1)
        for answer in (made, wrong, gone, checked):
            self.assertNotIn("hush", answer.out + answer.err)


if __name__ == "__main__":
    unittest.main()
