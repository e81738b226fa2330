"""Whether an answer may be what the server should have said: each judgement is a list of faults, empty if none."""
import datetime
import math

import texts

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def tag_of(stored: str) -> str:
    """The entity tag that docs/api.md promises for a moment of storing."""
    moment = datetime.datetime.fromisoformat(stored.replace("Z", "+00:00"))
    return f'"{(moment - EPOCH) // datetime.timedelta(microseconds=1):x}"'


class Question:
    """A search as the oracle sees it."""

    def __init__(self, numbers, bound=3, share=0.0, accepts=None, without=None, limit=1000, best=False):
        self.numbers = numbers
        self.bound = bound
        self.share = share
        self.accepts = accepts
        self.without = without  # id that is left out
        self.limit = limit
        self.best = best  # sort=containment

    def wants(self, version, x: int) -> bool:
        return (
            x > self.bound
            and x >= self.share * len(self.numbers)
            and (self.accepts is None or self.accepts(version.id, version.metadata))
        )


def search(oracle, question: Question, read, answer: dict) -> list[str]:
    """A search saw one state of the whole, so it is right if one of the schemes that may have been explains it."""
    judged = [_search(oracle, question, scheme, read, answer) for scheme in oracle.schemes.candidates(read)]
    return min(judged, key=len)


def _search(oracle, question, scheme, read, answer) -> list[str]:
    counted = texts.features(question.numbers, scheme)
    with oracle.lock:
        overlaps = oracle.overlaps(counted, scheme)
        may, must = {}, set()
        for id_ in {version.id for version in overlaps}:
            if id_ == question.without:
                continue
            candidates = oracle.candidates(id_, read)
            wanted = [v for v in candidates if v in overlaps and question.wants(v, overlaps[v])]
            if wanted:
                may[id_] = [(overlaps[v], v) for v in wanted]
                if len(wanted) == len(candidates):
                    must.add(id_)
    faults = []
    results = answer["results"]
    for result in results:
        faults += _result(result, may, len(question.numbers))
    order = [(-result["x"], -result["contained"], result["id"].encode()) for result in results]
    if order != sorted(order):
        faults.append("results are not in their order")
    if len({result["id"] for result in results}) < len(results):
        faults.append("a document is told twice")
    faults += _numbers(answer, question, len(must), len(may))
    listed = {result["id"] for result in results}
    complete = len(results) < question.limit
    for id_ in must - listed:
        # It may be cut off by the limit only if it comes after the last that is listed.
        keys = [(-x, -(x / len(v.numbers)), id_.encode()) for x, v in may[id_]]
        if complete or max(keys) < order[-1]:
            faults.append(f"{id_} is missing: {[x for x, _ in may[id_]]} in common by {scheme}")
    return faults


def _result(result, may, size) -> list[str]:
    id_, x = result["id"], result["x"]
    if id_ not in may:
        return [f"{id_} is found with x {x} and must not be"]
    if not any(
        x == shared
        and result["features"] == len(version.numbers)
        and math.isclose(result["containment"], x / size)
        and math.isclose(result["contained"], x / len(version.numbers))
        and math.isclose(result["resemblance"], x / (size + len(version.numbers) - x))
        for shared, version in may[id_]
    ):
        return [f"{id_} has x {x} of {result['features']}; may have {[(s, len(v.numbers)) for s, v in may[id_]]}"]
    if "passages" in result and sum(passage["features"] for passage in result["passages"]) != x:
        return [f"{id_}: the passages do not sum up to {x}"]
    return []


def _numbers(answer, question, least, most) -> list[str]:
    total, told = answer["total"], len(answer["results"])
    if question.best:
        if total is not None or not min(least, question.limit) <= told <= min(most, question.limit):
            return [f"{told} of the best {question.limit} are told, total {total}; {least} to {most} are there"]
        return []
    if not least <= total <= most:
        return [f"total is {total}, may be {least} to {most}"]
    return [f"{told} of {total} are told"] if told != min(total, question.limit) else []


def check(oracle, question, read, answer) -> list[str]:
    """A check of a text without repeated sentences, by a policy that excludes nothing."""
    sources = sorted(answer["sources"], key=lambda s: (-s["x"], -s["contained"], s["id"].encode()))
    faults = search(oracle, question, read, {"total": answer["sources_total"], "results": sources})
    scheme = answer["index"][0]["scheme"]
    letters = answer["letters"]
    if scheme not in oracle.schemes.candidates(read):
        faults.append(f"the scheme is {scheme}")
    if letters["compared"] != texts.letters(question.numbers):
        faults.append(f"{letters} of {texts.letters(question.numbers)} letters")
    found, certain = set(), True
    for source in sources:
        states = [v for v in oracle.candidates(source["id"], read) if not v.absent]
        places = [texts.found(question.numbers, v.numbers, scheme) for v in states]
        if source["letters"] not in [texts.letters(numbers) for numbers in places]:
            faults.append(f"{source['id']}: {source['letters']} letters")
        certain = certain and len(states) == 1
        found.update(*places)
    if certain and letters["found"] != texts.letters(found):
        faults.append(f"{letters['found']} letters are found, there are {texts.letters(found)}")
    if question.numbers and not math.isclose(answer["share"], letters["found"] / letters["compared"]):
        faults.append(f"the share is {answer['share']}")
    return faults


def document(oracle, id_, read, answer, tag=None) -> list[str]:
    """A document as it was read, or None where there was none."""
    candidates = oracle.candidates(id_, read)
    if answer is None:
        return [] if any(v.absent for v in candidates) else [f"{id_} is gone"]
    faults = [] if any(_same(v, answer) for v in candidates) else [f"{id_} is none of what was stored"]
    if tag is not None and tag != tag_of(answer["stored"]):
        faults.append(f"{id_} has the tag {tag}, stored {answer['stored']}")
    return faults


def _same(version, answer) -> bool:
    return (
        not version.absent
        and answer.get("text", version.text) == version.text
        and answer["metadata"] == version.metadata
        and answer.get("features", len(version.numbers)) == len(version.numbers)
        and answer["stored"] == (version.stored or answer["stored"])
    )


def listing(oracle, read, answer, after="", accepts=None) -> list[str]:
    """A page of the list of documents."""
    documents = {entry["id"]: entry for entry in answer["documents"]}
    upto = answer["next"]
    faults, least, most = [], 0, 0
    with oracle.lock:
        for id_ in oracle.ids():
            candidates = oracle.candidates(id_, read)
            fit = [v for v in candidates if not v.absent and (accepts is None or accepts(id_, v.metadata))]
            must = len(fit) == len(candidates)
            least += must
            most += bool(fit)
            here = id_.encode() > after.encode() and (upto is None or id_.encode() <= upto.encode())
            entry = documents.pop(id_, None)
            if entry is None and must and here:
                faults.append(f"{id_} is not listed")
            if entry is not None and not any(_same(v, entry) for v in fit):
                faults.append(f"{id_} is listed and must not be so")
    faults += [f"{id_} is listed and was never stored" for id_ in documents]
    if not least <= answer["total"] <= most:
        faults.append(f"total is {answer['total']}, may be {least} to {most}")
    order = [entry["id"].encode() for entry in answer["documents"]]
    if order != sorted(set(order)):
        faults.append("documents are not in the order of their ids")
    return faults


def everything(oracle, read, documents) -> list[str]:
    """All documents of the collection as of one moment, as an export writes them."""
    answer = {"documents": list(documents), "next": None}
    answer["total"] = len(answer["documents"])
    return listing(oracle, read, answer)


def pairs(oracle, read, lines, bound: int) -> list[str]:
    judged = [_pairs(oracle, read, lines, bound, scheme) for scheme in oracle.schemes.candidates(read)]
    return min(judged, key=len)


def _pairs(oracle, read, lines, bound, scheme) -> list[str]:
    faults = []
    told = set()
    with oracle.lock:
        candidates = {id_: oracle.candidates(id_, read) for id_ in oracle.ids()}
    for line in lines:
        a, b, x = line["a"], line["b"], line["x"]
        if (a, b) in told or a.encode() >= b.encode():
            faults.append(f"{a}, {b}: told twice, or in the wrong order")
        told.add((a, b))
        possible = {
            texts.overlap(one.features[scheme], other.features[scheme])
            for one in candidates.get(a, []) if not one.absent
            for other in candidates.get(b, []) if not other.absent
        }
        if x not in possible or x <= bound:
            faults.append(f"{a}, {b}: told {x} in common, may be {sorted(possible)}")
    for (a, b), x in certain_pairs(candidates, scheme).items():
        if x > bound and (a, b) not in told:
            faults.append(f"{a}, {b}: {x} in common, not told")
    return faults


def certain_pairs(candidates, scheme) -> dict:
    """X of every two documents that had one state only."""
    lists: dict[int, list] = {}
    for id_, states in candidates.items():
        if len(states) == 1 and not states[0].absent:
            for feature, count in states[0].features[scheme].items():
                lists.setdefault(feature, []).append((id_.encode(), count))
    found: dict = {}
    for holders in lists.values():
        holders.sort()
        for at, (a, one) in enumerate(holders):
            for b, other in holders[at + 1:]:
                found[a, b] = found.get((a, b), 0) + min(one, other)
    return {(a.decode(), b.decode()): x for (a, b), x in found.items()}
