"""What a worker does: one request of each kind, announced to the oracle before and judged after it."""
import random
import threading

import texts
from client import PATH, Client, Lost, Refused, quoted
from reads import Reads
from writes import Writes

# How often each is drawn.
MIX = {
    "put": 18, "put_shared": 6, "delete": 6, "conditional": 5, "bulk": 3, "bulk_cut": 1, "get": 12, "list": 2,
    "similar_text": 18, "similar_id": 8, "similar_filter": 8, "similar_share": 5, "similar_limit": 5, "similar_best": 5,
    "similar_across": 4, "check": 4, "compare": 3, "witness": 3, "intruder": 2, "limited_key": 3,
}


class Shared:
    """What all workers have in common."""

    def __init__(self, server, oracle, witness, tally, keys, writer, ids):
        self.server = server
        self.oracle = oracle
        self.witness = witness  # a collection that nobody changes
        self.tally = tally
        self.keys = keys
        self.writer = writer
        self.ids = ids  # of each worker; the last ones belong to all
        self.stopping = threading.Event()
        self.without = ()  # operations that are not drawn
        self.pause = 0.0  # seconds between two requests of a worker
        self.failure = None  # what ended a thread


def make_ids(workers: int, each: int) -> list[list[str]]:
    """Names of many kinds, a list for each worker and one for all."""
    forms = ["d{}/{}", "п-{}-{}.txt", 'n "{}" & {}', "{}.{}", "%{}?{}#"]
    return [[forms[n % len(forms)].format(worker, n) for n in range(each if worker < workers else each // 4)]
            for worker in range(workers + 1)]


class Worker(Writes, Reads, threading.Thread):
    def __init__(self, shared: Shared, number: int, seed: int):
        super().__init__(name=f"worker {number}", daemon=True)
        self.shared = shared
        self.oracle = shared.oracle
        self.tally = shared.tally
        self.random = random.Random(seed)
        self.own = shared.ids[number]
        self.common = shared.ids[-1]
        self.client = Client(shared.server, shared.tally, shared.keys["write"])

    def run(self):
        names = [name for name in MIX if name not in self.shared.without]
        weights = [MIX[name] for name in names]
        try:
            while not self.shared.stopping.is_set():
                (name,) = self.random.choices(names, weights)
                try:
                    getattr(self, name)()
                except (Refused, Lost):
                    pass
                self.shared.stopping.wait(self.shared.pause * self.random.uniform(0.5, 1.5))
        except BaseException as failure:
            self.shared.failure = failure
            self.shared.stopping.set()
            raise
        finally:
            self.client.close()

    # What requests are about

    def any_id(self) -> str:
        return self.random.choice(self.random.choice(self.shared.ids))

    def some_numbers(self) -> list[int]:
        known = self.oracle.current(self.any_id())
        return self.shared.writer.numbers(self.random, known and known.numbers)

    def question_numbers(self) -> list[int]:
        """A text of which some is stored."""
        known = self.oracle.current(self.any_id())
        if known and known.numbers and self.random.random() < 0.5:
            return self.shared.writer.edited(known.numbers[:80], self.random)
        return [n for _ in range(3) for n in self.shared.writer.passage(self.random)]

    # Keys

    def intruder(self):
        """What a key does not allow, does not happen: the oracle knows nothing of these writes."""
        id_, keys = self.any_id(), self.shared.keys
        key, expected = self.random.choice([(keys["read"], 403), ("akin_none", 401), (keys["elsewhere"], 403)])
        method = self.random.choice(["PUT", "DELETE"])
        body = texts.write([1, 2, 3, 4, 5, 6], self.random) if method == "PUT" else None
        self.client.call("intruder", method, f"{PATH}/documents/{quoted(id_)}", body, key=key, expect=(expected,))

    def limited_key(self):
        """Three requests of a key that all workers share, at once: it allows five a second."""
        for _ in range(3):
            self.client.call("limited_key", "GET", f"{PATH}/documents?limit=1", key=self.shared.keys["limited"])

