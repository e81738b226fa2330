"""Runs clang-tidy over the units that a change can affect: python3 tests/checks/tidy.py BUILD [--all] [--jobs N]

BUILD is a folder configured by the preset `tidy`: its units are batches of sources, so that a header is parsed once a batch
instead of once a source. A unit is affected if one of its sources, or a header of the project that they include, directly or
not, differs from the base: the commit in AKIN_BASE, else the merge base with origin/main, or where HEAD itself is on
origin/main its first parent. Where none is known nothing is checked without --all. A unit found clean is not run again while its files, its flags, the
checks and clang-tidy itself are the same; --all asks neither base nor memory.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

from includes import own_includes, reached

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A batch includes sources, which is what this check is about.
CHECKS = "--checks=-bugprone-suspicious-include"


def git(*arguments: str) -> str | None:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def base() -> str | None:
    """The commit that changes are counted from; None: unknown."""
    if named := os.environ.get("AKIN_BASE"):
        return git("rev-parse", "--verify", "--quiet", named + "^{commit}")
    merged = git("merge-base", "HEAD", "origin/main")
    if merged and merged != git("rev-parse", "HEAD"):
        return merged
    return git("rev-parse", "--verify", "--quiet", "HEAD^")


def changed_since(commit: str) -> set[pathlib.Path]:
    names = (git("diff", "--name-only", commit) or "").splitlines()
    names += (git("ls-files", "--others", "--exclude-standard") or "").splitlines()
    return {ROOT / name for name in names}


class Files:
    """What files of the project include."""

    def __init__(self) -> None:
        self.included: dict[pathlib.Path, list[pathlib.Path]] = {}

    def includes(self, file: pathlib.Path) -> list[pathlib.Path]:
        if file not in self.included:
            found = []
            for name in own_includes(file):
                places = [pathlib.Path(name)] if name.startswith("/") else [ROOT / name, file.parent / name]
                found += [place for place in places if place.is_file()][:1]
            self.included[file] = found
        return self.included[file]

    def closure(self, file: pathlib.Path) -> list[pathlib.Path]:
        """The file and all that it includes, directly or not."""
        return sorted(reached([file], self.includes))


class Unit:
    def __init__(self, entry: dict[str, str], files: Files, tool: str) -> None:
        self.path = pathlib.Path(entry["file"])
        self.files = files.closure(self.path)
        key = hashlib.sha256((tool + entry["command"]).encode())
        for file in self.files:
            key.update(f"{file}\0".encode() + file.read_bytes() + b"\0")
        self.key = key.hexdigest()


def run(unit: Unit, build: pathlib.Path) -> tuple[Unit, int, str]:
    done = subprocess.run(["clang-tidy", "--quiet", CHECKS, f"--config-file={ROOT}/.clang-tidy", "-p", str(build), str(unit.path)],
                          capture_output=True, text=True, check=False)
    noise = re.compile(r"^\d+ warnings? (generated|treated as error)s?\.?$\n?", re.MULTILINE)
    return unit, done.returncode, noise.sub("", done.stdout + done.stderr)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()

    build = options.build.resolve()
    tool = subprocess.run(["clang-tidy", "--version"], capture_output=True, text=True, check=True).stdout
    tool += (ROOT / ".clang-tidy").read_text(encoding="utf-8") + CHECKS
    files = Files()
    entries = json.loads((build / "compile_commands.json").read_text())
    units = [Unit(entry, files, tool) for entry in entries if pathlib.Path(entry["file"]).is_file()]
    wanted, reason = [], "no base is known; --all checks all"
    if options.all:
        wanted, reason = units, "all were asked for"
    elif commit := base():
        changed = changed_since(commit)
        wanted = [unit for unit in units if ROOT / ".clang-tidy" in changed or changed.intersection(unit.files)]
        reason = f"changed since {commit[:10]}"

    clean = build / "clean"
    clean.mkdir(exist_ok=True)
    known = set() if options.all else {file.name for file in clean.iterdir()}
    rest = [unit for unit in wanted if unit.key not in known]
    rest.sort(key=lambda unit: -sum(file.stat().st_size for file in unit.files))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for unit, status, said in pool.map(lambda unit: run(unit, build), rest):
            if status == 0:
                (clean / unit.key).touch()
            else:
                failed += 1
                print(said)
    print(f"clang-tidy: of {len(units)} units {len(wanted)} to check ({reason}), {len(wanted) - len(rest)} known to be clean,"
          f" {failed} with findings")
    return 1 if failed else 0


sys.exit(main())
