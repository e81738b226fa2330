"""The switches of a report: by script they show what the server's pages do, and keep what its forms do."""
import json

import browser
from program import story
from test_desk import Visitor

# What a reader sees: the text by classes, the map, the links, the passages with their notes, and the numbers.
VIEW = """(() => {
  const runs = [];
  const walk = document.createTreeWalker(document.querySelector('.text'), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const parent = node.parentElement.closest('mark, a, span, p');
    if (!parent || parent.closest('[hidden], .gone')) continue;
    const kind = parent.matches('mark:not(.none), .left') ? parent.className : parent.matches('a') ? 'link ' + parent.hash + parent.title : '';
    const last = runs.at(-1);
    if (last && last[0] === kind && kind.slice(0, 4) !== 'link') last[1] += node.data;
    else runs.push([kind, node.data]);
  }
  const seen = (what, read) => [...document.querySelectorAll(what)].filter(one => !one.closest('[hidden], .gone')).map(read);
  return {
    runs, map: document.querySelector('.map')?.innerHTML ?? '', count: seen('#shown', one => one.textContent),
    decided: document.querySelector('#decided').textContent,
    sources: seen('li[id^=source]', one => [one.id, one.querySelector('h3').textContent, one.querySelector(':scope > .note')?.textContent]),
    passages: seen('section[id^=p]', one => [one.id, one.querySelector('.note')?.textContent, one.querySelector('button')?.value]),
  };
})()"""


class SwitchesTest(Visitor):
    def setUp(self):
        super().setUp()
        self.make_library()
        self.server.call("PUT", "/stories/documents/edition", {"text": story()[:2600], "title": "Издание", "metadata": {"date": "2019-03-01"}})
        text = f"𝒜🙂 {story()[1000:1900]}\r\n\r\nСвои слова e\u0301 автора. «{story('chekhov-vanka.txt')[500:1300]}» [12]. {story()[2300:3300]}\r\n\r\nЛитература\r\n\r\n1. Чехов А. П. Рассказы. М., 1960.\r\n2. {' '.join(story()[5000:5500].split())}"
        self.path = self.check(text)
        self.found = json.loads(self.ask("GET", f"/v1{self.path.removeprefix('/desk')}")[2])
        self.assertGreaterEqual(len(self.found["sources"]), 3)

    def open(self, page: browser.Browser, query: str = ""):
        page.go(f"{self.server.url}{self.path}{query}")
        page.run("document.querySelector('#findings') && import('/desk/switches.js').then(() => true)")

    def choose(self, page: browser.Browser, fields: str):
        page.run(f"(() => {{ const form = document.querySelector('form[method=get]'), fields = form.elements; {fields}; form.requestSubmit(); }})()")

    def test_each_filter_shows_what_the_servers_page_does_without_loading_one(self):
        filters = [
            "fields.source.value = '2'", "fields.words.value = '60'", "fields.hide_quoted.checked = true", "fields.hide_referenced.checked = true", "fields.hide_bibliography.checked = true",
            "fields['class'].value = 'quotation'", "fields.from.value = '2000'", "fields.to.value = '2018'",
            "fields.source.value = '1'; fields.words.value = '20'",
        ]
        self.assertEqual(self.ask("POST", f"{self.path}/switch", b"revision=0&at=1.1.off", "application/x-www-form-urlencoded")[0], 303)
        for number, fields in enumerate(filters):
            with self.subTest(fields), browser.Browser() as page:
                self.open(page)
                whole = page.run(VIEW)
                page.run("window.isSame = true")
                self.choose(page, fields)
                by_script, query = page.run(VIEW), page.run("location.search")
                self.assertTrue(page.run("window.isSame"))
                self.assertNotEqual(by_script["count"], [])
                self.open(page, query)
                self.assertIsNone(page.run("window.isSame"))
                by_server = page.run(VIEW)
                self.assertEqual(by_script, by_server, query)
                if number == 0:
                    self.assertNotEqual(by_server["runs"], whole["runs"])
                self.assertEqual([one for one in page.problems if "favicon" not in one], [])

    def test_a_filter_that_is_taken_back_shows_everything_again(self):
        with browser.Browser() as page:
            self.open(page)
            whole = page.run(VIEW)
            self.choose(page, "fields.source.value = '2'")
            self.choose(page, "fields.source.value = '0'")
            self.assertEqual(page.run(VIEW), whole)
            self.assertEqual(page.run("location.search"), "")

    def test_a_switched_finding_counts_at_once_as_the_server_keeps_it(self):
        with browser.Browser() as page:
            self.open(page)
            for revision, button in enumerate(["#source-1 button", "section[id^=p] button", "#source-2 button", "#source-1 button"], 1):
                page.run(f"document.querySelector('{button}').click()")
                at_once = page.run(VIEW)
                page.wait_for(f"document.querySelector('#switch [name=revision]').value == {revision}")
                self.assertEqual(page.run(VIEW), at_once, "what the server keeps")
                self.open(page)
                self.assertEqual(page.run(VIEW), at_once, "the page of the server")
            marks = json.loads(self.ask("GET", f"/v1{self.path.removeprefix('/desk')}")[2])["decision"]["marks"]
            self.assertEqual([(mark["source"], mark.get("passage"), mark["counted"]) for mark in marks], [(1, 1, True), (2, None, False)])
            self.assertEqual([one for one in page.problems if "favicon" not in one], [])

    def test_switches_that_follow_each_other_fast_are_all_kept(self):
        with browser.Browser() as page:
            self.open(page)
            page.run("for (const source of [1, 2, 3]) document.querySelector(`#source-${source} button`).click()")
            page.wait_for("document.querySelector('#switch [name=revision]').value == 3")
            at_once = page.run(VIEW)
            self.open(page)
            self.assertEqual(page.run(VIEW), at_once)
            self.assertIn("As decided by persons: 0.0", at_once["decided"])

    def test_what_is_not_kept_is_taken_back_and_said(self):
        with browser.Browser() as page:
            self.open(page)
            before = page.run(VIEW)
            self.assertEqual(self.ask("POST", f"{self.path}/switch", b"revision=0&at=2.0.off", "application/x-www-form-urlencoded")[0], 303)
            page.run("document.querySelector('#source-1 button').click()")
            page.wait_for("document.querySelector('.error[role=alert]')?.textContent.includes('Load the page again')")
            self.assertEqual(page.run(VIEW), before)

    def test_the_key_x_switches_the_match_at_which_the_reader_is(self):
        with browser.Browser() as page:
            self.open(page)
            page.wait_for("!document.querySelector('#use-keys').closest('p').hidden")
            page.run("document.querySelector('#m1').focus()")
            page.press("x")
            page.wait_for("document.querySelector('#switch [name=revision]').value == 1")
            self.assertEqual(page.run("document.querySelector('#p1 .note').textContent"), "does not count")

    def history(self, page: browser.Browser) -> list[str]:
        return page.run("[...document.querySelectorAll('#history:not([hidden]) li')].map(one => one.textContent)")

    def test_a_reader_says_by_keyboard_what_a_match_or_a_source_is_without_a_page(self):
        places = [("#m1", 3, "p1", ": quotation – mine"), ('#source-2 a[href*=marks]', 4, "source-2", ": own earlier text – mine"),
                  ("#p1 button", 5, "p1", ": template – mine")]  # fmt: skip
        with browser.Browser() as page:
            self.open(page)
            page.call("Emulation.setFocusEmulationEnabled", enabled=True)
            page.run("import('/desk/says.js').then(() => { window.isSame = true; })")
            page.wait_for("!document.querySelector('#use-keys').closest('p').hidden")
            for revision, (place, downs, id, note) in enumerate(places, 1):
                page.run(f"document.querySelector('{place}').focus()")
                page.press("c")
                page.wait_for("document.querySelector('dialog[open]') !== null")
                self.assertEqual(page.run("document.activeElement.tagName"), "SELECT")
                self.assertEqual(page.run("document.querySelectorAll('dialog select, dialog input:not([type=hidden])').length"), 2)
                page.run("document.activeElement.value = ''")
                page.press(*["ArrowDown"] * downs, "Tab", *"mine", "Enter")
                page.wait_for(f"document.querySelector('#switch [name=revision]').value == {revision}")
                page.wait_for("!document.querySelector('dialog')")
                at_once, history = page.run(VIEW), self.history(page)
                self.assertTrue(page.run("window.isSame"))
                self.assertIn(note, page.run(f"document.querySelector('#{id} > .note').textContent"))
                self.assertEqual(len(history), revision)
                with browser.Browser() as other:
                    self.open(other)
                    self.assertEqual(other.run(VIEW), at_once)
                    self.assertEqual(self.history(other), history)
            self.assertEqual([one for one in page.problems if "favicon" not in one], [])

    def test_a_box_that_is_left_changes_nothing_and_one_that_is_outdated_leads_to_the_page(self):
        with browser.Browser() as page:
            self.open(page)
            page.call("Emulation.setFocusEmulationEnabled", enabled=True)
            page.run("import('/desk/says.js').then(() => true)")
            before = page.run(VIEW)
            for leave in ("document.querySelector('dialog button[type=button]').click()", None):
                page.run("document.querySelector('#p1 button').focus()")
                page.run("document.querySelector('#p1 .say').click()")
                page.wait_for("document.querySelector('dialog[open]') !== null")
                page.run(leave) if leave else page.press("Escape")
                page.wait_for("!document.querySelector('dialog')")
            self.assertEqual(page.run(VIEW), before)
            self.assertEqual(self.ask("POST", f"{self.path}/switch", b"revision=0&at=2.0.off", "application/x-www-form-urlencoded")[0], 303)
            page.run("document.querySelector('#source-1 a[href*=marks]').click()")
            page.wait_for("location.pathname.endsWith('/marks') && location.search === '?source=1'")

    def test_without_a_script_a_button_does_the_same(self):
        status, fields, _ = self.ask("POST", f"{self.path}/switch", b"revision=0&at=1.0.off", "application/x-www-form-urlencoded")
        self.assertEqual((status, fields["location"]), (303, f"{self.path}#source-1"))
        self.assertIn('value="1.0.on"', self.page(self.path))
        for wrong in ("1.0", "0.1.off", "1.x.off", "1.0.maybe", "99.0.off", "1.999.off"):
            self.assertIn(self.ask("POST", f"{self.path}/switch", f"revision=1&at={wrong}".encode(), "application/x-www-form-urlencoded")[0], (400, 404), wrong)


if __name__ == "__main__":
    import unittest

    unittest.main()
