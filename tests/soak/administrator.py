"""Work on whole collections, one after the other, while the workers continue; the results of tasks are judged."""
import json
import random
import shutil
import threading
import time

import judge
import texts
from client import COLLECTION, LINES, PATH, Client, Lost, Refused, query, quoted

ENDED = ("done", "failed", "cancelled", "interrupted")
PAIRS_BOUND = 9


class Administrator(threading.Thread):
    """`pause` seconds lie between two pieces of work."""

    def __init__(self, shared, pause: float, seed: int):
        super().__init__(name="administrator", daemon=True)
        self.shared = shared
        self.oracle = shared.oracle
        self.tally = shared.tally
        self.random = random.Random(seed)
        self.pause = pause
        self.client = Client(shared.server, shared.tally, shared.keys["admin"])
        self.made = 0

    def run(self):
        turns = [self.reindex, self.pairs, self.compact, self.backup, self.reindex_cancelled, self.passing_collection,
                 self.groups]
        try:
            while not self.shared.stopping.is_set():
                for turn in turns:
                    if self.shared.stopping.wait(self.pause):
                        break
                    try:
                        turn()
                    except (Refused, Lost):
                        pass
        except BaseException as failure:
            self.shared.failure = failure
            self.shared.stopping.set()
            raise
        finally:
            self.client.close()

    # Tasks

    def task(self, operation, path, body, cancel_after=None) -> dict:
        """Starts one and waits for its end, across restarts of the server. A task that is lost before its
        id was reported may run or not."""
        starts = self.shared.server.starts
        begin = time.monotonic()
        task = self.client.call("task_started", "POST", path, body, expect=(202,)).json
        if cancel_after is not None:
            time.sleep(cancel_after)
            self.patient("DELETE", f"/v1/tasks/{task['id']}", expect=(200, 404))
        while task["status"] not in ENDED:
            time.sleep(0.1)
            answer = self.patient("GET", f"/v1/tasks/{task['id']}", expect=(200, 404))
            if answer.status == 404:
                # Deleting one that has just ended forgets it.
                self.tally.judge("task", [] if cancel_after is not None else [f"task {task['id']} is forgotten"])
                return {"status": "forgotten"}
            task = answer.json
        usual = task["status"] == "done" or cancel_after is not None or self.shared.server.starts != starts
        if usual:
            self.tally.count(operation, "ok" if task["status"] == "done" else task["status"],
                             time.monotonic() - begin)
        else:
            self.tally.failed(operation, task["status"], json.dumps(task))
        return task

    def patient(self, method, path, **how):
        """A request that is repeated until it has an answer."""
        while True:
            try:
                return self.client.call("task", method, path, **how)
            except (Refused, Lost):
                time.sleep(0.2)

    def result(self, task) -> list:
        lines, cursor = [], None
        while len(lines) < task["result_lines"]:
            page = query(limit=10000, **({"cursor": cursor} if cursor else {}))
            answer = self.patient("GET", f"/v1/tasks/{task['id']}/result{page}")
            lines += answer.lines
            cursor = answer.headers.get("X-Next-Cursor")
        return lines

    def reindex(self, cancel_after=None):
        """Always with the other scheme: an answer shows which of the two made it."""
        scheme = self.random.choice(texts.SCHEMES)
        self.oracle.schemes.begin(scheme)
        try:
            self.task("reindex", f"{PATH}/reindex", {"scheme": scheme}, cancel_after)
        finally:
            self.settle_scheme()

    def settle_scheme(self):
        """Which it is now that no reindex is at work."""
        for task in self.patient("GET", "/v1/tasks?type=reindex&limit=1000").json["tasks"]:
            while task["type"] == "reindex" and task["status"] not in ENDED:
                time.sleep(0.1)
                task = self.patient("GET", f"/v1/tasks/{task['id']}").json
        self.oracle.schemes.end(self.patient("GET", PATH).json["scheme"])

    def reindex_cancelled(self):
        self.reindex(cancel_after=self.random.uniform(0, 0.3))

    def compact(self):
        self.task("compact", f"{PATH}/compact", None)

    def pairs(self):
        with self.oracle.reading() as read:
            task = self.task("pairs", f"{PATH}/pairs", {"bound": PAIRS_BOUND})
            read.answered()
            if task["status"] == "done":
                self.tally.judge("pairs", judge.pairs(self.oracle, read, self.result(task), PAIRS_BOUND))

    def groups(self):
        """Groups are those of the pairs; only their form is judged here."""
        task = self.task("groups", f"{PATH}/groups", {"bound": PAIRS_BOUND})
        if task["status"] != "done":
            return
        groups = [line["ids"] for line in self.result(task)]
        ids = [id_ for group in groups for id_ in group]
        whole = len(ids) == len(set(ids)) and all(len(group) > 1 for group in groups)
        self.tally.judge("groups", [] if whole else ["a document is in two groups, or alone"])

    def backup(self):
        """Restored elsewhere and exported, it holds all documents of a moment of the task."""
        self.made += 1
        name = f"b{self.made}"
        folder = self.shared.server.folder
        with self.oracle.reading() as read:
            task = self.task("backup", "/v1/backups", {"name": name})
            read.answered()
            if task["status"] == "done":
                akin = self.shared.server.akin
                restored = folder / "restored"
                akin("restore", folder / "backups" / name, "--data", restored)
                documents = exported(akin, "--data", restored)
                self.tally.judge("backup", judge.everything(self.oracle, read, documents))
                shutil.rmtree(restored)
        shutil.rmtree(folder / "backups", ignore_errors=True)
        (folder / "backups").mkdir()

    def passing_collection(self):
        """Made, filled, asked and removed: nothing of it may stay."""
        path = f"/v1/collections/passing-{self.made}"
        self.made += 1
        self.client.call("make", "PUT", path, {"scheme": "sentences"}, expect=(201, 200))
        numbers = self.shared.writer.passage(self.random, 5, 10)
        line = json.dumps({"id": "one", "text": texts.write(numbers, self.random)}) + "\n"
        self.client.call("passing_bulk", "POST", f"{path}/bulk", line.encode(), kind=LINES)
        answer = self.client.call("passing_similar", "POST", f"{path}/similar", texts.write(numbers, self.random)).json
        found = [(result["id"], result["x"]) for result in answer["results"]]
        self.tally.judge("passing_similar", [] if found == [("one", len(numbers))] else [str(found)])
        self.client.call("remove", "DELETE", path)
        self.client.call("removed", "GET", f"{path}/documents/{quoted('one')}", expect=(404,))


def exported(akin, *flags) -> list[dict]:
    """All documents of the collection, by the command."""
    return [json.loads(line) for line in akin("export", "--collection", COLLECTION, *flags).splitlines()]
