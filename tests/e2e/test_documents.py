"""akin show, delete, verify, stats, dict and reindex."""
import unittest

from program import CHAMELEON, LIBRARY, QUERY, AkinTest, story


class DocumentsTest(AkinTest):
    def test_show_tells_the_record(self):
        self.index_library()
        record = self.akin("show", CHAMELEON, "--json", code=0).json
        self.assertEqual(record["code_points"], len(story()))
        self.assertGreater(record["sentences"], 50)
        self.assertIn(CHAMELEON, self.akin("show", CHAMELEON, code=0).out)

    def test_show_text_gives_the_stored_bytes(self):
        self.index_library()
        self.assertEqual(self.akin("show", CHAMELEON, "--text", code=0).out, story())

    def test_show_of_an_unknown_id_is_an_error(self):
        self.index_library()
        self.assertIn("'nobody'", self.akin("show", "nobody", code=2).err)

    def test_deleted_document_is_no_longer_found(self):
        self.index_library()
        self.akin("similar", QUERY, code=0)
        self.akin("delete", CHAMELEON, code=0)
        self.akin("similar", QUERY, code=0)
        self.akin("show", CHAMELEON, code=2)
        self.akin("verify", code=0)

    def test_delete_names_ids_that_are_not_there_and_deletes_the_others(self):
        self.index_library()
        answer = self.akin("delete", "nobody", CHAMELEON, code=2)
        self.assertIn("'nobody'", answer.err)
        self.assertIn("deleted 1 document", answer.out)
        again = self.akin("delete", "nobody", CHAMELEON, "--json", code=2).json
        self.assertEqual(again, {"deleted": 0, "not_found": [CHAMELEON, "nobody"]})

    def test_filter_deletes_what_it_selects(self):
        lines = "".join(f'{{"id": "{name}", "text": "A story.", "metadata": {{"year": {year}}}}}\n' for name, year in (("old", 1999), ("new", 2020)))
        self.akin("import", "-", stdin=lines.encode(), code=0)
        self.assertEqual(self.akin("delete", "--filter", "year < 2000", "--json", code=0).json, {"deleted": 1, "not_found": []})
        self.akin("show", "new", code=0)
        self.assertIn("either ids or --filter", self.akin("delete", code=2).err)
        self.assertIn("either ids or --filter", self.akin("delete", "new", "--filter", "year < 2000", code=2).err)

    def test_id_that_begins_with_a_dash(self):
        self.akin("index", "-", "--id=-odd", stdin=story().encode(), code=0)
        self.akin("delete", "--", "-odd", code=0)


class VerifyTest(AkinTest):
    def test_clean_index_says_clean(self):
        self.index_library()
        self.assertEqual(self.akin("verify", code=0).out, "clean\n")
        self.assertEqual(self.akin("verify", "--deep", code=0).out, "clean\n")
        self.assertEqual(self.akin("verify", "--json", code=0).json["clean"], True)

    def test_stats_count_what_is_stored(self):
        self.akin("index", LIBRARY, "--scheme", "sentence-pairs", code=0)
        stats = self.akin("stats", "--json", code=0).json
        self.assertEqual(stats["documents"], 11)
        self.assertEqual(stats["scheme"], "sentence-pairs")
        self.assertEqual(stats["text_bytes"], sum(path.stat().st_size for path in LIBRARY.iterdir()))
        features = sum(self.akin("show", name, "--json", code=0).json["features"] for name in self.ids())
        self.assertEqual(stats["features"], features)
        self.assertIn("documents", self.akin("stats", code=0).out)


class WithoutTextsTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.index_library("--no-text")

    def test_similar_tells_ranges(self):
        (hit,) = self.akin("similar", QUERY, "--json", code=0).json["results"]
        self.assertEqual((hit["id"], sum(one["features"] for one in hit["passages"])), (CHAMELEON, hit["x"]))
        self.assertIn("keeps no texts", self.akin("similar", QUERY, code=0).out)

    def test_text_is_refused_and_the_record_is_told(self):
        self.assertEqual(self.akin("show", CHAMELEON, "--json", code=0).json["code_points"], len(story()))
        self.assertIn("keeps no texts", self.akin("show", CHAMELEON, "--text", code=2).err)

    def test_reindex_is_refused_with_the_reason(self):
        self.assertIn("keeps no texts", self.akin("reindex", code=2).err)
        self.akin("similar", QUERY, code=0)

    def test_verify_is_clean_and_cannot_be_deep(self):
        self.akin("verify", code=0)
        self.assertIn("keeps no texts", self.akin("verify", "--deep", code=2).err)


class DictTest(AkinTest):
    def test_sources_and_joined_figures(self):
        answer = self.akin("dict", "--json", code=0).json
        self.assertEqual({source["language"] for source in answer["sources"]}, {"ru", "en"})
        self.assertGreater(answer["forms"], 1_000_000)
        self.assertLess(answer["classes"], answer["lemmas"])
        self.assertIn(answer["fingerprint"], self.akin("dict", code=0).out)

    def test_words_are_explained(self):
        ran, runs, unknown = self.akin("dict", "running", "Runs", "qwrtzyx", "--json", code=0).json
        self.assertEqual((ran["class"], ran["hash"], ran["known"]), (runs["class"], runs["hash"], True))
        self.assertIn("run", ran["lemmas"])
        self.assertEqual((unknown["known"], unknown["lemmas"]), (False, []))
        self.assertIn("qwrtzyx", self.akin("dict", "qwrtzyx", code=0).out)

    def test_names_of_commands_are_words_too(self):
        self.assertEqual(len(self.akin("dict", "serve", "index", "--json", code=0).json), 2)

    def test_no_dictionary_at_all_is_allowed(self):
        answer = self.akin("dict", "--lang", "", "--json", code=0).json
        self.assertEqual((answer["sources"], answer["forms"]), ([], 0))

    def test_supplement_joins_forms(self):
        extra = self.write("extra.txt", "qwrtzyx: qwrtzqq\n")
        before = self.akin("dict", "qwrtzyx", "qwrtzqq", "--json", code=0).json
        self.assertNotEqual(before[0]["hash"], before[1]["hash"])
        after = self.akin("dict", "--supplement", extra, "qwrtzyx", "qwrtzqq", "--json", code=0).json
        self.assertEqual(after[0]["hash"], after[1]["hash"])

    def test_broken_supplement_names_file_and_line(self):
        extra = self.write("extra.txt", "свой: свою\nno colon here\n")
        answer = self.akin("dict", "--supplement", extra, code=2)
        self.assertIn("extra.txt", answer.err)
        self.assertIn("line 2", answer.err)

    def test_synonyms_are_told_beside_the_class(self):
        own = self.write("own.txt", "quick speedy qwrtzyx\n")
        plain = self.akin("dict", "--json", code=0).json
        answer = self.akin("dict", "--synonyms", own, "--json", code=0).json
        self.assertNotIn("synonyms", plain)
        self.assertEqual(answer["fingerprint"], plain["fingerprint"])
        told = answer["synonyms"]
        self.assertEqual((told["groups"], told["classes"], told["largest"], told["unknown"]), (1, 2, 2, 1))
        self.assertIn("2 classes count as 1, at most 2 as one", self.akin("dict", "--synonyms", own, code=0).out)
        quick, speedy = self.akin("dict", "--synonyms", own, "quick", "speedier", "--json", code=0).json
        self.assertEqual((quick["counts_as"], quick["synonym_hash"]), (speedy["counts_as"], speedy["synonym_hash"]))
        self.assertNotEqual(quick["hash"], speedy["hash"])
        self.assertIn("counts as", self.akin("dict", "--synonyms", own, "quick", code=0).out)

    def test_broken_synonyms_name_file_line_and_what_to_do(self):
        own = self.write("own.txt", "quick speedy\nalone\n")
        answer = self.akin("dict", "--synonyms", own, code=2)
        self.assertIn("own.txt line 2: a line must have two words or more", answer.err)
        self.assertIn("repair the file", answer.err)
        missing = self.akin("dict", "--synonyms", "xx", code=2)
        self.assertIn("apt-get install mythes-xx", missing.err)

    def test_unknown_language_names_the_package_to_install(self):
        answer = self.akin("dict", "--lang", "xx", code=2)
        self.assertIn("hunspell", answer.err)


class ReindexTest(AkinTest):
    def test_other_dictionaries_are_refused_until_reindex(self):
        self.index_library("--lang", "ru")
        refused = self.akin("similar", QUERY, "--lang", "ru,en", code=2)
        self.assertIn("akin reindex", refused.err)
        self.akin("reindex", "--lang", "ru,en", code=0)
        self.assertEqual(self.akin("similar", QUERY, "--lang", "ru,en", "--json", code=0).json["total"], 1)
        self.akin("verify", "--deep", "--lang", "ru,en", code=0)

    def test_refused_writes_leave_the_collection_as_it_was(self):
        self.index_library("--lang", "ru")
        self.akin("index", QUERY, "--lang", "ru,en", code=2)
        self.assertEqual(self.akin("stats", "--lang", "ru", "--json", code=0).json["documents"], 11)

    def test_collection_keeps_its_own_scheme(self):
        self.index_library("--scheme", "sentences")
        self.akin("index", QUERY, code=0)
        self.assertEqual(self.akin("stats", "--json", code=0).json["scheme"], "sentences")

    def test_other_scheme_is_refused_until_reindex(self):
        self.index_library()
        refused = self.akin("similar", QUERY, "--scheme", "sentences", code=2)
        self.assertIn("akin reindex", refused.err)
        self.akin("reindex", "--scheme", "sentences", code=0)
        self.akin("similar", QUERY, "--scheme", "sentences", code=0)

    def test_paper_scheme_end_to_end(self):
        self.index_library("--scheme", "paper-2009")
        self.assertEqual(self.akin("similar", QUERY, "--json", code=0).json["results"][0]["id"], CHAMELEON)
        self.akin("verify", "--deep", code=0)


if __name__ == "__main__":
    unittest.main()
