"""What the desk's pages let nobody do: who sees which page, what a browser may load and keep, and texts that try to be scripts."""
import html
import json
import unittest
import urllib.parse

import browser
from program import CHAMELEON, story
from test_desk import BOUNDARY, FORM, Visitor, form

PAYLOAD = "\"'><img src=x onerror=\"window.pwned=1\"><script>window.pwned=1</script>"
# Who may open what; everybody else is sent to sign in or gets 403.
OF_ALL = ("/desk/", "/desk/checks", "/desk/collections", "{case}")
OF_READERS = ("/desk/compare", "/desk/collections/stories", f"/desk/collections/stories/documents/{CHAMELEON}", "{case}/marks?source=1",
              "/desk/collections/stories/watches", "/desk/collections/stories/duplicates", "{cohort}", "{pairs}")  # fmt: skip
OF_ADMINISTRATORS = ("/desk/server", "/desk/rules", "/desk/rules/default", "/desk/persons", "/desk/keys", "/desk/log")


class PagesTest(Visitor):
    def setUp(self):
        super().setUp()
        self.make_library()
        self.cohort = self.overview_of_pairs()
        secrets = {"admin": self.akin("person", "add", "admin", "--role", "administrator", code=0).out.strip()}
        for role in ("author", "reader", "decider"):
            secrets[role] = self.akin("person", "add", role, "--role", role, code=0).out.strip()
        self.sessions = {role: self.session(secret) for role, secret in secrets.items()}
        body = form([("collections", "stories"), ("title", PAYLOAD), ("owner", PAYLOAD)], [(PAYLOAD.replace('"', "%22"), (PAYLOAD + story()[1000:1900]).encode())])
        made = self.ask("POST", "/desk/checks", body, f"multipart/form-data; boundary={BOUNDARY}", Cookie=self.sessions["author"])
        self.case = made[1]["location"]
        self.wait_for(self.case, Cookie=self.sessions["author"])

    def session(self, secret: str) -> str:
        _, answer, _ = self.ask("POST", "/desk/sign-in", urllib.parse.urlencode({"key": secret}).encode(), FORM)
        return answer["set-cookie"].split(";")[0]

    def paths(self, patterns) -> list[str]:
        return [one.format(case=self.case, cohort=self.cohort, pairs=self.cohort.replace("cohorts", "pairs")) for one in patterns]

    def test_each_page_opens_for_those_roles_alone_that_need_it(self):
        may = {"author": OF_ALL, "reader": OF_ALL + OF_READERS, "decider": OF_ALL + OF_READERS, "admin": OF_ALL + OF_READERS + OF_ADMINISTRATORS}
        for path in self.paths(OF_ALL + OF_READERS + OF_ADMINISTRATORS):
            self.assertEqual(self.ask("GET", path)[1].get("location", "").partition("?")[0], "/desk/sign-in", path)
            for role, allowed in may.items():
                status = self.ask("GET", path, Cookie=self.sessions[role])[0]
                self.assertEqual(status, 200 if path in self.paths(allowed) else 403, (role, path))

    def test_no_page_is_framed_kept_or_runs_what_is_not_its_own(self):
        for path in self.paths(OF_ALL + OF_READERS + OF_ADMINISTRATORS) + ["/desk/sign-in", "/desk/nothing"]:
            _, fields, _ = self.ask("GET", path, Cookie=self.sessions["admin"])
            policy = {rule.split()[0]: rule.split()[1:] for rule in fields["content-security-policy"].split(";") if rule.strip()}
            self.assertEqual((policy["default-src"], policy["frame-ancestors"], policy["base-uri"]), (["'none'"],) * 3, path)
            self.assertEqual(policy["require-trusted-types-for"], ["'script'"], path)
            for kind in ("script-src", "style-src"):
                self.assertRegex(" ".join(policy[kind]), r"^'(self|sha256-[^']*)'$", path)
            self.assertEqual(fields["cache-control"], "no-store", path)

    def test_a_session_that_somebody_else_chose_is_not_taken_over(self):
        secret = self.akin("person", "add", "eve", "--role", "reader", code=0).out.strip()
        chosen = "akin-session=" + "A" * 43
        _, answer, _ = self.ask("POST", "/desk/sign-in", urllib.parse.urlencode({"key": secret}).encode(), FORM, cookie=chosen)
        self.assertNotEqual(answer["set-cookie"].split(";")[0], chosen)
        self.assertEqual(self.ask("GET", "/desk/checks", Cookie=chosen)[1]["location"], "/desk/sign-in?next=%2Fdesk%2Fchecks")

    @unittest.skipUnless(browser.program(), "Chromium is not installed")
    def test_no_name_title_text_or_remark_becomes_a_script(self):
        admin = {"Cookie": self.sessions["admin"]}
        hostile = urllib.parse.quote(PAYLOAD, safe="")
        key = self.akin("key", "create", "--scope", "admin", code=0).out.split()[0]
        bearer = {"Authorization": f"Bearer {key}"}
        document = json.dumps({"text": PAYLOAD + story(), "title": PAYLOAD, "metadata": {PAYLOAD[:20]: PAYLOAD}}).encode()
        self.assertEqual(self.ask("PUT", f"/v1/collections/stories/documents/{hostile}", document, "application/json", **bearer)[0], 201)
        self.assertEqual(self.ask("PUT", "/v1/policies/default", json.dumps({"description": PAYLOAD}).encode(), "application/json", **bearer)[0] // 100, 2)
        check = self.case.rpartition("/")[2]
        link = json.loads(self.ask("POST", f"/v1/checks/{check}/links", json.dumps({"statement": True, "label": PAYLOAD}).encode(), "application/json", **bearer)[2])["path"]
        self.assertEqual(self.ask("POST", link, f"statement={hostile}".encode(), FORM)[0], 303)
        posts = {
            f"{self.case}/marks": f"revision=0&source=1&what-0=quotation&remark-0={hostile}",
            f"{self.case}/decision": f"revision=1&state=open&remark={hostile}",
            "/desk/persons": f"id=mallory&name={hostile}&roles=reader",
            "/desk/keys": f"label={hostile}&scopes=read",
            "/desk/collections/stories/watches": f"name=w&description={hostile}&text={hostile}",
            "/desk/compare": f"a={hostile}{urllib.parse.quote(story())}&b={hostile}{urllib.parse.quote(story())}",
        }
        for path, fields in posts.items():
            self.assertIn(self.ask("POST", path, fields.encode(), FORM, **admin)[0], (200, 303), path)
        pages = self.paths(OF_ALL + OF_READERS + OF_ADMINISTRATORS) + [link, f"/desk/collections/stories/documents/{hostile}", f"/desk/checks?q={hostile}"]
        with browser.Browser() as page:
            name, _, value = self.sessions["admin"].partition("=")
            page.call("Network.setCookie", name=name, value=value, url=self.server.url, path="/desk")
            shown = 0
            for path in pages:
                page.go(self.server.url + path)
                self.assertEqual(page.run("document.querySelectorAll('img, script:not([src], [type=\"application/json\"], [type=module])').length"), 0, path)
                self.assertIsNone(page.run("window.pwned"), path)
                shown += "onerror" in html.unescape(page.run("document.body.innerText"))
            self.assertGreaterEqual(shown, 9)
            self.assertEqual([one for one in page.problems if "favicon" not in one], [])


if __name__ == "__main__":
    unittest.main()
