"""./bench --compare OLD.json [NEW.json]: which figures of NEW (build/bench.json without it) became worse since OLD, which better,
and which rows only one of them has. Both are files that ./bench wrote. A change of at most a tenth is not listed: repeated
runs of one build differ as much.

Exit status: 0 if nothing became worse, 1 if something did, 2 if a file cannot be read.
"""
import argparse
import json
import pathlib
import sys


def rows_of(file: pathlib.Path) -> tuple[str, dict[str, dict]]:
    """The machine in words, and the rows by name."""
    try:
        results = json.loads(file.read_text(encoding="utf-8"))
        machine = results["machine"]
        said = f"{machine['processor']}, {machine['cores']} cores, load {machine.get('load', 'unknown')}"
        return said, {row["name"]: row for row in results["rows"]}
    except OSError as error:
        sys.exit(fail(f"{file} cannot be read: {error.strerror}"))
    except (ValueError, KeyError, TypeError):
        sys.exit(fail(f"{file} is not what ./bench writes"))


def fail(message: str) -> int:
    print(f"bench: {message}", file=sys.stderr)
    return 2


def direction(row: dict) -> str:
    """'higher' or 'lower', whichever is better; '' for a size, which is neither. Files of earlier versions lack it: then a rate
    is better higher, and nothing else is compared."""
    return row.get("better") or ("higher" if row["unit"].endswith("/s") else "")


def lines(changes: list[tuple[float, dict, dict]]) -> list[str]:
    return [f"  {new['name']:<70} {old['value']:>10.4g} -> {new['value']:>10.4g} {new['unit']:<12} x {new['value'] / old['value']:.2f}"
            for _, old, new in changes]


def main() -> int:
    parser = argparse.ArgumentParser(prog="./bench --compare", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("old", type=pathlib.Path, metavar="OLD.json")
    parser.add_argument("new", type=pathlib.Path, metavar="NEW.json", nargs="?", default=pathlib.Path("build/bench.json"))
    parser.add_argument("--tolerance", type=float, default=0.1, metavar="PART", help="changes up to this part are not listed (0.1)")
    options = parser.parse_args()
    old_machine, old_rows = rows_of(options.old)
    new_machine, new_rows = rows_of(options.new)
    print(f"old: {old_machine}\nnew: {new_machine}")

    worse, better, same = [], [], 0
    for name, new in new_rows.items():
        old = old_rows.get(name)
        if old is None or not direction(new) or not (old["value"] > 0 and new["value"] > 0):
            continue
        cost = new["value"] / old["value"] if direction(new) == "lower" else old["value"] / new["value"]
        if cost > 1 + options.tolerance:
            worse.append((cost, old, new))
        elif cost < 1 / (1 + options.tolerance):
            better.append((cost, old, new))
        else:
            same += 1
    worse.sort(key=lambda change: -change[0])
    better.sort(key=lambda change: change[0])
    print(f"worse: {len(worse)}", *lines(worse), sep="\n")
    print(f"better: {len(better)}", *lines(better), sep="\n")
    print(f"within {options.tolerance:.0%}: {same}")
    for said, some, others in (("only in the old file", old_rows, new_rows), ("only in the new file", new_rows, old_rows)):
        missing = [name for name in some if name not in others]
        print(f"{said}: {len(missing)}", *(f"  {name}" for name in missing), sep="\n")
    return 1 if worse else 0


sys.exit(main())
