"""What tests a folder has: `programs NAME…`, `regex REGEX` of their names in ctest, `filter FILTER` of their names in a program.

    folder.py FOLDER PROGRAMS

PROGRAMS is the file that CMake makes of the programs and their sources. Exit 1 if the folder has no tests of its own.
"""
import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
SUITE = re.compile(r"^(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+)\s*,", re.MULTILINE)


def main(folder: str, listed: str) -> int:
    programs, suites = set(), set()
    for line in pathlib.Path(listed).read_text(encoding="utf-8").splitlines():
        program, source = line.split()
        if pathlib.PurePath(source).is_relative_to(folder):
            found = SUITE.findall((TESTS / source).read_text(encoding="utf-8"))
            suites.update(found)
            if found:
                programs.add(program)
    if not programs:
        return 1
    print("programs", *sorted(programs))
    print(f"regex ^([^.]*/)?({'|'.join(sorted(suites))})(/[0-9]+)?$")
    print("filter", ":".join(f"{suite}.*:*/{suite}.*:{suite}/*" for suite in sorted(suites)))
    return 0


sys.exit(main(*sys.argv[1:]))
