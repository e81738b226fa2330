"""Counts the include arrows between units inside folders of the product, and the sources that see a header.

    python3 tests/checks/arrows.py ROOT [FOLDER…]

A unit is a header with its source. An arrow goes from one unit to another that it includes, both below FOLDER (index and
server, unless others are given). A source sees a header that it includes, directly or through others."""
import collections
import pathlib
import sys

from includes import own_includes, reached, turned_round

PRODUCT = ("base", "dict", "morph", "index", "server")
ENGINE = "index/lmdb/env/lmdb.h"


def read_includes(root: pathlib.Path) -> dict[str, list[str]]:
    """Every source and header by its path, with the project's files that it includes; tests name theirs by their folder."""
    files = {}
    for folder in (*PRODUCT, "tests"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in {".h", ".cpp"}:
                files[path.relative_to(root).as_posix()] = own_includes(path)
    return files


def unit(path: str) -> str:
    return path.rsplit(".", 1)[0]


def print_arrows(files: dict[str, list[str]], folder: str) -> None:
    within = folder + "/"
    arrows = {
        (unit(path), unit(included))
        for path, includes in files.items()
        if path.startswith(within)
        for included in includes
        if included.startswith(within) and unit(included) != unit(path)
    }
    rooms = collections.Counter((str(pathlib.PurePath(a).parent), str(pathlib.PurePath(b).parent)) for a, b in arrows)
    print(f"{folder}: {len(arrows)} arrows between {len({unit(p) for p in files if p.startswith(within)})} units")
    for (a, b), count in sorted(rooms.items()):
        print(f"  {count:4} {'within ' + a if a == b else a + ' -> ' + b}")


def sources_that_see(files: dict[str, list[str]], header: str) -> list[str]:
    # Tests name a file beside them by its name alone.
    named = {
        path: {name for one in included for name in (one, str(pathlib.PurePosixPath(path).parent / one))}
        for path, included in files.items()
    }
    seen_by = turned_round(named)
    return sorted(path for path in reached([header], lambda one: seen_by[one]) if path.endswith(".cpp"))


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    files = read_includes(root)
    for folder in sys.argv[2:] or ["index", "server"]:
        print_arrows(files, folder)
    sources = [path for path in files if path.endswith(".cpp")]
    seeing = sources_that_see(files, ENGINE)
    product = [path for path in seeing if path.startswith(PRODUCT)]
    print(f"{ENGINE}: seen by {len(seeing)} of {len(sources)} sources, {len(product)} of them of the product")
    return 0


if __name__ == "__main__":
    sys.exit(main())
