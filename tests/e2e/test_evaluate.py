"""Methods against labels: rank correlations beside another implementation, thresholds, groups, passages."""
import csv
import io
import itertools
import json
import math
import random
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree

from program import DEFAULT_SCHEME, SOURCE, AkinTest, story

# Bykov and Krizhanovsky 2023, figure 4: the expert's answers in the order of the measure.
FIGURE_4 = [1, 1, 1, 0, 1, 0, 0, 1, 0, 1]


def kendall(first: list, second: list) -> dict:
    """Tau-b with z and p by their definitions, pair by pair."""
    n = len(first)
    score = tied_first = tied_second = 0
    for i, j in itertools.combinations(range(n), 2):
        a, b = first[i] - first[j], second[i] - second[j]
        score += (a * b > 0) - (a * b < 0)
        tied_first += a == 0
        tied_second += b == 0
    all_pairs = n * (n - 1) / 2

    def over(values, term):
        return sum(term(values.count(value)) for value in set(values))

    variance = (n * (n - 1) * (2 * n + 5) - sum(over(v, lambda t: t * (t - 1) * (2 * t + 5)) for v in (first, second))) / 18
    pairs = [over(v, lambda t: t * (t - 1)) for v in (first, second)]
    triples = [over(v, lambda t: t * (t - 1) * (t - 2)) for v in (first, second)]
    variance += pairs[0] * pairs[1] / (2 * n * (n - 1)) + triples[0] * triples[1] / (9 * n * (n - 1) * (n - 2))
    z = score / math.sqrt(variance)
    return {
        "tau_b": score / math.sqrt((all_pairs - tied_first) * (all_pairs - tied_second)),
        "z": z,
        "p": math.erfc(abs(z) / math.sqrt(2)),
        "tau_a": score / all_pairs,
        "z_without_ties": 3 * score / math.sqrt(n * (n - 1) * (2 * n + 5) / 2),
    }


def scipy_python() -> str | None:
    """An interpreter that has SciPy: this one (./test contract runs this test in its virtual environment), or Debian's."""
    for python in (sys.executable, "/usr/bin/python3"):
        if shutil.which(python) and subprocess.run([python, "-c", "import scipy.stats"], capture_output=True, check=False).returncode == 0:
            return python
    return None


class RankTest(AkinTest):
    def rank(self, table: str, *flags):
        return self.lab("evaluate", "rank", "-", *flags, stdin=table.encode(), code=0)

    @staticmethod
    def table(labels: list, **measures) -> str:
        rows = [["label", *measures], *zip(labels, *measures.values(), strict=True)]
        return "".join("\t".join(map(str, row)) + "\n" for row in rows)

    def made(self, n: int) -> tuple[list, dict]:
        source = random.Random(n)
        labels = [source.choice([0, 0, 1, 2]) for _ in range(n)]
        measures = {"containment": [round(min(1, label / 3 + source.random() / 2), 1) for label in labels],
                    "resemblance": [source.randrange(1000) / 1000 for _ in labels]}
        return labels, measures

    def test_the_papers_table_by_hand(self):
        answer = self.rank(self.table(FIGURE_4, containment=range(10, 0, -1)), "--json", "--at", "1,4,10").json
        (measure,) = answer["measures"]
        self.assertEqual((measure["concordant"], measure["discordant"]), (16, 8))
        self.assertAlmostEqual(measure["tau_a"], 8 / 45)
        self.assertAlmostEqual(measure["tau_b"], 8 / math.sqrt(45 * 24))
        self.assertEqual(measure["precision_at"], {"1": 1.0, "4": 0.75, "10": 0.6})
        self.assertEqual(measure["paper"], {"tau_a": 0.427, "z_without_ties": 6.02})

    def test_figures_follow_from_the_definitions(self):
        for n in (5, 40, 300):
            labels, measures = self.made(n)
            answer = self.rank(self.table(labels, **measures), "--json").json
            for report in answer["measures"]:
                for name, value in kendall(measures[report["measure"]], labels).items():
                    self.assertAlmostEqual(report[name], value, places=12)
            (report,) = answer["correlations"]
            for name, value in kendall(*measures.values()).items():
                self.assertAlmostEqual(report[name], value, places=12)

    def test_figures_are_those_of_scipy(self):
        python = scipy_python()
        if python is None:
            self.skipTest("no Python here has SciPy")
        labels, measures = self.made(500)
        judge = ("import json, sys, scipy.stats as s; a, b = json.load(sys.stdin); t = s.kendalltau(a, b, method='asymptotic'); "
                 "print(json.dumps([float(t.statistic), float(t.pvalue), float(s.spearmanr(a, b).statistic), float(s.pearsonr(a, b).statistic)]))")

        def scipy(a, b):
            return json.loads(subprocess.run([python, "-c", judge], input=json.dumps([a, b]), capture_output=True, text=True, check=True).stdout)

        answer = self.rank(self.table(labels, **measures), "--json").json
        for report in answer["measures"]:
            tau, p, *_ = scipy(measures[report["measure"]], labels)
            self.assertAlmostEqual(report["tau_b"], tau, places=12)
            self.assertLess(abs(report["p"] - p), 1e-9 * p)
        (report,) = answer["correlations"]
        tau, p, spearman, pearson = scipy(*measures.values())
        for name, value in (("tau_b", tau), ("p", p), ("spearman", spearman), ("pearson", pearson)):
            self.assertAlmostEqual(report[name], value, places=12)

    def test_csv_and_text_tell_the_same(self):
        labels, measures = self.made(30)
        table = self.table(labels, **measures)
        report = {one["measure"]: one for one in self.rank(table, "--json").json["measures"]}
        rows = list(csv.DictReader(io.StringIO(self.rank(table, "--csv").out)))
        self.assertEqual([(row["measure"], row["against"]) for row in rows],
                         [("containment", "label"), ("resemblance", "label"), ("containment", "resemblance")])
        for row in rows[:2]:
            self.assertEqual(float(row["tau_b"]), report[row["measure"]]["tau_b"])
            self.assertEqual(float(row["precision_at_5"]), report[row["measure"]]["precision_at"]["5"])
        text = self.rank(table).out
        self.assertIn(f"{report['containment']['tau_b']:.3f}", text)
        self.assertIn("0.427", text)

    def test_wrong_tables_are_told(self):
        for table, said in (("a,b\n", "no column with a measure"), ("x\n1\n", "no column 'label'"), ("x,label\n1,maybe\n", "line 2")):
            answer = self.lab("evaluate", "rank", "-", stdin=table.encode(), code=2)
            self.assertIn(said, answer.err)
        self.assertIn("--at", self.lab("evaluate", "rank", "-", "--at", "0", code=2).err)


class ExpertsTest(AkinTest):
    def test_labels_of_experts_are_pooled_and_compared(self):
        head = "a,b,label\n"
        anna = self.write("anna.csv", head + "x,y,yes\nx,z,no\nx,w,1\np,q,да\n")
        boris = self.write("boris.csv", head + "y,x,keep a\nx,z,no\nw,x,0\n")
        vera = self.write("vera.tsv", "a\tb\tlabel\nx\ty\tyes\nx\tz\tno\nx\tw\tno\n")
        answer = self.lab("evaluate", "experts", anna, boris, vera, "--table", "pooled.csv", code=0)
        self.assertIn("4 pairs labelled by 3 experts", answer.out)
        self.assertIn("anna and boris: 2 of 3 common pairs agree, kappa 0.400", answer.out)
        rows = list(csv.DictReader(io.StringIO((self.folder / "pooled.csv").read_text(encoding="utf-8"))))
        self.assertEqual([(row["a"], row["b"], row["label"], row["yes"], row["no"]) for row in rows],
                         [("p", "q", "yes", "1", "0"), ("w", "x", "no", "1", "2"), ("x", "y", "yes", "3", "0"), ("x", "z", "no", "0", "3")])
        self.assertEqual(rows[2]["label_boris"], "keep b")  # the document that boris keeps is y
        report = self.lab("evaluate", "experts", anna, boris, vera, "--json", code=0).json
        self.assertEqual((report["pairs"], report["of_all"]), (4, 3))
        # Of all labels 4 are yes and 5 no; of pairs of experts agree 1, 1, 1/3.
        chance = (4 / 9) ** 2 + (5 / 9) ** 2
        self.assertAlmostEqual(report["fleiss_kappa"], (7 / 9 - chance) / (1 - chance))
        self.assertEqual(report["two"][2]["kappa"], 1.0)  # boris and vera

    def test_wrong_calls_say_what_is_wrong(self):
        file = self.write("anna.csv", "a,b,label\nx,y,yes\n")
        self.assertIn("two experts or more", self.lab("evaluate", "experts", file, code=2).err)
        other = self.write("again/anna.csv", "a,b,label\nx,y,yes\n")
        self.assertIn("another file has the name 'anna'", self.lab("evaluate", "experts", file, other, code=2).err)


class ThresholdTest(AkinTest):
    def setUp(self):
        super().setUp()
        sentences = story().split(".")
        self.write("set/whole.txt", story())
        self.write("set/most.txt", ".".join(sentences[: len(sentences) * 3 // 4]))
        self.write("set/other.txt", story("chekhov-vanka.txt"))
        self.set = self.write("set/pairs.tsv", "file_a\tfile_b\nwhole.txt\tmost.txt\n").parent

    def test_methods_by_thresholds(self):
        answer = self.lab("evaluate", "threshold", self.set, "--scheme", "sentences", "--scheme", "sentence-pairs", "--json", code=0).json
        self.assertEqual((answer["texts"], answer["duplicates"], answer["different"]), (3, 1, 2))
        self.assertEqual([(one["scheme"], one["measure"]) for one in answer["methods"]],
                         list(itertools.product(("sentences", "sentence-pairs"), ("resemblance", "containment"))))
        by_resemblance = {cell["threshold"]: cell for cell in answer["methods"][0]["cells"]}
        self.assertEqual((by_resemblance[0.5]["found"], by_resemblance[0.5]["missed"]), (1, 0))
        self.assertEqual((by_resemblance[0.9]["found"], by_resemblance[0.9]["missed"]), (0, 1))
        self.assertEqual(by_resemblance[0.9]["second_kind"], 1.0)

    def test_text_csv_and_figure(self):
        figure = self.folder / "figure.svg"
        text = self.lab("evaluate", "threshold", self.set, "--svg", figure, "--at", "0.5,1", code=0).out
        self.assertIn("3 texts; 1 pair of them is a duplicate, 2 are not", text)
        self.assertIn("1 / 0.0 % / 0.0 %", text)
        root = xml.etree.ElementTree.parse(figure).getroot()
        self.assertEqual(len(root.findall("{http://www.w3.org/2000/svg}polyline")), 2)
        rows = list(csv.DictReader(io.StringIO(self.lab("evaluate", "threshold", self.set, "--csv", code=0).out)))
        self.assertEqual(len(rows), 2 * 6)

    def test_wrong_calls_say_what_is_wrong(self):
        for flags, said in (
            (["--scheme", "nonsense"], "nonsense"),
            (["--measure", "cosine"], "cosine"),
            (["--at", "1.5"], "--at"),
            (["--csv", "--json"], "cannot be combined"),
            (["--pairs", "nothing.tsv"], "nothing.tsv"),
        ):
            self.assertIn(said, self.lab("evaluate", "threshold", self.set, *flags, code=2).err)


class GroupsTest(AkinTest):
    def setUp(self):
        super().setUp()
        for name, text in (("a", story()), ("b", story() + " One more."), ("c", story("chekhov-vanka.txt"))):
            self.write(f"set/{name}.txt", text)
        self.write("set/pairs.tsv", "a\tb\na.txt\tb.txt\n")

    def test_groups_of_akin_are_judged_by_the_labels(self):
        self.akin("index", "set", code=0)
        for name, flags in (("pairs", ["--min-resemblance", "0.5"]), ("all", ["--bound", "0"]), ("imatch", ["--method", "imatch"])):
            self.write(f"{name}.csv", self.akin("groups", "--csv", *flags, code=0).out)
        self.write("joined.csv", "group,id\n1,a.txt\n1,b.txt\n1,c.txt\n")
        answer = self.lab("evaluate", "groups", "set", "--groups", "pairs.csv", "--groups", "joined.csv", "--groups", "imatch.csv", "--json", code=0).json
        self.assertEqual((answer["texts"], answer["duplicates"], answer["different"]), (3, 1, 2))
        pairs, joined, imatch = answer["groupings"]
        self.assertEqual((pairs["name"], pairs["groups"], pairs["found"], pairs["wrong"], pairs["missed"]), ("pairs", 1, 1, 0, 0))
        self.assertEqual((joined["found"], joined["wrong"], joined["first_kind"]), (3, 2, 2 / 3))
        self.assertEqual(imatch["missed"], 1 - imatch["found"])
        rows = list(csv.DictReader(io.StringIO(self.lab("evaluate", "groups", "set", "--groups", "joined.csv", "--csv", code=0).out)))
        self.assertEqual(rows, [{"name": "joined", "groups": "1", "texts": "3", "found": "3", "wrong": "2", "missed": "0", "unjudged": "0"}])
        self.assertRegex(self.lab("evaluate", "groups", "set", "--groups", "joined.csv", code=0).out, r"joined +1 +3 +3 +66\.7 % +0\.0 %")

    def test_groups_of_other_texts_are_an_error(self):
        self.write("others.csv", "group,id\n1,x\n1,y\n")
        self.assertIn("none of its ids", self.lab("evaluate", "groups", "set", "--groups", "others.csv", code=2).err)


class PassagesTest(AkinTest):
    """Passages that a search finds, measured against those that are known."""

    SET = SOURCE / "sample" / "passages"
    HEAD = "susp\tsource\tthis_offset\tthis_length\tsource_offset\tsource_length\n"

    def setUp(self):
        super().setUp()
        shutil.copytree(self.SET, self.folder / "set")
        self.scratch = self.folder / "scratch"
        self.scratch.mkdir()
        self.environment["TMPDIR"] = str(self.scratch)

    def measure(self, *flags, code: int = 0, cases: str = "set/cases.tsv", **folders):
        folders = {"texts": "set/texts", "sources": "set/sources", **folders}
        return self.lab("evaluate", "passages", cases, "--texts", folders["texts"], "--sources", folders["sources"], *flags, code=code)

    def similar(self, text: str) -> dict:
        """What a user finds by hand: passages by source."""
        answer = self.akin("similar", self.folder / "set" / "texts" / text, "--limit", "1000", "--json", code=0).json
        return {one["id"]: one["passages"] for one in answer["results"]}

    def test_measures_follow_from_what_similar_finds(self):
        self.akin("index", "set/sources", code=0)
        found = {text: self.similar(text) for text in ("coast.txt", "river.txt", "street.txt")}
        known = list(csv.DictReader(io.StringIO((self.folder / "set/cases.tsv").read_text(encoding="utf-8")), delimiter="\t"))

        def points(case):
            sides = (("this_offset", "this_length"), ("source_offset", "source_length"))
            return {(side, i) for side, (start, length) in enumerate(sides) for i in range(int(case[start]), int(case[start]) + int(case[length]))}

        def found_points(passage):
            return {(side, i) for side, name in enumerate("ab") for i in range(*passage[name])}

        recall, precision, met = [], [], []
        for case in known:
            passages = [found_points(one) for one in found[case["susp"]][case["source"]]]
            recall.append(len(points(case) & set().union(*passages)) / len(points(case)))
            precision += [len(points(case) & one) / len(one) for one in passages]
            met.append(sum(bool(points(case) & one) for one in passages))
        answer = self.measure("--others", "set/overlaps.tsv", "--json").json
        self.assertEqual((answer["cases"], answer["pairs"], answer["texts"], answer["sources"]), (2, 2, 3, 3))
        (report,) = answer["methods"]
        self.assertEqual(report["scheme"], DEFAULT_SCHEME)
        recall, precision, granularity = sum(recall) / 2, sum(precision) / len(precision), sum(met) / 2
        self.assertAlmostEqual(report["recall"], recall, places=12)
        self.assertAlmostEqual(report["precision"], precision, places=12)
        self.assertAlmostEqual(report["granularity"], granularity, places=12)
        self.assertAlmostEqual(report["plagdet"], 2 * recall * precision / (recall + precision) / math.log2(1 + granularity), places=12)
        self.assertGreater(report["plagdet"], 0.9)
        self.assertEqual((report["cases_found"], report["pairs_found"], report["missed"], report["unlisted"]), (2, 2, [], []))
        self.assertEqual(report["known_overlaps"], [{"text": "river.txt", "source": "orchard.txt"}])

    def test_pairs_without_a_case_are_counted_and_cost_no_precision(self):
        (with_others,) = self.measure("--others", "set/overlaps.tsv", "--json").json["methods"]
        (without,) = self.measure("--json").json["methods"]
        self.assertEqual(without["unlisted"], with_others["known_overlaps"])
        self.assertEqual(without["known_overlaps"], [])
        self.assertEqual(without["precision"], with_others["precision"])
        self.assertNotIn("known overlaps", self.measure().out)

    def test_schemes_are_rows_and_what_one_misses_is_listed(self):
        answer = self.measure("--scheme", "sentence-pairs", "--scheme", DEFAULT_SCHEME, "--json").json
        pairs, shipped = answer["methods"]
        self.assertEqual([one["scheme"] for one in answer["methods"]], ["sentence-pairs", DEFAULT_SCHEME])
        self.assertEqual((pairs["recall"], pairs["cases_found"], shipped["cases_found"]), (0, 0, 2))
        self.assertEqual(pairs["missed"][1], {"line": 3, "text": "river.txt", "source": "bridge.txt"})
        self.assertRegex(self.measure("--scheme", "sentence-pairs").out, r"sentence-pairs +0\.0000 +0\.0000 +1\.0000 +0\.0000 +0 of 2 +0 of 2 +0\n")

    def test_nothing_is_left_behind(self):
        self.measure()
        self.measure("--scheme", "nonsense", code=2)
        self.assertEqual(list(self.scratch.iterdir()), [])
        self.assertFalse(self.data.exists())

    def test_wrong_tables_and_folders_are_named(self):
        for rows, said in (
            ("coast.txt\tnowhere.txt\t0\t1\t0\t1\n", "cases.tsv line 2: the source 'nowhere.txt' is not in set/sources"),
            ("coast.txt\tbridge.txt\t0\tten\t0\t1\n", "cases.tsv line 2: the this_length 'ten' is not a number"),
            ("coast.txt\tbridge.txt\t0\t99999\t0\t1\n", "cases.tsv line 2: the passage ends at 99,999, but 'coast.txt' has "),
            ("coast.txt\tbridge.txt\t0\t1\t99999\t1\n", "cases.tsv line 2: the passage ends at 100,000, but 'bridge.txt' has "),
            ("", "cases.tsv: has no cases"),
        ):
            cases = self.write("cases.tsv", self.HEAD + rows)
            self.assertIn(said, self.measure(code=2, cases=cases.name).err)
        self.assertIn("nowhere", self.measure(code=2, texts="nowhere").err)
        self.assertIn("nothing.tsv", self.measure(code=2, cases="nothing.tsv").err)
        others = self.write("others.tsv", "doc_a\tdoc_b\nx\ty\n")
        self.assertIn("others.tsv: names no pair", self.measure("--others", others.name, code=2).err)

    def test_a_source_that_cannot_be_stored_is_an_error(self):
        self.write("set/sources/broken.txt", b"\xff\xfd")
        self.assertIn("broken.txt", self.measure(code=2).err)
        self.assertEqual(list(self.scratch.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
