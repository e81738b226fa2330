"""Has axe-core look for barriers on every page of the desk, in both languages, light and dark; and on the report as one file.

    AKIN=build/dev/cli/akin python3 accessible_pages.py FOLDER

FOLDER has the packages of tests/contract/axe/package.json in node_modules.
"""
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

import browser  # noqa: E402
from program import CHAMELEON, QUERY  # noqa: E402
from test_desk import FORM, Visitor  # noqa: E402

# WCAG 2.2 at levels A and AA, which EN 301 549 asks for, and what axe calls best practice.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "EN-301-549", "best-practice"]
LOOK = "axe.run(document, {runOnly: %s, resultTypes: ['violations']}).then(found => JSON.stringify(found.violations))" % json.dumps(RULES)


class AccessiblePages(Visitor):
    axe = ""

    def barriers(self, page: browser.Browser, path: str) -> list[str]:
        page.go(self.server.url + path)
        page.run(self.axe + "; 0")
        answer = page.call("Runtime.evaluate", expression=LOOK, awaitPromise=True, returnByValue=True)["result"]["value"]
        return [f"{path}: {one['id']}: {one['nodes'][0]['html'][:200]} ({one['help']})" for one in json.loads(answer)]

    def paths(self) -> list[str]:
        """A page of each kind, with something on it."""
        self.make_library()
        case = self.check(QUERY.read_text(encoding="utf-8"))
        check = case.rpartition("/")[2]
        link = json.loads(self.ask("POST", f"/v1/checks/{check}/links", b'{"statement": true}', "application/json")[2])["path"]
        self.ask("POST", "/desk/persons", b"id=anna&name=Anna&roles=reader", FORM)
        return [
            *("/desk/", "/desk/checks", "/desk/collections", "/desk/sign-in", case, f"{case}/marks?source=1", f"{case}/marks", "/desk/server"),
            *("/desk/rules", "/desk/rules/default", "/desk/persons", "/desk/keys", "/desk/log", "/desk/collections/stories/watches", "/desk/collections/stories/duplicates", "/desk/compare", "/desk/collections/stories", "/desk/nothing"),
            f"/desk/collections/stories/documents/{CHAMELEON}?similar=true", self.overview_of_pairs(), f"/v1/checks/{check}/report", link,
        ]

    def test_no_page_has_a_barrier(self):
        paths, found = self.paths(), []
        with browser.Browser() as page:
            for scheme in ("light", "dark"):
                page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
                for path in paths:
                    for language in ("en", "ru"):
                        found += self.barriers(page, f"{path}{'&' if '?' in path else '?'}lang={language}")
        self.assertEqual(found, [], "\n".join(found))
        print(f"{len(paths)} pages in two languages, light and dark: no barrier")


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv.pop(1))
    AccessiblePages.axe = (folder / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
    unittest.main()
