"""docs/examples/client.py against a server: each use that it has, and how it fails."""
import http.server
import itertools
import json
import os
import subprocess
import sys
import threading
import time
import unittest

from program import LIBRARY, SOURCE, AkinTest
from server_process import Server

EXAMPLES = SOURCE / "docs" / "examples"
sys.path.insert(0, str(EXAMPLES))

from client import Client, CutOff, Problem, described  # noqa: E402

FOX = (
    "A hungry fox saw some fine bunches of grapes. They were hanging from a vine along a high trellis. She did her best to reach "
    "them by jumping as high as she could into the air. But it was all in vain, for they were just out of reach. So she gave up "
    "trying and walked away with an air of dignity."
)
RETOLD = (
    "A fable. Hanging from a vine along a high trellis they were! She did her best to reach them by jumping as high as she could "
    "into the air. But it was all in vain, for they were just out of reach. A sad story."
)
UNLIKE = "".join(f"The {word} sentence was written for this test. " for word in ("first", "second", "third", "fourth", "fifth"))


class ClientTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.server = Server(self)
        self.client = Client(f"http://127.0.0.1:{self.server.port}")
        self.addCleanup(self.client.close)
        self.client.make_collection("books")

    def test_documents_change_only_in_the_version_that_is_known(self):
        first = self.client.put("books", "fables/fox", FOX, title="The Fox", metadata={"author": "N. N."}, new=True)
        document, etag = self.client.get("books", "fables/fox")
        self.assertEqual((etag, document["text"], document["metadata"]), (first, FOX, {"author": "N. N."}))
        self.assertEqual(self.client.get("books", "fables/fox", known_etag=first), (None, first))
        second = self.client.put("books", "fables/fox", RETOLD, etag=first)
        self.assertNotEqual(second, first)
        for change in (
            lambda: self.client.put("books", "fables/fox", FOX, etag=first),
            lambda: self.client.put("books", "fables/fox", FOX, new=True),
            lambda: self.client.remove("books", "fables/fox", etag=first),
        ):
            with self.assertRaises(Problem) as raised:
                change()
            self.assertEqual((raised.exception.status, raised.exception.code), (412, "precondition_failed"))
        self.client.remove("books", "fables/fox", etag=second)
        self.assertEqual(list(self.client.documents("books")), [])

    def test_lists_go_on_over_pages_and_filters_choose(self):
        for number in range(5):
            self.client.put("books", f"d{number}", FOX, metadata={"group": "even" if number % 2 == 0 else "odd"})
        self.assertEqual([entry["id"] for entry in self.client.documents("books", page=2)], ["d0", "d1", "d2", "d3", "d4"])
        chosen = self.client.documents("books", page=2, filter='group = "even"')
        self.assertEqual([entry["id"] for entry in chosen], ["d0", "d2", "d4"])

    def test_similar_documents_are_found_by_text_and_by_id(self):
        self.client.put("books", "fox", FOX, metadata={"author": "A"})
        self.client.put("books", "note", RETOLD, metadata={"author": "B"})
        by_text = self.client.similar("books", text=FOX, bound=0)
        self.assertEqual([result["id"] for result in by_text["results"]], ["fox", "note"])
        by_id = self.client.similar("books", document="fox", bound=0, include=["measures"])
        self.assertEqual([result["id"] for result in by_id["results"]], ["note"])
        others = self.client.similar("books", text=FOX, bound=0, filter='NOT author = "A"')
        self.assertEqual([result["id"] for result in others["results"]], ["note"])
        self.assertEqual(self.client.compare(FOX, FOX)["resemblance"], 1.0)

    def test_several_collections(self):
        self.client.make_collection("press")
        self.client.put("books", "fox", FOX)
        self.client.put("press", "monday", RETOLD)
        both = self.client.similar_across(["books", "press"], text=FOX, bound=0)
        self.assertEqual([(r["collection"], r["id"]) for r in both["results"]], [("books", "fox"), ("press", "monday")])

    def test_many_documents_are_stored_while_they_are_told(self):
        lines = [{"id": path.name, "text": path.read_text(encoding="utf-8")} for path in sorted(LIBRARY.iterdir())]
        results = list(self.client.bulk("books", [*lines, {"id": "none", "delete": True}]))
        self.assertEqual([result["status"] for result in results[:-2]], ["created"] * len(lines))
        self.assertEqual(results[-2]["error"]["code"], "not_found")
        self.assertEqual(results[-1]["summary"]["created"], len(lines))
        with self.assertRaises(Problem) as raised:
            list(self.client.bulk("nowhere", lines))
        self.assertEqual(raised.exception.code, "not_found")

    def test_answers_come_while_lines_are_still_being_made(self):
        told = threading.Event()

        def lines():
            yield {"id": "a", "text": FOX}
            self.assertTrue(told.wait(30), "the first line was not told before the second was sent")
            yield {"id": "b", "text": FOX}

        for result in self.client.bulk("books", lines()):
            told.set()
        self.assertEqual(result["summary"]["created"], 2)

    def test_pairs_are_found_by_a_task(self):
        self.client.put("books", "fox", FOX)
        self.client.put("books", "note", RETOLD)
        self.assertEqual([(pair["a"], pair["b"]) for pair in self.client.pairs("books", bound=0)], [("fox", "note")])
        self.assertEqual([task["status"] for task in self.client.tasks()], ["done"])
        self.assertEqual(self.client.reindex("books")["status"], "done")
        for task in self.client.tasks():
            self.assertTrue(self.client.cancel(task["id"])["deleted"])

    def test_a_text_is_checked_and_admitted(self):
        self.client.put("books", "fox", FOX)
        self.assertIsNone(self.client.put_policy("strict", {"refuse_share": 0.5, "bound": 0})["description"] or None)
        self.assertIn("strict", [policy["name"] for policy in self.client.policies()])
        check = self.client.check(["books"], text=FOX, policy="strict", owner="A")
        self.assertEqual((check["verdict"], check["share"]), ("refuse", 1.0))
        self.assertEqual(self.client.similar("books", document="fox", bound=0)["total"], 0, "a check stores nothing")
        stored = self.client.stored_check(check["id"], text=True, passage_text=True)
        self.assertEqual(stored["text"], FOX)
        self.assertIn("hungry fox", stored["sources"][0]["passages"][0]["a_text"])
        self.assertTrue(self.client.repeat_check(check["id"])["same"])
        self.assertEqual(self.client.admit(check["id"], "books", "fox-2")["admitted"]["id"], "fox-2")
        self.assertEqual(self.client.get("books", "fox-2")[0]["text"], FOX)

    def test_watches_tell_of_new_documents(self):
        watch = self.client.watch("books", "our-fable", text=FOX, bound=0)
        self.assertTrue(watch["enabled"])
        _, cursor = self.client.events("books")
        self.client.put("books", "monday", RETOLD)
        end = time.monotonic() + 30
        events = []
        while not events and time.monotonic() < end:
            events, cursor = self.client.events("books", cursor)
        self.assertEqual([(event["watch"], event["document"]["id"]) for event in events], [("our-fable", "monday")])
        self.assertEqual(self.client.events("books", cursor)[0], [])
        self.client.remove_watch("books", "our-fable")
        self.assertEqual(self.client.watches("books"), [])

    def test_a_key_allows_what_it_was_made_for(self):
        read = self.akin("key", "create", "--scope", "read", code=0).out.strip()
        with self.assertRaises(Problem) as without:
            self.client.collections()
        self.assertEqual(without.exception.code, "unauthenticated")
        with Client(f"http://127.0.0.1:{self.server.port}", key=read) as reader:
            self.assertEqual([entry["name"] for entry in reader.collections()], ["books"])
            with self.assertRaises(Problem) as raised:
                reader.put("books", "fox", FOX)
            self.assertEqual(raised.exception.code, "forbidden")

    def verb(self, *arguments, stdin: str | bytes = "", code: int = 0) -> str:
        """What the client prints for a verb; `code` is the exit code it must have."""
        done = subprocess.run(
            [sys.executable, "-B", EXAMPLES / "client.py", *arguments],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            env={**os.environ, "AKIN_URL": f"http://127.0.0.1:{self.server.port}"},
            cwd=self.folder,
            check=False,
        )
        told = (done.stdout + done.stderr).decode()
        self.assertEqual(done.returncode, code, told)
        return told

    def test_the_verb_put_stores_a_text_and_prints_its_etag(self):
        etag = self.verb("put", "fables", "fox", stdin=FOX).strip()
        self.assertEqual(self.client.get("fables", "fox")[1], etag)

    def test_the_verb_load_stores_files_and_prints_what_came_of_each(self):
        self.write("note.txt", RETOLD)
        told = [json.loads(line) for line in self.verb("load", "books", "note.txt").splitlines()]
        self.assertEqual([told[0]["status"], told[1]["summary"]["created"]], ["created", 1])

    def test_client_and_command_line_give_files_the_same_ids_and_titles(self):
        self.write("inbox/novels/fox.txt", FOX)
        self.write("inbox/novels/old/note.txt", b"\xef\xbb\xbf" + RETOLD.encode())
        self.write("inbox/novels/.hidden.txt", UNLIKE)
        self.write("other.txt", UNLIKE)
        self.verb("load", "by-client", "inbox/novels", "other.txt")
        self.akin("index", "inbox/novels", "other.txt", "--collection", "by-command", "--lang", "en", code=0)
        server = Server(self, "--lang", "en")
        with Client(f"http://127.0.0.1:{server.port}") as client:
            fields = ("id", "title", "code_points")
            stored = {
                name: [tuple(document[field] for field in fields) for document in client.documents(name)]
                for name in ("by-client", "by-command")
            }
        self.assertEqual([id for id, *_ in stored["by-client"]], ["fox.txt", "old/note.txt", "other.txt"])
        self.assertEqual(stored["by-client"], stored["by-command"])

    def test_tasks_are_read_page_by_page(self):
        made = [self.client.start("/v1/collections/books/compact", {})["id"] for _ in range(3)]
        self.assertEqual([task["id"] for task in self.client.tasks(page=1)][-3:], made)

    def test_the_verb_similar_prints_what_was_found_in_words(self):
        self.client.put("books", "fox", FOX)
        self.client.put("books", "note", RETOLD)
        told = self.verb("similar", "books", "--bound", "1", stdin=FOX)
        self.assertIn("2 stored documents share text with yours (more than 1 feature).\n\n1. fox\n", told)
        self.assertIn("2. note\n   40.0% of your text is in it (2 of 5 features),", told)
        self.assertIn("But it was all in vain", told)

    def test_the_verb_similar_does_without_texts_where_none_are_kept(self):
        self.client.make_collection("bare", store_text=False)
        self.client.put("bare", "fox", FOX)
        told = self.verb("similar", "bare", stdin=FOX)
        self.assertIn(f"   document, characters 0 to {len(FOX)}\n", told)
        self.assertNotIn("in vain", told)

    def test_the_verb_check_prints_its_verdict(self):
        self.client.put("books", "fox", FOX)
        self.assertRegex(self.verb("check", "books", stdin=FOX), r"^refuse: 100% of the text found, check-")
        self.assertRegex(self.verb("check", "books", stdin=UNLIKE), r"^pass: 0% of the text found, check-")

    def test_what_was_found_is_the_exit_code_only_where_that_is_asked_for(self):
        self.client.put("books", "fox", FOX)
        for verb in ("similar", "check"):
            self.verb(verb, "books", stdin=FOX, code=0)
            self.verb(verb, "books", "--exit-code", stdin=FOX, code=1)
            self.verb(verb, "books", "--exit-code", stdin=UNLIKE, code=0)

    def test_the_verb_events_goes_on_behind_a_cursor(self):
        self.client.watch("books", "our-fable", text=FOX, bound=0)
        self.client.put("books", "monday", RETOLD)
        told = self.when(lambda: (shown := self.verb("events", "books")).startswith("our-fable ") and shown, "no event came")
        self.assertEqual(told.splitlines()[0], "our-fable monday 40%")
        cursor = told.split()[-1]
        self.assertEqual(self.verb("events", "books", "--cursor", cursor), f"go on with --cursor {cursor}\n")

    def test_the_command_line_says_what_is_wrong(self):
        self.assertIn("PUT makes one) [not_found]\n", self.verb("similar", "nowhere", stdin=FOX, code=2))
        self.assertIn("not UTF-8 at byte 0", self.verb("similar", "books", stdin="лиса".encode("cp1251"), code=2))
        self.assertIn("Connection refused", self.verb("--url", "http://127.0.0.1:1", "events", "books", code=2))
        self.assertIn("usage: client.py", self.verb("nosuch", code=2))


class DescribedTest(unittest.TestCase):
    """What the verb `similar` prints of an answer."""

    @staticmethod
    def answer(*passages: dict, total: int = 1, bound: int = 3, features: int = 10) -> dict:
        result = {"id": "fox", "x": 5, "containment": 0.5, "contained": 0.25, "passages": list(passages)}
        return {"query": {"features": features}, "bound": bound, "total": total, "results": [result] if total else [], "next": None}

    def lines(self, *passages: dict, **fields) -> list[str]:
        return "\n".join(described(self.answer(*passages, **fields))).splitlines()

    def test_shares_are_those_of_either_text(self):
        self.assertEqual(
            self.lines(),
            [
                "1 stored document shares text with yours (more than 3 features).",
                "",
                "1. fox",
                "   50.0% of your text is in it (5 of 10 features),",
                "   which makes 25.0% of that document.",
            ],
        )

    def test_a_passage_shows_both_texts_and_leaves_out_words_in_its_middle(self):
        long = " ".join(f"word{number}" for number in range(100))
        told = self.lines({"a": [0, 3], "b": [7, 700], "features": 5, "a_text": "a\nb", "b_text": long})[6:]
        self.assertEqual(told[:3], ["   your text, characters 0 to 3", "      a b", "   document, characters 7 to 700"])
        shown = " ".join(line.strip() for line in told[3:])
        self.assertRegex(shown, r"^word0 word1 .* word\d+ \[…\] word\d+ .* word99$")
        self.assertLessEqual(len(shown), 280)

    def test_a_passage_without_texts_is_its_ranges(self):
        told = self.lines({"a": [0, 3], "b": [7, 9], "features": 5})[6:]
        self.assertEqual(told, ["   your text, characters 0 to 3", "   document, characters 7 to 9"])

    def test_the_largest_passages_come_first_and_the_others_are_counted(self):
        told = self.lines(*({"a": [number, 9], "b": [0, 9], "features": number} for number in range(7)))
        begins = [line.split()[3] for line in told if "your text, characters" in line]
        self.assertEqual(begins, ["6", "5", "4", "3", "2"])
        self.assertEqual(told[-1], "   … and 2 smaller passages.")

    def test_what_is_left_out_is_said(self):
        self.assertEqual(self.lines(total=7)[0], "7 stored documents share text with yours (more than 3 features); here are 1.")

    def test_the_reason_for_nothing_found_is_shown(self):
        answer = self.answer(total=0, features=2) | {"hint": "a text of 2 features cannot share more than 3: use a lower bound"}
        self.assertEqual(
            list(described(answer)),
            ["No stored document shares text with yours (more than 3 features).",
             "A text of 2 features cannot share more than 3: use a lower bound."],
        )

    def test_a_search_in_tiers_has_no_single_bound(self):
        answer = self.answer() | {"tiers": []}
        self.assertEqual(next(described(answer)), "1 stored document shares text with yours.")


class ScriptedServer:
    """Answers each request with the next of the answers given: bytes, as they are."""

    def __init__(self, test, *answers: bytes):
        left = itertools.chain(answers)

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.wfile.write(next(left))
                self.close_connection = True

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        test.addCleanup(self.server.server_close)
        test.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


def answer(status: str, *fields: str, body: bytes = b"{}") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *fields, "", ""]
    return "\r\n".join(lines).encode() + body


class TroubleTest(unittest.TestCase):
    BUSY = answer("503 Service Unavailable", "Retry-After: 0", "Content-Type: application/problem+json",
                  body=json.dumps({"status": 503, "code": "busy", "detail": "busy"}).encode())
    GOOD = answer("200 OK", "Content-Type: application/json", body=b'{"collections": [], "next": null}')

    def test_a_busy_server_is_asked_again(self):
        server = ScriptedServer(self, self.BUSY, self.BUSY, self.GOOD)
        with Client(server.url) as client:
            self.assertEqual(client.collections(), [])

    def test_a_server_that_stays_busy_is_given_up(self):
        server = ScriptedServer(self, *[self.BUSY] * 3)
        with Client(server.url, attempts=3) as client, self.assertRaises(Problem) as raised:
            client.collections()
        self.assertEqual(raised.exception.code, "busy")

    def test_a_stream_without_a_summary_is_cut_off(self):
        server = ScriptedServer(self, answer("200 OK", "Content-Type: application/x-ndjson", body=b'{"line": 1, "status": "created"}\n'))
        with Client(server.url) as client, self.assertRaises(CutOff):
            list(client.bulk("books", [{"id": "a", "text": FOX}]))


if __name__ == "__main__":
    unittest.main()
