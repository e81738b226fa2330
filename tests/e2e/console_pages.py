"""Runs the ```console blocks of documentation pages and compares what they print with what the page shows.

A block's lines that begin with "$ " are commands, run by bash one after the other; the lines below a command are what it
prints, standard output and standard error together. "…" stands for any text within a line, and alone on a line for any number
of lines. All blocks of a page share a new working folder, which has what the source folder has. `akin` is the built program,
and build/release the folder in which it was built. A page that takes addresses of databases from variables gets servers of
its own. Blocks that documented.py lists are passed over.

    AKIN=build/release/server/cli/akin python3 tests/e2e/console_pages.py docs/cli.md    rewrites outdated output
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from documented import Block, blocks_of, not_run
from postgresql import Postgresql

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DATABASES = ("DB", "CLUSTER", "S0", "S1", "S2", "S3")


def databases_of(page: str) -> list[str]:
    """The variables from which its commands take addresses of databases."""
    return [name for name in DATABASES if re.search(rf'"[^"]*\${name}\b', page)]


def split_commands(block: str) -> list[tuple[str, str]]:
    """(command, shown output) in order; a command goes on after a backslash at the line's end."""
    steps: list[tuple[str, str]] = []
    in_command = False
    for line in block.splitlines(keepends=True):
        if in_command:
            steps[-1] = (steps[-1][0] + line, "")
        elif line.startswith("$ "):
            steps.append((line[2:], ""))
        else:
            command, output = steps[-1]
            steps[-1] = (command, output + line)
            continue
        in_command = line.endswith("\\\n")
    return steps


def matches(shown: str, printed: str) -> bool:
    parts = []
    for line in shown.splitlines(keepends=True):
        if line.strip() == "…":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*?".join(re.escape(piece) for piece in line.split("…")))
    # An ellipsis that the program itself prints is matched by the same pattern.
    return re.fullmatch("".join(parts), printed) is not None


def with_ellipses(printed: str, shown: str) -> str:
    """What was printed, with the lines of the page that still match it through an ellipsis."""
    elided = [line for line in shown.splitlines(keepends=True) if "…" in line and line.strip() != "…"]
    return "".join(
        next((line for line in elided if matches(line, fresh)), fresh) for fresh in printed.splitlines(keepends=True)
    )


class Page:
    """One page with a working folder and a PATH that begins with the built program."""

    def __init__(self, path: pathlib.Path):
        self.path = path
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-page-"))
        program = pathlib.Path(os.environ["AKIN"]).resolve()
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "akin").symlink_to(program)
        self.work = self.folder / "work"
        (self.work / "build").mkdir(parents=True)
        (self.work / "build" / "release").symlink_to(program.parents[2])
        for entry in SOURCE.iterdir():
            if entry.name not in ("build", ".git"):
                (self.work / entry.name).symlink_to(entry)
        clean = {name: value for name, value in os.environ.items() if name not in ("AKIN_LANG", "AKIN_DATA")}
        self.environment = {**clean, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        self.servers = []
        for name in databases_of(path.read_text(encoding="utf-8")):
            self.servers.append(Postgresql(self.folder, name.lower()))
            self.environment[name] = self.servers[-1].address

    def close(self):
        for server in self.servers:
            server.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, command: str) -> str:
        finished = subprocess.run(
            ["bash", "-c", command],
            cwd=self.work,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=300,
            check=False,
        )
        return finished.stdout.decode()

    def rewritten(self) -> tuple[str, list[str]]:
        """The page with the output of this run, and a complaint for each command whose output differed."""
        complaints: list[str] = []

        def rewrite(block: Block) -> str:
            text = ""
            for command, shown in split_commands(block.content):
                printed = self.run(command)
                if printed and not printed.endswith("\n"):
                    printed += "\n"
                if not matches(shown, printed):
                    complaints.append(f"$ {command}--- the page shows\n{shown}--- it prints\n{printed}")
                    shown = with_ellipses(printed, shown)
                text += f"$ {command}{shown}"
            return text

        page = self.path.read_text(encoding="utf-8")
        at = 0
        for block in blocks_of(page):
            if block.language != "console" or not_run(self.path.name, block):
                continue
            at = page.index(block.text, at)
            fresh = f"```console\n{rewrite(block)}```"
            page = page[:at] + fresh + page[at + len(block.text) :]
            at += len(fresh)
        return page, complaints


def main() -> int:
    for name in sys.argv[1:]:
        page = Page(pathlib.Path(name))
        try:
            text, complaints = page.rewritten()
        finally:
            page.close()
        pathlib.Path(name).write_text(text, encoding="utf-8")
        print(f"{name}: {len(complaints)} outputs rewritten")
    return 0


if __name__ == "__main__":
    sys.exit(main())
