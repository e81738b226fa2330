"""Collections in PostgreSQL give the answers of those in the data folder."""
import json
import re
import unittest

from postgresql import Postgresql
from program import LIBRARY, AkinTest


class StoreTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.database = Postgresql(self.folder)
        self.addCleanup(self.database.stop)

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
        for arguments in (
            ["similar", query, "--json"],
            ["similar", query, "--bound", "0", "--json"],
            ["similar", query, "--best", "--limit", "2", "--json"],
            ["similar", "--id", "chekhov-chameleon.txt", "--bound", "0", "--json"],
        ):
            answer = json.loads(self.both(*arguments, code=1 if "--id" not in arguments else 0))
            self.assertGreaterEqual(len(answer["results"]), 0)
        self.both("pairs", "--bound", "0", "--json", code=0)
        self.both("groups", "--bound", "0", "--json", code=0)
        self.both("export", code=0)
        self.both("show", "chekhov-chameleon.txt", code=0)
        self.both("delete", "chekhov-vanka.txt", code=0)
        self.both("reindex", "--scheme", "tiers(pairs=sentence-pairs,words=shingles(w=4))", code=0)
        self.both("similar", query, "--tiers", "all", "--json", code=1)
        self.both("verify", "--deep", code=0)

    def test_what_the_database_does_by_itself_is_refused(self):
        self.akin("index", LIBRARY, "--store", self.database.address, code=0)
        refused = self.akin("backup", self.folder / "copy", "--store", self.database.address, code=2)
        self.assertIn("pg_dump", refused.err)

    def test_a_database_that_is_gone_is_an_error(self):
        self.akin("index", LIBRARY, "--store", self.database.address, code=0)
        self.database.stop()
        error = self.akin("similar", LIBRARY.parent / "query.txt", "--store", self.database.address, code=2).err
        self.assertIn("akin: database: ", error)
        self.assertIn("akin: --store: ", self.akin("stats", "--store", "mysql://x", code=2).err)


if __name__ == "__main__":
    unittest.main()
