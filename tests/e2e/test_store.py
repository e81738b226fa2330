"""Collections in PostgreSQL give the answers of those in the data folder."""
import json
import re
import unittest

from postgresql import Database
from program import LIBRARY, AkinTest
from server_process import Server


class StoreTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.database = Database()
        self.addCleanup(self.database.start)

    def both(self, *arguments, code: int) -> str:
        """What akin prints, the same from either store; moments of storing and sizes on the disk are left out."""
        printed = []
        for store in ([], ["--store", self.database.address]):
            answer = self.akin(*arguments, *store, code=code)
            text = re.sub(r'"stored":"[^"]*"|"(disk_bytes|text_stored_bytes)":\d+', "", answer.out)
            printed.append(re.sub(r", in [^\n]*|[0-9.]+ k?B on disk.*|on disk .*", "", text + answer.err))
        self.assertEqual(printed[1], printed[0])
        return printed[0]

    def test_every_answer_is_that_of_the_data_folder(self):
        self.both("index", LIBRARY, code=0)
        query = LIBRARY.parent / "query.txt"
        self.both("index", query, code=0)  # no two documents of the library share anything
        for arguments in (
            ["similar", query, "--json"],
            ["similar", query, "--bound", "0", "--json"],
            ["similar", query, "--sort", "containment", "--limit", "2", "--json"],
            ["similar", "--id", "query.txt", "--bound", "0", "--json"],
        ):
            answer = json.loads(self.both(*arguments, code=0))
            self.assertTrue(answer["results"], arguments)
        self.assertIn("query.txt", self.both("pairs", "--bound", "0", "--json", code=0))
        self.assertIn("query.txt", self.both("groups", "--bound", "0", "--json", code=0))
        self.both("export", code=0)
        self.both("show", "chekhov-chameleon.txt", code=0)
        self.both("delete", "chekhov-vanka.txt", code=0)
        self.both("reindex", "--scheme", "tiers(pairs=sentence-pairs,words=shingles(w=4))", code=0)
        self.both("similar", query, "--tiers", "all", "--json", code=0)
        self.both("verify", "--deep", code=0)

    def test_a_database_of_another_akin_is_refused_by_every_command(self):
        self.akin("index", LIBRARY, "--store", self.database.address, code=0)
        for version in (0, 3):
            self.database.sql(f"UPDATE akin.format SET version = {version}")
            self.expect_refused_by_every_command(f"it has the version {version}, this akin knows 1")

    def test_tables_before_the_first_release_are_refused_by_every_command(self):
        self.database.sql("CREATE SCHEMA akin; CREATE TABLE akin.version AS SELECT 1::bigint AS version;"
                          "CREATE TABLE akin.stores (store bigint PRIMARY KEY, format bigint, next_document bigint);"
                          "CREATE TABLE akin.d_1 (doc bigint PRIMARY KEY, id bytea, record bytea)")  # fmt: skip
        self.expect_refused_by_every_command("an akin before the first release made its tables")
        self.assertIn("akin export", self.akin("stats", "--store", self.database.address, code=2).err)

    def expect_refused_by_every_command(self, reason: str):
        query, database = LIBRARY.parent / "query.txt", self.database.address
        self.index_library()
        for command in (
            ["similar", query], ["stats"], ["show", "chekhov-vanka.txt"], ["export"], ["verify"],
            ["pairs", "--bound", "0"], ["groups", "--bound", "0"], ["index", query], ["import", query],
            ["delete", "chekhov-vanka.txt"], ["compact"], ["reindex"], ["ttl"],
            ["key", "list"], ["serve"], ["store", "init"],
        ):  # fmt: skip
            refused = self.akin(*command, "--store", database, code=2)
            self.assertIn(reason, refused.err, command)
        self.assertIn(reason, self.akin("store", "check", database, code=2).out)
        for places in ([database, self.folder / "copy"], [self.data, database]):
            self.assertIn(reason, self.akin("store", "copy", *places, code=2).err, places)

    def test_stats_show_what_waits_for_a_merge(self):
        self.akin("index", LIBRARY, "--store", self.database.address, code=0)
        server = Server(self, "--store", self.database.address)
        # A merge is worth it from 20,000 postings on.
        for added, least in ((0, 0), (19_000, 0), (21_000, 40_000)):
            self.database.sql(f"INSERT INTO akin.postings_1 SELECT i, 1000000 + {added}, 1 FROM generate_series(1, {added}) i")
            stats = self.akin("stats", "--json", "--store", self.database.address, code=0).json
            waiting = stats["recent_postings"]
            self.assertTrue(waiting == 0 if least == 0 else least <= waiting <= least + stats["postings"], waiting)
            self.assertGreater(stats["runs"], 0)
            status, answer = server.call("GET", "/default")
            self.assertEqual((status, answer["recent_postings"], answer["runs"]), (200, waiting, stats["runs"]))

    def test_the_address_may_be_keywords(self):
        keywords = f"host={self.database.folder} user=akin dbname={self.database.name}"
        self.akin("index", LIBRARY, "--store", keywords, code=0)
        self.akin("stats", "--store", self.database.address, code=0)
        self.akin("stats", code=0, AKIN_STORE=keywords)
        self.assertIn("--store: is not the address of a database", self.akin("stats", "--store", "no=keyword", code=2).err)

    def test_a_proof_that_is_refused_does_not_print_the_password(self):
        address = self.database.address.replace("akin@", "akin:s3cret@")
        refused = self.akin("erase", "prove", self.write("names.txt", "Anna"), "--store", address, code=2)
        self.assertIn("its files are those of PostgreSQL", refused.err)
        self.assertNotIn("s3cret", refused.out + refused.err)

    def test_each_failed_login_has_its_own_remedy(self):
        for wrong, reason, remedy in (
            (self.database.address.replace(f"/{self.database.name}?", "/missing?"), 'database "missing" does not exist', "createdb"),
            (self.database.address.replace("akin@", "nobody@"), 'role "nobody" does not exist', "createuser"),
            ("host=/nowhere", "No such file or directory", "check that the server runs"),
        ):
            refused = self.akin("stats", "--store", wrong, code=2)
            self.assertIn(reason, refused.err)
            self.assertIn(remedy, refused.err)

    def test_what_the_database_does_by_itself_is_refused(self):
        self.akin("index", LIBRARY, "--store", self.database.address, code=0)
        refused = self.akin("backup", self.folder / "copy", "--store", self.database.address, code=2)
        self.assertIn("pg_dump", refused.err)

    def test_single_collections_are_in_the_database(self):
        route = ["--store-of", f"news={self.database.address}"]
        self.akin("index", LIBRARY, code=0)
        self.akin("index", LIBRARY, "--collection", "news", *route, code=0)
        self.assertEqual(sorted(path.name for path in (self.data / "collections").glob("[!.]*/")), ["default"])
        query = LIBRARY.parent / "query.txt"
        here = self.akin("similar", query, "--json", *route, code=0).json
        there = self.akin("similar", query, "--json", "--collection", "news", *route, code=0).json
        self.assertEqual([hit["id"] for hit in there["results"]], [hit["id"] for hit in here["results"]])
        self.assertIn("'news'", self.akin("similar", query, "--collection", "news", code=2).err)
        refused = self.akin("backup", self.folder / "copy", *route, code=2)
        self.assertIn("'news'", refused.err)
        self.akin("backup", self.folder / "copy", "--only", "default", *route, code=0)
        # In a variable's list the addresses' own colons are no ends.
        variable = f"news={self.database.address}:press={self.database.address}"
        self.akin("stats", "--collection", "news", code=0, AKIN_STORE_OF=variable)
        self.akin("stats", "--collection", "press", code=2, AKIN_STORE_OF=variable)
        settings = self.write("akin.toml", f'store-of = ["news={self.database.address}"]\n')
        self.akin("stats", "--collection", "news", "--config", settings, code=0)
        for wrong in ("news", "news=mysql://x", f"-={self.database.address}"):
            self.assertIn("akin: --store-of: ", self.akin("stats", "--store-of", wrong, code=2).err)

    def test_models_are_in_the_database(self):
        news = LIBRARY.parent / "news" / "pairs.ndjson"
        store = ["--store", self.database.address]
        trained = self.lab("train", "--labels", news, "--model", "duplicate", *store, code=0)
        self.assertIn("stored in the database", trained.out)
        self.assertFalse((self.data / "state").exists())
        lines = [json.loads(line) for line in news.read_text(encoding="utf-8").splitlines()]
        stream = "".join(json.dumps(line[side]) + "\n" for line in lines[:3] for side in "ab").encode()
        self.akin("stream", "--model", "duplicate", "-", *store, stdin=stream, code=0)
        self.assertIn("model 'other'", self.akin("stream", "--model", "other", "-", *store, code=2).err)

    def test_a_database_that_is_gone_is_an_error(self):
        self.akin("index", LIBRARY, "--store", self.database.address, code=0)
        self.database.stop()
        error = self.akin("similar", LIBRARY.parent / "query.txt", "--store", self.database.address, code=2).err
        self.assertIn("akin: database: ", error)
        self.assertIn("akin: --store: ", self.akin("stats", "--store", "mysql://x", code=2).err)


if __name__ == "__main__":
    unittest.main()
