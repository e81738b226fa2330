"""What the tests of the package share: the program and data of the end-to-end tests, and a folder of its own for each test."""

import json
import os
import pathlib
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "e2e"))
from program import AkinTest, story  # noqa: E402

NEWS = [json.loads(line) for line in (SOURCE / "sample" / "news" / "stream.ndjson").read_text(encoding="utf-8").splitlines()]
TEXTS = [row["text"] for row in NEWS]
# What akin dedup keeps of the news, and by what it drops the others.
KEPT = ["vesti/1", "vesti/2"]
COVERED_BY = [None, None, "vesti/1", "vesti/2", "vesti/2"]

__all__ = ["COVERED_BY", "KEPT", "NEWS", "SOURCE", "TEXTS", "PackageTest", "story"]


class PackageTest(AkinTest):
    def setUp(self):
        super().setUp()
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
