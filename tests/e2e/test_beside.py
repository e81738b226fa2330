"""Reading a report's text beside its sources: either pane follows the other by the matches."""
import browser
from program import story
from test_desk import Visitor

# Whether the middle of the pane is at or near the element.
IN_VIEW = """(what, pane) => {
  const place = document.querySelector(what).getBoundingClientRect(), box = document.querySelector(pane).getBoundingClientRect();
  return place.bottom > box.top && place.top < box.bottom;
}"""
FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))"


class BesideTest(Visitor):
    def setUp(self):
        super().setUp()
        self.make_library()
        own = "Собственные слова автора стоят между заимствованиями и ни в каком источнике не встречаются. " * 12
        parts = [story()[at : at + 500] for at in range(300, 4000, 900)] + [story("chekhov-vanka.txt")[at : at + 500] for at in range(300, 5000, 900)]
        self.path = self.check("\n\n".join(f"{own}\n\n{part}" for part in parts))

    def middle(self, page: browser.Browser, pane: str, anchor: str):
        """Scrolls as a reader does until the anchor is in the middle of the pane."""
        page.run(f"(() => {{ const pane = document.querySelector('{pane}'); pane.dispatchEvent(new Event('wheel')); document.querySelector('{anchor}').scrollIntoView({{block: 'center'}}); }})(); {FRAMES}")
        page.run(FRAMES)

    def test_each_pane_follows_the_other_by_the_matches(self):
        for width in (1280, 600):
            with self.subTest(width), browser.Browser(width=width) as page:
                page.go(f"{self.server.url}{self.path}")
                page.wait_for("!document.querySelector('#beside').closest('p').hidden")
                count = page.run("document.querySelectorAll('section[id^=p]').length")
                self.assertGreaterEqual(count, 8)
                page.run("document.querySelector('#beside').click()")
                self.assertEqual(page.run("document.querySelector('#beside').textContent"), "Back to the report")
                for number in (count - 1, 3, count // 2):
                    self.middle(page, ".text", f"#m{number} + mark")
                    page.wait_for(f"({IN_VIEW})('#p{number}', '.sources')")
                    self.assertEqual(page.run("document.querySelector('.now').id"), f"p{number}")
                for number in (2, count, 4):
                    self.middle(page, ".sources", f"#p{number}")
                    page.wait_for(f"({IN_VIEW})('#m{number}', '.text')")
                page.run("document.querySelector('#m2').click()")
                page.wait_for(f"({IN_VIEW})('#p2', '.sources')")
                page.call("Emulation.setEmulatedMedia", media="print")
                self.assertEqual(page.run("getComputedStyle(document.querySelector('.text')).position"), "static")
                self.assertGreater(page.run("document.querySelector('.verdict').getBoundingClientRect().height"), 0)
                page.call("Emulation.setEmulatedMedia", media="screen")
                page.run("document.querySelector('#beside').click()")
                self.assertGreater(page.run("document.querySelector('h2').getBoundingClientRect().width"), 0)
                self.assertEqual([one for one in page.problems if "favicon" not in one], [])


if __name__ == "__main__":
    import unittest

    unittest.main()
