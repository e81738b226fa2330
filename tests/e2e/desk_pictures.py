"""Makes the pictures of docs/desk/ from the desk itself, over the sample in English.

    AKIN=build/dev/cli/akin python3 tests/e2e/desk_pictures.py docs/desk
"""
import base64
import pathlib
import sys

import browser
from program import SOURCE
from test_desk import FORM, Visitor

SAMPLE = SOURCE / "sample"
WIDTH = 1000


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
        pages = {"report": (case, 900), "marks": (f"{case}/marks?source=1", 900), "checks": ("/desk/checks", 500), "server": ("/desk/server", 900)}
        with browser.Browser(width=WIDTH) as page:
            for name, (path, height) in pages.items():
                page.go(self.server.url + path)
                self.keep(page, folder / f"{name}.webp", height)
            page.go(self.server.url + "/desk/compare")
            for field, text in (("a", essay.read_text(encoding="utf-8")), ("b", stored)):
                page.run(f"document.querySelector('#{field}').value = {text!r}")
            page.run("document.querySelector('main form button').click()")
            page.wait_for("document.querySelector('#found') && document.readyState == 'complete'")
            page.run("document.querySelector('#found').scrollIntoView()")
            self.keep(page, folder / "compare.webp", 900, page.run("document.querySelector('#found').offsetTop"))
        return [*pages, "compare"]

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
