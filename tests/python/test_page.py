"""The examples of docs/python.md print what the page shows."""

import doctest
import os
import re
import unittest

from package import SOURCE, PackageTest
from server_process import Server


class PageTest(PackageTest):
    def test_examples_print_what_the_page_shows(self):
        self.server = Server(self)
        os.symlink(SOURCE / "sample", self.folder / "sample")
        (self.folder / "build").mkdir()
        page = (SOURCE / "docs" / "python.md").read_text(encoding="utf-8")
        blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        self.assertGreater(len(blocks), 6)
        script = "\n".join(blocks).replace("http://127.0.0.1:7878", self.server.url)
        test = doctest.DocTestParser().get_doctest(script, {}, "python.md", "docs/python.md", 0)
        told: list[str] = []
        self.assertEqual(doctest.DocTestRunner().run(test, out=told.append).failed, 0, "".join(told))


if __name__ == "__main__":
    unittest.main()
