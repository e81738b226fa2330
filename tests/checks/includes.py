"""What the project's files include, for the checks that follow includes."""
import collections
import pathlib
import re
from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')


def includes_of(file: pathlib.Path) -> list[tuple[int, str, str]]:
    """The includes of a file: number of the line, the name in quotes or "", the name in angle brackets or ""."""
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    found = ((number, INCLUDE.match(line)) for number, line in enumerate(lines, 1))
    return [(number, match[1] or "", match[2] or "") for number, match in found if match]


def own_includes(file: pathlib.Path) -> list[str]:
    """The project's files that a file includes, as it names them."""
    return [own for _, own, _ in includes_of(file) if own]


def reached(start: Iterable[T], edges: Callable[[T], Iterable[T]]) -> set[T]:
    """What the edges lead to from the start, which is part of it."""
    seen = set(start)
    waiting = list(seen)
    while waiting:
        for one in edges(waiting.pop()):
            if one not in seen:
                seen.add(one)
                waiting.append(one)
    return seen


def turned_round(includes: dict[str, Iterable[str]]) -> dict[str, set[str]]:
    """Who includes a file, from what each one includes."""
    included_by = collections.defaultdict(set)
    for path, included in includes.items():
        for one in included:
            included_by[one].add(path)
    return included_by
