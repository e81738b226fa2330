"""Databases: prepared, checked, filled by copies."""
import atexit
import functools
import json
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

from postgresql import Database, Postgresql
from program import LIBRARY, QUERY, AkinTest
from server_process import Server

DURABLE = ("fsync=on", "wal_compression=lz4", "max_wal_size=4GB", "checkpoint_timeout=15min", "shared_buffers=32MB")


@functools.lru_cache(maxsize=None)
def durable_server() -> Postgresql:
    """A server of this process with which `akin store check` is content."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-durable-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    server = Postgresql(folder, settings=DURABLE)
    atexit.register(server.stop, "immediate")
    return server


class DatabaseTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.database = Database(durable_server())

    def findings(self, code: int, verdict: str) -> dict[str, dict]:
        """What `akin store check` finds, by what it is about."""
        checked = self.akin("store", "check", self.database.address, "--json", code=code).json
        self.assertEqual(checked["ok"], code == 0)
        return {one["what"]: one for one in checked["findings"] if one["verdict"] == verdict}


class StatementsTest(AkinTest):
    def test_default_search_asks_for_its_hits_together(self):
        """A statement is a round trip, unless it is sent together with others."""
        server = Postgresql(self.folder, settings=("fsync=off", "log_statement=all", "logging_collector=on",
                                                   "log_directory=log", "log_filename=all"))  # fmt: skip
        self.addCleanup(server.stop, "immediate")
        log = server.folder / "data" / "log" / "all"
        database = Database(server)
        self.akin("index", LIBRARY, "--store", database.address, "--collection", "books", code=0)
        akin = Server(self, "--store", database.address)

        def executed() -> int:
            """Without those of the state: watching threads look at it at any time."""
            lines = log.read_text(encoding="utf-8").splitlines()
            return sum((" execute " in line or " statement: " in line) and "akin.state" not in line for line in lines)

        def search() -> tuple[int, int]:
            before = executed()
            status, found = akin.call("POST", "/books/similar", QUERY.read_text(encoding="utf-8"))
            self.assertEqual(status, 200)
            return executed() - before, len(found["results"])

        search()  # opens the collection and its dictionary
        statements, hits = search()
        self.assertEqual(hits, 1)
        self.assertLessEqual(statements, 9)  # and one for the keys of access


class CheckTest(DatabaseTest):
    def test_a_database_is_made_and_found_fit(self):
        made = self.akin("store", "init", self.database.address, code=0)
        self.assertIn("is ready", made.out)
        again = self.akin("store", "init", self.database.address, "--json", code=0).json
        self.assertIn(f"dbname={self.database.name}", again["database"])
        self.assertEqual(self.findings(0, "fail"), {})
        self.assertIn("a superuser", self.findings(0, "warn")["database: role"]["value"])
        printed = self.akin("store", "check", "--store", self.database.address, code=0)
        self.assertRegex(printed.out, r"ok +database: schema akin +version 1")

    def test_what_is_set_wrong_is_told(self):
        self.akin("store", "init", self.database.address, code=0)
        self.akin("key", "list", "--store", self.database.address, code=0)
        name = self.database.name
        self.database.sql(
            f"ALTER DATABASE {name} SET synchronous_commit = off; CREATE ROLE akin_reader; GRANT SELECT ON akin.state TO akin_reader"
        )
        self.addCleanup(self.database.sql, "DROP OWNED BY akin_reader; DROP ROLE akin_reader")
        failed = self.findings(2, "fail")
        self.assertEqual(set(failed), {"database: synchronous_commit", "database: secrets in akin.state"})
        self.assertIn("set it on", failed["database: synchronous_commit"]["remedy"])

    def test_large_collections_are_read_by_index_only_scans(self):
        self.akin("index", LIBRARY, "--store", self.database.address, code=0)
        plan = "collection 'default': plan"
        self.assertEqual(self.findings(0, "ok")[plan]["value"], "too small for one to matter")
        self.database.sql("INSERT INTO akin.postings_1 SELECT hashint8extended(i, 0), 1000000 + i / 150, 1 FROM generate_series(1, 1200000) i;"
                          "UPDATE akin.stores SET postings = 1200000")  # fmt: skip
        self.database.sql("VACUUM (ANALYZE) akin.postings_1")
        self.assertEqual(self.findings(0, "ok")[plan]["value"], "as it should be")
        self.database.sql(f"ALTER DATABASE {self.database.name} SET enable_indexonlyscan = off")
        failed = self.findings(2, "fail")
        self.assertEqual(failed[plan]["value"], "postings are not read by an index-only scan")

    def test_a_database_without_akin_and_one_that_is_gone(self):
        self.assertEqual(set(self.findings(2, "fail")), {"database: schema akin"})
        self.database.stop()
        self.addCleanup(self.database.start)
        self.akin("store", "check", self.database.address, code=2)
        self.assertIn("neither it nor --store", self.akin("store", "check", code=2).err)

    def test_no_password_is_told(self):
        address = self.database.address.replace("akin@", "akin:hush@")
        made = self.akin("store", "init", address, code=0)
        wrong = self.akin("store", "init", address.replace("?", "%zz?"), code=2)
        self.database.stop()
        self.addCleanup(self.database.start)
        gone = self.akin("store", "init", address, code=2)
        checked = self.akin("store", "check", address, "--json", code=2)
        for answer in (made, wrong, gone, checked):
            self.assertNotIn("hush", answer.out + answer.err)


class CopyTest(DatabaseTest):
    """Copies between data folders and databases."""

    def store(self, place: str, *arguments, **keywords):
        """akin, over the collections of a place."""
        where = ("--store", place) if place.startswith("postgres") else ("--data", place)
        return self.akin(*arguments, *where, **keywords)

    def export(self, place: str) -> str:
        """All documents; revisions ("stored") too."""
        return self.store(place, "export", code=0).out

    def copy(self, source, target, *flags, code: int = 0):
        return self.akin("store", "copy", source, target, "--json", *flags, code=code)

    def write_documents(self, count: int):
        lines = []
        for number in range(count):
            words = " ".join(f"слово{(number * 31 + i * 7) % 977} идёт{(number + i) % 53}" for i in range(40))
            text = f"Документ {number} начинается. {words}. И вот он кончился."
            lines.append(json.dumps({"id": f"d{number:06}", "title": f"№ {number}", "metadata": {"n": number}, "text": text}))
        self.akin("import", self.write("documents.ndjson", "\n".join(lines)), "--data", self.data, code=0)

    def test_there_and_back_is_the_same(self):
        self.index_library()
        self.akin("ttl", "2099-01-01T00:00:00Z", code=0)
        labels = b"a\tb\tlabel\nchekhov-vanka.txt\tchekhov-misery.txt\tno\n"
        self.akin("pairs", "--labels", "-", stdin=labels, code=0)
        database, back = self.database.address, str(self.folder / "back")
        printed = self.akin("store", "copy", self.data, database, code=0).out
        self.assertRegex(printed, r"copied 'default': 1\d documents, [0-9,]+ features, [0-9,]+ postings, .* of text; compared 1")
        self.assertEqual(self.export(database), self.export(str(self.data)))
        report = self.copy(database, back).json["collections"][0]
        self.assertEqual((report["copied"], report["kept"]), (report["documents"], 0))
        self.assertEqual(self.export(back), self.export(str(self.data)))
        for place in (database, back):
            self.assertIn("clean", self.store(place, "verify", "--deep", code=0).out)
            self.assertIn("2099", self.store(place, "ttl", code=0).out)
            kept = self.store(place, "pairs", "--labels", "-", "--json", stdin=labels, code=0).json
            self.assertEqual((kept["same"], kept["added"]), (1, 0))
        # What comes later has a later revision, in either.
        for place in (database, back):
            self.store(place, "delete", "chekhov-vanka.txt", code=0)
            self.store(place, "index", LIBRARY, code=0)

    def test_files_go_into_a_database_and_out_of_it(self):
        page = b"<meta charset=iso-8859-1><p>Mill number %d stood by the river.<!-- %b -->"
        files = {f"{i}.html": page % (i, bytes(range(0xA0, 0x100)) * i) for i in range(12)}
        for name, content in files.items():
            (self.folder / name).write_bytes(content)
        self.akin("index", *(self.folder / name for name in files), "--store-file", code=0)
        database, back = self.database.address, str(self.folder / "back")
        self.copy(self.data, database)
        self.store(database, "compact", code=0)
        self.copy(database, back)
        for place in (database, back):
            self.assertIn("clean", self.store(place, "verify", "--deep", code=0).out)
            for name, content in files.items():
                self.store(place, "show", name, "--file", self.folder / "out", code=0)
                self.assertEqual((self.folder / "out").read_bytes(), content, (place, name))
        self.store(database, "delete", "3.html", code=0)
        self.assertEqual(self.store(database, "show", "3.html", "--file", self.folder / "out").code, 2)

    def test_a_copy_that_is_there_is_compared_and_another_collection_is_left_alone(self):
        self.index_library()
        database = self.database.address
        self.copy(self.data, database)
        again = self.copy(self.data, database).json["collections"][0]
        self.assertTrue(again["was_there"])
        self.store(database, "delete", "chekhov-vanka.txt", code=0)
        before = self.export(database)
        self.assertIn("another collection with this name", self.copy(self.data, database, code=2).err)
        self.assertEqual(self.export(database), before)
        self.assertIn("there is no collection with this name", self.copy(self.data, database, "nothing", code=2).err)
        self.copy(self.data, self.data, code=2)

    def test_the_state_of_the_servers_comes_along(self):
        self.index_library()
        database, back = self.database.address, str(self.folder / "back")
        key = self.akin("key", "create", "--scope", "read", "--label", "anna", code=0).out.strip()
        labels = b"a\tb\tlabel\nchekhov-vanka.txt\tchekhov-misery.txt\tno\n"
        self.akin("pairs", "--labels", "-", stdin=labels, code=0)
        # The key, the labels, and the log's entries about the key and this copy with the log's head.
        self.assertEqual(self.copy(self.data, database).json["state"], {"copied": 5, "kept": 0})
        # The second copy is one entry of the log, with its head.
        self.assertEqual(self.copy(self.data, database).json["state"], {"copied": 2, "kept": 4})
        self.assertIn("3 entries", self.store(database, "audit", "verify", code=0).out)
        self.assertIn("anna", self.store(database, "key", "list", code=0).out)
        self.assertEqual(self.copy(database, back).json["state"], {"copied": 7, "kept": 0})
        self.assertEqual(self.store(back, "key", "list", code=0).out, self.akin("key", "list", code=0).out)
        for place in (database, back):
            kept = self.store(place, "pairs", "--labels", "-", "--json", stdin=labels, code=0).json
            self.assertEqual((kept["same"], kept["added"]), (1, 0))
        self.store(database, "key", "revoke", self.store(database, "key", "list", "--json", code=0).json[0]["id"], code=0)
        self.assertIn("another access key", self.copy(self.data, database, code=2).err)
        self.assertNotIn(key, self.copy(self.data, database, "default").out)

    def killed_copy(self, source: str, target: str, begun, *flags):
        """Starts a copy and kills it as soon as something is there."""
        running = subprocess.Popen(
            self.command("store", "copy", source, target, *flags), env=self.environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        while running.poll() is None and not begun():
            time.sleep(0.002)
        running.kill()
        self.assertEqual(running.wait(60), -9, "it was done before it was killed")

    def documents_of_copies(self) -> bool:
        """Whether a document is in the database already."""
        try:
            return self.database.sql("SELECT count(*) > 0 FROM akin.documents_1") == "t"
        except RuntimeError:
            return False

    def test_a_killed_copy_goes_on(self):
        self.write_documents(6000)
        database, back = self.database.address, str(self.folder / "back")
        self.killed_copy(self.data, database, self.documents_of_copies)
        self.assertEqual(self.database.sql("SELECT count(*) FROM akin.collections"), "0")
        self.assertEqual(self.findings(0, "warn")["database: unfinished copies"]["value"], "1")
        # What became of the source meanwhile is so in the copy.
        self.akin("delete", "d000000", "d005999", code=0)
        self.akin("index", self.write("new.txt", "Он шёл по улице и думал о том, что было вчера. Был дождь."), code=0)
        report = self.copy(self.data, database).json["collections"][0]
        self.assertGreater(report["kept"], 0)
        self.assertEqual(report["kept"] + report["copied"], 5999)
        self.assertEqual(self.export(database), self.export(str(self.data)))
        self.assertEqual(self.database.sql("SELECT count(*) FROM akin.copies"), "0")

        def begun() -> bool:
            path = self.folder / "back" / "collections" / ".copying-default" / "gen-1" / "data.mdb"
            return path.exists() and path.stat().st_size > 2_000_000

        self.killed_copy(database, back, begun)
        self.assertIn("there is no collection", self.store(back, "export", code=2).err)
        report = self.copy(database, back).json["collections"][0]
        self.assertGreater(report["kept"], 0)
        self.assertEqual(report["kept"] + report["copied"], 5999)
        self.assertEqual(self.export(back), self.export(str(self.data)))
        self.assertEqual(list((self.folder / "back" / "collections").glob(".copying-*")), [])


    def change_source(self, count: int):
        """Removes two of `count` documents, replaces every third, and adds one."""
        lines = []
        for number in range(3, count, 3):
            text = f"Документ {number} начинается снова. Слово {number} идёт за словом. И вот он кончился."
            lines.append(json.dumps({"id": f"d{number:06}", "text": text}))
        self.akin("import", self.write("changes.ndjson", "\n".join(lines)), code=0)
        self.akin("delete", "d000001", "d000002", code=0)
        self.akin("index", self.write("new.txt", "Он шёл по улице и думал о том, что было вчера. Был дождь."), code=0)

    def updated(self, source, target) -> tuple[int, int, int]:
        """What `--update` copied, kept and removed; both are equal then."""
        report = self.copy(source, target, "--update").json["collections"][0]
        self.assertEqual(self.export(str(target)), self.export(str(source)))
        self.assertIn("clean", self.store(str(target), "verify", "--deep", code=0).out)
        return report["copied"], report["kept"], report["removed"]

    def test_a_copy_is_brought_up_to_date(self):
        single = Database(durable_server())
        back = str(self.folder / "back")
        targets = (self.database.address, single.address, back)
        self.write_documents(30)
        for target in targets:
            self.copy(self.data, target)
        self.change_source(30)
        for target in targets:
            self.assertIn("--update", self.copy(self.data, target, code=2).err)
            self.assertEqual(self.updated(self.data, target), (10, 19, 2))
            self.assertEqual(self.updated(self.data, target), (0, 29, 0))
        # From a database, too; what the copy has of its own goes.
        self.akin("delete", "new.txt", "--store", single.address, code=0)
        self.akin("index", QUERY, "--data", back, code=0)
        self.assertEqual(self.updated(single.address, back), (0, 28, 2))
        self.akin("reindex", "--scheme", "sentence-pairs", "--data", back, code=0)
        self.assertIn("another scheme", self.copy(self.data, back, "--update", code=2).err)

    def test_a_killed_update_goes_on(self):
        self.write_documents(6000)
        self.copy(self.data, self.database.address)
        self.change_source(6000)
        before = self.database.sql("SELECT last_revision FROM akin.stores")

        def begun() -> bool:
            return self.database.sql(f"SELECT count(*) > 0 FROM akin.documents_1 WHERE revision > {before}") == "t"

        self.killed_copy(self.data, self.database.address, begun, "--update")
        self.assertIn(len(self.export(self.database.address).splitlines()), (5998, 5999), "all stay visible meanwhile")
        copied, kept, removed = self.updated(self.data, self.database.address)
        self.assertEqual((copied + kept, removed), (5999, 0))
        self.assertLess(copied, 2000)


class RolesTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.database = Postgresql(self.folder)
        self.addCleanup(self.database.stop)

    def as_role(self, role: str) -> str:
        return self.database.address.replace("akin@", f"{role}@")

    def test_a_reader_searches_and_a_writer_writes(self):
        self.akin("index", LIBRARY, "--store", self.database.address, code=0)
        for _ in range(2):
            self.database.sql(self.akin("store", "roles", code=0).out)
        self.database.sql(
            "CREATE ROLE anna LOGIN IN ROLE akin_reader; CREATE ROLE boris LOGIN IN ROLE akin_writer; CREATE ROLE eve LOGIN"
        )
        asked = ("similar", QUERY, "--bound", "0", "--json", "--store")
        expected = self.akin(*asked, self.database.address, code=0).json["results"]
        self.assertEqual(self.akin(*asked, self.as_role("anna"), code=0).json["results"], expected)
        self.assertEqual(self.akin(*asked, self.as_role("boris"), code=0).json["results"], expected)
        text = self.write("new.txt", "Он шёл по улице и думал о том, что было вчера. Вчера был дождь, и он промок.")
        refused = self.akin("index", text, "--store", self.as_role("anna"), code=2)
        self.assertIn("permission denied", refused.err)
        self.assertIn("akin store roles", refused.err)
        self.akin("index", text, "--store", self.as_role("boris"), code=0)
        self.akin("delete", "new.txt", "--store", self.as_role("boris"), code=0)
        self.assertIn("permission denied", self.akin(*asked, self.as_role("eve"), code=2).err)
        # Collections that the owner makes later.
        self.akin("index", LIBRARY, "--collection", "later", "--store", self.database.address, code=0)
        later = self.akin(*asked, self.as_role("anna"), "--collection", "later", code=0).json["results"]
        self.assertEqual([hit["id"] for hit in later], [hit["id"] for hit in expected])


if __name__ == "__main__":
    unittest.main()
