"""Checks the form of README.md, the pages beside it, and docs/: no line over 120 columns or twice, a licence for everything that akin is built
on, in docs/architecture.md every folder of the product and only files and functions that exist, and nothing new at the top.

    python3 tests/checks/docs.py ROOT

Tables, blocks of code and what programs write between marks may be wider, and lines of one word.
"""
import pathlib
import re
import subprocess
import sys

COLUMNS = 120
MARKS = [("<!-- begin ", "<!-- end "), ("<!-- bench:begin", "<!-- bench:end"), ("<!-- every setting -->", "at the page's end")]
PRODUCT = ("base", "dict", "extract", "report", "morph", "index", "server", "lab", "cli")
# A new name here is to have a reason: what somebody tried in the source folder is committed easily.
TOP = {*PRODUCT, "tests", "docs", "ffi", "packaging", "python", "sample", "tools", ".ci", ".clang-format", ".clang-tidy",
       ".dockerignore", ".gitignore", "CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json", "CONTRIBUTING.md", "Containerfile",
       "README.md", "README.ru.md", "bench", "quickstart", "test"}  # fmt: skip
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


def repeated(page: pathlib.Path) -> list[str]:
    """Long lines that a page has twice: a part of it was pasted again."""
    first, complaints = {}, []
    for number, line in prose(page.read_text(encoding="utf-8").splitlines()):
        if 3 * len(line) > 2 * COLUMNS and first.setdefault(line, number) != number:
            complaints.append(f"{page}:{number}: the same line as line {first[line]}")
    return complaints


def without_licence(root: pathlib.Path) -> list[str]:
    """Packages that the build needs, and what CMake looks for, that docs/licences.md has no row of."""
    script = (root / "tools" / "install-packages").read_text(encoding="utf-8")
    needed = {name for name in re.search(r'^build="([^"]*)"', script, re.MULTILINE)[1].split() if name[0] != "@"}
    for folder in ("", *PRODUCT, "tests"):
        pattern = "**/CMakeLists.txt" if folder else "CMakeLists.txt"
        for file in (root / folder).glob(pattern):
            needed |= set(CMAKE_NAME.findall(file.read_text(encoding="utf-8")))
    page = (root / "docs" / "licences.md").read_text(encoding="utf-8")
    listed = {word for row in page.splitlines() if row.startswith("|") for word in re.findall(r"`([^`]+)`", row)}
    return [f"docs/licences.md has no row of {name}" for name in sorted(needed - listed)]


def strays(root: pathlib.Path) -> list[str]:
    """Tracked files and folders beside those of the project; nothing outside of a clone."""
    listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True)
    names = {line.split("/")[0] for line in listed.stdout.splitlines()}
    return [f"{name}: is at the top without being one of the project's (TOP in tests/checks/docs.py)" for name in sorted(names - TOP)]


def wrong_folders(root: pathlib.Path, page: str) -> list[str]:
    """Folders in the table of architecture.md that do not exist, and folders with sources that are missing there."""
    listed = set(re.findall(r"^\| `([\w/]+)/` \|", page, re.MULTILINE))
    lost = [f"docs/architecture.md: folder {name} does not exist" for name in sorted(listed) if not (root / name).is_dir()]
    present = {source.parent.relative_to(root).as_posix() for top in PRODUCT for source in (root / top).rglob("*.cpp")}
    return lost + [f"docs/architecture.md has no row of {name}/" for name in sorted(present - listed)]


def wrong_names(root: pathlib.Path, page: str) -> list[str]:
    """Files in architecture.md that do not exist, and names that no file of the same paragraph or step has."""
    if "\n## From the socket to the postings\n" not in page:
        return ["docs/architecture.md has no section 'From the socket to the postings'"]
    complaints = []
    words = "\n".join(line for _, line in prose(page.splitlines()))
    for step in re.split(r"\n\n|\n(?=\d+\. |- )", words):
        quoted = re.findall(r"`([^`]+)`", step)
        files = [name for name in quoted if re.fullmatch(r"[\w/]+/\w+\.(?:h|cpp)", name)]
        complaints += [f"docs/architecture.md: file {name} does not exist" for name in files if not (root / name).is_file()]
        sources = "\n".join((root / name).read_text(encoding="utf-8") for name in files if (root / name).is_file())
        names = [name for name in quoted if re.fullmatch(r"\w+", name)] if files else []
        complaints += [f"docs/architecture.md: {name} is not in {', '.join(files)}" for name in names
                       if not re.search(rf"\b{name}\b", sources)]
    return complaints


def other_commands(root: pathlib.Path) -> list[str]:
    """Commands and answers of README.ru.md that README.md, whose own are tested, does not have."""
    english = (root / "README.md").read_text(encoding="utf-8")
    russian = (root / "README.ru.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```(?:text|sh)\n.*?^```$", russian, re.DOTALL | re.MULTILINE)
    shown += re.findall(r"^    (\S.*?)(?:  +#.*)?$", re.sub(r"(?ms)^```.*?^```$", "", russian), re.MULTILINE)
    shown += [command for row in russian.splitlines() if row.startswith("|") for command in re.findall(r"`[^`]+`", row)]
    return [f"README.ru.md shows what README.md does not: {block[:80]}" for block in shown if block not in english]


def lost_files(root: pathlib.Path, page: pathlib.Path) -> list[str]:
    """Sources that the recipes of a page name and that do not exist."""
    named = set(re.findall(r"`((?:\w+/)+\w+\.(?:h|cpp|py|yaml))`", page.read_text(encoding="utf-8")))
    return [f"{page}: file {name} does not exist" for name in sorted(named) if not (root / name).is_file()]


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    pages = [*sorted(root.glob("*.md")), *sorted((root / "docs").glob("*.md"))]
    architecture = (root / "docs" / "architecture.md").read_text(encoding="utf-8")
    wrong = [complaint for page in pages for complaint in too_wide(page) + repeated(page)] + without_licence(root)
    wrong += lost_files(root, root / "CONTRIBUTING.md") + other_commands(root)
    wrong += wrong_folders(root, architecture) + wrong_names(root, architecture) + strays(root)
    print("\n".join(wrong) or "docs: no line is too wide, every licence, folder and name is right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
