"""Knows which documents the server must have, and judges its answers.

Every write is a Version with the time at which its request began and at which its answer had come. A read that began
at `begin` and had its answer at `end` may have seen a version that began before `end`, unless another one certainly
took its place before `begin`. These are the version's candidates for that read: several where writes went on
meanwhile or where the fate of one is unknown, since the server was killed; else one. A document must be found if each
candidate is what was asked for, and may be found if one is. Times are those of this process alone.
"""
import collections
import itertools
import threading
import time

import texts

NEVER = float("inf")


class Version:
    """A document as one write leaves it, or its absence."""

    __slots__ = ("id", "numbers", "text", "metadata", "begin", "end", "done", "stored", "later", "features")

    def __init__(self, id_, begin, numbers=None, text=None, metadata=None):
        self.id = id_
        self.numbers = numbers  # None: there is none
        self.text = text
        self.metadata = metadata or {}
        self.begin = begin
        self.end = NEVER  # when it had happened, or could happen no more
        self.done = False  # certainly happened
        self.stored = None  # what the server called its moment
        self.later = None  # the next one of the same request, which comes after this
        self.features = None if numbers is None else {s: texts.features(numbers, s) for s in texts.SCHEMES}

    @property
    def absent(self) -> bool:
        return self.numbers is None

    def precedes(self, other) -> bool:
        """Whether `other`, which is done, certainly took this one's place."""
        if other.begin > self.end or other is self.later:
            return True
        return self.done and None not in (self.stored, other.stored) and self.stored < other.stored


class Read:
    """A request under way: no version that it may see is forgotten before it is judged."""

    def __init__(self, oracle):
        self.oracle = oracle
        self.begin = self.end = None

    def __enter__(self):
        self.begin = self.oracle.start_reading(self)
        return self

    def answered(self):
        self.end = time.monotonic()

    def __exit__(self, *failure):
        self.oracle.end_reading(self)


class Oracle:
    """One collection. Members may be called from any thread."""

    def __init__(self, scheme: str):
        self.lock = threading.RLock()
        self.versions: dict[str, list[Version]] = {}
        self.index = {s: collections.defaultdict(set) for s in texts.SCHEMES}
        self.reads = set()
        self.schemes = Register(scheme)

    # Writes

    def begin_write(self, id_, numbers=None, text=None, metadata=None) -> Version:
        """Before the request is sent."""
        with self.lock:
            version = Version(id_, time.monotonic(), numbers, text, metadata)
            known = self.versions.setdefault(id_, [])
            if not known:
                known.append(absence(id_))
            known.append(version)
            if not version.absent:
                for scheme, counted in version.features.items():
                    for feature in counted:
                        self.index[scheme][feature].add(version)
            return version

    def done(self, version: Version, stored=None):
        """The server has acknowledged it."""
        with self.lock:
            version.stored = stored
            version.done = True
            version.end = time.monotonic()
            self._forget(version.id)

    def refused(self, version: Version):
        """The server has said that nothing was written."""
        with self.lock:
            for other in self.versions[version.id]:
                if other.later is version:
                    other.later = version.later
            self._drop(version)

    def lost(self, version: Version, dead: bool):
        """No answer came; `dead`: the server is gone, so that it can happen no more."""
        if dead:
            version.end = time.monotonic()

    def _drop(self, version: Version):
        self.versions[version.id].remove(version)
        if version.absent:
            return
        for scheme, counted in version.features.items():
            for feature in counted:
                holders = self.index[scheme][feature]
                holders.discard(version)
                if not holders:
                    del self.index[scheme][feature]

    def _forget(self, id_):
        """Drops what no read under way, and none that will come, may see."""
        now = time.monotonic()
        horizon = min((read.begin for read in self.reads), default=now)
        known = self.versions[id_]
        for version in [v for v in known if replaced(v, known, horizon)]:
            self._drop(version)

    # Reads

    def reading(self) -> Read:
        return Read(self)

    def start_reading(self, read) -> float:
        with self.lock:
            read.begin = time.monotonic()
            self.reads.add(read)
            return read.begin

    def end_reading(self, read):
        with self.lock:
            self.reads.discard(read)

    def candidates(self, id_, read: Read) -> list[Version]:
        with self.lock:
            known = self.versions.get(id_)
            if not known:
                return [absence(id_)]
            return [v for v in known if v.begin <= read.end and not replaced(v, known, read.begin)]

    def ids(self) -> list[str]:
        with self.lock:
            return list(self.versions)

    def current(self, id_):
        """The version that there is if it is certain, for who wants to build on it."""
        with self.lock:
            known = self.versions.get(id_, [])
            return known[0] if len(known) == 1 and known[0].done and not known[0].absent else None

    def overlaps(self, counted, scheme: str) -> dict[Version, int]:
        """X with each version that shares anything."""
        with self.lock:
            found: dict[Version, int] = {}
            index = self.index[scheme]
            for feature, count in counted.items():
                for version in index.get(feature, ()):
                    found[version] = found.get(version, 0) + min(count, version.features[scheme][feature])
            return found


class Register:
    """A value that is written now and then, by one thread: the collection's scheme."""

    def __init__(self, value):
        self.lock = threading.Lock()
        self.values = [[value, -1.0, -1.0]]  # value, begin, end

    def begin(self, value):
        with self.lock:
            self.values.append([value, time.monotonic(), NEVER])

    def end(self, value):
        """It is this from now on, whatever was begun before."""
        with self.lock:
            now = time.monotonic()
            for entry in self.values:
                if entry[2] == NEVER:
                    entry[2] = now
            self.values.append([value, now, now])
            del self.values[:-8]

    def candidates(self, read: Read) -> list:
        """What it may have been: the last that had been written, and what overlaps."""
        with self.lock:
            settled = max((n for n, (_, _, end) in enumerate(self.values) if end < read.begin), default=0)
            chosen = itertools.islice(self.values, settled, None)
            return list(dict.fromkeys(value for value, begin, _ in chosen if begin <= read.end))


def absence(id_) -> Version:
    """Of a document that was never written."""
    version = Version(id_, -1.0)
    version.end = -1.0
    version.done = True
    return version


def replaced(version: Version, known, moment: float) -> bool:
    """Whether another one certainly had taken its place at that moment."""
    return any(v.done and v.end < moment and v is not version and version.precedes(v) for v in known)
