"""A dictionary that is updated: a collection continues with the one that it was built with, until a reindex."""
import os
import pathlib
import shutil
import unittest

from postgresql import Database
from program import AkinTest
from server_process import Server
from test_servers import ask

SYSTEM = pathlib.Path("/usr/share/hunspell")
# The forms of "zorbling" have another class once the dictionary has the word.
TEXT = " ".join(f"The zorblings of the {name} house met {name} zorbling after dinner." for name in
                ("red", "green", "blue", "white", "black", "brown", "grey", "yellow"))  # fmt: skip


class DictionariesTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.dictionaries = self.folder / "hunspell"
        self.dictionaries.mkdir()
        for name in ("en_US.aff", "en_US.dic"):
            shutil.copy(SYSTEM / name, self.dictionaries)
        self.environment |= {"DICPATH": str(self.dictionaries), "AKIN_LANG": "en"}
        self.store = []
        self.write("old.txt", TEXT)

    def update(self, word: str = "zorbling/S"):
        """What an upgrade of the package does: another file in the place of the old one."""
        dic = self.dictionaries / "en_US.dic"
        lines = dic.read_bytes().split(b"\n")
        new = self.write("new.dic", b"\n".join([lines[0], word.encode(), *lines[1:]]))
        os.replace(new, dic)

    def run_akin(self, *arguments, code=0, **environment):
        return self.akin(*arguments, *self.store, code=code, **environment)

    def build(self):
        self.run_akin("index", "old.txt", "--id", "old")

    def found(self, *flags) -> list[tuple[str, float]]:
        answer = self.run_akin("similar", "old.txt", "--bound", "0", "--json", *flags).json
        return [(one["id"], one["contained"]) for one in answer["results"]]

    def stats(self, *flags) -> dict:
        return self.run_akin("stats", "--json", *flags).json

    def serve(self, *flags) -> Server:
        return Server(self, *self.store, *flags)


class LocalTest(DictionariesTest):
    def test_searches_and_writes_continue_with_the_dictionary_of_the_collection(self):
        self.build()
        before = self.stats()
        self.assertEqual(before["dictionaries"]["outdated"], False)
        self.assertEqual(before["dictionaries"]["configured_fingerprint"], before["fingerprint"])
        self.update()
        self.assertEqual(self.found(), [("old", 1.0)])
        self.run_akin("index", "old.txt", "--id", "later")
        self.assertEqual(self.found(), [("later", 1.0), ("old", 1.0)])
        answer = self.run_akin("check", "old.txt", "--json").json
        self.assertEqual(answer["share"], 1.0)
        self.run_akin("verify", "--deep")
        after = self.stats()
        self.assertEqual(after["fingerprint"], before["fingerprint"])
        self.assertEqual(after["dictionaries"]["outdated"], True)
        self.assertNotEqual(after["dictionaries"]["configured_fingerprint"], before["fingerprint"])
        self.assertIn("akin reindex would use them", self.run_akin("stats").out)

    def test_reindex_takes_the_new_dictionary_and_drops_the_old_one(self):
        self.build()
        self.update()
        self.found()
        expected = self.stats()["dictionaries"]["configured_fingerprint"]
        self.run_akin("reindex")
        after = self.stats()
        self.assertEqual((after["fingerprint"], after["dictionaries"]["outdated"]), (expected, False))
        self.assertEqual(self.found(), [("old", 1.0)])
        self.assertEqual([path.name for path in (self.data / "dictionaries").iterdir()], [expected])

    def test_collections_share_a_file_that_goes_with_the_last(self):
        self.build()
        self.run_akin("index", "old.txt", "--collection", "other")
        shared = self.data / "dictionaries"
        self.assertEqual([path.stat().st_nlink for path in shared.iterdir()], [3])
        self.update()
        self.run_akin("reindex", "--collection", "other")
        self.assertEqual([path.stat().st_nlink for path in shared.iterdir()], [2, 2])
        self.run_akin("reindex")
        self.assertEqual([path.stat().st_nlink for path in shared.iterdir()], [3])

    def test_compaction_keeps_the_dictionary(self):
        self.build()
        self.update()
        self.run_akin("compact")
        self.assertEqual(self.found(), [("old", 1.0)])

    def test_without_any_dictionary_installed_what_is_stored_can_be_searched(self):
        self.build()
        for path in self.dictionaries.iterdir():
            path.unlink()
        (self.dictionaries / "xx_XX.aff").write_text("SET UTF-8\n")
        elsewhere = {"AKIN_LANG": "xx", "AKIN_CACHE": str(self.folder / "empty-cache")}
        answer = self.run_akin("similar", "old.txt", "--json", **elsewhere).json
        self.assertEqual([one["id"] for one in answer["results"]], ["old"])
        self.assertIn("dictionary for 'xx'", self.run_akin("index", "old.txt", "--collection", "new", code=2,
                                                            **elsewhere).err)  # fmt: skip

    def test_a_backup_has_the_dictionary(self):
        self.build()
        self.run_akin("index", "old.txt", "--collection", "other")
        self.run_akin("backup", "copy")
        self.assertEqual(len(list((self.folder / "copy" / "dictionaries").iterdir())), 1)
        self.update()
        there = ["--data", self.folder / "there"]
        answer = self.akin("restore", "copy", "--json", *there, code=0, AKIN_CACHE=str(self.folder / "cache")).json
        self.assertEqual([(one["fits"], one["has_dictionaries"]) for one in answer["collections"]],
                         [(False, True), (False, True)])  # fmt: skip
        self.assertEqual(self.found(*there), [("old", 1.0)])
        self.assertIn("it uses its own", self.akin("restore", "copy", "--as", "third", "--only", "other", *there,
                                                   code=0).out)  # fmt: skip

    def test_a_damaged_dictionary_in_a_backup_is_refused(self):
        self.build()
        self.run_akin("backup", "copy")
        (kept,) = (self.folder / "copy" / "dictionaries").iterdir()
        content = kept.read_bytes()
        kept.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
        answer = self.akin("restore", "copy", "--data", "there", code=2)
        self.assertIn("its length or its SHA-256 is not the one in the manifest", answer.err)

    def test_a_missing_or_damaged_dictionary_is_an_error_with_the_remedy(self):
        self.build()
        kept = self.data / "collections" / "default" / "gen-1" / "dictionary"
        self.update()
        content = kept.read_bytes()
        kept.unlink()
        answer = self.run_akin("similar", "old.txt", code=2)
        self.assertIn("it was built with other dictionaries (languages: en) than those configured", answer.err)
        self.assertIn("akin reindex --collection default", answer.err)
        kept.write_bytes(content[:1000] + bytes([content[1000] ^ 1]) + content[1001:])
        answer = self.run_akin("similar", "old.txt", code=2)
        self.assertIn("those kept with it cannot be used: its bytes are not those that were written", answer.err)
        self.assertIn("their file is damaged", self.run_akin("backup", "copy", code=2).err)
        self.run_akin("reindex")
        self.assertEqual(self.found(), [("old", 1.0)])

    def test_verify_finds_a_damaged_dictionary_before_it_is_needed(self):
        self.build()
        kept = self.data / "collections" / "default" / "gen-1" / "dictionary"
        content = kept.read_bytes()
        kept.write_bytes(content[:-1])
        self.assertIn("dictionaries: what is kept of them with the collection is damaged",
                      self.run_akin("verify", code=2).out)  # fmt: skip
        self.run_akin("reindex")
        self.run_akin("verify")

    def test_asking_needs_no_languages(self):
        self.run_akin("index", "old.txt", "--id", "old", "--lang", "en", AKIN_LANG="de")
        answer = self.run_akin("similar", "old.txt", "--json", AKIN_LANG="de").json
        self.assertEqual([one["id"] for one in answer["results"]], ["old"])
        answer = self.run_akin("similar", "old.txt", "--lang", "de", code=2)
        self.assertIn("built with the languages en, not de", answer.err)
        self.assertIn("akin reindex --collection default --lang de", answer.err)
        for command in (["check", "old.txt"], ["stats"], ["index", "old.txt"]):
            self.assertIn("not de", self.run_akin(*command, "--lang", "de", code=2).err)
        self.update()
        self.run_akin("similar", "old.txt", "--lang", "en")
        self.write("more.txt", "go: zorbling\n")
        answer = self.run_akin("similar", "old.txt", "--supplement", "more.txt", code=2)
        self.assertIn("built without the supplement more.txt", answer.err)

    def test_a_server_announces_the_update_and_continues(self):
        self.build()
        server = self.serve()
        self.assertEqual(ask(server, "GET", "/readyz")[1]["outdated_collections"], 0)
        self.update()
        self.when(lambda: ask(server, "GET", "/readyz")[1]["outdated_collections"] == 1, "the update is not noticed")
        status, ready = ask(server, "GET", "/readyz")
        self.assertEqual((status, ready["status"]), (200, "ready"))
        self.assertIn("collection 'default' was built with other dictionaries", ready["note"])
        self.exchange_with(server)
        status, task = server.call("POST", "/default/reindex", {})
        self.assertEqual(status, 202, task)
        self.when(lambda: ask(server, "GET", "/readyz")[1]["outdated_collections"] == 0, "it is not rebuilt")
        self.assertEqual(server.call("GET", "/default")[1]["dictionaries"]["outdated"], False)

    def exchange_with(self, server: Server):
        """Searches and checks over collections of both dictionaries."""
        self.assertEqual(server.call("PUT", "/new", {})[0], 201)
        self.assertEqual(server.call("PUT", "/new/documents/new", TEXT)[0], 201)
        self.assertEqual(server.call("PUT", "/default/documents/later", TEXT)[0], 201)
        self.assertEqual(server.call("GET", "/default")[1]["dictionaries"]["outdated"], True)
        self.assertEqual(server.call("GET", "/new")[1]["dictionaries"]["outdated"], False)
        everything = [("default", "later"), ("default", "old"), ("new", "new")]
        path = "/v1/similar?bound=0&collections=default,new"
        for body in ({"text": TEXT}, {"collection": "new", "id": "new"}, {"collection": "default", "id": "old"}):
            status, answer = ask(server, "POST", path + "&include=passage_text", body)
            self.assertEqual(status, 200, answer)
            expected = [one for one in everything if one != (body.get("collection"), body.get("id"))]
            self.assertEqual([(one["collection"], one["id"]) for one in answer["results"]], expected)
            self.assertEqual({one["contained"] for one in answer["results"]}, {1.0})
        for names in (["default", "new"], ["new"], ["default"]):
            status, answer = ask(server, "POST", "/v1/checks", {"text": TEXT, "collections": names})
            self.assertEqual((status, answer["share"]), (201, 1.0), answer)
            self.assertEqual(answer["sources_total"], sum(one[0] in names for one in everything))

    def test_the_log_and_a_metric_name_outdated_collections_after_a_restart(self):
        self.build()
        self.update()
        log = self.folder / "log"
        with open(log, "wb") as file:
            server = Server(self, log=file)
            self.when(lambda: "until a reindex: 'default'" in log.read_text(), "the log has no warning")
        connection = server.connect()
        connection.request("GET", "/metrics")
        self.assertIn("akin_collections_outdated 1", connection.getresponse().read().decode())
        connection.close()
        self.exchange_with(server)

    def test_a_time_of_day_must_be_one(self):
        answer = self.akin("serve", "--reindex-at", "25:00", code=2)
        self.assertIn("time '25:00': it is not a time of day", answer.err)


class DatabaseTest(DictionariesTest):
    def setUp(self):
        super().setUp()
        self.database = Database()
        self.store = ["--store", self.database.address]

    def count(self) -> str:
        return self.database.sql("SELECT count(*) FROM akin.dictionaries")

    def test_servers_with_other_dictionaries_give_the_same_answers(self):
        self.build()
        first = self.serve("--data", self.folder / "first")
        self.update()
        self.environment["AKIN_CACHE"] = str(self.folder / "cache")
        second = self.serve("--data", self.folder / "second")
        self.assertEqual(ask(second, "GET", "/readyz")[1]["outdated_collections"], 1)
        for server in (first, second):
            self.assertEqual(server.call("PUT", "/default/documents/later", TEXT)[0] // 100, 2)
            status, answer = server.call("POST", "/default/similar?bound=0", {"text": TEXT})
            self.assertEqual([(one["id"], one["contained"]) for one in answer["results"]],
                             [("later", 1.0), ("old", 1.0)])  # fmt: skip
        self.assertEqual(second.call("POST", "/default/reindex", {})[0], 202)
        self.when(lambda: not second.call("GET", "/default")[1]["dictionaries"]["outdated"], "it is not rebuilt")
        for server in (first, second):
            status, answer = server.call("POST", "/default/similar?bound=0", {"text": TEXT})
            self.assertEqual({one["contained"] for one in answer["results"]}, {1.0})

    def test_copies_carry_the_dictionary(self):
        self.build()
        self.update()
        self.akin("store", "copy", self.database.address, "copied", code=0)
        self.store = ["--data", "copied"]
        self.assertEqual(self.found(), [("old", 1.0)])
        other = Database()
        self.akin("store", "copy", "copied", other.address, code=0)
        self.store = ["--store", other.address]
        self.assertEqual(self.found(), [("old", 1.0)])

    def test_unused_dictionaries_are_dropped(self):
        self.build()
        self.update()
        self.run_akin("reindex")
        self.assertEqual(self.count(), "2")
        self.database.sql("UPDATE akin.stores SET retired = 1 WHERE retired <> 0")
        self.found()
        self.assertEqual(self.count(), "1")


if __name__ == "__main__":
    unittest.main()
