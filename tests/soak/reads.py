"""What a worker asks, and what it makes of the answers."""
import json

import judge
import texts
from client import COLLECTION, PATH, WITNESS, query, quoted


class Reads:
    """Of a Worker."""

    def get(self):
        id_ = self.any_id()
        with self.oracle.reading() as read:
            answer = self.client.call("get", "GET", f"{PATH}/documents/{quoted(id_)}", expect=(200, 404))
            read.answered()
            found = answer.json if answer.status == 200 else None
            self.tally.judge("get", judge.document(self.oracle, id_, read, found, answer.headers["ETag"]))

    def list(self):
        """All pages, each of which is a moment of its own."""
        text, accepts = texts.some_filter(self.random) if self.random.random() < 0.5 else (None, None)
        after = ""
        while after is not None:
            parameters = {"limit": 1000, "total": "true", **({"filter": text} if text else {}), **({"cursor": after} if after else {})}
            with self.oracle.reading() as read:
                page = self.client.call("list", "GET", f"{PATH}/documents{query(**parameters)}").json
                read.answered()
                self.tally.judge("list", judge.listing(self.oracle, read, page, after.removeprefix("after:id:"), accepts), str(parameters))
            after = page["next"]

    def search(self, operation, question, body, parameters, expect=(200,)):
        with self.oracle.reading() as read:
            answer = self.client.call(operation, "POST", f"{PATH}/similar{query(**parameters)}", body, expect=expect)
            read.answered()
            if answer.status == 200:
                faults = judge.search(self.oracle, question, read, answer.json)
                self.tally.judge(operation, faults, str(parameters))
            return read, answer

    def by_text(self, operation, question, **parameters):
        text = texts.write(question.numbers, self.random)
        self.search(operation, question, text if self.random.random() < 0.5 else {"text": text},
                    {"limit": question.limit, **parameters})

    def similar_text(self):
        bound = self.random.choice([0, 1, 3, 3, 3, 8])
        self.by_text("similar_text", judge.Question(self.question_numbers(), bound), bound=bound)

    def similar_filter(self):
        text, accepts = texts.some_filter(self.random)
        question = judge.Question(self.question_numbers(), 1, accepts=accepts)
        self.by_text("similar_filter", question, bound=1, filter=text)

    def similar_share(self):
        share = self.random.choice([0.125, 0.25, 0.5, 1.0])
        question = judge.Question(self.question_numbers(), 0, share)
        self.by_text("similar_share", question, bound=0, min_containment=share)

    def similar_limit(self):
        question = judge.Question(self.question_numbers(), 0, limit=self.random.choice([1, 3, 10]))
        self.by_text("similar_limit", question, bound=0, include="measures")

    def similar_best(self):
        question = judge.Question(self.question_numbers(), 0, limit=self.random.choice([1, 3, 10]), best=True)
        self.by_text("similar_best", question, sort="containment")

    def similar_id(self):
        """By a stored document: one of the states that it may have had explains the answer."""
        id_ = self.any_id()
        with self.oracle.reading() as read:
            answer = self.client.call("similar_id", "POST", f"{PATH}/similar{query(bound=2, limit=1000)}", {"id": id_},
                                      expect=(200, 404))
            read.answered()
            states = self.oracle.candidates(id_, read)
            if answer.status == 404:
                faults = [] if any(v.absent for v in states) else [f"{id_} is gone"]
            else:
                judged = [judge.search(self.oracle, judge.Question(v.numbers, 2, without=id_), read, answer.json)
                          for v in states if not v.absent]
                faults = min(judged, key=len, default=[f"{id_} was not there"])
            self.tally.judge("similar_id", faults, id_)

    def similar_across(self):
        """Over both collections, unless they have different schemes just now."""
        witness, question = self.shared.witness, judge.Question(self.question_numbers(), 1)
        with self.oracle.reading() as read, witness.reading() as read_there:
            answer = self.client.call(
                "similar_across", "POST", "/v1/similar" + query(bound=1, limit=1000, collections="soak,witness"),
                texts.write(question.numbers, self.random), expect=(200, 409))
            read.answered()
            read_there.answered()
            schemes = self.oracle.schemes.candidates(read)
            if answer.status == 409:
                faults = [] if "sentences" in schemes else ["refused though the schemes are the same"]
            else:
                faults = [] if "sentence-pairs" in schemes else ["answered though the schemes differ"]
                told = answer.json
                for name, oracle, moment in ((COLLECTION, self.oracle, read), ("witness", witness, read_there)):
                    part = {"total": told["collections"][name],
                            "results": [result for result in told["results"] if result["collection"] == name]}
                    faults += judge.search(oracle, question, moment, part)
            self.tally.judge("similar_across", faults)

    def check(self):
        """A submission: its sources and their shares. It is never found itself; the check is removed at once."""
        numbers = list(dict.fromkeys(self.question_numbers()))
        body = {"collections": [COLLECTION], "text": texts.write(numbers, self.random),
                "policy": {"bound": 2, "max_sources": 10000}}
        with self.oracle.reading() as read:
            answer = self.client.call("check", "POST", "/v1/checks", body, expect=(201,)).json
            read.answered()
            self.tally.judge("check", judge.check(self.oracle, judge.Question(numbers, 2), read, answer))
        self.client.call("check_removed", "DELETE", f"/v1/checks/{answer['id']}")

    def compare(self):
        one, other = self.question_numbers(), self.some_numbers()
        scheme = self.random.choice(texts.SCHEMES)
        body = {"a": texts.write(one, self.random), "b": texts.write(other, self.random), "scheme": scheme}
        told = self.client.call("compare", "POST", "/v1/compare", body).json["x"]
        x = texts.overlap(texts.features(one, scheme), texts.features(other, scheme))
        self.tally.judge("compare", [] if told == x else [f"{told} in common, is {x}"])

    def witness(self):
        """A collection that nobody changes answers as ever."""
        witness = self.shared.witness
        with witness.reading() as read:
            question = judge.Question(self.question_numbers(), 1)
            answer = self.client.call("witness", "POST", f"{WITNESS}/similar{query(bound=1, limit=1000)}",
                                      texts.write(question.numbers, self.random))
            read.answered()
            self.tally.judge("witness", judge.search(witness, question, read, answer.json))
