"""Nodes of OpenSearch for tests, from the jars that `./test programs` fetches, on loopback."""
import atexit
import itertools
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
JARS = pathlib.Path(os.environ.get("AKIN_OPENSEARCH_JARS", ROOT / "build/contract/opensearch"))

numbers = itertools.count(1)
shared = None


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Cluster:
    """New indices have as many shards as there are nodes, and a replica of each if there are several nodes."""

    def __init__(self, nodes: int, heap: str = "384m"):
        if not (JARS / "OpenSearchNode.class").exists():
            raise unittest.SkipTest("the jars of OpenSearch are not there: ./test opensearch fetches them")
        self.folder, self.heap = pathlib.Path(tempfile.mkdtemp(prefix="akin-opensearch-")), heap
        self.ports = [(free_port(), free_port()) for _ in range(nodes)]
        self.processes = [None] * nodes
        atexit.register(self.end)
        for node in range(nodes):
            self.start(node)
        self.wait_until_whole()
        settings = {"number_of_shards": nodes, "number_of_replicas": 1 if nodes > 1 else 0}
        self.ask("PUT", "/_index_template/tests", {"index_patterns": ["*"], "template": {"settings": settings}})

    def address(self, prefix: str) -> str:
        return "opensearch+http://" + ",".join(f"127.0.0.1:{http}" for http, _ in self.ports) + f"/{prefix}"

    def start(self, node: int):
        http, transport = self.ports[node]
        settings = {"cluster.name": "akin-tests", "node.name": f"n{node}", "http.port": http, "transport.port": transport,
                    "path.repo": self.folder, "cluster.routing.allocation.disk.threshold_enabled": "false"}
        if len(self.ports) == 1:
            settings["discovery.type"] = "single-node"
        else:
            settings["discovery.seed_hosts"] = ",".join(f"127.0.0.1:{other}" for _, other in self.ports)
            settings["cluster.initial_cluster_manager_nodes"] = ",".join(f"n{number}" for number in range(len(self.ports)))
        home = self.folder / f"node-{node}"
        home.mkdir(exist_ok=True)
        with open(self.folder / f"node-{node}.log", "ab") as log:
            self.processes[node] = subprocess.Popen(
                ["java", f"-Xms{self.heap}", f"-Xmx{self.heap}", "-XX:+UseSerialGC", "-cp", f"{JARS}/*:{JARS}", "OpenSearchNode", str(home),
                 *(f"{name}={value}" for name, value in settings.items())],
                stdout=log, stderr=log)

    def kill(self, node: int):
        process, self.processes[node] = self.processes[node], None
        if process is not None:
            process.send_signal(signal.SIGKILL)
            process.wait()

    def ask(self, method: str, path: str, body: dict | None = None) -> dict:
        node = next(number for number, process in enumerate(self.processes) if process is not None)
        request = urllib.request.Request(f"http://127.0.0.1:{self.ports[node][0]}{path}", method=method,
                                         data=None if body is None else json.dumps(body).encode(),
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())

    def wait_until_whole(self):
        """Until all nodes are there, and all copies of all shards."""
        for _ in range(2000):
            try:
                health = self.ask("GET", "/_cluster/health")
                if health["number_of_nodes"] == len(self.ports) and health["status"] == "green":
                    return
            except OSError:
                pass
            time.sleep(0.3)
        raise RuntimeError(f"OpenSearch does not start: see {self.folder}")

    def end(self):
        for node in range(len(self.processes)):
            self.kill(node)
        shutil.rmtree(self.folder, ignore_errors=True)


def shared_cluster() -> Cluster:
    """One node, for all tests of this program that need no more."""
    global shared
    if shared is None:
        shared = Cluster(1)
    return shared


def new_address() -> str:
    """Of a prefix that nobody else has."""
    return shared_cluster().address(f"test{next(numbers)}")
