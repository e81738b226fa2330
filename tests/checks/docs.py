"""Checks the form of README.md and docs/: no line over 120 columns, a licence for everything that akin is built on, and in
docs/development.md every folder of the product, and only files and functions that exist.

    python3 tests/checks/docs.py ROOT

Tables, blocks of code and what programs write between marks may be wider, and lines of one word.
"""
import pathlib
import re
import sys

COLUMNS = 120
MARKS = [("<!-- begin ", "<!-- end "), ("<!-- bench:begin", "<!-- bench:end"), ("<!-- akin config reference -->", "at the page's end")]
PRODUCT = ("base", "dict", "morph", "index", "server")
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


def wrong_folders(root: pathlib.Path, page: str) -> list[str]:
    """Folders in the table of development.md that do not exist, and folders with sources that are missing there."""
    listed = set(re.findall(r"^\| `([\w/]+)/` \|", page, re.MULTILINE))
    lost = [f"docs/development.md: there is no folder {name}" for name in sorted(listed) if not (root / name).is_dir()]
    present = {source.parent.relative_to(root).as_posix() for top in PRODUCT for source in (root / top).rglob("*.cpp")}
    return lost + [f"docs/development.md has no row of {name}/" for name in sorted(present - listed)]


def wrong_names(root: pathlib.Path, page: str) -> list[str]:
    """Files in the walks of development.md that do not exist, and names that no file of the same step has."""
    walks = page.partition("\n## From the socket to the postings\n")[2].partition("\n## ")[0]
    complaints = [] if walks else ["docs/development.md has no section 'From the socket to the postings'"]
    for step in re.split(r"\n\n|\n(?=\d+\. )", walks):
        quoted = re.findall(r"`([^`]+)`", step)
        files = [name for name in quoted if re.fullmatch(r"[\w/]+/\w+\.(?:h|cpp)", name)]
        complaints += [f"docs/development.md: there is no file {name}" for name in files if not (root / name).is_file()]
        sources = "\n".join((root / name).read_text(encoding="utf-8") for name in files if (root / name).is_file())
        names = [name for name in quoted if re.fullmatch(r"\w+", name)]
        complaints += [f"docs/development.md: {name} is not in {', '.join(files)}" for name in names
                       if not re.search(rf"\b{name}\b", sources)]
    return complaints


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    pages = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    development = (root / "docs" / "development.md").read_text(encoding="utf-8")
    wrong = [complaint for page in pages for complaint in too_wide(page)] + without_licence(root)
    wrong += wrong_folders(root, development) + wrong_names(root, development)
    print("\n".join(wrong) or "docs: no line is too wide, every licence, folder and name is right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
