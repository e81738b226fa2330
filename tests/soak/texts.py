"""Texts made of numbered sentences, so that what two of them share is known without asking the program.

Sentence n is six words, five of which have n in them: two sentences are equal to the program exactly when their
numbers are, in whatever order and case their words stand. Features are computed here by docs/definitions.md, from
the numbers alone: nothing of the program's own text rules is used.
"""
import collections
import random

SCHEMES = ("sentence-pairs", "sentences")
_WORDS = ("alphan", "betan", "gamman", "deltan", "epsilonn")
# A pair's number; those of single sentences are below it.
_PAIR = 1 << 32


def features(numbers, scheme: str) -> collections.Counter:
    """The features of a text of these sentences, with how often each occurs in it."""
    if scheme == "sentences":
        return collections.Counter(numbers)
    # A pair is a sum: it does not know which of the two comes first.
    counted = collections.Counter(
        _PAIR + min(one, other) * _PAIR + max(one, other) for one, other in zip(numbers, numbers[1:])
    )
    if numbers:
        counted[numbers[-1]] += 1
    return counted


def overlap(one: collections.Counter, other: collections.Counter) -> int:
    """X of the two."""
    return sum(min(count, other[feature]) for feature, count in one.items() if feature in other)


def letters(numbers) -> int:
    """Letters and digits of these sentences, each counted once."""
    return sum(sum(map(len, _WORDS)) + len(_WORDS) * len(str(number)) + len("zeta") for number in numbers)


def found(numbers, source, scheme: str) -> set:
    """The sentences of a text, which has none twice, that features shared with the source cover."""
    shared = features(source, scheme)
    if scheme == "sentences":
        return {number for number in numbers if number in shared}
    covered = set()
    for at, number in enumerate(numbers):
        part = numbers[at:at + 2]
        (feature,) = features(part, scheme).keys() - ({part[1]} if len(part) == 2 else set())
        if feature in shared:
            covered.update(part)
    return covered


def write(numbers, random_: random.Random) -> str:
    """A text of these sentences; words in some order, lines broken somewhere."""
    parts = []
    shuffled = random_.random() < 0.3
    for number in numbers:
        words = [word + str(number) for word in _WORDS] + ["zeta"]
        if shuffled:
            random_.shuffle(words)
        words[0] = words[0].capitalize()
        parts.append(" ".join(words) + ("." if random_.random() < 0.9 else "!"))
        parts.append("\n" if random_.random() < 0.2 else " ")
    return "".join(parts)


class Writer:
    """Draws texts whose passages come back in one another, out of `universe` sentences."""

    COMMON = 12  # sentences that stand in every tenth text

    def __init__(self, universe: int):
        self.universe = universe

    def passage(self, random_: random.Random, least=4, most=20) -> list[int]:
        begin = random_.randrange(self.COMMON, self.universe - most)
        return list(range(begin, begin + random_.randint(least, most)))

    def numbers(self, random_: random.Random, another=None) -> list[int]:
        """Sentences of a new text; `another` is one that it may be an edited copy of."""
        kind = random_.random()
        if kind < 0.02:
            return []
        if kind < 0.05:
            return self.passage(random_, 1, 3)
        if kind < 0.06:
            return [n for _ in range(20) for n in self.passage(random_, 15, 30)]
        if kind < 0.12:  # sentences that stand in it several times
            passage = self.passage(random_, 3, 8)
            return passage * random_.randint(2, 4) + self.passage(random_)
        if kind < 0.30 and another:
            return self.edited(another, random_)
        chosen = [n for _ in range(random_.randint(1, 4)) for n in self.passage(random_)]
        for _ in range(random_.randint(0, 2)):
            chosen.insert(random_.randrange(len(chosen) + 1), random_.randrange(self.COMMON))
        return chosen

    def edited(self, numbers, random_: random.Random) -> list[int]:
        """A copy with sentences taken out, put in and moved."""
        copy = [n for n in numbers if random_.random() > 0.1]
        for _ in range(random_.randint(0, 3)):
            copy.insert(random_.randrange(len(copy) + 1), random_.randrange(self.universe))
        if len(copy) > 4 and random_.random() < 0.5:
            at = random_.randrange(len(copy))
            copy = copy[at:] + copy[:at]
        return copy


def metadata(random_: random.Random):
    """What a document is stored with; None for nothing."""
    if random_.random() < 0.2:
        return None
    fields = {
        "author": f"author {random_.randrange(8)}",
        "date": f"{random_.randint(2000, 2024)}-{random_.randint(1, 12):02}-{random_.randint(1, 28):02}",
        "number": random_.randrange(100),
    }
    if random_.random() < 0.3:
        fields["tags"] = [f"g{random_.randrange(4)}" for _ in range(random_.randint(1, 3))]
    return fields


def some_filter(random_: random.Random):
    """A filter, and the same as a function of (id, metadata)."""
    author = f"author {random_.randrange(8)}"
    number = random_.randrange(100)
    date = f"{random_.randint(2000, 2024)}-06-01"
    group = f"g{random_.randrange(4)}"
    letter = random_.choice("bcdn")
    return random_.choice(
        [
            (f'author = "{author}"', lambda id_, fields: fields.get("author") == author),
            (f'author != "{author}"', lambda id_, fields: fields.get("author") != author),
            (f"number >= {number}", lambda id_, fields: "number" in fields and fields["number"] >= number),
            (
                f'date < {date} AND NOT author IN ["{author}", "nobody"]',
                lambda id_, fields: "date" in fields and fields["date"] < date and fields["author"] != author,
            ),
            (f'tags = "{group}" OR number < 10',
             lambda id_, fields: group in fields.get("tags", []) or fields.get("number", 99) < 10),
            ("NOT author EXISTS", lambda id_, fields: "author" not in fields),
            (f'id >= "{letter}"', lambda id_, fields: id_.encode() >= letter.encode()),
        ]
    )
