"""akin serve over loopback: the whole way by HTTP, beside the command line, and through a kill."""
import http.client
import signal
import socket
import threading
import time
import unittest

from program import CHAMELEON, LIBRARY, QUERY, AkinTest, story
from server_process import Server, quoted


def passages(count: int) -> list[str]:
    """That many different real texts: windows of eight paragraphs over the sample library."""
    lines = [line for path in sorted(LIBRARY.iterdir()) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return ["\n\n".join(lines[at : at + 8]) for at in (number * 3 % (len(lines) - 8) for number in range(count))]


class ServeTest(AkinTest):
    def fill(self, server: Server):
        status, _ = server.call("PUT", "/books", {})
        self.assertIn(status, (200, 201))
        for name in self.ids():
            status, _ = server.call("PUT", f"/books/documents/{name}", story(name))
            self.assertEqual(status, 201)

    def test_a_filter_of_the_longest_length_can_be_sent(self):
        server = Server(self)
        server.call("PUT", "/books", {})
        value = "ё" * ((16384 - len('author = ""')) // 2)
        for text, status in ((f'author = "{value}"', 200), (f'author = "{value}ё"', 413)):
            answered, answer = server.call("GET", "/books/documents?filter=" + quoted(text))
            self.assertEqual(answered, status, str(answer)[:300])

    def test_put_get_similar_delete(self):
        server = Server(self)
        self.fill(server)
        status, answer = server.call("POST", "/books/similar", QUERY.read_text(encoding="utf-8"))
        self.assertEqual((status, answer["total"], answer["results"][0]["id"]), (200, 1, CHAMELEON))
        status, record = server.call("GET", f"/books/documents/{CHAMELEON}")
        self.assertEqual((status, record["code_points"]), (200, len(story())))
        status, _ = server.call("DELETE", f"/books/documents/{CHAMELEON}")
        self.assertEqual(status, 200)
        status, error = server.call("GET", f"/books/documents/{CHAMELEON}")
        self.assertEqual((status, error["code"]), (404, "not_found"))
        status, answer = server.call("POST", "/books/similar", QUERY.read_text(encoding="utf-8"))
        self.assertEqual(answer["total"], 0)

    def test_api_and_command_line_give_the_same_object(self):
        server = Server(self)
        self.fill(server)
        _, over_http = server.call("POST", "/books/similar", QUERY.read_text(encoding="utf-8"))
        by_command = self.akin("similar", QUERY, "--collection", "books", "--json", code=0).json
        self.assertEqual(over_http, by_command)

    def test_bad_requests_are_told_what_is_wrong(self):
        server = Server(self, "--body-limit", "100000")
        self.fill(server)
        rows = [
            ("POST", "/books/similar?bound=x", "text", 400),
            ("POST", "/books/similar", {"txt": "x"}, 400),
            ("POST", "/nowhere/similar", "text", 404),
            ("PUT", "/books/documents/big", "a. " * 50000, 413),
            ("PUT", "/bad%2Fname", {}, 400),
        ]
        for method, path, body, expected in rows:
            with self.subTest(path=path):
                try:
                    status, error = server.call(method, path, body)
                except (BrokenPipeError, ConnectionResetError):
                    self.assertEqual(expected, 413)  # the server may close before the body is through
                    continue
                self.assertEqual(status, expected, error)
                self.assertLessEqual({"code", "detail"}, error.keys())

    def test_documents_indexed_by_another_process_are_found_at_once(self):
        self.index_library()
        self.akin("delete", CHAMELEON, code=0)
        server = Server(self)
        query = QUERY.read_text(encoding="utf-8")
        self.assertEqual(server.call("POST", "/default/similar", query)[1]["total"], 0)
        self.akin("index", LIBRARY / CHAMELEON, code=0)
        self.assertEqual(server.call("POST", "/default/similar", query)[1]["total"], 1)

    def test_server_answers_from_the_new_index_after_a_reindex(self):
        self.index_library()
        server = Server(self)
        query = QUERY.read_text(encoding="utf-8")
        before = server.call("POST", "/default/similar", query)[1]["results"][0]
        self.akin("reindex", "--scheme", "sentences", code=0)
        status, stats = server.call("GET", "/default")
        self.assertEqual((status, stats["scheme"], stats["documents"]), (200, "sentences", 11))
        after = server.call("POST", "/default/similar", query)[1]["results"][0]
        self.assertEqual(after["id"], before["id"])
        self.assertGreater(after["x"], before["x"])
        status, _ = server.call("PUT", "/default/documents/new", query)
        self.assertEqual(status, 201)

    def test_index_of_other_languages_is_searched_with_its_own(self):
        self.index_library()
        server = Server(self)
        self.akin("reindex", "--lang", "ru", code=0)
        status, answer = server.call("POST", "/default/similar", QUERY.read_text(encoding="utf-8"))
        self.assertEqual((status, [one["id"] for one in answer["results"]]), (200, [CHAMELEON]))
        status, stats = server.call("GET", "/default")
        self.assertEqual((stats["languages"], stats["dictionaries"]["outdated"]), ("ru", False))

    def test_index_whose_dictionaries_are_gone_is_refused_with_the_remedy(self):
        self.write("mine.txt", "go: zorbling\n")
        self.index_library("--supplement", "mine.txt")
        (self.data / "collections" / "default" / "gen-1" / "dictionary").unlink()
        server = Server(self)
        status, error = server.call("POST", "/default/similar", QUERY.read_text(encoding="utf-8"))
        self.assertEqual((status, error["code"]), (409, "mismatch"))
        self.assertIn("reindex", error["detail"])

    def test_terminate_lets_a_request_under_way_finish(self):
        server = Server(self)
        server.call("PUT", "/books", {})
        body = (story() * 30).encode()
        with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
            head = (
                "PUT /v1/collections/books/documents/long HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
                f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
            )
            connection.sendall(head.encode() + body[:1000])
            time.sleep(0.3)
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
            connection.sendall(body[1000:])
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            self.assertEqual(answer.status, 201)
        self.assertEqual(server.process.wait(timeout=60), 0)
        self.akin("show", "long", "--collection", "books", code=0)
        self.akin("verify", "--collection", "books", code=0)

    def test_address_in_use_is_an_error(self):
        server = Server(self)
        answer = self.akin("serve", "--listen", f"127.0.0.1:{server.port}", code=2)
        self.assertIn(str(server.port), answer.err)


def marked(text: str, writer: int, number: int, version: int) -> str:
    """The text with an opening sentence that no other has: its word spells the three numbers in consonants."""
    word = "".join("бвгджзклмн"[int(digit)] for digit in f"{writer}{version}{number:05}")
    return f"Знак {word}.\n\n{text}"


class KillTest(AkinTest):
    ROUNDS = 3
    WRITERS = 4

    def stream_puts(self, server: Server, writer: int, first: int, texts: list[str], acknowledged: dict[str, str]):
        """PUTs under ids of this writer until the server dies; every other id is written twice."""
        connection = server.connect()
        try:
            for number in range(first, len(texts)):
                for version in range(1 + number % 2):
                    name = f"w{writer}/{number}"
                    text = marked(texts[number], writer, number, version)
                    status, _ = server.call("PUT", f"/books/documents/{quoted(name)}", text, connection)
                    if status in (200, 201):
                        acknowledged[name] = text
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()

    def kill_while_writing(self, seconds: float, first: int, texts: list[str]) -> dict[str, str]:
        """One server's life; returns the last acknowledged text of every id."""
        server = Server(self)
        server.call("PUT", "/books", {})
        written: list[dict[str, str]] = [{} for _ in range(self.WRITERS)]
        writers = [
            threading.Thread(target=self.stream_puts, args=(server, number, first, texts, written[number]))
            for number in range(self.WRITERS)
        ]
        for writer in writers:
            writer.start()
        time.sleep(seconds)
        server.process.kill()
        for writer in writers:
            writer.join()
        server.close()
        return {name: text for one in written for name, text in one.items()}

    def test_acknowledged_documents_survive_kill_9(self):
        texts = passages(100_000)
        acknowledged: dict[str, str] = {}
        for round_number in range(self.ROUNDS):
            acknowledged |= self.kill_while_writing(1.0 + 0.37 * round_number, round_number * 30_000, texts)
            self.akin("verify", "--deep", "--collection", "books", code=0)
        self.assertGreater(len(acknowledged), 20)
        server = Server(self)
        connection = server.connect()
        for name, text in acknowledged.items():
            path = f"/books/documents/{quoted(name)}?include=text"
            status, record = server.call("GET", path, connection=connection)
            self.assertEqual((status, record.get("id")), (200, name))
            if record["text"] == text:
                answer = server.call("POST", "/books/similar?bound=0&limit=1&include=measures", text, connection)[1]
                best = answer["results"][0]
                self.assertEqual((best["id"], best["resemblance"]), (name, 1))
            else:
                # A second PUT was under way when the server died: stored, not yet acknowledged.
                writer, number = name[1:].split("/")
                self.assertEqual(record["text"], marked(texts[int(number)], int(writer), int(number), 1))
        connection.close()


if __name__ == "__main__":
    unittest.main()
