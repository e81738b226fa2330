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
        self.assertEqual(self.post("/desk/persons", ("id", "anna"), ("name", "Anna Berg"), ("roles", "administrator"))[0], 200)

    def test_a_person_is_changed_disabled_and_removed(self):
        self.cookie = self.sign_in(self.add("anna", "administrator"))
        boris = self.sign_in(self.add("boris", "reader"))
        self.post("/desk/collections", ("name", "theses"))
        changed = [("id", "boris"), ("name", "Boris B."), ("roles", "author"), ("collections", "theses")]
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
        self.assertEqual(self.post("/desk/rules/theses", ("review_share", "many"), ("do", "save"))[0], 400)
        self.assertEqual(json.loads(self.ask("GET", "/v1/policies/theses")[2])["review_share"], 0.25)
