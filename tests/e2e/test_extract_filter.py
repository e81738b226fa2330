"""Files whose text a command of the administrator makes."""
import json
import unittest
import zipfile

from program import AkinTest
from server_process import Server

TEX = (r"\documentclass{article}\begin{document}" + "\n"
       r"The \emph{mill} stood by the river, and nobody in the village remembered who had built it. "
       r"Every morning the old miller walked down to the water, and looked at the wheel." + "\n"
       r"\end{document}" + "\n")
PLAIN = ("The mill stood by the river, and nobody in the village remembered who had built it. "
         "Every morning the old miller walked down to the water, and looked at the wheel.\n")
DETEX = r"perl -pe s/\\[a-z]+(\{(article|document)\})?|[{}]//g"


class ExtractFilterTest(AkinTest):
    def setUp(self):
        super().setUp()
        (self.folder / "akin.toml").write_text(
            "extract-filter = ['.tex=" + DETEX + "', 'application/x-tex=" + DETEX + "', '.fail=false']\n")
        (self.folder / "a.tex").write_text(TEX)
        (self.folder / "plain.txt").write_text(PLAIN)

    def test_files_are_indexed_and_searched_for_as_the_text_that_it_makes(self):
        (self.folder / "b.fail").write_text("text\n")
        indexed = self.akin("index", "a.tex", "b.fail", "--config", "akin.toml", code=2)
        self.assertIn("b.fail: its filter 'false' ended with status 1", indexed.err)
        shown = self.akin("show", "a.tex", "--text", "--json", code=0)
        self.assertEqual(json.loads(shown.out)["text"].strip(), PLAIN.strip())
        found = json.loads(self.akin("similar", "plain.txt", "--bound", "0", "--json", code=0).out)
        self.assertEqual([(hit["id"], hit["contained"]) for hit in found["results"]], [("a.tex", 1.0)])

    def test_a_file_is_read_again_when_its_filter_changes(self):
        self.akin("index", "a.tex", "--config", "akin.toml", code=0)
        again = self.akin("index", "a.tex", "--config", "akin.toml", code=0)
        self.assertIn("1 unchanged", again.out + again.err)
        changed = self.akin("index", "a.tex", "--extract-filter", ".tex=cat", code=0)
        self.assertIn("1 replaced", changed.out + changed.err)

    def test_a_wrong_filter_is_refused_before_anything_is_read(self):
        refused = self.akin("index", "a.tex", "--extract-filter", "tex=detex", code=2)
        self.assertIn("--extract-filter: names neither a suffix of names nor a media type", refused.err)

    def test_a_server_reads_bodies_of_its_media_type(self):
        self.akin("index", "plain.txt", code=0)
        server = Server(self, "--config", self.folder / "akin.toml")
        connection = server.connect()
        self.addCleanup(connection.close)

        def put(media: str) -> tuple[int, dict]:
            connection.request("PUT", "/v1/collections/default/documents/a", TEX.encode(), {"Content-Type": media})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())

        status, answer = put("application/x-tex")
        self.assertEqual((status, answer["file"]["type"]), (201, "filtered"))
        self.assertEqual(put("application/x-latex")[0], 415)
        self.assertEqual(put(".tex")[0], 415)
        self.assertEqual(server.call("GET", "/default/documents/a")[1]["text"].strip(), PLAIN.strip())
        connection.request("GET", "/readyz")
        ready = json.loads(connection.getresponse().read())
        self.assertEqual(ready["extraction"]["filters"], ready["extraction"]["landlock"] > 0)

    def test_members_of_an_archive_are_read_by_it(self):
        with zipfile.ZipFile(self.folder / "papers.zip", "w") as papers:
            papers.writestr("old/a.TEX", TEX)
            papers.writestr("plain.txt", PLAIN)
        self.akin("index", "papers.zip", "--config", "akin.toml", code=0)
        shown = self.akin("show", "papers.zip!/old/a.TEX", "--text", "--json", code=0)
        self.assertEqual(json.loads(shown.out)["text"].strip(), PLAIN.strip())

    def test_a_query_is_read_by_it(self):
        self.akin("index", "plain.txt", code=0)
        found = self.akin("similar", "a.tex", "--bound", "0", "--json", "--config", "akin.toml", code=0)
        self.assertEqual([hit["contained"] for hit in json.loads(found.out)["results"]], [1.0])


if __name__ == "__main__":
    unittest.main()
