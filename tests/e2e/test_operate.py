"""The desk's pages for an administrator: persons, tasks, backups, the audit log, without a terminal."""
import html
import json
import re
import urllib.parse

from program import story
from server_process import Server
from test_desk import FORM, Visitor


class OperateTest(Visitor):
    def setUp(self):
        super().setUp()
        self.cookie = {}

    def post(self, path: str, *fields: tuple[str, str]) -> tuple[int, dict, str]:
        return self.ask("POST", path, urllib.parse.urlencode(fields).encode(), FORM, **self.cookie)

    def shown(self, path: str) -> str:
        status, _, body = self.ask("GET", path, **self.cookie)
        self.assertEqual(status, 200, body)
        return html.unescape(re.sub(r"<[^>]+>", " ", body))

    def field(self, path: str, name: str, of: str = "") -> str:
        """The value of a hidden field of the first form of the page, or of that which follows `of`."""
        page = self.ask("GET", path, **self.cookie)[2]
        found = re.search(f'{re.escape(of)}.*?name="{name}" value="([^"]*)"', page, re.S)
        self.assertIsNotNone(found, (path, name))
        return html.unescape(found[1])

    def form_of_rules(self, name: str) -> dict[str, str]:
        """What a browser sends of the form of rules, as it is opened now."""
        page = self.ask("GET", f"/desk/rules/{name}", **self.cookie)[2]
        form = re.search(f'<form method="post" action="/desk/rules/{name}">.*?</form>', page, re.S)[0]
        values = re.findall(r'<input [^>]*name="(\w+)" type="(?:text|number)"[^>]*value="([^"]*)"', form)
        boxes = re.findall(r'<input type="checkbox" name="(\w+)" value="true" checked', form)
        return {"base": self.field(f"/desk/rules/{name}", "base"), **{field: html.unescape(value) for field, value in values}, **{box: "true" for box in boxes}, "do": "save"}

    def test_of_two_who_edit_rules_the_second_is_shown_what_the_first_has_changed(self):
        self.post("/desk/rules", ("name", "theses"))
        first, second = self.form_of_rules("theses"), self.form_of_rules("theses")
        self.assertEqual(self.post("/desk/rules/theses", *{**first, "review_share": "20", "quotations": "true"}.items())[0], 303)
        written = {**second, "review_share": "30", "description": "For essays <of the year>"}
        status, _, page = self.post("/desk/rules/theses", *written.items())
        self.assertEqual(status, 412)
        shown = html.unescape(re.sub(r"\s*<[^>]+>\s*", "|", page))
        self.assertIn("Somebody else has changed these rules since you opened the form", shown)
        self.assertRegex(shown, r"\|A person should look: if so many per cent of the text were found\|+25\.0\s%\|+20\.0\s%\|+30\.0\s%\|")
        self.assertRegex(shown, r"\|quotations\|+no\|+yes\|+no\|")
        self.assertNotIn("|Description||For essays", shown)  # the first left it as it was
        self.assertIn('value="For essays &lt;of the year&gt;"', page)  # nothing of what was written is lost
        self.assertIn('value="30"', page)
        stored = json.loads(self.ask("GET", "/v1/policies/theses")[2])
        self.assertEqual((stored["review_share"], stored["exclude"]["quotations"], stored["description"]), (0.2, True, ""))
        again = {**written, "base": html.unescape(re.search(r'name="base" value="([^"]*)"', page)[1])}
        self.assertEqual(self.post("/desk/rules/theses", *again.items())[0], 303)
        stored = json.loads(self.ask("GET", "/v1/policies/theses")[2])
        self.assertEqual((stored["review_share"], stored["exclude"]["quotations"], stored["description"]), (0.3, False, "For essays <of the year>"))

    def test_a_form_of_rules_changes_nothing_that_it_does_not_have(self):
        self.post("/desk/rules", ("name", "theses"))
        form = self.form_of_rules("theses")
        policy = {"bound": 5, "exclude": {"templates": [{"text": "Printed at the works of the university in spring."}]}}
        self.assertEqual(self.ask("PUT", "/v1/policies/theses", json.dumps(policy).encode(), "application/json")[0], 200)
        self.assertEqual(self.post("/desk/rules/theses", *{**form, "readers": "2"}.items())[0], 303)
        stored = json.loads(self.ask("GET", "/v1/policies/theses")[2])
        self.assertEqual((stored["bound"], len(stored["exclude"]["templates"]), stored["readers"]), (5, 1, 2))

    def test_rules_that_were_removed_meanwhile_are_not_made_again(self):
        self.post("/desk/rules", ("name", "theses"))
        form = self.form_of_rules("theses")
        self.assertEqual(self.ask("DELETE", "/v1/policies/theses")[0], 200)
        status, _, page = self.post("/desk/rules/theses", *form.items())
        self.assertEqual(status, 404)
        self.assertIn("This does not exist, or not any more", page)

    def sign_in(self, secret: str) -> dict[str, str]:
        _, fields, _ = self.ask("POST", "/desk/sign-in", urllib.parse.urlencode({"key": secret}).encode(), FORM)
        return {"Cookie": fields["set-cookie"].split(";")[0]}

    def add(self, name: str, *roles: str) -> str:
        """The secret that the page shows once."""
        status, _, page = self.post("/desk/persons", ("id", name), ("name", name.title()), *(("roles", role) for role in roles))
        self.assertEqual(status, 200, page)
        return re.search(r"<code>(akin_\w[^<]*)</code>", page).group(1)

    def test_the_first_person_is_an_administrator(self):
        status, _, page = self.post("/desk/persons", ("id", "boris"), ("name", "Boris"), ("roles", "reader"))
        self.assertEqual(status, 400)
        self.assertIn("make a person who is an administrator first", page)
        self.assertIn("everybody who reaches this server may do everything", self.shown("/desk/persons"))
        secret = self.add("anna", "administrator")
        self.assertEqual(self.ask("GET", "/desk/persons")[1]["location"], "/desk/sign-in?next=%2Fdesk%2Fpersons")
        self.cookie = self.sign_in(secret)
        self.add("boris", "reader", "decider")
        self.assertIn("boris – reader: sees and marks all checks, decider: also decides – all collections", self.shown("/desk/persons"))

    def test_nobody_ends_their_own_access(self):
        self.cookie = self.sign_in(self.add("anna", "administrator"))
        own = [("id", "anna"), ("name", "Anna")]
        for path, fields in (("/anna/disable", []), ("/anna/remove", []), ("", [*own, ("roles", "reader")]), ("", [*own, ("roles", "administrator"), ("collections", "x")])):
            status, _, page = self.post(f"/desk/persons{path}", *fields)
            self.assertEqual(status, 400, path)
            self.assertIn("You cannot end your own access", page)
        self.assertEqual(self.post("/desk/persons", self.base_of("anna"), ("id", "anna"), ("name", "Anna Berg"), ("roles", "administrator"))[0], 200)

    def test_a_person_is_changed_disabled_and_removed(self):
        self.cookie = self.sign_in(self.add("anna", "administrator"))
        boris = self.sign_in(self.add("boris", "reader"))
        self.post("/desk/collections", ("name", "theses"))
        changed = [self.base_of("boris"), ("id", "boris"), ("name", "Boris B."), ("roles", "author"), ("collections", "theses")]
        status, _, page = self.post("/desk/persons", *changed)
        self.assertEqual(status, 200)
        self.assertNotIn("<code>akin_", page)  # a change keeps the secret
        person = json.loads(self.akin("person", "list", "--json", code=0).out)[1]
        self.assertEqual((person["name"], person["roles"], person["collections"]), ("Boris B.", ["author"], ["theses"]))
        self.assertEqual(self.post("/desk/persons/boris/disable")[0], 303)
        self.assertEqual(self.ask("GET", "/desk/checks", **boris)[0], 303)
        self.assertEqual(self.post("/desk/persons/boris/enable")[0], 303)
        self.assertEqual(self.ask("GET", "/desk/checks", **boris)[0], 200)
        self.assertIn("The secret of boris", self.post("/desk/persons/boris/secret")[2])
        self.assertEqual(self.ask("GET", "/desk/checks", **boris)[0], 303)  # with the former secret's session
        self.assertEqual(self.post("/desk/persons/boris/remove")[0], 303)
        self.assertNotIn("Boris B.", self.shown("/desk/persons"))

    def base_of(self, person: str) -> tuple[str, str]:
        """The field of the form that says who the person was when it was opened."""
        return "base", self.field("/desk/persons", "base", of=f"<p>{person} ")

    def test_of_two_who_change_a_person_the_second_is_shown_what_the_first_has_done(self):
        self.cookie = self.sign_in(self.add("anna", "administrator"))
        self.add("boris", "reader")
        base = self.base_of("boris")
        self.assertEqual(self.post("/desk/persons", base, ("id", "boris"), ("name", "Boris B."), ("roles", "decider"))[0], 200)
        status, _, page = self.post("/desk/persons", base, ("id", "boris"), ("name", "Boris the Great"), ("roles", "author"))
        self.assertEqual(status, 412)
        self.assertRegex(page, r"<p>boris – decider: also decides – all collections</p>\s*<details open>")
        self.assertIn("Somebody else has changed this person", page)
        self.assertIn('value="Boris the Great"', page)
        self.assertRegex(page, 'name="roles" value="author" checked')
        self.assertEqual(self.akin("person", "list", "--json", code=0).out.count("Boris B."), 1)
        self.assertEqual(self.post("/desk/persons", self.base_of("boris"), ("id", "boris"), ("name", "Boris the Great"), ("roles", "author"))[0], 200)
        self.assertEqual(self.post("/desk/persons/boris/remove")[0], 303)
        self.assertEqual(self.post("/desk/persons", base, ("id", "boris"), ("name", "Boris"), ("roles", "author"))[0], 404)

    def test_a_new_person_takes_nobodys_place(self):
        self.cookie = self.sign_in(self.add("anna", "administrator"))
        self.add("boris", "decider")
        status, _, page = self.post("/desk/persons", ("id", "boris"), ("name", "Another Boris"), ("roles", "author"))
        self.assertEqual(status, 409)
        self.assertIn("there is one with this id", page)
        self.assertNotIn("Another Boris", self.akin("person", "list", code=0).out)

    def test_only_an_administrator_of_all_collections_sees_these_pages(self):
        self.cookie = self.sign_in(self.add("anna", "administrator"))
        boris = self.sign_in(self.add("boris", "decider"))
        self.post("/desk/persons", ("id", "vera"), ("name", "Vera"), ("roles", "administrator"), ("collections", "theses"))
        vera = self.sign_in(re.search(r"<code>(akin_[^<]*)</code>", self.post("/desk/persons/vera/secret")[2]).group(1))
        for path in ("/desk/server", "/desk/persons", "/desk/rules", "/desk/log"):
            self.assertEqual(self.ask("GET", path, **self.cookie)[0], 200)
            for cookie in (boris, vera):
                self.assertEqual(self.ask("GET", path, **cookie)[0], 403, path)
        self.assertNotIn("/desk/persons", self.ask("GET", "/desk/", **boris)[2])

    def test_a_collection_is_rebuilt_backed_up_and_deleted(self):
        self.server.stop()
        (self.folder / "backups").mkdir()
        self.server = Server(self, "--backup-folder", self.folder / "backups")
        self.make_library()
        self.assertEqual(self.post("/desk/server/reindex", ("collection", "stories"))[0], 303)
        self.when(lambda: re.search(r"rebuild\s+stories\s+\S+ \S+ UTC\s+done", self.shown("/desk/server")), "the rebuild is done")
        self.assertEqual(self.post("/desk/server/backup", ("name", "monday"))[0], 303)
        self.when(lambda: re.search(r"backup\s+all collections\s+\S+ \S+ UTC\s+done", self.shown("/desk/server")), "the backup is done")
        self.assertTrue((self.folder / "backups" / "monday").is_dir())
        self.assertEqual(self.post("/desk/server/drop", ("collection", "stories"), ("again", "storie"))[0], 400)
        self.assertIn("stories", self.shown("/desk/server"))
        self.assertEqual(self.post("/desk/server/drop", ("collection", "stories"), ("again", "stories"))[0], 303)
        self.assertEqual(self.akin("stats", code=2).code, 2)

    def test_a_backup_without_a_folder_says_what_to_do(self):
        status, _, page = self.post("/desk/server/backup", ("name", "monday"))
        self.assertGreaterEqual(status, 400)
        self.assertIn("--backup-folder", html.unescape(page))

    def test_a_server_says_at_its_start_that_its_folder_of_backups_is_not_there(self):
        self.server.stop()
        for name, says in (("nowhere", True), ("backups", False)):
            (self.folder / "backups").mkdir(exist_ok=True)
            with open(self.folder / "log", "wb") as log:
                Server(self, "--backup-folder", self.folder / name, log=log).stop()
            self.assertEqual("is not there, so backups fail" in (self.folder / "log").read_text(encoding="utf-8"), says)

    def test_the_log_shows_who_did_what_and_is_verified(self):
        self.cookie = self.sign_in(self.add("anna", "administrator"))
        self.add("boris", "reader")
        page = self.shown("/desk/log")
        self.assertRegex(page, r"Anna\s+127\.0\.0\.1\s+person\.created\s+boris")
        entries = len(self.akin("audit", "export", code=0).out.splitlines())
        self.assertIn(f"All {entries} entries are as they were written.", self.shown("/desk/log?verify=true"))

    def test_names_are_text_and_not_markup(self):
        self.cookie = self.sign_in(self.add("anna", "administrator"))
        self.post("/desk/persons", ("id", "eve"), ("name", "<script>alert(1)</script>\"'"), ("roles", "reader"))
        for path in ("/desk/persons", "/desk/log"):
            body = self.ask("GET", path, **self.cookie)[2]
            self.assertNotIn("<script>", body)
            self.assertIn("&lt;script&gt;", body)

    def test_rules_are_tried_on_the_last_checks_and_saved(self):
        self.make_library()
        self.check(story())  # found whole: refused
        self.check("A text of its own, which no document has. It speaks of nothing else, at some length, and then ends.")
        self.assertIn("default", self.shown("/desk/rules"))
        policy = {
            "description": "for essays", "review_share": "25", "refuse_share": "", "review_source_share": "12,5", "refuse_source_share": "",
            "review_own_share": "", "quotations": "true", "min_passage_words": "12", "readers": "2", "keep_days": "",
            "store_files": "", "stand_days": "30",
        }  # fmt: skip
        policy["base"] = self.field("/desk/rules/default", "base")
        status, _, page = self.post("/desk/rules/default", *policy.items(), ("do", "try"))
        self.assertEqual(status, 200, page)
        shown = html.unescape(re.sub(r"<[^>]+>", " ", page))
        self.assertIn("Of the last 2 checks by these rules, 1 would have another verdict.", shown)
        self.assertRegex(shown, r"100\.0\s%\s+Much of it is from elsewhere\s+A person should look")
        self.assertEqual(json.loads(self.ask("GET", "/v1/policies/default")[2])["readers"], 1)  # only tried
        self.assertEqual(self.post("/desk/rules/default", *policy.items(), ("do", "save"))[0], 303)
        saved = json.loads(self.ask("GET", "/v1/policies/default")[2])
        self.assertEqual((saved["refuse_share"], saved["review_source_share"], saved["readers"]), (None, 0.125, 2))
        self.assertEqual((saved["store_files"], saved["stand_days"]), (False, 30))
        self.assertEqual((saved["exclude"]["quotations"], saved["exclude"]["own_earlier"], saved["bound"]), (True, False, 3))
        self.assertIn('value="12.5"', self.ask("GET", "/desk/rules/default")[2])

    def test_new_rules_begin_with_the_usual_ones(self):
        self.assertEqual(self.post("/desk/rules", ("name", "theses"))[1]["location"], "/desk/rules/theses")
        base = ("base", self.field("/desk/rules/theses", "base"))
        self.assertEqual(self.post("/desk/rules/theses", base, ("review_share", "many"), ("do", "save"))[0], 400)
        self.assertEqual(json.loads(self.ask("GET", "/v1/policies/theses")[2])["review_share"], 0.25)
