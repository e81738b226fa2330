"""A primary killed under puts: akin goes on with the standby that was promoted, and nothing acknowledged is lost."""
import http.client
import json
import re
import shutil
import subprocess
import threading
import time
import unittest

from postgresql import Postgresql
from program import AkinTest, story
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


def newest_documents(test: AkinTest, database: Postgresql) -> list[tuple[str, str]]:
    """What `akin store check` finds about each collection's newest documents."""
    findings = test.akin("store", "check", database.address, "--json").json["findings"]
    return [(one["verdict"], one["value"]) for one in findings if one["what"].endswith(": newest documents")]


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

    def test_a_shard_goes_on_with_its_standby(self):
        primary, standby = primary_and_standby(self)
        coordinator = Postgresql(self.folder)
        self.addCleanup(coordinator.stop)
        other = Postgresql(self.folder, "other")
        self.addCleanup(other.stop)
        both = (
            f"host=127.0.0.1,127.0.0.1 port={primary.port},{standby.port} dbname=postgres user=akin"
            " target_session_attrs=read-write connect_timeout=3"
        )
        self.akin("store", "init", coordinator.address, "--shards", f"{both},{other.address}", code=0)
        self.switch_under_puts(coordinator.address, primary, standby)
        self.assertEqual(newest_documents(self, coordinator), [("ok", "all on their shards")])


class LostTransactionsTest(AkinTest):
    def test_a_shard_that_came_back_older_is_noticed(self):
        coordinator, *shards = [Postgresql(self.folder, name) for name in ("c", "s0", "s1")]
        for server in (coordinator, *shards):
            self.addCleanup(server.stop)
        addresses = ",".join(shard.address for shard in shards)
        self.akin("store", "init", coordinator.address, "--shards", addresses, code=0)
        store = ("--store", coordinator.address)
        self.index_library(*store)
        # Its disk as an asynchronous standby has it, which lacks the last transactions.
        shard = shards[1]
        shard.stop()
        subprocess.run(["cp", "-a", shard.folder / "data", shard.folder / "standby"], check=True)
        shard.start()
        for number in range(8):
            self.akin("index", self.write(f"later-{number}.txt", f"{story()} Number {number}."), *store, code=0)
        self.assertEqual(newest_documents(self, coordinator), [("ok", "all on their shards")])
        shard.stop()
        shutil.rmtree(shard.folder / "data")
        (shard.folder / "standby").rename(shard.folder / "data")
        shard.start()
        ((verdict, value),) = newest_documents(self, coordinator)
        self.assertEqual(verdict, "fail")
        lost = int(re.fullmatch(r"shard 1 lacks the content of (\d) of 19", value)[1])
        verified = self.akin("verify", *store, code=2)
        named = set(re.findall(r"later-\d\.txt", verified.out + verified.err))
        self.assertEqual(len(named), lost)
        # As the remedy says.
        self.akin("index", "--again", *sorted(named), *store, code=0)
        self.assertEqual(newest_documents(self, coordinator), [("ok", "all on their shards")])
        self.akin("verify", "--deep", *store, code=0)

if __name__ == "__main__":
    unittest.main()
