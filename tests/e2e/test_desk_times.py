"""Times at the desk: in UTC without a script, and in the zone of the reader with one; always with the zone's name."""
import datetime
import re
import unittest
import zoneinfo

import browser
from program import QUERY
from test_desk import FORM, Visitor


class TimesTest(Visitor):
    def setUp(self):
        super().setUp()
        self.make_library()
        self.case = self.check(QUERY.read_text(encoding="utf-8"))
        self.assertEqual(self.ask("POST", f"{self.case}/decision", b"revision=0&state=accepted&remark=Read.", FORM)[0], 303)

    def test_a_page_without_a_script_names_utc(self):
        for path in ("/desk/checks", self.case, "/desk/log", "/desk/collections/stories"):
            page = self.page(path)
            times = re.findall(r'<time datetime="([^"]+)">([^<]+)</time>', page)
            self.assertTrue(times, path)
            for given, shown in times:
                self.assertEqual(shown, f"{given[:10]} {given[11:16]} UTC")
            self.assertEqual(len(re.findall(r"\d\d:\d\d UTC", page)), len(times), path)  # none is left out

    @unittest.skipUnless(browser.program(), "Chromium is not installed")
    def test_a_script_shows_the_zone_of_the_reader(self):
        with browser.Browser() as page:
            page.call("Emulation.setTimezoneOverride", timezoneId="Asia/Yekaterinburg")
            for path, language in (("/desk/checks", "en"), (self.case, "ru")):
                page.go(f"{self.server.url}{path}?lang={language}")
                page.wait_for("document.querySelector('time').title.endsWith('UTC')")
                for given, shown in page.run("[...document.querySelectorAll('time')].map(time => [time.dateTime, time.innerText])"):
                    there = datetime.datetime.fromisoformat(given).astimezone(zoneinfo.ZoneInfo("Asia/Yekaterinburg"))
                    self.assertEqual(shown, f"{there:%Y-%m-%d %H:%M} GMT+5")
            self.assertEqual(page.problems, [])

    @unittest.skipUnless(browser.program(), "Chromium is not installed")
    def test_a_script_sends_days_of_the_zone_of_the_reader(self):
        now = datetime.datetime.now(datetime.timezone.utc)
        ahead = now.hour >= 10  # then it is tomorrow in Kiritimati; before, yesterday in Niue
        zone = zoneinfo.ZoneInfo("Pacific/Kiritimati" if ahead else "Pacific/Niue")
        here, there = str(now.date()), str(now.astimezone(zone).date())
        self.assertNotEqual(here, there)
        with browser.Browser() as page:
            page.call("Emulation.setTimezoneOverride", timezoneId=zone.key)
            for since, until, found in ((there, there, True), (here, here, False)):
                page.go(f"{self.server.url}/desk/checks?lang=en")
                page.wait_for("document.querySelector('time').title")
                page.run(f"document.querySelector('[name=since]').value = '{since}', document.querySelector('[name=until]').value = '{until}'")
                page.run("document.querySelector('form[action=\"/desk/checks\"] button').click()")
                page.wait_for("location.search.includes('since=')")
                page.wait_for("document.readyState === 'complete'")
                self.assertEqual(page.run("document.querySelector('[name=since]').value"), since)
                self.assertEqual(page.run(f"document.querySelector('a[href*=\"{self.case}\"]') != null"), found, since)
            page.go(f"{self.server.url}/desk/keys?lang=en")
            page.wait_for("document.querySelector('[name=until]') != null")
            page.run("document.querySelector('[name=label]').value = 'crawler', document.querySelector('[name=scopes][value=admin]').checked = true")
            page.run("document.querySelector('[name=until]').value = '2099-03-05', document.querySelector('form[action=\"/desk/keys\"] button').click()")
            page.wait_for("document.querySelector('.verdict') != null")
            self.assertIn("2099-03-05 23:59 GMT", page.run("document.body.innerText"))
            self.assertEqual(page.problems, [])

    @unittest.skipUnless(browser.program(), "Chromium is not installed")
    def test_an_entry_of_the_history_that_a_script_adds_has_the_same_zone(self):
        self.assertEqual(self.ask("POST", f"{self.case}/decision", b"revision=1&state=open", FORM)[0], 303)
        with browser.Browser() as page:
            page.call("Emulation.setTimezoneOverride", timezoneId="America/New_York")
            page.go(f"{self.server.url}{self.case}?lang=en")
            page.wait_for("document.querySelector('#source-1 button') != null && document.querySelector('time').title")
            page.run("document.querySelector('#source-1 button').click()")
            page.wait_for("document.querySelectorAll('#history li').length === 3")
            self.assertRegex(page.run("document.querySelector('#history li:last-child').innerText"), r"^\d{4}-\d\d-\d\d \d\d:\d\d E[SD]T, .*marked findings")


if __name__ == "__main__":
    unittest.main()
