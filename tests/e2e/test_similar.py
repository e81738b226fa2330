"""akin similar, compare and features: what they find and print, exit codes and JSON objects."""
import unittest

from program import CHAMELEON, LIBRARY, QUERY, AkinTest, edited_story, story

MEASURES = ("containment", "contained", "resemblance", "sorensen")


class SimilarTest(AkinTest):
    def test_disguised_passage_finds_its_story_and_nothing_else(self):
        self.index_library()
        answer = self.akin("similar", QUERY, "--json", code=0).json
        self.assertEqual(answer["total"], 1)
        (hit,) = answer["results"]
        self.assertEqual(hit["id"], CHAMELEON)
        self.assertGreater(hit["x"], 3)
        self.assertEqual(hit["containment"], hit["x"] / answer["query"]["features"])

    def test_json_object_has_the_fields_of_the_api(self):
        self.index_library()
        answer = self.akin("similar", QUERY, "--json", code=0).json
        self.assertLessEqual({"query", "bound", "total", "results"}, answer.keys())
        self.assertLessEqual({"sentences", "features"}, answer["query"].keys())
        hit = answer["results"][0]
        self.assertLessEqual({"id", "title", "x", "features", "passages", *MEASURES}, hit.keys())
        for measure in MEASURES:
            self.assertTrue(0 <= hit[measure] <= 1, measure)
        self.assertEqual(sum(passage["words"] for passage in hit["passages"]), hit["words"]["a"])
        features = self.akin("similar", QUERY, "--include", "features", "--json", code=0).json["results"][0]
        self.assertEqual(sum(passage["features"] for passage in features["passages"]), features["x"])

    def test_several_collections_are_searched_at_once(self):
        self.index_library()
        self.akin("index", LIBRARY / CHAMELEON, "--collection", "second", code=0)
        both = ("similar", QUERY, "--collections", "second,default")
        answer = self.akin(*both, "--json", code=0).json
        self.assertEqual([(hit["collection"], hit["id"]) for hit in answer["results"]], [("default", CHAMELEON), ("second", CHAMELEON)])
        self.assertEqual((answer["collections"], answer["next"]), ({"second": 1, "default": 1}, None))
        alone = self.akin("similar", QUERY, "--json", code=0).json["results"][0]
        self.assertEqual({**alone, "collection": "default"}, answer["results"][0])
        words = self.akin(*both, code=0).out
        self.assertIn(f"\n1. default/{CHAMELEON}", words)
        self.assertIn("passage of ", words)
        stored = self.akin("similar", "--id", CHAMELEON, "--collections", "second,default", "--json", code=0).json
        self.assertEqual([hit["collection"] for hit in stored["results"]], ["second"])
        self.assertIn("one of: default, second", self.akin("similar", QUERY, "--collections", "default,thrid", code=2).err)
        elsewhere = self.akin("similar", QUERY, "--collections", "default", "--exit-code", "--bound", "999999", code=0)
        self.assertIn("default: 0 documents", elsewhere.out)
        self.akin(*both, "--exit-code", code=1)

    def test_a_passage_is_printed_whole_on_request(self):
        self.index_library()
        end = " ".join(QUERY.read_text(encoding="utf-8").split())[-40:-1]
        for more in ((), ("--collections", "default")):
            self.assertNotIn(end, self.akin("similar", QUERY, *more, code=0).out)
            self.assertIn(end, self.akin("similar", QUERY, "--whole", *more, code=0).out)

    def test_passage_ranges_cut_the_same_words_from_both_texts(self):
        self.index_library()
        quoted = story()[1000:3000]
        self.write("quote.txt", "Совсем другое начало.\n\n" + quoted)
        answer = self.akin("similar", "quote.txt", "--json", code=0).json
        text = (self.folder / "quote.txt").read_text(encoding="utf-8")
        for passage in answer["results"][0]["passages"]:
            (a_begin, a_end), (b_begin, b_end) = passage["a"], passage["b"]
            self.assertIn(text[a_begin:a_end].split()[1], story()[b_begin:b_end])

    def test_human_answer_shows_total_percentages_and_both_texts(self):
        self.index_library()
        answer = self.akin("similar", QUERY, code=0)
        self.assertIn("1 document shares text with it, showing 1", answer.out)
        self.assertIn("by pairs (X > 3, 0.5 % of all): 1, by passages (aligned, 0.4 % of the shorter text or an improbable passage): 1", answer.out)
        self.assertIn(CHAMELEON, answer.out)
        self.assertIn(" %", answer.out)
        self.assertIn("passage of", answer.out)
        self.assertIn("Около самых ворот", answer.out)

    def test_nothing_found_is_exit_0(self):
        self.index_library()
        self.write("other.txt", "Этот текст никому не знаком. Он написан только что. В нём три предложения.")
        answer = self.akin("similar", "other.txt", code=0)
        self.assertIn("0 documents share text with it", answer.out)
        self.assertIn("0 documents share more than 3 features", self.akin("similar", "other.txt", "--bound", 3, code=0).out)

    def test_nothing_found_says_how_to_find_less(self):
        self.index_library()
        sentences = [f"Предложение {name} никому не знакомо." for name in ("первое", "второе", "третье", "четвёртое")]
        self.write("three.txt", " ".join(sentences[:3]))
        self.write("four.txt", " ".join(sentences))
        self.assertIn("a text of 3 features cannot share more than 3: use a lower bound", self.akin("similar", "three.txt", "--bound", 3, code=0).out)
        four = self.akin("similar", "four.txt", "--bound", 3, code=0).out
        self.assertNotIn("cannot", four)
        self.assertIn("a lower bound, or the search for the best, finds those that share less", four)
        self.assertNotIn("bound", self.akin("similar", "four.txt", "--bound", "0", code=0).out)
        self.write("short.txt", "Этот текст короткий.")
        self.assertIn("passages have at least 4 words, the text has 3", self.akin("similar", "short.txt", code=0).out)
        self.write("empty.txt", "… — !")
        self.assertIn("the text has no words", self.akin("similar", "empty.txt", "--json", code=0).json["hint"])
        self.write("half.txt", story() + " ".join(sentences) * 100)
        half = self.akin("similar", "half.txt", "--min-containment", "0.9", code=0).out
        self.assertIn("no document shares more than 3 features and at least 0.9 of all features", half)

    def test_a_stored_sentence_finds_its_text_by_an_exact_run(self):
        self.write("tale.txt", story())
        self.akin("index", "tale.txt", "--preset", "quotations", code=0)
        sentence = " ".join(story()[1000:3000].split()[1:8])
        self.write("sentence.txt", sentence)
        answer = self.akin("similar", "sentence.txt", "--json", code=0).json
        self.assertEqual([hit["id"] for hit in answer["results"]], ["tale.txt"])
        self.assertEqual(answer["passage_words"], 4)
        self.write("long.txt", f"Здесь начинается другой текст, и слова его никому не знакомы: {sentence}. Больше о нём сказать нечего.")
        self.assertEqual(self.akin("similar", "long.txt", "--json", code=0).json["total"], 0)
        self.assertEqual(self.akin("similar", "long.txt", "--min-words", 6, "--json", code=0).json["total"], 1)
        self.assertIn("from 4 to 1000", self.akin("similar", "long.txt", "--min-words", 3, code=2).err)

    def test_rows_that_everyone_writes_are_no_passage(self):
        years = "\n\n".join(str(year) for year in range(1990, 2010))
        letters = " ".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        self.write("wheat.txt", f"Wheat\n\n{years}\n\n{letters}\n\nThe harvest was poor in the north that summer.")
        self.write("rain.txt", f"Rain\n\n{letters}\n\n{years}\n\nNobody remembers such floods along our coast.")
        self.akin("index", "wheat.txt", code=0)
        self.assertEqual(self.akin("similar", "rain.txt", "--json", code=0).json["total"], 0)
        self.assertIn("pass", self.akin("check", "rain.txt", code=0).out)

    def test_stored_document_as_query_leaves_itself_out(self):
        self.index_library()
        self.assertEqual(self.akin("similar", "--id", CHAMELEON, "--json", code=0).json["total"], 0)
        self.akin("index", "-", "--id", "copy", stdin=story().encode(), code=0)
        answer = self.akin("similar", "--id", CHAMELEON, "--json", code=0).json
        self.assertEqual([hit["id"] for hit in answer["results"]], ["copy"])
        self.assertEqual([answer["results"][0][measure] for measure in MEASURES], [1, 1, 1, 1])

    def test_bound_and_containment_limit_what_is_found(self):
        self.index_library()
        x = self.akin("similar", QUERY, "--json", code=0).json["results"][0]["x"]
        self.akin("similar", QUERY, "--exit-code", "--bound", x - 1, code=1)
        self.akin("similar", QUERY, "--exit-code", "--bound", x, code=0)
        self.akin("similar", QUERY, "--exit-code", "--min-containment", "1.0", code=0)

    def test_total_counts_what_limit_and_cursor_hide(self):
        for name in ("a", "b", "c"):
            self.akin("index", "-", "--id", name, stdin=story().encode(), code=0)
        answer = self.akin("similar", "-", "--limit", 1, "--cursor", "after:1", "--json", stdin=story().encode(), code=0).json
        self.assertEqual((answer["total"], [hit["id"] for hit in answer["results"]], answer["next"]), (3, ["b"], "after:2"))
        words = self.akin("similar", "-", "--limit", 1, stdin=story().encode(), code=0)
        self.assertIn("3 documents share text with it, showing 1", words.out)

    def test_best_gives_the_nearest_without_counting_or_bound(self):
        self.index_library()
        answer = self.akin("similar", QUERY, "--sort", "containment", "--limit", 1, "--json", code=0).json
        self.assertEqual((answer["total"], answer["bound"], answer["results"][0]["id"]), (None, 0, CHAMELEON))
        self.assertIn("the best 1 document", self.akin("similar", QUERY, "--sort", "containment", code=0).out)
        self.akin("similar", QUERY, "--sort", "containment", "--bound", answer["results"][0]["x"], code=0)

    def test_common_limit_leaves_boilerplate_out_and_says_so(self):
        licence = "This text may be copied. It may be changed. It comes without any warranty. Ask us before you sell it. Keep this notice."
        for number in range(4):
            own = " ".join(f"Sentence {number} of its own has number {i}." for i in range(6))
            self.write(f"notes/{number}.txt", f"{licence}\n\n{own}")
        self.akin("index", "notes", "--scheme", "sentence-pairs", code=0)
        query = self.write("query.txt", licence + "\n\nNobody has written this yet.")
        self.assertEqual(self.akin("similar", query, "--json", code=0).json["total"], 4)
        answer = self.akin("similar", query, "--common-limit", 3, "--bound", 0, "--json", code=0).json
        self.assertEqual((answer["total"], answer["common"]), (0, {"limit": 3, "features": 4}))
        words = self.akin("similar", query, "--common-limit", 3, code=0).out
        self.assertIn("without 4 features that more than 3 documents have", words)
        self.assertIn("only 2 of the text's features are in no more than 3 documents", words)
        self.assertNotIn("common", self.akin("similar", query, "--json", code=0).json)
        stats = self.akin("stats", "--common", 2, "--json", code=0).json["most_common"]
        self.assertEqual([one["documents"] for one in stats], [4, 4])
        self.assertIn(stats[0]["example"]["text"].split(".")[0], licence)
        self.assertIn("0.txt", self.akin("stats", "--common", 1, code=0).out)
        self.assertIn("an integer from 1", self.akin("similar", query, "--common-limit", 0, code=2).err)

    def test_no_evidence_leaves_passages_out(self):
        self.index_library()
        self.assertNotIn("passages", self.akin("similar", QUERY, "--include", "measures", "--json", code=0).json["results"][0])
        self.assertNotIn("passage of", self.akin("similar", QUERY, "--include", "measures", code=0).out)


class CompareTest(AkinTest):
    def test_text_against_itself_is_all_ones(self):
        answer = self.akin("compare", LIBRARY / CHAMELEON, LIBRARY / CHAMELEON, "--json", code=0).json
        self.assertEqual([answer[measure] for measure in MEASURES], [1, 1, 1, 1])
        self.assertEqual(answer["x"], answer["a"]["features"])

    def test_json_object_is_as_documented(self):
        answer = self.akin("compare", QUERY, LIBRARY / CHAMELEON, "--json", code=0).json
        self.assertLessEqual({"x", "a", "b", "passages", *MEASURES}, answer.keys())
        self.assertEqual(answer["containment"], answer["x"] / answer["a"]["features"])
        self.assertEqual(answer["contained"], answer["x"] / answer["b"]["features"])

    def test_says_what_similar_says(self):
        self.index_library()
        hits = self.akin("similar", QUERY, "--json", code=0).json["results"]
        for name in (CHAMELEON, "chekhov-vanka.txt"):
            compared = self.akin("compare", QUERY, LIBRARY / name, "--json", code=0).json
            hit = next((hit for hit in hits if hit["id"] == name), {"tier": None})
            self.assertEqual(compared["tier"], hit["tier"])
            if hit["tier"]:
                self.assertEqual((compared["words"], compared["tiers"]), (hit["words"], hit["tiers"]))
        said = self.akin("compare", QUERY, LIBRARY / CHAMELEON, code=0).out
        self.assertIn("by pairs: ", said)
        self.assertIn("shares passages with", said)

    def test_copy_that_shares_hardly_a_sentence_is_found(self):
        self.write("edited.txt", edited_story())
        self.write("original.txt", story())
        compared = self.akin("compare", "edited.txt", "original.txt", "--exit-code", "--json", code=1).json
        self.assertEqual((compared["x"], compared["tier"]), (1, "passages"))
        self.akin("compare", "edited.txt", "original.txt", "--exit-code", "--scheme", "sentence-pairs", code=0)

    def test_bound_decides_the_exit_code(self):
        x = self.akin("compare", QUERY, LIBRARY / CHAMELEON, "--exit-code", "--json", code=1).json["x"]
        self.akin("compare", QUERY, LIBRARY / CHAMELEON, "--exit-code", "--bound", x, code=0)
        self.akin("compare", QUERY, LIBRARY / "chekhov-vanka.txt", "--exit-code", code=0)

    def test_empty_text_shares_nothing(self):
        self.write("empty.txt", "")
        answer = self.akin("compare", "empty.txt", QUERY, "--json", code=0).json
        self.assertEqual([answer[measure] for measure in MEASURES], [0, 0, 0, 0])

    def test_needs_no_collection(self):
        self.akin("compare", QUERY, "-", stdin=story().encode(), code=0)
        self.assertFalse(self.data.exists())

    def test_one_text_only_may_be_standard_input(self):
        self.assertIn("standard input", self.akin("compare", "-", "-", code=2).err)


class FeaturesTest(AkinTest):
    TEXT = "Мама мыла раму. Рама чиста.\n\nHe was running."

    def test_json_object_is_as_documented(self):
        answer = self.lab("features", "-", "--json", stdin=self.TEXT.encode(), code=0).json
        self.assertEqual(answer["scheme"], "sentence-pairs")
        first = answer["sentences"][0]
        self.assertEqual(self.TEXT[slice(*first["range"])], "Мама мыла раму.")
        self.assertEqual([word["text"] for word in first["words"]], ["Мама", "мыла", "раму"])
        self.assertEqual(len(answer["features"]), 3)
        for hash_text in [word["hash"] for word in first["words"]] + [one["hash"] for one in answer["features"]]:
            self.assertRegex(hash_text, "^[0-9a-f]{16}$")

    def test_features_are_sums_of_word_hashes(self):
        answer = self.lab("features", "-", "--json", stdin=self.TEXT.encode(), code=0).json
        sums = [sum(int(word["hash"], 16) for word in one["words"]) % 2**64 for one in answer["sentences"]]
        pairs = [(a + b) % 2**64 for a, b in zip(sums, sums[1:] + [0])]
        self.assertEqual([int(one["hash"], 16) for one in answer["features"]], pairs)

    def test_forms_of_one_word_share_class_and_hash(self):
        answer = self.lab("features", "-", "--json", stdin=self.TEXT.encode(), code=0).json
        words = {word["text"]: word for one in answer["sentences"] for word in one["words"]}
        self.assertEqual(words["раму"]["hash"], words["Рама"]["hash"])
        self.assertEqual(words["раму"]["class"], words["Рама"]["class"])

    def test_human_form_names_sentences_words_and_features(self):
        out = self.lab("features", "-", stdin=self.TEXT.encode(), code=0).out
        self.assertIn("sentence 1  0–15", out)
        self.assertIn("мыла", out)
        self.assertIn("3 features of the scheme sentence-pairs", out)

    def test_scheme_flag_chooses_the_features(self):
        answer = self.lab("features", "-", "--scheme", "sentences", "--json", stdin=self.TEXT.encode(), code=0).json
        self.assertEqual(len(answer["features"]), 3)
        self.assertEqual(answer["scheme"], "sentences")


if __name__ == "__main__":
    unittest.main()
