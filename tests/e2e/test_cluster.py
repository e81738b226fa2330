"""Collections in a cluster, as docs/scale.md shows them, and what akin refuses there."""
import base64
import http.client
import http.server
import json
import pathlib
import re
import ssl
import subprocess
import threading
import time
import unittest

import opensearch
from program import LIBRARY, SOURCE, AkinTest
from server_process import Server

PAGE = SOURCE / "docs" / "scale.md"
# Seconds after which a job whose cluster takes no changes has ended (docs/scale.md), with a request before it began.
GIVEN_UP = 90 + 60


class InCluster(AkinTest):
    def setUp(self):
        super().setUp()
        self.address = opensearch.new_address()

    def in_cluster(self, *arguments, **how):
        return self.akin(*arguments, "--store", self.address, **how)


class ClusterTest(InCluster):
    def test_the_commands_of_the_page_index_and_find(self):
        block = re.search(r"```sh\n(export AKIN_STORE=opensearch.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL).group(1)
        setting, *commands = block.splitlines()
        self.assertEqual(setting, "export AKIN_STORE=opensearch+http://127.0.0.1:9200/library")
        self.assertEqual(commands[-1], "akin serve")
        (self.folder / "sample").symlink_to(SOURCE / "sample")
        for command in commands[:-1]:
            words = [str(self.folder / word) if word.startswith("sample/") else word for word in command.split()[1:]]
            answer = self.akin(*words, code=0, AKIN_STORE=self.address)
        self.assertIn("chekhov", answer.out)
        self.environment["AKIN_STORE"] = self.address
        server = Server(self)
        status, listed = server.call("GET", "")
        self.assertEqual(status, 200)
        self.assertEqual(listed["collections"][0]["documents"], len(list(LIBRARY.iterdir())))

    def test_a_server_stores_changes_and_removes_documents(self):
        server = Server(self, "--store", self.address)
        connection = server.connect()

        def send(method, path, text=None, **headers):
            body = None if text is None else json.dumps({"text": text})
            connection.request(method, f"/v1/collections/books{path}", body, {"Content-Type": "application/json", **headers})
            answer = connection.getresponse()
            return answer.status, answer.getheader("ETag"), answer.read().decode()

        self.assertEqual(send("PUT", "")[0], 201)
        status, first, _ = send("PUT", "/documents/a", "Das ist ein Satz. Hier steht noch einer. Und ein dritter.")
        self.assertEqual(status, 201)
        self.assertEqual(send("PUT", "/documents/a", "Anders.", **{"If-None-Match": "*"})[0], 412)
        status, second, _ = send("PUT", "/documents/a", "Ganz anders steht es hier.", **{"If-Match": first})
        self.assertEqual(status, 200)
        self.assertEqual(send("PUT", "/documents/a", "Zu spät.", **{"If-Match": first})[0], 412)
        self.assertIn("Ganz anders", send("GET", "/documents/a")[2])
        self.assertEqual(send("DELETE", "/documents/a", **{"If-Match": second})[0], 200)
        self.assertEqual(send("GET", "/documents/a")[0], 404)
        connection.close()

    def test_pairs_groups_and_common_features_are_those_of_a_copy(self):
        self.in_cluster("index", LIBRARY, "--set", "language=ru", code=0)
        for name in ("copy of one", "copy of another"):
            text = (LIBRARY / "chekhov-burbot.txt").read_text(encoding="utf-8")
            self.in_cluster("index", self.write(f"{name}.txt", text), "--set", "language=ru", code=0)
        self.akin("store", "copy", self.address, self.data, code=0)
        for command in (("pairs",), ("pairs", "--bound", "0"), ("pairs", "--filter", 'language = "ru"', "--bound", "0"), ("groups",),
                        ("groups", "--linkage", "complete"), ("groups", "--bound", "3")):
            printed = self.in_cluster(*command, "--json", code=0).out
            self.assertIn("chekhov", printed)
            self.assertEqual(sorted(printed.splitlines()), sorted(self.akin(*command, "--json", code=0).out.splitlines()))
        common = [json.loads(akin("stats", "--common", "5", "--json", code=0).out)["most_common"] for akin in (self.in_cluster, self.akin)]
        self.assertEqual(common[0], common[1])

    def test_what_was_erased_is_in_no_document_and_no_shard_keeps_it(self):
        self.in_cluster("index", LIBRARY, code=0)
        erased = LIBRARY / "chekhov-chameleon.txt"
        lost = self.write("lost.txt", erased.read_text(encoding="utf-8").splitlines()[2] + "\n")
        self.assertIn(f"default: {erased.name}: 1\n", self.in_cluster("erase", "prove", lost, code=2).out)
        self.in_cluster("delete", erased.name, code=0)
        kept = self.in_cluster("erase", "prove", lost, code=2).out
        self.assertNotIn(erased.name, kept)
        self.assertIn("still keeps", kept)
        self.in_cluster("compact", code=0)
        self.assertIn(f"found nowhere in {len(list(LIBRARY.iterdir())) - 1} documents", self.in_cluster("erase", "prove", lost, code=0).out)

    def test_a_full_disk_is_507(self):
        server = Server(self, "--store", self.address)
        self.assertEqual(server.call("PUT", "/books", {})[0], 201)
        prefix = self.address.rpartition("/")[2]
        settings = f"/{prefix}-store-*/_settings"
        opensearch.shared_cluster().ask("PUT", settings, {"index.blocks.read_only_allow_delete": True})
        status, problem = server.call("PUT", "/books/documents/a", {"text": "Hier steht ein Satz."})
        self.assertEqual((status, problem["code"]), (507, "disk_full"))
        opensearch.shared_cluster().ask("PUT", settings, {"index.blocks.read_only_allow_delete": None})
        status, _ = server.call("PUT", "/books/documents/a", {"text": "Hier steht ein Satz."})
        self.assertEqual(status, 201)

    def test_wrong_addresses_and_versions_are_refused(self):
        self.assertIn("opensearch+https://user@host:9200/akin", self.akin("stats", "--store", "opensearch+ftp://host/a").err)
        self.assertIn("--store", self.akin("stats", "--store", f"opensearch+http://127.0.0.1:{opensearch.free_port()}/a").err)

        class Other(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(json.dumps({"version": {"number": "7.17.0"}}).encode())

            def log_message(self, *_):
                pass

        with http.server.HTTPServer(("127.0.0.1", 0), Other) as other:
            threading.Thread(target=other.serve_forever, daemon=True).start()
            refused = self.akin("stats", "--store", f"opensearch+http://127.0.0.1:{other.server_port}/a")
            other.shutdown()
        self.assertIn("7.17.0", refused.err)
        self.assertIn("OpenSearch 2 or 3", refused.err)


def forwarding(node: int, note) -> type[http.server.BaseHTTPRequestHandler]:
    """Forwards requests to the port of a node, after note(handler)."""

    class Proxy(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def forward(self):
            note(self)
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            connection = http.client.HTTPConnection("127.0.0.1", node, timeout=60)
            connection.request(self.command, self.path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            content = answer.read()
            self.send_response(answer.status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)
            connection.close()

        do_DELETE = do_GET = do_HEAD = do_POST = do_PUT = forward

        def log_message(self, *_):
            pass

    return Proxy


class RequestsTest(InCluster):
    def test_a_search_asks_six_times_at_most(self):
        self.in_cluster("index", LIBRARY, "--set", "language=ru", code=0)
        asked = []
        text = (LIBRARY / "chekhov-burbot.txt").read_text(encoding="utf-8")
        handler = forwarding(opensearch.shared_cluster().ports[0][0], lambda request: asked.append(f"{request.command} {request.path}"))
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as proxy:
            threading.Thread(target=proxy.serve_forever, daemon=True).start()
            server = Server(self, "--store", f"opensearch+http://127.0.0.1:{proxy.server_port}/{self.address.rpartition('/')[2]}")
            self.assertEqual(server.call("POST", "/default/similar", {"text": text})[0], 200)  # opens the collection
            for query in ("", "?bound=0", "?bound=3", "?tiers=pairs"):
                # Other queries than those before: nothing of them is kept.
                asked.clear()
                status, found = server.call("POST", f"/default/similar{query}", {"text": text[:len(text) - 100 * (1 + len(query))]})
                self.assertEqual(status, 200, found)
                self.assertGreater(found["total"], 0)
                self.assertLessEqual(len(asked), 6, (query, asked))
            proxy.shutdown()


class LongMergeTest(InCluster):
    """A node whose merges take longer than one answer may."""

    def setUp(self):
        super().setUp()
        self.begun, self.polls, test = [], [], self

        class Slow(forwarding(opensearch.shared_cluster().ports[0][0], lambda request: None)):
            def do_POST(self):
                path, _, parameters = self.path.partition("?")
                if path.endswith("/_forcemerge"):
                    test.begun.append(parameters)
                    if "wait_for_completion=false" not in parameters:
                        return self.send_error(504)
                return self.forward()

            def do_GET(self):
                if not self.path.startswith("/_tasks/"):
                    return self.forward()
                test.polls.append(self.path)
                if len(test.polls) % 4 == 0:
                    return self.forward()
                self.send_response(200)
                self.send_header("Content-Length", "20")
                self.end_headers()
                return self.wfile.write(b'{"completed": false}')

        self.proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow)
        threading.Thread(target=self.proxy.serve_forever, daemon=True).start()
        self.addCleanup(self.proxy.server_close)
        self.addCleanup(self.proxy.shutdown)
        self.address = f"opensearch+http://127.0.0.1:{self.proxy.server_port}/{self.address.rpartition('/')[2]}"

    def test_a_load_and_a_compaction_wait_for_it(self):
        self.in_cluster("index", LIBRARY, code=0)
        self.assertIn("max_num_segments=1", self.begun[0])
        self.assertGreaterEqual(len(self.polls), 4)
        self.in_cluster("delete", "chekhov-chameleon.txt", code=0)
        self.begun.clear()
        self.polls.clear()
        self.in_cluster("compact", code=0)
        self.assertGreaterEqual(len(self.polls), 4 * len(self.begun))
        lost = self.write("lost.txt", (LIBRARY / "chekhov-chameleon.txt").read_text(encoding="utf-8").splitlines()[2] + "\n")
        self.in_cluster("erase", "prove", lost, code=0)


class TlsTest(AkinTest):
    """A proxy that ends TLS is in front of the node, as nodes with the security plugin are reached."""

    def make_certificate(self) -> tuple[pathlib.Path, pathlib.Path]:
        key, certificate = self.folder / "key.pem", self.folder / "authority.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
                        "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate], check=True, capture_output=True)
        return key, certificate

    def test_nodes_are_trusted_by_their_authority_and_get_user_and_password(self):
        key, authority = self.make_certificate()
        node = opensearch.shared_cluster().ports[0][0]
        seen = set()
        handler = forwarding(node, lambda request: seen.add(request.headers.get("Authorization")))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(authority, key)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as proxy:
            proxy.socket = context.wrap_socket(proxy.socket, server_side=True)
            threading.Thread(target=proxy.serve_forever, daemon=True).start()
            store = ("--store", f"opensearch+https://reader@127.0.0.1:{proxy.server_port}/tls")
            refused = self.akin("index", LIBRARY, *store)
            self.assertNotEqual(refused.code, 0)
            self.assertIn("certificate", refused.err)
            self.assertEqual(seen, set())
            self.environment |= {"AKIN_OPENSEARCH_CA": str(authority), "AKIN_OPENSEARCH_PASSWORD": "secret"}
            self.akin("index", LIBRARY, *store, code=0)
            self.assertIn("chekhov", self.akin("similar", LIBRARY / "chekhov-burbot.txt", *store, code=0).out)
            proxy.shutdown()
        self.assertEqual(seen, {"Basic " + base64.b64encode(b"reader:secret").decode()})


class LostShardTest(AkinTest):
    def test_a_lost_shard_makes_searches_fail_until_it_is_back(self):
        cluster = opensearch.Cluster(2)
        cluster.ask("PUT", "/_index_template/tests", {"index_patterns": ["*"], "template": {"settings": {
            "number_of_shards": 2, "number_of_replicas": 0}}})
        address = cluster.address("lost")
        self.akin("index", LIBRARY, "--store", address, code=0)
        shards = cluster.ask("GET", "/_cat/shards/lost-store-*?format=json")
        catalog = cluster.ask("GET", "/_cat/shards/lost-catalog?format=json")[0]["node"]
        without = next(one["node"] for one in shards if one["node"] != catalog)
        whole = self.akin("similar", LIBRARY / "chekhov-burbot.txt", "--json", "--store", address, code=0).json["total"]
        cluster.kill(int(without[1:]))
        refused = self.akin("similar", LIBRARY / "chekhov-burbot.txt", "--json", "--store", address)
        self.assertNotEqual(refused.code, 0, refused)
        cluster.start(int(without[1:]))
        cluster.wait_until_whole()
        again = self.akin("similar", LIBRARY / "chekhov-burbot.txt", "--json", "--store", address, code=0).json["total"]
        self.assertEqual(again, whole)


    def test_a_node_lost_during_a_reindex_loses_nothing(self):
        cluster = opensearch.Cluster(2)
        store = ("--store", cluster.address("rebuilt"))
        self.akin("index", LIBRARY, *store, code=0)
        query = ("similar", LIBRARY / "chekhov-burbot.txt", "--json", *store)
        before = self.akin(*query, code=0).json
        for lost in range(2):
            outcome = []
            reindex = threading.Thread(target=lambda: outcome.append(self.akin("reindex", *store)))  # noqa: B023
            reindex.start()
            time.sleep(1)
            cluster.kill(lost)
            lost_at = time.monotonic()
            reindex.join()
            self.assertLess(time.monotonic() - lost_at, GIVEN_UP, outcome)
            self.assertTrue(outcome[0].code == 0 or "akin: " in outcome[0].err, outcome)
            cluster.start(lost)
            cluster.wait_until_whole()
            self.assertEqual(self.akin(*query, code=0).json["results"], before["results"])
            self.akin("verify", "--deep", *store, code=0)
        self.akin("reindex", *store, code=0)
        self.assertEqual(self.akin(*query, code=0).json["results"], before["results"])


class RestoredTest(InCluster):
    """Snapshots of the cluster, restored whole and in parts."""

    def restore(self, pattern: str):
        cluster, prefix = opensearch.shared_cluster(), self.address.rpartition("/")[2]
        for index in cluster.ask("GET", f"/_cat/indices/{prefix}-{pattern}?format=json"):
            cluster.ask("DELETE", "/" + index["index"])
        cluster.ask("POST", f"/_snapshot/{prefix}/one/_restore?wait_for_completion=true",
                    {"indices": f"{prefix}-{pattern}", "include_global_state": False})

    def test_a_part_of_an_older_snapshot_is_noticed_and_the_whole_is_used(self):
        cluster, prefix = opensearch.shared_cluster(), self.address.rpartition("/")[2]
        self.in_cluster("index", LIBRARY, code=0)
        cluster.ask("PUT", f"/_snapshot/{prefix}", {"type": "fs", "settings": {"location": prefix}})
        cluster.ask("PUT", f"/_snapshot/{prefix}/one?wait_for_completion=true", {"indices": f"{prefix}-*", "include_global_state": False})
        later = self.write("later.txt", "Das steht nur hier. Und auch das steht nur hier. Der Schnappschuss hat es nicht.")
        self.in_cluster("index", later, code=0)
        self.restore("store-*")
        self.assertIn("the catalog counts", self.in_cluster("similar", later).err)
        self.restore("*")
        self.assertEqual(self.in_cluster("similar", later, "--json", code=0).json["total"], 0)
        self.in_cluster("index", later, code=0)
        self.in_cluster("verify", "--deep", code=0)
        self.restore("catalog")
        self.assertIn("older snapshot", self.in_cluster("similar", later).err)


if __name__ == "__main__":
    unittest.main()
