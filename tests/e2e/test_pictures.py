"""The pictures of docs/desk/ show the desk: each is made again, and each page that it shows is there."""
import unittest

import browser
from desk_pictures import Pictures
from program import SOURCE


@unittest.skipUnless(browser.program(), "Chromium is not installed")
class PicturesTest(Pictures):
    def test_every_picture_of_the_page_can_be_made_again(self):
        names = self.take(self.folder)
        kept = SOURCE / "docs" / "desk"
        self.assertEqual({f"{name}.webp" for name in names}, {file.name for file in kept.iterdir()})
        for name in names:
            made, old = (self.folder / f"{name}.webp").read_bytes(), (kept / f"{name}.webp").read_bytes()
            self.assertEqual((made[:4], old[:4]), (b"RIFF", b"RIFF"), name)
            # The same page on a machine with other letters takes about as many bytes.
            self.assertLess(abs(len(made) - len(old)), len(old) / 2, f"{name}: make it again by tests/e2e/desk_pictures.py")
