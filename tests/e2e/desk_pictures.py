"""Makes the pictures of docs/desk/ from the desk itself, over the sample in English.

    AKIN=build/dev/cli/akin python3 tests/e2e/desk_pictures.py docs/desk
"""
import base64
import json
import pathlib
import re
import sys
import urllib.parse

import browser
from program import SOURCE
from test_desk import FORM, Visitor

SAMPLE = SOURCE / "sample"
WIDTH = 1000
# The ten questions of docs/desk.md: where the report answers each, as an expression, and how much of the page is shown.
HEADING = "[...document.querySelectorAll('h2')].find(one => one.textContent == '{}')"
SECTION = "[...document.querySelectorAll('section')].find(one => one.textContent.includes('{}')).querySelector('h4')"
# What is not in the window is not laid out, and a picture lacks it.
LAID_OUT = "document.adoptedStyleSheets = [new CSSStyleSheet()]; document.adoptedStyleSheets[0].replaceSync('.part, .block { content-visibility: visible }')"
ANSWERS = {
    "1-how-much": ("document.querySelector('.verdict')", 230),
    "2-whose-text": ("document.querySelector('#source-1 h3')", 140),
    "3-quoted": (SECTION.format("in quotation marks"), 200),
    "4-referenced": (SECTION.format("a reference is near"), 200),
    "5-which-came-first": ("document.querySelector('#source-2 h3')", 140),
    "6-left-out": ("document.querySelector('.left').closest('p')", 150),
    "7-who-switched": (HEADING.format("History"), 120),
    "8-the-author": (HEADING.format("Statement of the author"), 150),
    "9-changed-since": ("[...document.querySelectorAll('li p')].find(one => one.textContent.includes('changed or removed'))", 220),
    "10-in-court": ("document.querySelector('a[href*=\"format=pdf\"]').closest('p')", 60),
}


class Pictures(Visitor):
    """Not a test by itself: tests/e2e/test_pictures.py runs it."""

    def take(self, folder: pathlib.Path) -> list[str]:
        """The names of the pictures that were made."""
        self.ask("POST", "/desk/collections", b"name=stories", FORM)
        self.send("/desk/collections/stories/documents", [], [(path.name, path.read_bytes()) for path in sorted((SAMPLE / "english").iterdir())])
        essay = SAMPLE / "english-query.txt"
        fields = [("collections", "stories"), ("title", "The watch, an essay"), ("owner", "A. Student")]
        _, answer, _ = self.send("/desk/checks", fields, [(essay.name, essay.read_bytes())])
        case = answer["location"]
        stored = (SAMPLE / "english" / "doyle-the-watch.txt").read_text(encoding="utf-8")
        pages = {"report": (case, 1500), "marks": (f"{case}/marks?source=1", 900), "checks": ("/desk/checks", 700), "server": ("/desk/server", 900)}
        with browser.Browser(width=WIDTH) as page:
            for name, (path, height) in pages.items():
                page.go(self.server.url + path)
                page.run(LAID_OUT)
                self.keep(page, folder / f"{name}.webp", height)
            page.go(self.server.url + "/desk/compare")
            for field, text in (("a", essay.read_text(encoding="utf-8")), ("b", stored)):
                page.run(f"document.querySelector('#{field}').value = {text!r}")
            page.run("document.querySelector('main form button').click()")
            page.wait_for("document.querySelector('#found') && document.readyState == 'complete'")
            page.run("document.querySelector('#found').scrollIntoView()")
            self.keep(page, folder / "compare.webp", 900, page.run("document.querySelector('#found').offsetTop"))
        return [*pages, "compare", *self.answers(folder)]

    def answers(self, folder: pathlib.Path) -> list[str]:
        """A report that has an answer to each of the ten questions, and what it shows."""

        def made(method: str, path: str, body: dict) -> dict:
            status, _, answer = self.ask(method, path, json.dumps(body).encode(), "application/json")
            self.assertIn(status, (200, 201), answer)
            return json.loads(answer)

        texts = {name: (SAMPLE / "english" / f"{name}.txt").read_text(encoding="utf-8") for name in ("doyle-the-watch", "nesbit-the-psammead")}
        documents = "/v1/collections/classics/documents"
        made("PUT", "/v1/collections/classics", {})
        for (name, text), title, date in zip(texts.items(), ("The Sign of the Four", "Five Children and It"), ("1890-02-01", "1902-10-01")):
            made("PUT", f"{documents}/{name}", {"text": text, "title": title, "metadata": {"date": date}})
        made("PUT", "/v1/policies/essays", {"exclude": {"bibliography": True}})
        watch, psammead = (" ".join(text[at : at + 800].split()) for text, at in zip(texts.values(), (4000, 3000)))
        essay = (
            f"This essay asks what a detective and a sand-fairy have in common.\n\n{watch}\n\nSo much for the watch; the fairy is another matter, "
            f"and Nesbit says it best: “{psammead}” [1, p. 12]. Nothing more needs to be said here.\n\nReferences\n\n1. Nesbit E. Five Children and It. "
            "London: Unwin, 1902.\n2. Doyle A. C. The Sign of the Four. London: Blackett, 1890.\n"
        )
        query = urllib.parse.urlencode({"collections": "classics", "policy": "essays", "title": "Fairies and watches, an essay"})
        status, _, answer = self.ask("POST", f"/v1/checks?{query}", essay.encode(), "text/plain; charset=utf-8")
        self.assertEqual(status, 201, answer)
        case = f"/desk/checks/{json.loads(answer)['id']}"
        link = made("POST", f"/v1{case.removeprefix('/desk')}/links", {"statement": True, "label": "A. Student"})["path"]
        self.assertEqual(self.ask("POST", link, b"statement=I+quoted+Nesbit,+and+I+forgot+to+name+Doyle.", FORM)[0], 303)
        made("PUT", f"{documents}/nesbit-the-psammead", {"text": texts["nesbit-the-psammead"] + "\n\nThe end.", "title": "Five Children and It", "metadata": {"date": "1902-10-01"}})
        page = self.ask("POST", "/desk/persons", b"id=anna.berg&name=Anna+Berg&roles=administrator", FORM)[2]
        secret = re.search(r"akin_[0-9a-f]{16}_[\w-]+", page)[0]
        with browser.Browser(width=WIDTH) as page_of_anna:
            page_of_anna.go(self.server.url + "/desk/sign-in")
            page_of_anna.wait_for("document.querySelector('#key') !== null")
            page_of_anna.run(f"document.querySelector('#key').value = '{secret}'; document.querySelector('main form').submit()")
            page_of_anna.wait_for("location.pathname == '/desk/' && document.readyState == 'complete'")
            page_of_anna.go(self.server.url + case)
            page_of_anna.run("import('/desk/switches.js').then(() => true)")
            page_of_anna.run(f"{SECTION.format('in quotation marks')}.parentElement.querySelector('button').click()")
            page_of_anna.wait_for("document.querySelector('#switch [name=revision]')?.value == 1")
            page_of_anna.go(self.server.url + case)
            page_of_anna.run(LAID_OUT)
            for name, (place, height) in ANSWERS.items():
                top = page_of_anna.run(f"(() => {{ const place = {place}; place.scrollIntoView(); return place.getBoundingClientRect().top + scrollY; }})()")
                self.keep(page_of_anna, folder / f"{name}.webp", height, top - 8)
        return list(ANSWERS)

    @staticmethod
    def keep(page, file: pathlib.Path, height: int, top: int = 0):
        clip = {"x": 0, "y": top, "width": WIDTH, "height": height, "scale": 1}
        shot = page.call("Page.captureScreenshot", format="webp", quality=60, clip=clip, captureBeyondViewport=True)
        file.write_bytes(base64.b64decode(shot["data"]))


def main() -> int:
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    pictures = Pictures("take")
    pictures.setUp()
    try:
        pictures.take(folder)
    finally:
        pictures.doCleanups()
    return 0


if __name__ == "__main__":
    sys.exit(main())
