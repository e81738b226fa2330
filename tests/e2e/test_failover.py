"""A primary killed under puts: akin goes on with the standby that was promoted, and nothing acknowledged is lost."""
import http.client
import json
import subprocess
import threading
import time
import unittest

from program import LIBRARY, QUERY, AkinTest, story
from replication import Node, primary_and_standby
from server_process import Server


class Writer(threading.Thread):
    """Puts documents one after the other, each until it is acknowledged."""

    def __init__(self, server: Server, name: str, text: str):
        super().__init__()
        self.server, self.prefix, self.text = server, name, text
        self.acknowledged: list[tuple[str, float]] = []
        self.refused: set[int] = set()
        self.ends = False

    def run(self):
        connection = self.server.connect()
        number = 0
        while not self.ends:
            document = f"{self.prefix}-{number}"
            try:
                path = f"/books/documents/{document}"
                status, _ = self.server.call("PUT", path, f"{self.text} Number {number}.", connection)
            except (OSError, http.client.HTTPException):
                connection = self.server.connect()
                continue
            if status in (200, 201):
                self.acknowledged.append((document, time.monotonic()))
                number += 1
            else:
                self.refused.add(status)
                time.sleep(0.02)
        connection.close()


class FailoverTest(AkinTest):
    def wait_for_puts(self, writers: list[Writer], since: float):
        """Until each has had 20 acknowledged since then."""
        end = time.monotonic() + 60
        while min(len([1 for _, when in writer.acknowledged if when > since]) for writer in writers) < 20:
            self.assertLess(time.monotonic(), end, [writer.refused for writer in writers])
            time.sleep(0.01)

    def switch_under_puts(self, store: str, primary: Node, standby: Node):
        server = Server(self, "--store", store)
        self.assertEqual(server.call("PUT", "/books", {})[0], 201)
        writers = [Writer(server, name, story()) for name in ("a", "b")]
        for writer in writers:
            writer.start()
            self.addCleanup(setattr, writer, "ends", True)
        self.wait_for_puts(writers, 0)
        primary.kill()
        killed = time.monotonic()
        time.sleep(1)
        connection = server.connect()
        self.addCleanup(connection.close)
        plain = {"Content-Type": "text/plain; charset=utf-8"}
        connection.request("POST", "/v1/collections/books/similar?bound=0", story().encode(), plain)
        answer = connection.getresponse()
        self.assertEqual((answer.status, json.load(answer)["code"]), (503, "unavailable"), "there is no server")
        self.assertIn("Retry-After", answer.headers)
        standby.promote()
        promoted = time.monotonic()
        self.wait_for_puts(writers, promoted)
        for writer in writers:
            writer.ends = True
            writer.join()
        first = min(when for writer in writers for _, when in writer.acknowledged if when > killed + 0.5)
        before = sum(when < killed for writer in writers for _, when in writer.acknowledged)
        print(
            f"{before} puts before the kill; promoted {promoted - killed:.2f} s after it, "
            f"the next put acknowledged {first - promoted:+.2f} s from then"
        )
        for writer in writers:
            self.assertLessEqual(writer.refused, {503})
            for document, _ in writer.acknowledged:
                self.assertEqual(server.call("GET", f"/books/documents/{document}")[0], 200, document)
        documents = sum(len(writer.acknowledged) for writer in writers)
        self.assertEqual(server.call("GET", "/books")[1]["documents"], documents)
        found = server.call("POST", "/books/similar?bound=0", story())
        self.assertEqual(found[1]["total"], documents)
        self.akin("verify", "--deep", "--collection", "books", "--store", store, code=0)

    def test_a_promoted_standby_goes_on_with_everything_acknowledged(self):
        primary, standby = primary_and_standby(self)
        self.switch_under_puts(
            f"postgres://akin@127.0.0.1:{primary.port},127.0.0.1:{standby.port}/postgres"
            "?target_session_attrs=read-write&connect_timeout=3",
            primary, standby,
        )  # fmt: skip

    def test_check_tells_an_old_primary_that_is_back(self):
        primary, standby = primary_and_standby(self)
        both = f"postgres://akin@127.0.0.1:{primary.port},127.0.0.1:{standby.port}/postgres"
        self.akin("store", "init", both, code=0)
        before = self.akin("store", "check", both)
        self.assertRegex(before.out, f"ok +database: host 127.0.0.1:{standby.port} +a standby, timeline 1")
        self.assertNotIn("take writes", before.out)
        primary.kill()
        standby.promote()
        self.assertRegex(self.akin("store", "check", both).out, f"warn +database: host 127.0.0.1:{primary.port}")
        primary.start()
        after = self.akin("store", "check", both, code=2).out
        self.assertRegex(after, rf"fail +database: primaries +127.0.0.1:{primary.port} \(timeline 1\) and .* \(timeline 2\) take writes")

    def test_a_command_whose_commit_never_comes_ends_after_a_signal(self):
        primary = Node(self.folder, "first")
        self.addCleanup(primary.kill)
        primary.make_primary()
        self.akin("index", LIBRARY, "--store", primary.address, code=0)
        primary.ask("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        primary.ask("SELECT pg_reload_conf()")
        index = subprocess.Popen(self.command("index", QUERY, "--store", primary.address), env=self.environment,
                                 cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(index.kill)
        primary.wait_for("SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event = 'SyncRep'", "t")
        index.terminate()
        _, said = index.communicate(timeout=60)
        self.assertEqual((index.returncode, said.decode().count("ended without waiting")), (143, 1), said)


if __name__ == "__main__":
    unittest.main()
