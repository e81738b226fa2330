"""Tables of pairs for an expert, the labels that come back, and the page in Chromium."""
import csv
import io
import json
import pathlib
import time
import unittest

import browser
from program import LIBRARY, AkinTest, edited_story, story
from server_process import Server

COLUMNS = [
    "rank", "a", "b", "label", "x", "containment", "contained", "resemblance", "sorensen", "features_a", "features_b",
    "characters_a", "characters_b", "title_a", "title_b", "passages", "common", "places_a", "places_b",
    "words_a", "words_b", "url_a", "url_b",
]
HOSTILE = '<img src=x onerror="document.title=1">'
HOSTILE_TEXT = "😀 One </script><script>document.title = 2</script> sentence is here. <b>Another</b> &amp; one follows it.\n"


class PairsFixture(AkinTest):
    """whole.txt and its half; two equal stories; three texts that try to be markup."""

    def setUp(self):
        super().setUp()
        sentences = story().split(".")
        folder = self.write("texts/whole.txt", story()).parent
        self.write("texts/half.txt", ".".join(sentences[: len(sentences) // 2]))
        self.write("texts/other, story.txt", story("chekhov-vanka.txt"))
        self.write("texts/other, again.txt", story("chekhov-vanka.txt"))
        self.akin("index", folder, code=0)

    def add_hostile(self):
        for number, start in enumerate(("", "A sentence before it. ", "Two sentences before it. Both are short. ")):
            file = self.write(f"{HOSTILE[:4]}{number}.txt", start + HOSTILE_TEXT)
            self.akin("index", file, "--title", HOSTILE, code=0)

    def table(self, name: str, *flags) -> pathlib.Path:
        file = self.folder / name
        self.answer = self.akin("pairs", *(flags or ("--bound", "0")), "--table", file, code=0)
        return file

    def rows(self, name: str, *flags) -> list[dict]:
        text = self.table(name, *flags).read_text(encoding="utf-8")
        if name.endswith(".csv"):
            return list(csv.DictReader(io.StringIO(text)))
        head, *lines = (line.split("\t") for line in text.splitlines())
        return [dict(zip(head, line, strict=True)) for line in lines]


class PairTablesTest(PairsFixture):
    def test_pairs_that_only_words_show_are_ranked_by_them(self):
        self.write("edited.txt", edited_story())
        self.akin("index", "edited.txt", code=0)
        first, second, *_ = self.rows("pairs.csv", "--min-resemblance", "0.6")
        self.assertEqual((first["a"], second["a"], second["x"]), ("other, again.txt", "edited.txt", "1"))
        self.assertGreater(float(second["words_a"]), 0.7)

    def test_csv_and_tsv_hold_what_pairs_tell(self):
        pairs = {
            (pair["a"], pair["b"]): pair
            for pair in map(json.loads, self.akin("pairs", "--bound", "0", "--json", code=0).out.splitlines())
        }
        for name in ("pairs.csv", "pairs.tsv"):
            rows = self.rows(name)
            self.assertEqual(list(rows[0]), COLUMNS)
            self.assertEqual([int(row["rank"]) for row in rows], list(range(1, len(pairs) + 1)))
            self.assertEqual({(row["a"], row["b"]) for row in rows}, pairs.keys())
            for row in rows:
                pair = pairs[row["a"], row["b"]]
                self.assertEqual(int(row["x"]), pair["x"])
                for measure in ("containment", "contained", "resemblance"):
                    self.assertEqual(float(row[measure]), pair[measure])
            self.assertEqual((rows[0]["a"], rows[0]["b"]), ("other, again.txt", "other, story.txt"))

    def test_no_containment_is_told_where_a_sample_has_none(self):
        common = ("--collection", "sampled")
        self.akin("index", self.folder / "texts", *common, "--scheme", "shingles(sample=min:20)", code=0)
        rows = self.rows("sampled.csv", *common, "--bound", "0")
        self.assertTrue(rows)
        for row in rows:
            self.assertEqual((row["containment"], row["contained"]), ("", ""))
        page = self.table("sampled.html", *common, "--bound", "0").read_text(encoding="utf-8")
        self.assertIn('"containment":null,"contained":null', page)
        refused = self.akin("pairs", *common, "--bound", "0", "--table", "x.csv", "--rank-by", "containment", code=2)
        self.assertIn("containment", refused.err)

    def test_a_row_tells_lengths_titles_and_common_text(self):
        row = self.rows("pairs.csv", "--tier", "pairs", "--min-containment", "0.9", "--rank-by", "containment")[-1]
        record = json.loads(self.akin("show", "whole.txt", "--json", code=0).out)
        self.assertEqual((row["a"], row["b"], row["title_b"]), ("half.txt", "whole.txt", "whole"))
        self.assertEqual(int(row["characters_b"]), record["code_points"])
        self.assertEqual(int(row["features_b"]), record["features"])
        self.assertEqual(row["passages"], "1")
        self.assertTrue(row["common"].startswith(story().split()[0]))

    def test_the_limit_keeps_the_best_and_the_total_is_told(self):
        everything = self.rows("all.csv")
        self.assertEqual(self.rows("one.csv", "--bound", "0", "--limit", "1"), everything[:1])
        self.assertIn(f"the first 1 of {len(everything)} pairs among 4 documents", self.answer.out)

    def test_a_dash_is_tsv_on_standard_output(self):
        answer = self.akin("pairs", "--bound", "0", "--table", "-", code=0)
        self.assertEqual(answer.out.splitlines()[0].split("\t"), COLUMNS)
        self.assertIn("pairs among 4 documents", answer.err)

    def test_wrong_calls_say_what_is_wrong(self):
        for flags, said in (
            (["--table", "pairs.xls"], ".csv, .tsv or .html"),
            (["--table", "pairs.csv", "--json"], "--csv or --json"),
            (["--table", "pairs.csv", "--rank-by", "beauty"], "--rank-by"),
            (["--table", "pairs.html", "--page-texts", "lots"], "lots"),
            (["--table", "no/such/folder.csv"], "no/such"),
        ):
            answer = self.akin("pairs", "--bound", "0", *flags, code=2)
            self.assertIn(said, answer.err)
        self.assertFalse((self.folder / "pairs.csv").exists())
        self.akin("index", LIBRARY, "--collection", "bare", "--no-text", code=0)
        answer = self.akin("pairs", "--bound", "0", "--collection", "bare", "--table", "pairs.html", code=2)
        self.assertIn("keeps no texts", answer.err)
        self.akin("pairs", "--bound", "0", "--collection", "bare", "--table", "pairs.csv", code=0)

    def test_labels_are_stored_and_shown(self):
        given = self.write("labels.csv", "b,a,label\nwhole.txt,half.txt,да\n\"other, again.txt\",\"other, story.txt\",no\n")
        answer = self.akin("pairs", "--labels", given, code=0)
        self.assertEqual(answer.out, "labels of collection 'default': 2 added, 0 changed, 0 removed, 0 as before, 0 refused\n")
        self.assertEqual([row["label"] for row in self.rows("pairs.csv", "--min-containment", "0.9")], ["no", "да"])
        answer = self.akin("pairs", "--labels", given, "--json", code=0)
        self.assertEqual(answer.json, {"added": 0, "changed": 0, "removed": 0, "same": 2, "refused": 0})

    def test_a_table_is_read_back_as_it_was_written(self):
        file = self.table("pairs.tsv", "--min-containment", "0.9")
        file.write_text(file.read_text(encoding="utf-8").replace("\t\t", "\tyes\t", 1), encoding="utf-8")
        answer = self.akin("pairs", "--labels", file, "--json", code=0)
        self.assertEqual(answer.json, {"added": 1, "changed": 0, "removed": 0, "same": 0, "refused": 0})
        answer = self.akin("pairs", "--labels", "-", stdin=b"a\tb\tlabel\nother, again.txt\tother, story.txt\t-\n", code=0)
        self.assertIn("1 removed", answer.out)
        self.assertEqual({row["label"] for row in self.rows("again.tsv", "--min-containment", "0.9")}, {""})

    def test_titles_that_a_spreadsheet_would_run_stand_behind_an_apostrophe(self):
        for name in ("=1+1.txt", "+2.txt"):
            self.akin("index", self.write(name, story("chekhov-vanka.txt")), "--title", "=HYPERLINK(1)", code=0)
        ids = {pair[side] for pair in map(json.loads, self.akin("pairs", "--bound", "0", "--json", code=0).out.splitlines()) for side in "ab"}
        formulas = {name for name in ids if name[0] in "=+"}
        self.assertEqual(len(formulas), 2)
        for form in ("pairs.csv", "pairs.tsv"):
            rows = self.rows(form)
            cells = [row[column] for row in rows for column in ("a", "b", "title_a", "title_b", "common")]
            self.assertIn("'=HYPERLINK(1)", cells)
            self.assertFalse([cell for cell in cells if cell[:1] in set("=+-@")])
            row = next(row for row in rows if {row["a"], row["b"]} == {"'" + name for name in formulas})
            self.write("back.tsv", f"a\tb\tlabel\n{row['a']}\t{row['b']}\tyes\n")
            self.akin("pairs", "--labels", "back.tsv", code=0)
            row = next(row for row in self.rows(form) if {row["a"], row["b"]} == {"'" + name for name in formulas})
            self.assertEqual(row["label"], "yes")
        guarded = {"'" + name for name in formulas}
        for command in (("pairs", "--bound", "0"), ("groups", "--bound", "0")):
            cells = {cell for row in csv.reader(io.StringIO(self.akin(*command, "--csv", code=0).out)) for cell in row}
            self.assertTrue(guarded <= cells, command)
            self.assertFalse(formulas & cells, command)
        # In JSON, ids are unchanged.
        pairs = [json.loads(line) for line in self.akin("pairs", "--bound", "0", "--json", code=0).out.splitlines()]
        self.assertTrue(formulas <= {pair[side] for pair in pairs for side in "ab"})

    def test_the_summary_tells_nominees(self):
        self.akin("index", self.folder / "texts", "--collection", "signed", "--scheme", "minhash(k=20,of=sentences)", code=0)
        self.table("pairs.csv", "--collection", "signed", "--min-resemblance", "0.9")
        self.assertRegex(self.answer.out, r"1 pair of \d+ candidates")

    def test_ids_that_are_gone_are_told(self):
        given = self.write("labels.tsv", "a\tb\tlabel\nhalf.txt\twhole.txt\t1\nnobody\twhole.txt\t1\n")
        answer = self.akin("pairs", "--labels", given, code=2)
        self.assertIn("1 added", answer.out)
        self.assertIn("1 refused", answer.out)
        self.assertIn("1 label of documents that are not in the collection 'default': 'nobody'", answer.err)
        self.akin("delete", "half.txt", code=0)
        self.table("pairs.csv")
        self.assertIn("of documents that are no longer in the collection: 'half.txt'", self.answer.err)

    def test_marks_say_which_document_goes(self):
        given = self.write("labels.csv", 'a,b,label\nwhole.txt,half.txt,keep a\n"other, again.txt","other, story.txt",удалить б\n')
        self.akin("pairs", "--labels", given, code=0)
        self.assertEqual({row["label"] for row in self.rows("pairs.csv", "--min-containment", "0.9")}, {"keep a", "keep b"})
        self.assertEqual(self.akin("pairs", "--deletions", code=0).out, "half.txt\nother, story.txt\n")
        answer = self.akin("pairs", "--deletions", "--csv", code=0)
        self.assertEqual(answer.out, 'delete,keep\nhalf.txt,whole.txt\n"other, story.txt","other, again.txt"\n')

    def test_marks_that_would_leave_nothing_are_told(self):
        circle = "half.txt,whole.txt,keep a\nwhole.txt,\"other, story.txt\",keep a\n\"other, story.txt\",half.txt,keep a\n"
        self.akin("pairs", "--labels", self.write("labels.csv", "a,b,label\n" + circle), code=0)
        answer = self.akin("pairs", "--deletions", code=2)
        self.assertEqual(answer.out, "")
        self.assertIn("would leave none of 'half.txt', 'other, story.txt', 'whole.txt'", answer.err)

    def test_the_address_of_a_page_leads_to_it(self):
        page = f'<link rel="canonical" href="https://a.example/1"><p>{story()}</p>'
        self.akin("index", self.write("page.html", page), code=0)
        self.akin("index", self.write("bad.txt", story()), "--set", "url=javascript:alert(1)", code=0)
        urls = {row[side]: row["url_" + side] for row in self.rows("pairs.csv") for side in "ab"}
        self.assertEqual(urls["page.html"], "https://a.example/1")
        self.assertEqual(urls["bad.txt"], "")

    def test_a_filter_selects_the_documents_of_pairs(self):
        for name, language in (("k1.txt", "krl"), ("k2.txt", "krl"), ("v1.txt", "vep")):
            self.akin("index", self.write(name, story("chekhov-vanka.txt")), "--set", f"language={language}", code=0)
        dialect = ("--filter", 'language = "krl"')
        self.assertEqual([(row["a"], row["b"]) for row in self.rows("pairs.csv", "--bound", "0", *dialect)], [("k1.txt", "k2.txt")])
        pairs = self.akin("pairs", *dialect, "--json", code=0).out.splitlines()
        self.assertEqual([json.loads(pair)["b"] for pair in pairs], ["k2.txt"])
        self.assertEqual(self.akin("groups", *dialect, "--json", code=0).json, {"size": 2, "ids": ["k1.txt", "k2.txt"]})
        found = self.akin("similar", "--id", "v1.txt", *dialect, "--json", code=0).json
        self.assertEqual(sorted(result["id"] for result in found["results"]), ["k1.txt", "k2.txt"])
        exported = self.akin("export", *dialect, code=0).out.splitlines()
        self.assertEqual([json.loads(line)["id"] for line in exported], ["k1.txt", "k2.txt"])
        self.assertIn("at character 11", self.akin("pairs", "--filter", "language =", code=2).err)

    def test_a_wrong_label_stores_none(self):
        given = self.write("labels.tsv", "a\tb\tlabel\nhalf.txt\twhole.txt\t1\nother, again.txt\twhole.txt\tperhaps\n")
        answer = self.akin("pairs", "--labels", given, code=2)
        self.assertIn("labels.tsv line 3: the label 'perhaps'", answer.err)
        self.assertEqual({row["label"] for row in self.rows("pairs.tsv")}, {""})


@unittest.skipUnless(browser.program(), "there is no chromium")
class PairsPageTest(PairsFixture):
    def page(self, *flags) -> browser.Browser:
        shown = browser.Browser()
        self.addCleanup(shown.__exit__)
        shown.open(self.table("pairs.html", *flags))
        return shown

    def assert_quiet(self, page: browser.Browser):
        """Nothing was asked for but the page itself and what it made, and nothing went wrong."""
        foreign = [url for url in page.requests if not url.startswith(((self.folder / "pairs.html").as_uri(), "blob:"))]
        self.assertEqual((foreign, page.problems), ([], []))

    def test_the_table_sorts_and_filters(self):
        page = self.page("--bound", "0")
        names = "[...document.querySelectorAll('#rows tr')].map(row => row.cells[1].querySelector('.name').textContent)"
        ranked = page.run(names)
        self.assertEqual(ranked[0], "other, again")
        page.run("document.querySelector('#head th:nth-child(2) button').click()")
        self.assertEqual(page.run(names), sorted(ranked))
        self.assertEqual(page.run("document.querySelector('#head th:nth-child(2)').ariaSort"), "ascending")
        page.run("document.querySelector('#head th:nth-child(2) button').click()")
        self.assertEqual(page.run(names), sorted(ranked, reverse=True))
        page.run("const field = document.getElementById('find'); field.value = 'AGAIN'; field.dispatchEvent(new Event('input'))")
        self.assertTrue(all("again" in name or "story" in name for name in page.run(names)))
        self.assertIn(f"of {len(ranked)}", page.run("shown.textContent"))
        self.assert_quiet(page)

    def test_keys_lead_from_passage_to_passage(self):
        page = self.page("--min-containment", "0.9")
        page.press("j", "j")
        page.press("Enter")
        page.wait_for("!view.hidden")
        self.assertEqual(page.run("document.title"), "half – whole")
        self.assertEqual(page.run("passage.textContent"), "passage 1 of 1")
        shared = "[...document.querySelectorAll('#side-%d mark')].map(mark => mark.textContent).join('')"
        # The last sentence ends in another way where the half was cut off.
        self.assertEqual(page.run(shared % 0).rstrip("."), page.run(shared % 1).rstrip("."))
        self.assertGreater(len(page.run(shared % 0)), 1000)
        page.press("]")
        self.assertEqual(page.run("document.title"), "half – whole")
        page.press("[")
        page.wait_for("document.title.startsWith('other, again')")
        page.press("Escape")
        page.wait_for("!list.hidden")
        self.assertEqual(page.run("document.activeElement.textContent"), "1")
        self.assert_quiet(page)

    def test_texts_that_try_to_be_markup_are_texts(self):
        self.add_hostile()
        page = self.page("--bound", "0", "--rank-by", "x")
        self.assertEqual(page.run("document.querySelectorAll('img, #rows script, #rows b').length"), 0)
        rank = page.run(
            "[...document.querySelectorAll('#rows tr')].find(row => row.textContent.includes('<img')).cells[0].textContent"
        )
        page.run(f"location.hash = '#pair-{rank}'")
        page.wait_for("!view.hidden")
        for side in (0, 1):
            text = page.run(f"[...document.querySelector('#side-{side} .text').childNodes].filter(node => !node.matches?.('.step'))"
                            ".map(node => node.textContent).join('')")
            self.assertTrue(text.endswith(HOSTILE_TEXT), text)
            marked = page.run(f"[...document.querySelectorAll('#side-{side} mark')].map(mark => mark.textContent).join('')")
            self.assertIn("</script><script>document.title = 2</script>", marked)
            self.assertIn(marked, HOSTILE_TEXT)
        self.assertEqual(page.run("document.title"), f"{HOSTILE} – {HOSTILE}")
        self.assert_quiet(page)

    def test_labels_go_to_a_file_that_akin_takes(self):
        page = self.page("--min-containment", "0.9")
        page.keep_downloads()
        page.press("j", "1")
        page.run("location.hash = '#pair-2'")
        page.wait_for("!view.hidden")
        page.press("0")
        self.assertEqual(page.run("document.querySelector('#labels [aria-pressed=true]').dataset.label"), "no")
        self.assertEqual(page.run("document.querySelector('#view .save').textContent"), "Save labels *")
        page.press("s")
        for _ in range(600):
            files = [file for file in page.downloads.iterdir() if file.suffix == ".tsv"]
            if files:
                break
            page.run("new Promise(done => setTimeout(done, 50))")
        self.assertEqual([file.name for file in files], ["labels-default.tsv"])
        answer = self.akin("pairs", "--labels", files[0], code=0)
        self.assertIn("2 added", answer.out)
        page.open(self.table("pairs.html", "--min-containment", "0.9"))
        self.assertEqual(page.run("[...document.querySelectorAll('#rows select')].map(one => one.value)"), ["yes", "no"])
        self.assert_quiet(page)

    def served(self) -> tuple[Server, browser.Browser, str]:
        """A server, a browser that shows its page of pairs, and the address of that."""
        server = Server(self)
        task = server.call("POST", "/default/pairs", {"min_containment": 0.9})[1]["id"]
        for _ in range(1200):
            connection = server.connect()
            connection.request("GET", f"/v1/tasks/{task}")
            status = json.loads(connection.getresponse().read())["status"]
            connection.close()
            if status == "done":
                break
            time.sleep(0.05)
        self.assertEqual(status, "done")
        page = browser.Browser()
        self.addCleanup(page.__exit__)
        url = f"{server.url}/desk/pairs/{task}"
        page.go(url)
        return server, page, url

    def test_the_page_of_a_server_stores_labels_on_it(self):
        self.akin("index", self.write("page.html", f'<link rel=canonical href="https://a.example/1"><p>{story()}</p>'), code=0)
        server, page, _ = self.served()
        self.assertIn("https://a.example/1", page.run("[...document.querySelectorAll('#rows .origin')].map(one => one.href).join()"))
        page.press("j", "b")
        self.assertEqual(page.run("document.querySelector('.save').textContent"), "Save labels *")
        page.press("s")
        page.wait_for("document.querySelector('.save').textContent === 'Save labels'")
        labels = server.call("GET", "/default/labels")[1]["labels"]
        self.assertEqual([label["label"] for label in labels], ["keep b"])
        foreign = [url for url in page.requests if not url.startswith(server.url)]
        self.assertEqual((foreign, page.problems), ([], []))

    def test_on_a_server_it_speaks_the_readers_language(self):
        _, page, url = self.served()
        english = """(() => {
          const words = [], said = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          for (let node = said.nextNode(); node; node = said.nextNode())
            if (!node.parentElement.closest('script, style, noscript, kbd, bdi, article .text, #summary')) words.push(node.data);
          for (const name of ['title', 'aria-label', 'placeholder'])
            for (const one of document.querySelectorAll(`[${name}]`)) words.push(one.getAttribute(name).replace(/: [a-z]$/, ''));
          return words.filter(one => /[A-Za-z]{2}/.test(one) || /^[AB]$/.test(one));
        })()"""
        self.assertGreater(len(page.run(english)), 50)
        page.go(f"{url}?lang=ru")
        self.assertEqual(page.run("document.documentElement.lang + document.title"), "ruПары текстов")
        self.assertIn("Пар: 2 из 2; документов в коллекции «default»: 4", page.run("summary.textContent"))
        self.assertEqual(page.run(english), [])
        page.run("location.hash = '#pair-1'")
        page.wait_for("!view.hidden")
        self.assertEqual(page.run(english), [])
        page.press("Escape", "?")
        self.assertEqual(page.run(english), [])
        page.press("Escape")
        page.run("document.querySelector('#desk').click()")
        page.wait_for("location.pathname == '/desk/collections/default/duplicates'")
        self.assertEqual([one for one in page.problems if "favicon" not in one], [])

    def test_texts_over_the_limit_are_listed_without(self):
        page = self.page("--bound", "0", "--page-texts", "40K")
        readable, listed = page.run("[document.querySelectorAll('#rows a').length, document.querySelectorAll('#rows tr').length]")
        self.assertLess(0, readable)
        self.assertLess(readable, listed)
        self.assertIn(f"would be too large with all: {readable}.", page.run("summary.textContent"))
        page.run("location.hash = '#pair-' + document.querySelector('#rows tr.closed td').textContent")
        self.assertFalse(page.run("list.hidden"))

    def test_everything_to_press_has_a_name(self):
        page = self.page("--bound", "0")
        for fragment in ("", "#pair-1"):
            page.run(f"location.hash = '{fragment}'")
            page.wait_for("view.hidden" if fragment == "" else "!view.hidden")
            page.call("Accessibility.enable")
            nodes = page.call("Accessibility.getFullAXTree")["nodes"]
            roles = {"button", "link", "combobox", "textbox", "searchbox", "article", "dialog"}
            unnamed = [
                node for node in nodes
                if not node["ignored"] and node["role"]["value"] in roles and not node.get("name", {}).get("value")
            ]
            self.assertEqual(unnamed, [])

    def test_it_prints_both_texts_whole(self):
        page = self.page("--min-containment", "0.9")
        sizes = []
        for fragment in ("", "#pair-1"):
            page.run(f"location.hash = '{fragment}'")
            page.wait_for("view.hidden" if fragment == "" else "!view.hidden")
            page.print_to(self.folder / "printed.pdf")
            sizes.append((self.folder / "printed.pdf").read_bytes().count(b"/Type /Page\n"))
        self.assertEqual(sizes[0], 1)
        self.assertGreater(sizes[1], 2)


if __name__ == "__main__":
    unittest.main()
