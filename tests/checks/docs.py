"""Checks the form of README.md and docs/: no line over 120 columns, and a licence for everything that akin is built on.

    python3 tests/checks/docs.py ROOT

Tables, blocks of code and what programs write between marks may be wider, and lines of one word.
"""
import pathlib
import re
import sys

COLUMNS = 120
MARKS = [("<!-- begin ", "<!-- end "), ("<!-- bench:begin", "<!-- bench:end"), ("<!-- akin config reference -->", "at the page's end")]
CMAKE_NAME = re.compile(r"(?:find_package|pkg_check_modules|find_library)\((\w+)")


def prose(lines: list[str]):
    """(number, line) of each line that is neither table nor code nor generated."""
    fenced, end_mark = False, None
    for number, line in enumerate(lines, 1):
        if end_mark:
            end_mark = None if line.startswith(end_mark) else end_mark
            continue
        end_mark = next((end for begin, end in MARKS if line.startswith(begin)), None)
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not end_mark and not line.startswith("|"):
            yield number, line


def too_wide(page: pathlib.Path) -> list[str]:
    lines = page.read_text(encoding="utf-8").splitlines()
    wide = [(number, len(line)) for number, line in prose(lines) if len(line) > COLUMNS and len(line.split()) > 1]
    return [f"{page}:{number}: {columns} columns, at most {COLUMNS} are allowed" for number, columns in wide]


def without_licence(root: pathlib.Path) -> list[str]:
    """Packages that the build needs, and what CMake looks for, that docs/licences.md has no row of."""
    script = (root / "tools" / "install-packages").read_text(encoding="utf-8")
    needed = {name for name in re.search(r'^build="([^"]*)"', script, re.MULTILINE)[1].split() if name[0] != "@"}
    for folder in ("", "base", "dict", "morph", "index", "server", "tests"):
        pattern = "**/CMakeLists.txt" if folder else "CMakeLists.txt"
        for file in (root / folder).glob(pattern):
            needed |= set(CMAKE_NAME.findall(file.read_text(encoding="utf-8")))
    page = (root / "docs" / "licences.md").read_text(encoding="utf-8")
    listed = {word for row in page.splitlines() if row.startswith("|") for word in re.findall(r"`([^`]+)`", row)}
    return [f"docs/licences.md has no row of {name}" for name in sorted(needed - listed)]


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    pages = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    wrong = [complaint for page in pages for complaint in too_wide(page)] + without_licence(root)
    print("\n".join(wrong) or "docs: no line is too wide, every licence is listed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
