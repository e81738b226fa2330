"""Files that take long to read keep neither other requests nor the server's end waiting."""
import http.client
import pathlib
import signal
import threading
import time
import unittest

from program import AkinTest
from server_process import Server
from slow_pdf import slow_pdf

FILES = 24  # of one client: with one worker it may have one read and 16 wait


class SlowFilesTest(AkinTest):
    def send_file(self, server: Server, answers: list):
        connection = server.connect()
        try:
            connection.request("POST", "/v1/collections/c/similar", slow_pdf(), {"Content-Type": "application/pdf"})
            answer = connection.getresponse()
            answer.read()
            answers.append((answer.status, answer.getheader("Retry-After")))
        except (OSError, http.client.HTTPException):
            answers.append((0, None))  # the server ended
        finally:
            connection.close()

    def test_slow_files_of_one_client_leave_room_for_other_requests(self):
        if not pathlib.Path(self.command()[0]).with_name("akin-extract").exists():
            self.skipTest("akin-extract is not built")
        server = Server(self, "--workers", "1")
        self.assertEqual(server.call("PUT", "/c")[0], 201)
        answers = []
        senders = [threading.Thread(target=self.send_file, args=(server, answers)) for _ in range(FILES)]
        for sender in senders:
            sender.start()
        deadline = time.monotonic() + 30
        while len(answers) < FILES - 17:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        self.assertEqual(set(answers), {(503, "1")})
        for number in range(10):
            begun = time.monotonic()
            self.assertEqual(server.call("PUT", f"/c/documents/{number}", "A short text. And another.")[0], 201)
            self.assertLess(time.monotonic() - begun, 5)
        self.assertEqual(len(answers), FILES - 17)
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(server.process.wait(timeout=30), 0)
        for sender in senders:
            sender.join(timeout=30)
        self.assertEqual(len(answers), FILES)


if __name__ == "__main__":
    unittest.main()
