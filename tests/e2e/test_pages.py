"""Every ```console block of the documentation prints what the page shows."""
import unittest

from console_pages import BLOCK, SOURCE, Page


class PagesTest(unittest.TestCase):
    longMessage = False  # the joined complaints say it better than the list

    def test_shown_output_is_real(self):
        pages = [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))]
        for path in pages:
            if not path.exists() or not BLOCK.search(path.read_text(encoding="utf-8")):
                continue
            with self.subTest(path.name):
                page = Page(path)
                self.addCleanup(page.close)
                _, complaints = page.rewritten()
                self.assertFalse(complaints, "\n\n".join(complaints))


if __name__ == "__main__":
    unittest.main()
