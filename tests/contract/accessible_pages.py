"""Has axe-core look for barriers on every page of the desk, in both languages, light and dark; and on the report as one file,
on the text beside its sources and on the box that says what a match is, at 1280 and 320 pixels.

    AKIN=build/dev/cli/akin python3 accessible_pages.py FOLDER [--pictures FOLDER]

FOLDER has the packages of tests/contract/axe/package.json in node_modules; the second gets pictures of what it looked at.
"""
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

import browser  # noqa: E402
from program import CHAMELEON, QUERY  # noqa: E402
from test_desk import FORM, Visitor  # noqa: E402
from test_files import make_pdf  # noqa: E402

# WCAG 2.2 at levels A and AA, which EN 301 549 asks for, and what axe calls best practice.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "EN-301-549", "best-practice"]
LOOK = "axe.run(document, {runOnly: %s, resultTypes: ['violations']}).then(found => JSON.stringify(found.violations))" % json.dumps(RULES)


class AccessiblePages(Visitor):
    axe = ""
    pictures: pathlib.Path | None = None

    def barriers(self, page: browser.Browser, name: str) -> list[str]:
        """On the page that is open."""
        page.run(self.axe + "; 0")
        answer = page.call("Runtime.evaluate", expression=LOOK, awaitPromise=True, returnByValue=True)["result"]["value"]
        return [f"{name}: {one['id']}: {one['nodes'][0]['html'][:200]} ({one['help']})" for one in json.loads(answer)]

    def paths(self) -> list[str]:
        """A page of each kind, with something on it."""
        self.make_library()
        case = self.check(QUERY.read_text(encoding="utf-8"))
        check = case.rpartition("/")[2]
        link = json.loads(self.ask("POST", f"/v1/checks/{check}/links", b'{"statement": true}', "application/json")[2])["path"]
        self.ask("PUT", "/v1/policies/kept", b'{"store_files": true}', "application/json")
        kept = self.send("/desk/checks", [("collections", "stories"), ("policy", "kept")], [("a.pdf", make_pdf(["A page of few words."]))])[1]["location"]
        self.wait_for(kept)
        broken = self.send("/desk/checks", [("collections", "stories")], [("b.pdf", b"%PDF-1.7 nothing")])[1]["location"]
        self.wait_for(broken)
        cohort = self.overview_of_pairs()
        self.ask("POST", "/desk/persons", b"id=anna&name=Anna&roles=reader", FORM)
        return [
            *("/desk/", "/desk/checks", "/desk/collections", "/desk/sign-in", case, f"{case}/marks?source=1", f"{case}/marks", "/desk/server"),
            *("/desk/rules", "/desk/rules/default", "/desk/persons", "/desk/keys", "/desk/log", "/desk/collections/stories/watches", "/desk/collections/stories/duplicates", "/desk/compare", "/desk/collections/stories", "/desk/nothing"),
            f"/desk/collections/stories/documents/{CHAMELEON}?similar=true", cohort, cohort.replace("cohorts", "pairs"), cohort.replace("cohorts", "pairs") + "#pair-1", f"{cohort}?hide_names=true",
            f"{kept}/pages/1", broken, f"{case}?source=1&hide_quoted=true", f"{case}?names=hide", f"/v1/checks/{check}/report", link,
        ]

    def test_neither_pane_nor_box_has_a_barrier_or_needs_scrolling_sideways(self):
        self.make_library()
        case, found = self.check(QUERY.read_text(encoding="utf-8")), []
        beside = "document.querySelector('#beside').click()"
        box = "document.querySelector('#p1').dispatchEvent(new Event('say', {bubbles: true}))"
        with browser.Browser() as page:
            for width in (1280, 640, 320):  # 640: as 1280 at 200 %
                page.size(width, 800)
                for scheme in ("light", "dark"):
                    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
                    for name, then, shown in (("beside", beside, "document.documentElement.matches('.beside')"), ("box", box, "document.querySelector('dialog[open]') !== null")):
                        page.go(self.server.url + case)
                        page.run("Promise.all([import('/desk/beside.js'), import('/desk/says.js')]).then(() => true)")
                        page.run(f"{then}; 0")
                        page.wait_for(shown)
                        found += self.barriers(page, f"{name} {width} {scheme}")
                        if page.run("document.documentElement.scrollWidth > innerWidth"):
                            found.append(f"{name} {width}: it scrolls sideways")
                        if self.pictures:
                            page.screenshot(self.pictures / f"{name}-{width}-{scheme}.png")
        self.assertEqual(found, [], "\n".join(found))

    def test_no_page_has_a_barrier(self):
        paths, found = self.paths(), []
        with browser.Browser() as page:
            for scheme in ("light", "dark"):
                page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
                for path, _, part in (one.partition("#") for one in paths):
                    for language in ("en", "ru"):
                        path_in = f"{path}{'&' if '?' in path else '?'}lang={language}#{part}"
                        page.go(self.server.url + path_in)
                        found += self.barriers(page, path_in)
        self.assertEqual(found, [], "\n".join(found))
        print(f"{len(paths)} pages in two languages, light and dark: no barrier")


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv.pop(1))
    AccessiblePages.axe = (folder / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
    if "--pictures" in sys.argv:
        at = sys.argv.index("--pictures")
        AccessiblePages.pictures = pathlib.Path(sys.argv[at + 1])
        del sys.argv[at : at + 2]
    unittest.main()
