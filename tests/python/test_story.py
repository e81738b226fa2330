"""The chain of a story, and its page from the state of a stream."""

import json
import subprocess
import sys
import unittest

import akin
from package import NEWS, PackageTest

AGENCY = {"id": "agency/1", "title": "A <bridge>", "text": NEWS[0]["text"], "time": "2026-05-01T08:00:00Z", "source": "agency.example"}


class StoryTest(PackageTest):
    def test_each_document_is_taken_from_the_earlier_one_that_has_most_of_it(self):
        chain = akin.story([NEWS[0], NEWS[2], AGENCY])
        self.assertEqual([(one.id, one.of) for one in chain], [("agency/1", None), ("vesti/1", 0), ("portal/7", 0)])
        self.assertEqual([round(one.share, 2) for one in chain], [0, 1, 0.85])
        self.assertEqual(chain[2].compare().passages[0].words, 28)
        with self.assertRaisesRegex(ValueError, "agency/1"):
            chain[0].compare()

    def test_documents_in_other_words_have_no_source(self):
        chain = akin.story([{"id": "a", "text": "The bridge opened."}, {"id": "b", "text": "A crossing was inaugurated."}])
        self.assertEqual([one.of for one in chain], [None, None])
        self.assertNotIn("<h2>", chain._repr_html_())

    def test_the_state_of_a_stream_has_the_page_of_each_story(self):
        lines = "".join(json.dumps(one) + "\n" for one in [*NEWS, AGENCY]).encode()
        self.akin("stream", "--state", "window", stdin=lines, code=0)
        page = self.page("portal/7").decode()
        self.assertIn("<h1>A &lt;bridge&gt;</h1>", page)
        places = [page.index(f"<td>{source}</td>") for source in ("agency.example", "vesti.example", "portal.example")]
        self.assertEqual(places, sorted(places))
        self.assertIn("<h2>portal.example ← agency.example</h2>", page)
        self.assertIn("<mark", page)
        self.assertNotIn("Погода", page)
        self.page("nobody", code=2)

    def page(self, name: str, code: int = 0) -> bytes:
        done = subprocess.run([sys.executable, "-m", "akin", "story", "window", name], capture_output=True, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout


if __name__ == "__main__":
    unittest.main()
