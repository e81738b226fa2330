"""akin check: verdicts on real texts, exclusions, stored checks."""
import datetime
import json
import os
import pathlib
import re
import shutil
import unittest
import zipfile

from program import CHAMELEON, QUERY, SOURCE, AkinTest, story
from server_process import Server
from test_files import docx_of

CORPORA = pathlib.Path(os.environ.get("AKIN_CORPORA", SOURCE / "build" / "corpora" / "corpora"))
OWN = " ".join(
    f"Предложение {name} написано для этой проверки и больше нигде не стоит."
    for name in ("первое", "второе", "третье", "четвёртое", "пятое", "шестое", "седьмое", "восьмое", "девятое", "десятое")
)
# Universal Declaration of Human Rights, articles 1 to 5, 18 and 19.
GERMAN = """Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen
einander im Geist der Brüderlichkeit begegnen. Jeder hat Anspruch auf die in dieser Erklärung verkündeten Rechte und Freiheiten
ohne irgendeinen Unterschied, etwa nach Rasse, Hautfarbe, Geschlecht, Sprache, Religion, politischer oder sonstiger
Überzeugung, nationaler oder sozialer Herkunft, Vermögen, Geburt oder sonstigem Stand. Jeder hat das Recht auf Leben, Freiheit
und Sicherheit der Person. Niemand darf in Sklaverei oder Leibeigenschaft gehalten werden; Sklaverei und Sklavenhandel sind in
allen ihren Formen verboten. Niemand darf der Folter oder grausamer, unmenschlicher oder erniedrigender Behandlung oder Strafe
unterworfen werden. Jeder hat das Recht auf Gedankenfreiheit, Gewissensfreiheit und Religionsfreiheit; dieses Recht schließt
die Freiheit ein, seine Religion oder Überzeugung zu wechseln. Jeder hat das Recht auf Meinungsfreiheit und freie
Meinungsäußerung; dieses Recht schließt die Freiheit ein, Meinungen ungehindert anzuhängen sowie über Medien jeder Art
Informationen und Gedankengut zu suchen, zu empfangen und zu verbreiten.
"""
EXCLUDING = {"exclude": {"quotations": True, "bibliography": True, "max_quotation_share": 0.7, "max_bibliography_share": 0.7}}


class CheckTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.write("excluding.json", json.dumps(EXCLUDING))

    def check(self, text: str, *flags, code: int) -> dict:
        return self.akin("check", "-", "--json", *flags, stdin=text.encode(), code=code).json

    def test_disguised_passage_is_refused_and_its_story_named(self):
        self.index_library()
        check = self.check(QUERY.read_text(encoding="utf-8"), code=0)
        self.assertEqual(check["verdict"], "refuse")
        self.assertEqual([source["id"] for source in check["sources"]], [CHAMELEON])
        self.assertEqual(check["share"], check["letters"]["found"] / check["letters"]["compared"])
        words = self.akin("check", QUERY, code=0).out
        self.assertIn("refuse", words)
        self.assertIn(CHAMELEON, words)

    def test_sources_are_set_beside_one_another_and_dated(self):
        text = QUERY.read_text(encoding="utf-8")
        self.write("copies/first.txt", text)
        self.write("copies/second.txt", text)
        self.write("copies/half.txt", text[: len(text) // 2])
        self.write("dates.csv", "file,date\nfirst.txt,1884\nhalf.txt,1899-05\n")
        self.akin("index", "copies", "--meta", "dates.csv", code=0)
        lines = self.akin("check", QUERY, code=0).out
        self.assertEqual(lines.count("of the text is in no other source"), 2, lines)
        self.assertIn("   0.0 % of the text is in no other source; published 1884\n", lines)
        self.assertIn("   has the same of the text as source 1\n", lines)
        self.assertIn("source; published 1899-05\n", lines)

    def test_a_text_in_a_language_without_a_dictionary_passes(self):
        self.index_library()
        check = self.check(GERMAN, code=0)
        self.assertEqual((check["verdict"], check["reasons"]), ("pass", []))
        (found,) = check["index"][0]["other_languages"]
        self.assertEqual(found["language"], "de")
        self.assertGreater(found["share"], 0.4)
        self.write("german.txt", GERMAN)
        self.assertIn("of the words are German, for which 'default' has no dictionary", self.akin("check", "german.txt", code=0).out)

    def test_exchanged_letters_do_not_pass_for_a_language_nor_hide_beside_one(self):
        self.index_library()
        secret = GERMAN.translate(str.maketrans("aeinrstu", "xqzvkwyj"))
        for text in (secret, f"{GERMAN}\n\n{secret}", f"{GERMAN * 2}\n\n{secret}"):
            (reason,) = self.check(text, code=0)["reasons"]
            self.assertEqual((reason["kind"], reason["verdict"]), ("unknown_words", "review"))

    def test_names_and_abbreviations_that_no_dictionary_has_are_not_exchanged_letters(self):
        self.index_library()
        names = [f"{name}{number % 7 * 'o'}rk" for number, name in enumerate(["Gron", "Blar", "Zwek", "Plaun", "Skrav"] * 30)]
        self.assertEqual(self.check("\n".join(f"{name}, Th. {page}." for page, name in enumerate(names)), code=0)["reasons"], [])
        kinds = [reason["kind"] for reason in self.check(" ".join(names), code=0)["reasons"]]
        self.assertIn("unknown_words", kinds, "nobody writes so many names side by side")

    def test_one_source_is_beside_no_other(self):
        self.index_library()
        self.assertNotIn("no other source", self.akin("check", QUERY, code=0).out)

    def test_a_filter_selects_the_sources(self):
        self.index_library()
        text = QUERY.read_text(encoding="utf-8")
        self.assertEqual(self.check(text, "--filter", f'id = "{CHAMELEON}"', code=0)["sources_total"], 1)
        self.assertEqual(self.check(text, "--filter", f'id != "{CHAMELEON}"', code=0)["sources"], [])
        self.assertIn("filter", self.akin("check", QUERY, "--filter", "id =", code=2).err)

    def test_a_missing_collection_is_answered_with_those_that_there_are(self):
        self.index_library()
        for flag in ("--collection", "--collections"):
            said = self.akin("check", QUERY, flag, "defualt", code=2).err
            self.assertIn(f"there is no collection with this name ({flag} names one of: default; akin index PATH --collection defualt creates it)", said)

    def test_an_empty_file_is_an_error(self):
        self.index_library()
        self.write("essay.docx", b"")
        self.assertIn("is empty", self.akin("check", "essay.docx", code=2).err)

    def test_each_file_of_an_archive_is_checked(self):
        self.index_library()
        with zipfile.ZipFile(self.folder / "essays.zip", "w") as archive:
            archive.writestr("anna/copied.txt", QUERY.read_text(encoding="utf-8"))
            archive.writestr("boris.txt", OWN)
            archive.writestr("empty.txt", "")
        done = self.akin("check", "essays.zip", "--json", code=2)
        checks = [json.loads(line) for line in done.out.splitlines()]
        self.assertEqual([(check["title"], check["verdict"]) for check in checks],
                         [("essays.zip!/anna/copied.txt", "refuse"), ("essays.zip!/boris.txt", "pass")])
        self.assertIn("essays.zip!/empty.txt", done.err)

    def test_a_file_that_cannot_be_read_does_not_keep_the_others_from_it(self):
        self.index_library()
        self.write("broken.pdf", b"%PDF-1.7 obj")
        self.write("own.txt", OWN)
        done = self.akin("check", "broken.pdf", "own.txt", code=2)
        self.assertIn("own.txt: pass", done.out)
        self.assertIn("broken.pdf", done.err)

    def test_a_certificate_is_replayed_and_a_forged_one_refused(self):
        self.index_library()
        server = Server(self)
        connection = server.connect()
        self.addCleanup(connection.close)
        connection.request("POST", "/v1/checks?collections=default", QUERY.read_bytes(), {"Content-Type": "text/plain"})
        check = json.loads(connection.getresponse().read())
        connection.request("GET", f"/v1/checks/{check['id']}/certificate")
        certificate = json.loads(connection.getresponse().read())
        self.write("certificate.json", json.dumps(certificate, ensure_ascii=False))
        replayed = self.akin("check", "--replay", "certificate.json", "--exit-code", code=0).out
        self.assertEqual(replayed.splitlines()[1:], ["the numbers are those certified"])
        self.assertIn(f"{check['id']}: the signature of key {certificate['key']} is genuine", replayed)
        server.call("DELETE", f"/default/documents/{CHAMELEON}")
        changed = self.akin("check", "--replay", "certificate.json", "--exit-code", code=1).out
        self.assertIn("the numbers are not those certified", changed)
        self.assertIn('verdict: "refuse", now "pass"', changed)
        certificate["share"] = 0.1
        self.write("forged.json", json.dumps(certificate, ensure_ascii=False))
        self.assertIn("it was changed after it was issued", self.akin("check", "--replay", "forged.json", code=2).err)

    def test_a_certificate_is_replayed_where_the_data_were_restored_and_after_the_dictionaries_changed(self):
        self.index_library()
        with_server = Server(self)
        connection = with_server.connect()
        connection.request("POST", "/v1/checks?collections=default", QUERY.read_bytes(), {"Content-Type": "text/plain"})
        path = f"/v1/checks/{json.loads(connection.getresponse().read())['id']}/certificate"
        connection.request("GET", path)
        self.write("certificate.json", connection.getresponse().read())
        connection.close()
        with_server.stop()
        self.akin("backup", "saved", code=0)
        self.akin("restore", "saved", "--data", "elsewhere", code=0)
        shutil.rmtree(self.data)
        flags = ("check", "--replay", "certificate.json", "--exit-code", "--json", "--data", "elsewhere")
        restored = self.akin(*flags, code=0).json
        self.assertEqual((restored["same"], [change["what"] for change in restored["changes"]]), (True, ["index default"]))
        (change,) = restored["changes"]  # the restored index is another one, of the same documents
        differing = {field for field in change["then"] if change["then"][field] != change["now"][field]}
        self.assertEqual(differing, {"generation"})
        self.write("more.txt", "хамелеон: хамелеонус\n")
        self.akin("reindex", "--data", "elsewhere", "--supplement", "more.txt", code=0)
        changed = self.akin(*flags, "--supplement", "more.txt", code=0).json
        self.assertTrue(changed["same"])  # the numbers; what they were computed with is named
        self.assertEqual({change["what"] for change in changed["changes"]}, {"dictionaries", "index default"})

    def test_what_a_text_repeats_of_itself_is_counted_and_shown(self):
        self.index_library()
        twice = "Замысел настоящей заметки возник летом, при разборе семейного архива, а ниже излагаются первые наблюдения автора"
        between = "Методика проста: сопоставлялись экземпляры каталога, после чего составлялась сводная ведомость расхождений."
        text = f"{twice}. {between} {twice}."
        once = self.akin("check", "-", "--self", stdin=f"{twice}. {between}".encode(), code=0).out
        self.assertNotIn("repeated", once)
        counted = self.akin("check", "-", stdin=text.encode(), code=0).out
        self.assertIn("\n1 passage repeated within the text (--self shows them)\n", counted)
        shown = self.akin("check", "-", "--self", stdin=text.encode(), code=0).out
        again = text.rindex(twice)
        self.assertRegex(shown, r"\n1 passage repeated within the text\n   passage of 15 words, word for word\n"
                         rf" +first +0–{len(twice)} +{twice[:50]}.*\n +again +{again}–{again + len(twice)} +{twice[:50]}")

    def test_own_words_pass(self):
        self.index_library()
        self.assertEqual(self.check(OWN, code=0)["share"], 0)

    def test_disguised_text_without_a_source_is_reviewed(self):
        self.index_library()
        disguised = OWN.replace("проверки", "провеpки")  # a Latin p
        check = self.check(disguised, code=0)
        self.assertEqual((check["verdict"], check["share"]), ("review", 0))
        words = check["query"]["words"]
        self.assertEqual(check["reasons"], [{"kind": "alerts", "verdict": "review", "alert": "mixed_script", "alerts": 10,
                                             "rate": 10_000 / words, "threshold": 5.0}])
        self.assertEqual(check["query"]["alert_counts"]["mixed_script"], 10)
        self.assertIn(f"review: {10_000 / words:.1f} alerts 'mixed_script' per 1,000 words, the threshold is 5.0\n",
                      self.akin("check", "-", stdin=disguised.encode(), code=0).out)
        self.write("lenient.json", json.dumps({"review_alerts": {"mixed_script": None}}))
        self.assertEqual(self.check(disguised, "--policy", "lenient.json", code=0)["verdict"], "pass")

    def test_features_list_every_kind_of_alert(self):
        text = "Это т е к с т а с0циолога и сп\u0301ор, cлово, сло\u200bво, с\ue043во, \u202eовелс\u202c."
        kinds = [alert["kind"] for alert in self.lab("features", "-", "--json", stdin=text.encode(), code=0).json["alerts"]]
        self.assertEqual(kinds, ["letter_spacing", "digit_in_word", "impossible_mark", "mixed_script", "zero_width",
                                 "private_use", "bidi_override"])

    def test_quotation_and_bibliography_leave_the_shares(self):
        self.index_library()
        quotation = "«" + story()[1007:1598].replace("«", "").replace("»", "") + "»"
        text = f"{OWN}\n\n{quotation}\n\n{OWN[:300]}\n\nЛитература\n1. Чехов А. П. Хамелеон.\n"
        self.assertGreater(self.check(text, code=0)["share"], 0)
        check = self.check(text, "--policy", "excluding.json", code=0)
        self.assertEqual({entry["kind"] for entry in check["excluded"]}, {"quotation", "bibliography"})
        self.assertEqual(check["share"], 0)
        letters = f"{check['letters']['excluded']:,}"
        words = self.akin("check", "-", "--policy", "excluding.json", stdin=text.encode(), code=0).out
        self.assertIn(f"\n{letters} other letters and digits are excluded: 1 quotation, 1 bibliography section\n", words)

    def test_an_indented_paragraph_of_a_docx_is_a_quotation(self):
        self.index_library()
        quoted = " ".join(story()[2000:2600].split())
        own = [f"Собственный абзац номер {number}, в котором автор рассуждает о площади, лавках и собаках без всяких заимствований." for number in range(40)]
        self.write("policy.json", json.dumps({"exclude": {"quotations": True}}))
        for indent, is_left_out in (("", False), ('<w:pPr><w:ind w:left="720"/></w:pPr>', True)):
            paragraphs = [*own[:20], quoted, *own[20:]]
            body = "".join(f"<w:p>{indent if one == quoted else ''}<w:r><w:t>{one}</w:t></w:r></w:p>" for one in paragraphs)
            self.write("essay.docx", docx_of(body))
            check = self.akin("check", "essay.docx", "--policy", "policy.json", "--json", code=0).json
            self.assertEqual([part["kind"] for part in check["excluded"]], ["quotation"] if is_left_out else [])
            self.assertEqual(check["letters"]["found"] == 0, is_left_out)

    def test_what_very_many_documents_have_is_one_line_with_their_number(self):
        form = " ".join(story()[2000:2300].split())
        documents = 1100
        lines = [json.dumps({"id": str(number), "text": f"Ключ{number} замок{number} дверь{number}.\n\n{form}."}) for number in range(documents)]
        self.akin("import", self.write("forms.ndjson", "\n".join(lines)), "--collection", "forms", code=0)
        answer = self.akin("check", self.write("mine.txt", f"Собственное начало.\n\n{form}."), "--collection", "forms", code=0).out
        self.assertRegex(answer, r"\n\d+ words of the text are common: 1,100 documents have some of them in 'forms'\n")
        self.assertEqual(len(re.findall(r"^\d+\. forms/", answer, re.MULTILINE)), 1)

    def test_one_text_that_does_not_pass_makes_the_exit_code(self):
        self.index_library()
        self.write("own.txt", OWN)
        lines = self.akin("check", "own.txt", QUERY, "own.txt", "--exit-code", "--json", code=1).out.splitlines()
        self.assertEqual([json.loads(line)["verdict"] for line in lines], ["pass", "refuse", "pass"])
        self.akin("check", "own.txt", "--exit-code", code=0)

    def test_nothing_is_indexed(self):
        self.index_library()
        before = self.akin("stats", "--json", code=0).json
        self.check(story(), "--keep", code=0)
        after = self.akin("stats", "--json", code=0).json
        after.pop("kept_by_checks", None)  # what the check itself keeps
        self.assertEqual(after, before)

    def test_only_store_keeps_the_check(self):
        self.index_library()
        self.assertNotIn("id", self.check(OWN, code=0))
        self.assertRegex(self.check(OWN, "--keep", code=0)["id"], "^check-[0-9a-f]{20}$")

    def test_a_kept_check_expires_as_those_of_a_server_do(self):
        self.index_library()
        days = {"": 90, '{"keep_days": 7}': 7}
        for policy, kept in days.items():
            flags = ["--policy", self.write("policy.json", policy)] if policy else []
            check = self.akin("check", QUERY, "--keep", "--json", *flags, code=0).json
            created, expires = (datetime.datetime.fromisoformat(check[name].replace("Z", "+00:00")) for name in ("created", "expires"))
            self.assertEqual((expires - created).days, kept)

    def test_wrong_policy_is_an_error(self):
        self.index_library()
        self.write("wrong.json", '{"bounds": 3}')
        self.assertIn("bounds", self.akin("check", QUERY, "--policy", "wrong.json", code=2).err)
        self.assertIn("missing", self.akin("check", QUERY, "--policy", "missing", code=2).err)

    def test_two_novels_behind_one_submission(self):
        novels = CORPORA / "ru-novels" / "eltec-rus"
        if not novels.exists():
            self.skipTest(f"no corpora in {CORPORA}")
        files = [novels / "007 olesya.txt", novels / "009 belye-nochi.txt"]
        olesya, nights = (file.read_text(encoding="utf-8") for file in files)
        self.akin("index", *files, code=0)
        stolen, quoted = olesya[20_000:24_000], nights[20_000:20_900]
        for mark in "«»„“”\"":
            quoted = quoted.replace(mark, "")
        titles = [" ".join(nights[at : at + 250].split()) for at in range(30_000, 31_000, 250)]
        entries = "".join(f"{i}. Достоевский Ф. М. {title}. – М., 197{i}. – 30{i} с.\n" for i, title in enumerate(titles, 1))
        text = f"{OWN}\n\n{stolen}\n\n«{' '.join(quoted.split())}»\n\n{OWN}\n\nСписок литературы\n{entries}"
        everything = self.check(text, code=0)
        self.assertEqual({source["id"] for source in everything["sources"]}, {file.name for file in files})
        check = self.check(text, "--policy", "excluding.json", code=0)
        self.assertEqual([source["id"] for source in check["sources"]], [files[0].name])
        without = self.check(f"{OWN}\n\n{stolen}\n\n{OWN}", "--policy", "excluding.json", code=0)
        self.assertAlmostEqual(check["share"], without["share"], delta=0.01)


if __name__ == "__main__":
    unittest.main()
