"""akin index as a collection is built: pages and wikis, texts that are not worth storing, duplicates."""
import json
import unittest

from program import SOURCE, AkinTest, story

PAGES = SOURCE / "tests" / "data" / "pages"


class CollectionTest(AkinTest):
    def text(self, document: str) -> str:
        return self.akin("show", document, "--text", code=0).out

    def stored(self) -> set[str]:
        return {json.loads(line)["id"] for line in self.akin("export", code=0).out.splitlines()}

    def test_pages_and_wikis_are_stored_as_a_reader_sees_them(self):
        answer = self.akin("index", PAGES, "--json", code=0).json
        self.assertEqual((answer["indexed"], answer["refused"]), (4, []))
        self.assertEqual((answer["skipped"]["redirects"], answer["skipped"]["other_namespaces"]), (1, 1))
        self.assertEqual(self.stored(), {"harbour.html", "mill.html", "mill.wiki", "village.xml/Колодец"})
        harbour = self.text("harbour.html")
        self.assertTrue(harbour.startswith("The old harbour\n\nThe harbour of the small town"), harbour)
        self.assertIn("Written for", harbour)  # the page's foot
        for unseen in ("not this", "gray", "All pages", "hidden", "<"):
            self.assertNotIn(unseen, harbour)
        self.assertEqual(self.akin("show", "mill.html", "--json", code=0).json["title"], "Старая мельница")
        for mark in ("{{", "[[", "<ref", "Карточка", "Mill.jpg", "Категория", "Запись в книге"):
            self.assertNotIn(mark, self.text("mill.wiki"))
        record = self.akin("show", "village.xml/Колодец", "--json", code=0).json
        self.assertEqual(record["metadata"], {"page": 1, "revision": 11, "time": "2024-05-17T08:30:00Z"})

    def test_page_and_wiki_of_one_text_share_its_features(self):
        self.akin("index", PAGES, code=0)
        page, wiki = (self.write(f"{name}.txt", self.text(name)) for name in ("mill.html", "mill.wiki"))
        # Three sentences and two: headings stand between them, in one before all, in the other after the third.
        self.assertEqual(self.akin("compare", page, wiki, "--bound", "0", "--json", code=0).json["x"], 3)

    def test_format_is_told_where_the_name_does_not_tell_it(self):
        page = (PAGES / "mill.html").read_bytes()
        self.akin("index", "-", "--id", "page", stdin=page, code=2)  # windows-1251 is not plain text
        self.akin("index", "-", "--id", "page", "--format", "html", stdin=page, code=0)
        self.assertIn("Мельница стоит", self.text("page"))
        dump = (PAGES / "village.xml").read_bytes()
        dump = dump.replace("{{{название}}}".encode(), "Карточка {{{название}}}".encode())
        self.akin("index", "-", "--id", "wiki", "--format", "mediawiki", "--namespaces", "0,10", stdin=dump, code=0)
        self.assertEqual(self.stored(), {"page", "wiki/Колодец", "wiki/Шаблон:Карточка"})
        self.akin("index", PAGES / "village.xml", "--format", "text", "--id", "as it is", code=0)
        self.assertIn("<mediawiki", self.text("as it is"))
        self.assertIn("auto, text, html, mediawiki", self.akin("index", PAGES, "--format", "pdf", code=2).err)

    def test_texts_that_are_not_valid_are_counted_and_named(self):
        self.write("books/stub.txt", "Слишком мало.")
        self.write("books/numbers.txt", "12.05 17:30 | 14.05 18:30 | 16.05 19:30\n" * 20)
        self.write("books/german.txt", "Das Schiff lag lange im Hafen, weil niemand den Mut hatte, auszulaufen. " * 10)
        self.write("books/story.txt", story())
        flags = ("--min-length", "200", "--min-letters", "0.5", "--only-lang", "ru,en")
        answer = self.akin("index", "books", *flags, "--json", "--verbose", code=0).json
        self.assertEqual(answer["left_out"], {"no_words": 0, "too_short": 1, "too_long": 0, "few_letters": 1, "other_language": 1})
        self.assertEqual({one["document"]: one["reason"] for one in answer["left_out_documents"]},
                         {"books/stub.txt": "too_short", "books/numbers.txt": "few_letters", "books/german.txt": "other_language"})
        self.assertEqual(self.stored(), {"story.txt"})
        words = self.akin("index", "books", *flags, "--verbose", code=0).out
        self.assertIn("left out books/stub.txt: too_short, 13 characters, at least 200 are wanted", words)
        self.assertIn("3 left out (1 too_short, 1 few_letters, 1 other_language)", words)
        self.akin("index", "books", "--min-length", "9", "--max-length", "8", code=2)

    def test_duplicates_are_kept_out_while_the_collection_is_built_and_afterwards(self):
        self.write("books/a.txt", story())
        self.write("books/b.txt", story() + "\n\nОдно предложение больше.")
        self.write("books/c.txt", story("chekhov-vanka.txt"))
        self.akin("gate", "set", "--threshold", "0.7", code=0)  # and creates the collection
        answer = self.akin("index", "books", "--admit", "--json", "--verbose", code=0).json
        self.assertEqual(answer["gate"], {"admitted": 2, "grouped": 0, "repeated": 0, "replaced": 0,
                                          "refused": {"no_words": 0, "too_short": 0, "too_long": 0, "duplicate": 1, "group_full": 0}})
        (kept_out,) = answer["gate_documents"]
        self.assertEqual((kept_out["document"], kept_out["outcome"]["nearest"]["id"]), ("books/b.txt", "a.txt"))
        self.assertEqual(self.stored(), {"a.txt", "c.txt"})
        (kept_out,) = self.akin("index", "books/b.txt", "--admit", "--json", "--verbose", "--exit-code", code=1).json["gate_documents"]
        self.assertEqual(kept_out["outcome"]["reason"], "duplicate")
        again = self.akin("index", "books", "--admit", code=0).out
        self.assertIn("0 new, 2 unchanged, 1 kept out by the gate (1 duplicate), 0 refused", again)

    def test_longer_duplicate_takes_the_place_of_the_shorter_in_both_ways_in(self):
        longer = story() + "\n\nОдно предложение больше."
        self.write("books/a.txt", story())
        self.write("books/b.txt", longer)
        self.akin("gate", "set", "--threshold", "0.7", "--survivor", "longer", code=0)
        words = self.akin("index", "books", "--admit", "--verbose", "--exit-code", code=0).out
        self.assertIn("admitted books/b.txt: duplicate of a.txt", words)
        self.assertIn("replacing a.txt", words)
        self.assertIn("2 new, 1 replaced by them, 0 refused", words)
        self.assertEqual(self.stored(), {"b.txt"})
        self.write("c.txt", longer + "\n\nИ ещё одно.")
        (admitted,) = self.akin("index", "c.txt", "--admit", "--json", "--verbose", code=0).json["gate_documents"]
        self.assertEqual(admitted["outcome"]["replaced"], ["b.txt"])
        self.assertEqual(self.stored(), {"c.txt"})

    def test_without_a_gate_the_remedy_is_told(self):
        self.write("a.txt", story())
        self.assertIn("akin gate set", self.akin("index", "a.txt", "--admit", code=2).err)
        self.assertIn("measure", self.akin("gate", "set", "--measure", "jaccard", code=2).err)


class CollectionCommandTest(AkinTest):
    def test_a_collection_is_created_listed_and_dropped(self):
        self.assertIn("index something first", self.akin("collections", "list", code=2).err)
        self.akin("collections", "create", "theses", "--preset", "paper", "--store-file", code=0)
        self.index_library()
        listed = self.akin("collections", "list", "--json", code=0).json
        self.assertEqual([(one["name"], one["documents"], one["store_file"]) for one in listed["collections"]], [("default", 11, False), ("theses", 0, True)])
        self.assertRegex(self.akin("collections", "list", code=0).out, r"default\s+11\s+128\.1 kB\s+never")
        self.assertIn("say --yes", self.akin("collections", "drop", "theses", code=2).err)
        self.akin("key", "create", "--scope", "read", code=0)  # from the first key on, there is a log
        self.akin("collections", "drop", "theses", "--yes", code=0)
        self.assertIn("names one of: default", self.akin("collections", "drop", "theses", "--yes", code=2).err)
        self.assertIn("collection.deleted", self.akin("audit", "list", code=0).out)

    def test_creating_again_is_refused_if_it_keeps_something_else(self):
        self.akin("collections", "create", "theses", code=0)
        self.akin("collections", "create", "theses", code=0)
        self.assertIn("--no-text", self.akin("collections", "create", "theses", "--no-text", code=2).err)


if __name__ == "__main__":
    unittest.main()
